//! TIFF files: where their pages are, and whether the data of a page are whole. Pixels are decoded by [`Picture`].
//!
//! A TIFF file is a chain of directories, one a page, and its header says where the first is. A page is decoded by
//! decoding the file with a header that names the page's directory as the first.

use std::{
    collections::HashSet,
    io::{self, BufRead, Read, Seek, SeekFrom},
    ops::Range,
};

use super::{
    damage::Damage,
    jpeg, lzw,
    picture::{Limits, Picture},
};
use crate::error::Result;

/// More pages than any scanner puts into one file; a longer chain is broken or malicious.
const MOST_PAGES: usize = 100_000;

/// A TIFF file in memory and where its pages are.
#[derive(Clone, Debug)]
pub struct TiffFile {
    bytes: Vec<u8>,
    layout: Layout,
    pages: Vec<u64>,
}

impl TiffFile {
    /// Finds the pages of a file. Previews (pages that say they are a smaller version of another) are left out. A chain that
    /// breaks off or comes back to a page ends there. Takes time by the length of the chain, and of the file at most.
    ///
    /// # Errors
    /// The bytes, when they do not begin as a TIFF file.
    pub fn open(bytes: Vec<u8>) -> Result<TiffFile, Vec<u8>> {
        let Some(layout) = Layout::of(&bytes) else { return Err(bytes) };
        let mut pages = Vec::new();
        let mut seen = HashSet::new();
        // The directories of a sound file do not overlap, so together they are no longer than the file.
        let mut length_left = bytes.len();
        let mut next = layout.number(&bytes, layout.first());
        while let Some(at) = next.filter(|&at| at != 0 && pages.len() < MOST_PAGES && seen.insert(at)) {
            let Some(directory) = layout.directory(&bytes, at) else { break };
            let Some(left) = length_left.checked_sub(directory.entries.len()) else { break };
            length_left = left;
            if !directory.is_preview() {
                pages.push(at);
            }
            next = directory.next;
        }
        Ok(TiffFile { bytes, layout, pages })
    }

    /// How many pages there are; 0 when the file is broken from the start.
    pub fn pages(&self) -> usize {
        self.pages.len()
    }

    /// A page as a picture, counted from 0. The first when there is no such page.
    ///
    /// # Errors
    /// Those of [`Picture::decode`].
    pub fn decode(&self, page: usize, limits: &Limits) -> Result<Picture> {
        Picture::decode_tiff(PageReader::new(&self.bytes, self.layout, self.pages.get(page).copied()), limits)
    }
}

/// Reads a TIFF file as if a given page were its first, without a copy of the file.
#[derive(Clone, Debug)]
pub(super) struct PageReader<'a> {
    bytes: &'a [u8],
    /// What stands for the first bytes of the file.
    header: Vec<u8>,
    at: u64,
    layout: Layout,
}

