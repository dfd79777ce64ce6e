//! Stage 0, read: bytes to [`Picture`], within [`Limits`].
//!
//! PNG, JPEG, WebP, GIF (first frame), BMP and TIFF. Sizes are taken from the header and checked before a pixel is
//! decoded. The result is always 8-bit RGB: gray, palette, 16-bit and CMYK pictures are converted, transparency is laid
//! over white (as on a page), and the EXIF orientation is applied.

use std::{
    fs, io,
    io::{BufRead, Cursor, Read, Seek},
    ops::Range,
    path::Path,
};

use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer, images, pixels::U8x3};
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader};
use ndarray::Array4;

use super::{damage::Damage, jpeg, lzw::gif_damage, tiff::PageReader};
use crate::error::{DecodeError, Error, Result};

/// How large an input may be. Pictures come from strangers: a file of a hundred bytes can claim to be a picture of ten
/// gigabytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of the file. Default: 64 MiB, twice what a 50-megapixel camera writes.
    pub bytes: u64,
    /// Pixels, width times height. Default: 50 million, the sensor of a phone's camera; 150 MB once decoded.
    pub pixels: u64,
}

impl Limits {
    /// Limits on the bytes of a file and on the pixels of a picture.
    pub const fn new(bytes: u64, pixels: u64) -> Limits {
        Limits { bytes, pixels }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::new(64 << 20, 50_000_000)
    }
}

/// A decoded picture: 8-bit RGB, row-major, top left first, never empty.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    width: usize,
    height: usize,
    data: Vec<u8>,
    damage: Option<Damage>,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({} x {})", self.width, self.height)
    }
}

impl Picture {
    /// A picture of given pixels: `width * height` triples of red, green, blue.
    ///
    /// # Panics
    /// When the picture would be empty or the data do not have that length.
    pub fn from_rgb(width: usize, height: usize, data: Vec<u8>) -> Picture {
        assert!(width > 0 && height > 0, "a picture of {width} x {height}");
        assert_eq!(data.len(), width * height * 3, "bytes of a picture of {width} x {height}");
        Picture { width, height, data, damage: None }
    }

    /// A picture of given pixels with transparency, which is laid over white: `width * height` groups of red, green, blue
    /// and alpha.
    ///
    /// # Panics
    /// When the picture would be empty or the data do not have that length.
    pub fn from_rgba(width: usize, height: usize, data: &[u8]) -> Picture {
        let over_white = |pixel: &[u8]| {
            let alpha = u32::from(pixel[3]);
            [0, 1, 2].map(|i| ((u32::from(pixel[i]) * alpha + 255 * (255 - alpha) + 127) / 255) as u8)
        };
        Picture::from_rgb(width, height, data.chunks_exact(4).flat_map(over_white).collect())
    }

    /// A picture of one color.
    ///
    /// # Panics
    /// When it would be empty.
    pub fn filled(width: usize, height: usize, color: [u8; 3]) -> Picture {
        Picture::from_rgb(width, height, color.repeat(width * height))
    }

