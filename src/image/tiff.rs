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
    jpeg,
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
        const JPEG: u64 = 7;
        if values(tag::COMPRESSION)?.first() != Some(&JPEG) {
            return None;
        }
        let tables = self.layout.field(self.bytes, &directory, tag::JPEG_TABLES).map_or(0..0, |field| field.data);
        let tables = self.bytes.get(tables).unwrap_or_default();
        let either = |strips, tiles| values(strips).or_else(|| values(tiles));
        let offsets = either(tag::STRIP_OFFSETS, tag::TILE_OFFSETS)?;
        let lengths = either(tag::STRIP_LENGTHS, tag::TILE_LENGTHS)?;
        let mut length_left = self.bytes.len() as u64;
        for (&offset, length) in offsets.iter().zip(lengths) {
            let end = offset.saturating_add(length);
            let range = usize::try_from(offset).ok().zip(usize::try_from(end).ok());
            let Some(part) = range.and_then(|(from, to)| self.bytes.get(from..to)) else {
                return Some(Damage::EndsEarly);
            };
            // Parts that overlap would keep this busy.
            let Some(left) = length_left.checked_sub(length) else { return Some(Damage::Impossible) };
            length_left = left;
            let walked = jpeg::walk(tables, part, limits.pixels);
            if walked.damage.is_some() {
                return walked.damage;
            }
            // Without the marker the decoder may miss the last rows.
            if !walked.ended {
                return Some(Damage::EndsEarly);
            }
        }
        None
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
    pub const COMPRESSION: u16 = 259;
    pub const STRIP_OFFSETS: u16 = 273;
    pub const STRIP_LENGTHS: u16 = 279;
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
        directory.subfile_type =
            self.values(bytes, &directory, tag::NEW_SUBFILE_TYPE).and_then(|v| v.first().copied()).unwrap_or(0);
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

    fn values(self, bytes: &[u8], directory: &Directory, tag: u16) -> Option<Vec<u64>> {
        let Field { size, data } = self.field(bytes, directory, tag)?;
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