impl<'a> PageReader<'a> {
    /// A reader of the page whose directory is at an offset; of the first page without one. `None` when this is no TIFF file.
    pub(super) fn of(bytes: &'a [u8]) -> Option<PageReader<'a>> {
        Some(PageReader::new(bytes, Layout::of(bytes)?, None))
    }

    fn new(bytes: &'a [u8], layout: Layout, directory: Option<u64>) -> PageReader<'a> {
        let mut header = bytes[..bytes.len().min(16)].to_vec();
        if let (Some(directory), Some(slot)) = (directory, header.get_mut(layout.first())) {
            for (place, byte) in slot.iter_mut().rev().enumerate() {
                *byte = (directory >> (8 * place)) as u8;
            }
            if !layout.big_endian {
                slot.reverse();
            }
        }
        PageReader { bytes, header, at: 0, layout }
    }

    /// What is wrong with the data of the page, as far as its kind of compression can tell.
    pub(super) fn damage(&self, limits: &Limits) -> Option<Damage> {
        let directory = self.layout.directory(self.bytes, self.layout.number(&self.header, self.layout.first())?)?;
        let values = |tag| self.layout.values(self.bytes, &directory, tag);
        let value = |tag| self.layout.value(self.bytes, &directory, tag);
        let compression = Compression::of(value(tag::COMPRESSION)?)?;
        let tables = self.layout.field(self.bytes, &directory, tag::JPEG_TABLES).map_or(0..0, |field| field.data);
        let tables = self.bytes.get(tables).unwrap_or_default();
        let is_tiled = value(tag::TILE_OFFSETS).is_some();
        let offsets = values(if is_tiled { tag::TILE_OFFSETS } else { tag::STRIP_OFFSETS })?;
        let lengths = values(if is_tiled { tag::TILE_LENGTHS } else { tag::STRIP_LENGTHS })?;
        let size = PartSize::of(value, is_tiled)?;
        let mut length_left = self.bytes.len() as u64;
        for (index, (&offset, length)) in offsets.iter().zip(lengths).enumerate() {
            let end = offset.saturating_add(length);
            let range = usize::try_from(offset).ok().zip(usize::try_from(end).ok());
            let Some(part) = range.and_then(|(from, to)| self.bytes.get(from..to)) else {
                return Some(Damage::EndsEarly);
            };
            // Parts that overlap would keep this busy.
            let Some(left) = length_left.checked_sub(length) else { return Some(Damage::Impossible) };
            length_left = left;
            let most_pixels = size.most_pixels().min(limits.pixels);
            let damage = compression.damage(part, tables, most_pixels, size.of_part(index as u64));
            if damage.is_some() {
                return damage;
            }
        }
        None
    }
}

/// A kind of compression whose data tell that they are damaged, where the decoder does not.
#[derive(Clone, Copy)]
enum Compression {
    Lzw,
    Jpeg,
    PackBits,
}

impl Compression {
    fn of(value: u64) -> Option<Compression> {
        match value {
            5 => Some(Compression::Lzw),
            7 => Some(Compression::Jpeg),
            32773 => Some(Compression::PackBits),
            _ => None,
        }
    }

    /// What is wrong with a part of a page that should unpack to so many bytes, and may unpack to more.
    fn damage(self, part: &[u8], tables: &[u8], most_pixels: u64, (least, most): (u64, u64)) -> Option<Damage> {
        let unpacked = match self {
            Compression::Jpeg => {
                let walked = jpeg::walk(tables, part, most_pixels);
                // Without the end marker the decoder may miss the last rows.
                return walked.damage.or((!walked.ended).then_some(Damage::EndsEarly));
            }
            // An order of bits from before the standard.
            Compression::Lzw if part.first() == Some(&0) => return None,
            Compression::Lzw => lzw::unpacked_length(part, lzw::Order::Tiff, most),
            Compression::PackBits => Ok(lzw::unpacked_runs(part)),
        };
        match unpacked {
            Err(damage) => Some(damage),
            Ok(length) if length < least => Some(Damage::EndsEarly),
            Ok(length) if length > most => Some(Damage::Leftover),
            Ok(_) => None,
        }
    }
}

/// The size of a strip or tile.
struct PartSize {
    /// The pixels of a row of the part, and their bytes.
    width: u64,
    row: u64,
    /// The rows of every part, and of the page; of the page as many as of a part where it has tiles.
    rows: u64,
    height: u64,
    /// The parts that make a page, or a plane of it.
    parts: u64,
}

impl PartSize {
    fn of(value: impl Fn(u16) -> Option<u64>, is_tiled: bool) -> Option<PartSize> {
        const PLANES: u64 = 2;
        let whole = (value(tag::WIDTH)?, value(tag::HEIGHT)?);
        let (width, rows) = match is_tiled {
            true => (value(tag::TILE_WIDTH)?, value(tag::TILE_HEIGHT)?),
            false => (whole.0, value(tag::ROWS_PER_STRIP).unwrap_or(whole.1).clamp(1, whole.1.max(1))),
        };
        let planes = value(tag::PLANAR) == Some(PLANES);
        let samples = if planes { 1 } else { value(tag::SAMPLES).unwrap_or(1) };
        let bits = width.checked_mul(samples)?.checked_mul(value(tag::BITS).unwrap_or(1))?;
        let height = if is_tiled { rows } else { whole.1 };
        Some(PartSize { width, row: bits.div_ceil(8), rows, height, parts: height.div_ceil(rows.max(1)).max(1) })
    }

    /// More pixels than a JPEG of a part has. A page of many parts that claim more would keep this busy.
    fn most_pixels(&self) -> u64 {
        4 * self.width.saturating_mul(self.rows).min(u64::MAX / 8) + 4096
    }

    /// The fewest and the most bytes of a part: some programs fill up the last strip.
    fn of_part(&self, index: u64) -> (u64, u64) {
        let rows = (self.height - self.rows * (index % self.parts)).min(self.rows);
        (rows.saturating_mul(self.row), self.rows.saturating_mul(self.row))
    }
}

impl BufRead for PageReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let at = usize::try_from(self.at).unwrap_or(usize::MAX);
        let header = self.header.get(at..).filter(|rest| !rest.is_empty());
        Ok(header.or_else(|| self.bytes.get(at..)).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount as u64;
    }
}

impl Read for PageReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl Seek for PageReader<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => (self.bytes.len() as u64).checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// The numbers of fields.
mod tag {
    pub const NEW_SUBFILE_TYPE: u16 = 254;
    pub const WIDTH: u16 = 256;
    pub const HEIGHT: u16 = 257;
    pub const BITS: u16 = 258;
    pub const COMPRESSION: u16 = 259;
    pub const STRIP_OFFSETS: u16 = 273;
    pub const SAMPLES: u16 = 277;
    pub const ROWS_PER_STRIP: u16 = 278;
    pub const STRIP_LENGTHS: u16 = 279;
    pub const PLANAR: u16 = 284;
    pub const TILE_WIDTH: u16 = 322;
    pub const TILE_HEIGHT: u16 = 323;
    pub const TILE_OFFSETS: u16 = 324;
    pub const TILE_LENGTHS: u16 = 325;
    pub const JPEG_TABLES: u16 = 347;
}

/// The kind of TIFF and the order of bytes.
#[derive(Clone, Copy, Debug)]
struct Layout {
    big_endian: bool,
    /// BigTIFF, with offsets of eight bytes.
    big: bool,
}

struct Directory {
    /// Where its fields are.
    entries: Range<usize>,
    next: Option<u64>,
    subfile_type: u64,
}

impl Directory {
    fn is_preview(&self) -> bool {
        self.subfile_type & 1 == 1
    }
}

/// The value of a field.
struct Field {
    /// The bytes of each number.
    size: usize,
    /// Where the numbers are.
    data: Range<usize>,
}

impl Layout {
    fn of(bytes: &[u8]) -> Option<Layout> {
        let (big_endian, big) = match bytes.get(..4)? {
            b"II*\0" => (false, false),
            b"MM\0*" => (true, false),
            b"II+\0" => (false, true),
            b"MM\0+" => (true, true),
            _ => return None,
        };
        Some(Layout { big_endian, big })
    }

