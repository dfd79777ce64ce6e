//! Pictures in a page: cut out, made smaller, and written into the page itself.

use std::borrow::Cow;

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use fenlens::{Picture, image::Corners};
use image::{
    ExtendedColorType, ImageEncoder, ImageResult,
    codecs::{
        jpeg::JpegEncoder,
        png::{CompressionType, FilterType, PngEncoder},
    },
};

/// The quality of JPEGs: pieces of 40 pixels keep their lines.
const QUALITY: u8 = 82;

/// A picture made smaller, if needed, so that its longer side has at most so many pixels.
pub fn at_most(picture: &Picture, side: usize) -> Cow<'_, Picture> {
    let (width, height) = (picture.width(), picture.height());
    let longer = width.max(height);
    if longer <= side {
        return Cow::Borrowed(picture);
    }
    let reduced = |length: usize| ((length * side + longer / 2) / longer).max(1);
    Cow::Owned(picture.resized(reduced(width), reduced(height)))
}

/// The part of a picture around a board, with a margin given as a share of the board's width and height. The board may
/// reach over the edge of the picture; the part does not.
pub fn cut_out(picture: &Picture, corners: &Corners, margin: f64) -> Picture {
    let range = |values: [f64; 4], length: usize| {
        let low = values.into_iter().fold(f64::MAX, f64::min);
        let high = values.into_iter().fold(f64::MIN, f64::max);
        let margin = (high - low) * margin;
        let first = ((low - margin).max(0.0) as usize).min(length - 1);
        let end = ((high + margin).ceil().max(0.0) as usize).clamp(first + 1, length);
        (first, end - first)
    };
    let (left, width) = range(corners.0.map(|corner| corner.x), picture.width());
    let (top, height) = range(corners.0.map(|corner| corner.y), picture.height());
    picture.cropped(left, top, width, height)
}

/// A picture as a JPEG file.
///
/// # Errors
/// That of the encoder.
pub fn jpeg(picture: &Picture) -> ImageResult<Vec<u8>> {
    let mut file = Vec::new();
    encode(picture, JpegEncoder::new_with_quality(&mut file, QUALITY))?;
    Ok(file)
}

fn png(picture: &Picture) -> ImageResult<Vec<u8>> {
    let mut file = Vec::new();
    encode(picture, PngEncoder::new_with_quality(&mut file, CompressionType::Default, FilterType::Adaptive))?;
    Ok(file)
}

fn encode(picture: &Picture, encoder: impl ImageEncoder) -> ImageResult<()> {
    let (width, height) = (picture.width() as u32, picture.height() as u32);
    encoder.write_image(picture.data(), width, height, ExtendedColorType::Rgb8)
}

/// An address that contains a picture: as PNG if that is smaller, as for screens of few colors, else as JPEG.
pub fn data_uri(picture: &Picture) -> String {
    match (jpeg(picture), png(picture)) {
        (Ok(jpeg), Ok(png)) if png.len() < jpeg.len() => png_uri(&png),
        (Ok(jpeg), _) => format!("data:image/jpeg;base64,{}", BASE64.encode(jpeg)),
        // Memory can always be written; if an encoder refuses, the page shows the words for the picture.
        _ => String::from("data:,"),
    }
}

/// An address that contains a PNG file.
pub fn png_uri(file: &[u8]) -> String {
    format!("data:image/png;base64,{}", BASE64.encode(file))
}

#[cfg(test)]
mod tests {
    use fenlens::image::Point;

    use super::*;

    #[test]
    fn pictures_are_kept_small() {
        let plain = data_uri(&Picture::filled(600, 600, [120, 150, 90]));
        assert!(plain.starts_with("data:image/png;base64,") && plain.len() < 8000, "{} bytes", plain.len());
        let noise = (0..600 * 600 * 3).scan(1u32, |x, _| {
            *x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Some((*x >> 24) as u8)
        });
        assert!(data_uri(&Picture::from_rgb(600, 600, noise.collect())).starts_with("data:image/jpeg;base64,"));
    }

    #[test]
    fn only_large_pictures_are_made_smaller() {
        let size = |width, height, side| {
            let picture = Picture::filled(width, height, [0; 3]);
            let reduced = at_most(&picture, side);
            (reduced.width(), reduced.height())
        };
        assert_eq!(size(30, 20, 30), (30, 20));
        assert_eq!(size(20, 60, 30), (10, 30));
        assert_eq!(size(1000, 1, 30), (30, 1));
    }

    #[test]
    fn cut_outs_stay_within_the_picture() {
        let picture = Picture::filled(100, 80, [0; 3]);
        let size = |corners: Corners| {
            let part = cut_out(&picture, &corners, 0.1);
            (part.width(), part.height())
        };
        assert_eq!(size(Corners::from_rect(20.0, 20.0, 60.0, 60.0)), (48, 48));
        assert_eq!(size(Corners::from_rect(0.0, 0.0, 100.0, 80.0)), (100, 80));
        let outside = Point::new(-50.0, -50.0);
        assert_eq!(size(Corners([outside; 4])), (1, 1));
    }
}
