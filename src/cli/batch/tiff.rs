//! TIFF files of several pages: where the pages are. They are decoded by [`Picture`].
//!
//! A TIFF file is a chain of directories, one a page, and its header says where the first is. A page is decoded by
//! decoding the file with a header that names the page's directory as the first.

use std::ops::Range;

use fenlens::{Limits, Picture, Result};

/// More pages than any scanner puts into one file; a longer chain is broken or malicious.
const MOST_PAGES: usize = 100_000;

/// The file and where its pages begin.
pub struct Stack {
    bytes: Vec<u8>,
    layout: Layout,
    pages: Vec<u64>,
}

/// The kind of TIFF and the order of bytes.
#[derive(Clone, Copy)]
struct Layout {
    big_endian: bool,
    /// BigTIFF, with offsets of eight bytes.
    big: bool,
}

impl Stack {
    /// The pages of a file; `None` when this is no TIFF file. Previews (pages that say they are a smaller version of
    /// another) are left out. A chain that breaks off ends there.
    pub fn open(bytes: Vec<u8>) -> std::result::Result<Stack, Vec<u8>> {
        let Some(layout) = Layout::of(&bytes) else { return Err(bytes) };
        let mut pages = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut next = layout.number(&bytes, layout.first());
        while let Some(at) = next.filter(|&at| at != 0 && seen.insert(at) && pages.len() < MOST_PAGES) {
            let Some(directory) = layout.directory(&bytes, at) else { break };
            if !directory.is_preview {
                pages.push(at);
            }
            next = directory.next;
        }
        Ok(Stack { bytes, layout, pages })
    }

    /// How many pages there are; 0 when the file is broken from the start.
    pub fn pages(&self) -> usize {
        self.pages.len()
    }

    /// A page as a picture.
    pub fn decode(&self, page: usize, limits: &Limits) -> Result<Picture> {
        let Some(&at) = self.pages.get(page) else { return Picture::decode(&self.bytes, limits) };
        let mut bytes = self.bytes.clone();
        let first = self.layout.first();
        let offset = at.to_be_bytes();
        let offset = &offset[8 - first.len()..];
        for (slot, &byte) in bytes[first].iter_mut().zip(offset) {
            *slot = byte;
        }
        if !self.layout.big_endian {
            bytes[self.layout.first()].reverse();
        }
        Picture::decode(&bytes, limits)
    }
}

struct Directory {
    is_preview: bool,
    next: Option<u64>,
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

    fn directory(self, bytes: &[u8], at: u64) -> Option<Directory> {
        const NEW_SUBFILE_TYPE: u64 = 254;
        let (count_size, entry_size, offset_size) = if self.big { (8, 20, 8) } else { (2, 12, 4) };
        let at = usize::try_from(at).ok()?;
        let number = |from: usize, size: usize| self.number(bytes, from..from.checked_add(size)?);
        let count = usize::try_from(number(at, count_size)?).ok()?;
        let entries = at.checked_add(count_size)?;
        let end = entries.checked_add(count.checked_mul(entry_size)?)?;
        // The next offset follows the entries; a file that ends before it has no next page.
        let next = end.checked_add(offset_size).and_then(|_| number(end, offset_size));
        let table = bytes.get(entries..end)?;
        let kind = table.chunks_exact(entry_size).find_map(|entry| {
            let tag = self.number(entry, 0..2)?;
            // One number of four bytes, stored where larger values have an offset.
            (tag == NEW_SUBFILE_TYPE)
                .then(|| self.number(entry, entry_size - offset_size..entry_size - offset_size + 4))?
        });
        Some(Directory { is_preview: kind.is_some_and(|kind| kind & 1 == 1), next })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of one black or white pixel in eight-bit gray, with a chain to the next.
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
        let Ok(stack) = Stack::open(bytes) else { panic!("a TIFF file") };
        (0..stack.pages()).map(|page| stack.decode(page, &Limits::default()).unwrap().pixel(0, 0)[0]).collect()
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
        assert!(Stack::open(b"II*\0".to_vec()).is_ok_and(|stack| stack.pages() == 0));
        assert!(Stack::open(b"%PDF-1.4".to_vec()).is_err());
    }
}