    /// Where the header gives the offset of the first directory.
    fn first(self) -> Range<usize> {
        if self.big { 8..16 } else { 4..8 }
    }

    fn number(self, bytes: &[u8], at: Range<usize>) -> Option<u64> {
        let digits = bytes.get(at)?.iter();
        let join = |value: u64, &digit: &u8| value << 8 | u64::from(digit);
        Some(if self.big_endian { digits.fold(0, join) } else { digits.rev().fold(0, join) })
    }

    /// The bytes of a number of fields, of a field, and of an offset.
    fn sizes(self) -> (usize, usize, usize) {
        if self.big { (8, 20, 8) } else { (2, 12, 4) }
    }

    fn directory(self, bytes: &[u8], at: u64) -> Option<Directory> {
        let (count_size, entry_size, offset_size) = self.sizes();
        let at = usize::try_from(at).ok()?;
        let number = |from: usize, size: usize| self.number(bytes, from..from.checked_add(size)?);
        let count = usize::try_from(number(at, count_size)?).ok()?;
        let start = at.checked_add(count_size)?;
        let end = start.checked_add(count.checked_mul(entry_size)?).filter(|&end| end <= bytes.len())?;
        // The next offset follows the fields; a file that ends before it has no next page.
        let next = number(end, offset_size);
        let mut directory = Directory { entries: start..end, next, subfile_type: 0 };
        directory.subfile_type = self.value(bytes, &directory, tag::NEW_SUBFILE_TYPE).unwrap_or(0);
        Some(directory)
    }

    fn field(self, bytes: &[u8], directory: &Directory, tag: u16) -> Option<Field> {
        let (_, entry_size, offset_size) = self.sizes();
        let start = directory.entries.clone().step_by(entry_size);
        let start = { start }.find(|&start| self.number(bytes, start..start + 2) == Some(tag.into()))?;
        let size = match self.number(bytes, start + 2..start + 4)? {
            1 | 2 | 6 | 7 => 1,
            3 | 8 => 2,
            4 | 9 | 13 => 4,
            16..=18 => 8,
            _ => return None,
        };
        let count = usize::try_from(self.number(bytes, start + 4..start + 4 + offset_size)?).ok()?;
        let length = count.checked_mul(size)?;
        let value = start + 4 + offset_size..start + 4 + 2 * offset_size;
        let at = match length <= offset_size {
            true => value.start,
            false => usize::try_from(self.number(bytes, value)?).ok()?,
        };
        let data = at..at.checked_add(length).filter(|&end| end <= bytes.len())?;
        Some(Field { size, data })
    }