    /// Reads and decodes a file.
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::Directory`], [`Error::TooLarge`] and [`Error::Decode`].
    pub fn open(path: impl AsRef<Path>, limits: &Limits) -> Result<Picture> {
        Picture::decode(&read_file(path.as_ref(), limits)?, limits)
    }

    /// Decodes a picture held in memory. Of a TIFF file of several pages the first.
    ///
    /// # Errors
    /// [`Error::TooLarge`] and [`Error::Decode`].
    pub fn decode(bytes: &[u8], limits: &Limits) -> Result<Picture> {
        check("bytes", limits.bytes, bytes.len() as u64)?;
        if bytes.is_empty() {
            return Err(refused(DecodeError::Empty));
        }
        match image::guess_format(bytes).map_err(|_| refused(DecodeError::NotAPicture))? {
            ImageFormat::Jpeg => Picture::decode_jpeg(bytes, limits),
            ImageFormat::Tiff => match PageReader::of(bytes) {
                Some(page) => Picture::decode_tiff(page, limits),
                None => pixels(Cursor::new(bytes), ImageFormat::Tiff, limits)?,
            },
            ImageFormat::Gif => {
                let decoded = pixels(Cursor::new(bytes), ImageFormat::Gif, limits)??;
                Ok(decoded.with_damage(gif_damage(bytes)))
            }
            format => pixels(Cursor::new(bytes), format, limits)?,
        }
    }

    fn decode_jpeg(bytes: &[u8], limits: &Limits) -> Result<Picture> {
        /// Smaller files are not worth another thread.
        const LARGE: usize = 1 << 17;
        let decode = |bytes: &[u8]| pixels(Cursor::new(bytes), ImageFormat::Jpeg, limits);
        let walk = || jpeg::walk(&[], bytes, limits.pixels);
        let (decoded, walked) =
            if bytes.len() < LARGE { (decode(bytes), walk()) } else { rayon::join(|| decode(bytes), walk) };
        let decoded = decoded?;
        if walked.ended || jpeg::has_end(bytes) {
            return Ok(decoded?.with_damage(walked.damage));
        }
        if walked.damage.is_some() {
            return Err(refused(DecodeError::Truncated));
        }
        // Nothing but the end marker is missing; the decoder misses the last rows with it.
        decode(&[bytes, &jpeg::END].concat())?
    }

    /// Decodes a page of a TIFF file.
    pub(super) fn decode_tiff(page: PageReader<'_>, limits: &Limits) -> Result<Picture> {
        let decoded = pixels(page.clone(), ImageFormat::Tiff, limits)??;
        Ok(decoded.with_damage(page.damage(limits)))
    }

    /// What is wrong with the data that the picture was decoded from; `None` when nothing is known to be wrong. Pictures made
    /// of this one keep it.
    pub fn damage(&self) -> Option<Damage> {
        self.damage
    }

    /// The picture, said to be decoded from damaged data.
    pub fn with_damage(self, damage: Option<Damage>) -> Picture {
        Picture { damage, ..self }
    }

    /// Width in pixels.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Height in pixels.
    pub fn height(&self) -> usize {
        self.height
    }

    /// All samples: rows from the top, three bytes a pixel.
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// The color of a pixel.
    ///
    /// # Panics
    /// When the pixel lies outside.
    pub fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        assert!(x < self.width, "column {x} of {}", self.width);
        let at = (y * self.width + x) * 3;
        [self.data[at], self.data[at + 1], self.data[at + 2]]
    }

    /// Colors a pixel; one that lies outside is ignored, so that lines may leave the picture.
    pub fn set_pixel(&mut self, x: usize, y: usize, color: [u8; 3]) {
        if x < self.width && y < self.height {
            let at = (y * self.width + x) * 3;
            self.data[at..at + 3].copy_from_slice(&color);
        }
    }

    /// The picture brought to another size, averaging over every source pixel that a target pixel covers.
    ///
    /// # Panics
    /// When the new size is empty.
    pub fn resized(&self, width: usize, height: usize) -> Picture {
        assert!(width > 0 && height > 0, "a picture of {width} x {height}");
        let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Bilinear)).use_alpha(false);
        // The typed views: the untyped ones bring the code for every kind of pixel there is, and minutes to compile it.
        let source = images::TypedImageRef::<U8x3>::from_buffer(self.width as u32, self.height as u32, &self.data)
            .expect("the length was checked when the picture was made");
        let mut data = vec![0; width * height * 3];
        let mut target = images::TypedImage::<U8x3>::from_buffer(width as u32, height as u32, &mut data)
            .expect("three bytes a pixel");
        Resizer::new().resize_typed(&source, &mut target, &options).expect("neither is empty");
        Picture::from_rgb(width, height, data).with_damage(self.damage)
    }

    /// A part of the picture.
    ///
    /// # Panics
    /// When the part is empty or leaves the picture.
    pub fn cropped(&self, left: usize, top: usize, width: usize, height: usize) -> Picture {
        let inside = left + width <= self.width && top + height <= self.height;
        assert!(inside, "{width} x {height} at {left}, {top} of {} x {}", self.width, self.height);
        let mut data = Vec::with_capacity(width * height * 3);
        for row in self.data.chunks_exact(self.width * 3).skip(top).take(height) {
            data.extend_from_slice(&row[left * 3..(left + width) * 3]);
        }
        Picture::from_rgb(width, height, data).with_damage(self.damage)
    }

    /// A part of the picture made smaller, each block of `block` x `block` pixels averaged to one. Blocks that the right or
    /// lower end of the part cuts average what there is of them. For any other size there is
    /// [`resized`](Self::resized), which takes longer.
    ///
    /// # Panics
    /// When the part is empty or leaves the picture, and when the block is empty or longer than [`MAX_BLOCK`](Self::MAX_BLOCK).
    pub fn averaged(&self, columns: Range<usize>, rows: Range<usize>, block: usize) -> Picture {
        assert!((1..=Self::MAX_BLOCK).contains(&block), "blocks of {block} pixels");
        let inside = columns.end <= self.width && rows.end <= self.height;
        assert!(
            inside && !columns.is_empty() && !rows.is_empty(),
            "{columns:?} x {rows:?} of {} x {}",
            self.width,
            self.height
        );
        if block == 1 {
            return self.cropped(columns.start, rows.start, columns.len(), rows.len());
        }
        let (width, height) = (columns.len().div_ceil(block), rows.len().div_ceil(block));
        let mut data = vec![0u8; width * height * 3];
        let mut sums = vec![0u16; columns.len() * 3];
        for (top, line) in rows.clone().step_by(block).zip(data.chunks_exact_mut(width * 3)) {
            let high = block.min(rows.end - top);
            sums.fill(0);
            for row in top..top + high {
                let from = (row * self.width + columns.start) * 3;
                for (sum, &value) in sums.iter_mut().zip(&self.data[from..]) {
                    *sum += u16::from(value);
                }
            }
            // The usual lengths are told to the compiler, which then unrolls the sums.
            match block {
                2 => average_cells(&sums, 2, high, line),
                3 => average_cells(&sums, 3, high, line),
                4 => average_cells(&sums, 4, high, line),
                _ => average_cells(&sums, block, high, line),
            }
        }
        Picture::from_rgb(width, height, data).with_damage(self.damage)
    }

    /// The longest side of a block in [`averaged`](Self::averaged), up to which its colors are off by a tenth of a step at most
    /// beside the rounding, and all sums fit their types.
    pub const MAX_BLOCK: usize = 64;

    /// The picture in the top left corner of a larger one of one color.
    ///
    /// # Panics
    /// When it does not fit.
    pub fn padded(&self, width: usize, height: usize, color: [u8; 3]) -> Picture {
        assert!(self.width <= width && self.height <= height, "{} x {} in {width} x {height}", self.width, self.height);
        let mut padded = Picture::filled(width, height, color).with_damage(self.damage);
        for (row, line) in padded.data.chunks_exact_mut(width * 3).zip(self.data.chunks_exact(self.width * 3)) {
            row[..line.len()].copy_from_slice(line);
        }
        padded
    }

    /// The picture as a network takes it: `[1, 3, height, width]`, planes red, green, blue, values 0 to 1.
    pub(crate) fn to_tensor(&self) -> Array4<f32> {
        let area = self.width * self.height;
        let mut planes = vec![0.0f32; 3 * area];
        let (red, rest) = planes.split_at_mut(area);
        let (green, blue) = rest.split_at_mut(area);
        for (((rgb, r), g), b) in self.data.chunks_exact(3).zip(red).zip(green).zip(blue) {
            *r = f32::from(rgb[0]) / 255.0;
            *g = f32::from(rgb[1]) / 255.0;
            *b = f32::from(rgb[2]) / 255.0;
        }
        Array4::from_shape_vec((1, 3, self.height, self.width), planes).expect("three planes of the picture's area")
    }

    /// The picture as PNG bytes.
    pub fn to_png(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let encoder = image::codecs::png::PngEncoder::new(&mut bytes);
        image::ImageEncoder::write_image(
            encoder,
            &self.data,
            self.width as u32,
            self.height as u32,
            image::ExtendedColorType::Rgb8,
        )
        .expect("memory can be written and the length fits");
        bytes
    }
}

/// The bytes of a file, at most as many as the limits allow. A pipe or a device is no file: nobody may ever write to it.
///
/// # Errors
/// [`Error::Read`], [`Error::Directory`] and [`Error::TooLarge`].
pub fn read_file(path: &Path, limits: &Limits) -> Result<Vec<u8>> {
    // Before it is opened, since a pipe is not open until somebody writes to it.
    let about = fs::metadata(path)?;
    if about.is_dir() {
        return Err(Error::Directory);
    }
    if !about.is_file() {
        return Err(Error::Read { source: io::Error::other("a pipe or a device, not a file") });
    }
    check("bytes", limits.bytes, about.len())?;
    read_stream(fs::File::open(path)?, limits)
}

/// The bytes of a stream, at most as many as the limits allow. The length of a pipe or device is not known beforehand.
///
/// # Errors
/// [`Error::Read`] and [`Error::TooLarge`].
pub fn read_stream(stream: impl Read, limits: &Limits) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(limits.bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    check("bytes", limits.bytes, bytes.len() as u64)?;
    Ok(bytes)
}

/// Decodes the pixels. The outer error is one of the header: the picture is too large, or no picture.
fn pixels(reader: impl BufRead + Seek, format: ImageFormat, limits: &Limits) -> Result<Result<Picture>> {
    let mut reader = ImageReader::with_format(reader, format);
    reader.limits(memory(limits));
    let mut decoder = reader.into_decoder().map_err(|error| explain(error, limits))?;
    let (width, height) = decoder.dimensions();
    check("pixels", limits.pixels, u64::from(width) * u64::from(height))?;
    if width == 0 || height == 0 {
        return Err(refused(DecodeError::Broken));
    }
    // A broken EXIF block must not lose the picture that follows it.
    let orientation = decoder.orientation().unwrap_or(image::metadata::Orientation::NoTransforms);
    Ok(DynamicImage::from_decoder(decoder).map_err(|error| explain(error, limits)).map(|mut decoded| {
        decoded.apply_orientation(orientation);
        let (width, height) = (decoded.width() as usize, decoded.height() as usize);
        match decoded {
            DynamicImage::ImageRgb8(rgb) => Picture::from_rgb(width, height, rgb.into_raw()),
            other if other.color().has_alpha() => Picture::from_rgba(width, height, &other.into_rgba8()),
            other => Picture::from_rgb(width, height, other.into_rgb8().into_raw()),
        }
    }))
}

fn check(what: &'static str, limit: u64, actual: u64) -> Result<()> {
    if actual > limit { Err(Error::TooLarge { what, limit, actual }) } else { Ok(()) }
}

fn refused(error: DecodeError) -> Error {
    Error::Decode { error, source: None }
}

/// What a decoder may allocate: the largest picture allowed at eight bytes a pixel (16-bit RGBA) and some work space.
fn memory(limits: &Limits) -> image::Limits {
    let mut memory = image::Limits::no_limits();
    memory.max_alloc = Some(limits.pixels.saturating_mul(8).saturating_add(64 << 20));
    memory
}

fn explain(error: ImageError, limits: &Limits) -> Error {
    let reason = match &error {
        ImageError::Limits(_) => {
            return Error::TooLarge { what: "pixels", limit: limits.pixels, actual: limits.pixels.saturating_add(1) };
        }
        ImageError::Unsupported(_) => DecodeError::Unsupported,
        error if ends_early(error) => DecodeError::Truncated,
        _ => DecodeError::Broken,
    };
    Error::Decode { error: reason, source: Some(Box::new(error)) }
}

/// Whether some cause of the error is that the data ended. Decoders wrap that differently; some only say it in words.
fn ends_early(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::UnexpectedEof)
            || matches!(error.downcast_ref::<ImageError>(), Some(ImageError::IoError(e)) if e.kind() == io::ErrorKind::UnexpectedEof)
        {
            return true;
        }
        let words = error.to_string().to_lowercase();
        if ["unexpected eof", "unexpected end", "end of file", "no more bytes", "exhausted"]
            .iter()
            .any(|w| words.contains(w))
        {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Colors of cells of `block` pixels each, from the sums of `high` pixels one above the other.
#[inline(always)]
fn average_cells(sums: &[u16], block: usize, high: usize, line: &mut [u8]) {
    /// Sums are divided by multiplying with this part of their count; the largest product still fits 32 bits.
    const ONE: u32 = 1 << 23;
    let average = |cell: &[u16], rgb: &mut [u8], share: u32| {
        let (mut red, mut green, mut blue) = (0u32, 0u32, 0u32);
        for sum in cell.chunks_exact(3) {
            red += u32::from(sum[0]);
            green += u32::from(sum[1]);
            blue += u32::from(sum[2]);
        }
        rgb[0] = ((red * share + ONE / 2) / ONE) as u8;
        rgb[1] = ((green * share + ONE / 2) / ONE) as u8;
        rgb[2] = ((blue * share + ONE / 2) / ONE) as u8;
    };
    let share = |pixels: usize| ONE / (pixels * high) as u32;
    let whole = sums.chunks_exact(block * 3);
    let rest = whole.remainder();
    let full = share(block);
    whole.zip(line.chunks_exact_mut(3)).for_each(|(cell, rgb)| average(cell, rgb, full));
    if !rest.is_empty() {
        let last = line.len() - 3;
        average(rest, &mut line[last..], share(rest.len() / 3));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_white_blocks_stay_white() {
        let white = Picture::filled(200, 130, [255; 3]);
        for block in [7, 33, Picture::MAX_BLOCK] {
            assert!(white.averaged(0..200, 0..130, block).data().iter().all(|&v| v == 255), "{block}");
        }
    }

    #[test]
    #[should_panic(expected = "of 20 x 20")]
    fn parts_lie_inside() {
        Picture::filled(20, 20, [0; 3]).averaged(10..21, 0..20, 2);
    }

    #[test]
    fn blocks_are_averaged_to_the_edge() {
        let (width, height) = (11, 7);
        let data = (0..width * height * 3).map(|i| (i * 37 % 251) as u8).collect();
        let picture = Picture::from_rgb(width, height, data);
        for block in 1..=6 {
            let (columns, rows) = (1..10, 2..7);
            let averaged = picture.averaged(columns.clone(), rows.clone(), block);
            assert_eq!((averaged.width(), averaged.height()), (9usize.div_ceil(block), 5usize.div_ceil(block)));
            for y in 0..averaged.height() {
                for x in 0..averaged.width() {
                    let (left, top) = (columns.start + x * block, rows.start + y * block);
                    let (right, bottom) = ((left + block).min(columns.end), (top + block).min(rows.end));
                    let count = ((right - left) * (bottom - top)) as f64;
                    for channel in 0..3 {
                        let pixels = (top..bottom).flat_map(|v| (left..right).map(move |u| (u, v)));
                        let sum: f64 = pixels.map(|(u, v)| f64::from(picture.pixel(u, v)[channel])).sum();
                        assert!((f64::from(averaged.pixel(x, y)[channel]) - sum / count).abs() <= 0.51, "{x} {y}");
                    }
                }
            }
        }
    }
}