    /// The first number of a field.
    fn value(self, bytes: &[u8], directory: &Directory, tag: u16) -> Option<u64> {
        let Field { size, data } = self.field(bytes, directory, tag)?;
        self.number(bytes, data.start..data.start + size).filter(|_| !data.is_empty())
    }

    /// The numbers of a field; none where there are more than a page can have parts.
    fn values(self, bytes: &[u8], directory: &Directory, tag: u16) -> Option<Vec<u64>> {
        let Field { size, data } = self.field(bytes, directory, tag)?;
        if data.len() > size << 20 {
            return None;
        }
        data.step_by(size).map(|at| self.number(bytes, at..at + size)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    /// Pages of one gray pixel each, every one with a chain to the next.
    fn tiff(shades: &[u8], previews: &[usize]) -> Vec<u8> {
        let mut bytes = b"II*\0\x08\0\0\0".to_vec();
        for (page, &shade) in shades.iter().enumerate() {
            let fields: [(u16, u16, u32); 9] = [
                (254, 4, u32::from(previews.contains(&page))),
                (256, 3, 1),
                (257, 3, 1),
                (258, 3, 8),
                (259, 3, 1),
                (262, 3, 1),
                (273, 4, bytes.len() as u32 + 2 + 9 * 12 + 4),
                (278, 3, 1),
                (279, 4, 1),
            ];
            bytes.extend(9u16.to_le_bytes());
            for (tag, kind, value) in fields {
                bytes.extend(tag.to_le_bytes());
                bytes.extend(kind.to_le_bytes());
                bytes.extend(1u32.to_le_bytes());
                bytes.extend(value.to_le_bytes());
            }
            let next = if page + 1 < shades.len() { bytes.len() as u32 + 4 + 2 } else { 0 };
            bytes.extend(next.to_le_bytes());
            bytes.extend([shade, 0]);
        }
        bytes
    }

    fn shades(bytes: Vec<u8>) -> Vec<u8> {
        let Ok(file) = TiffFile::open(bytes) else { panic!("a TIFF file") };
        (0..file.pages()).map(|page| file.decode(page, &Limits::default()).unwrap().pixel(0, 0)[0]).collect()
    }

    #[test]
    fn every_page_is_decoded_but_previews() {
        assert_eq!(shades(tiff(&[10, 200, 30], &[])), [10, 200, 30]);
        assert_eq!(shades(tiff(&[10, 200, 30], &[1])), [10, 30]);
    }

    #[test]
    fn broken_chains_end() {
        let mut round = tiff(&[10, 200], &[]);
        let last = round.len() - 6;
        round[last..last + 4].copy_from_slice(&8u32.to_le_bytes());
        assert_eq!(shades(round.clone()), [10, 200]);
        round[last..last + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(shades(round), [10, 200]);
        assert!(TiffFile::open(b"II*\0".to_vec()).is_ok_and(|file| file.pages() == 0));
        assert!(TiffFile::open(b"%PDF-1.4".to_vec()).is_err());
    }

    /// A page costs what it holds, whatever else is in the file: with a copy of the file for each, these took minutes.
    #[test]
    fn many_pages_are_decoded_one_by_one() {
        let shade = |page: usize| (page * 7 % 251) as u8;
        let bytes = tiff(&(0..20_000).map(shade).collect::<Vec<_>>(), &[]);
        let begin = Instant::now();
        let Ok(file) = TiffFile::open(bytes) else { panic!("a TIFF file") };
        assert_eq!(file.pages(), 20_000);
        for page in [0, 10_000, 19_999].into_iter().chain(0..2000) {
            assert_eq!(file.decode(page, &Limits::default()).unwrap().pixel(0, 0)[0], shade(page));
        }
        assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    }

    /// Directories that lie over each other, each of 65,535 fields: only as many are walked as would fit side by side.
    #[test]
    fn directories_that_overlap_end_the_chain() {
        let mut bytes = b"II*\0\x08\0\0\0".to_vec();
        // Each begins four bytes after the one before.
        let length = 12 * 0xFFFF + 2;
        bytes.resize(8 + length + 400_000, 0xFF);
        for page in 0..60_000usize {
            let end = 8 + 4 * page + length;
            bytes[end..end + 4].copy_from_slice(&(8 + 4 * (page as u32 + 1)).to_le_bytes());
        }
        let begin = Instant::now();
        let Ok(file) = TiffFile::open(bytes) else { panic!("a TIFF file") };
        assert!(file.pages() < 5, "{} pages", file.pages());
        assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    }
}
