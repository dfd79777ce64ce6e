//! Whether LZW and PackBits data, of GIF and TIFF files, are as long as their picture. A damaged code stands for another
//! number of pixels, and what follows is shifted; decoders drop what is too much without a word.

use super::damage::Damage;

/// How codes are laid out.
#[derive(Clone, Copy)]
pub enum Order {
    /// The lowest bits of a byte first; a literal has this many bits.
    Gif(u32),
    /// The highest bits of a byte first; a code is longer one step earlier.
    Tiff,
}

/// The number of pixels or bytes that LZW data unpack to, without unpacking them.
///
/// # Errors
/// What is wrong with the data.
pub fn unpacked_length(data: &[u8], order: Order, most: u64) -> Result<u64, Damage> {
    const MOST_CODES: usize = 1 << 12;
    let (literal_bits, early) = match order {
        Order::Gif(bits) => (bits.clamp(1, 11), 0),
        Order::Tiff => (8, 1),
    };
    let clear = 1usize << literal_bits;
    let end = clear + 1;
    // The lengths of what the codes stand for.
    let mut lengths = vec![1u64; clear + 2];
    let mut previous: Option<u64> = None;
    let (mut width, mut at, mut total) = (literal_bits + 1, 0, 0u64);
    while let Some(code) = bits(data, &mut at, width, order) {
        if code == end {
            break;
        }
        if code == clear {
            lengths.truncate(clear + 2);
            previous = None;
            width = literal_bits + 1;
            continue;
        }
        let length = match (lengths.get(code), previous) {
            (Some(&length), _) => length,
            (None, Some(previous)) if code == lengths.len() => previous + 1,
            _ => return Err(Damage::Impossible),
        };
        total += length;
        if total > most {
            return Err(Damage::Leftover);
        }
        if let Some(previous) = previous.filter(|_| lengths.len() < MOST_CODES) {
            lengths.push(previous + 1);
        }
        if lengths.len() + early >= 1 << width && width < 12 {
            width += 1;
        }
        previous = Some(length);
    }
    Ok(total)
}

/// The next code; `None` when the data are used up.
fn bits(data: &[u8], at: &mut usize, width: u32, order: Order) -> Option<usize> {
    let first = *at / 8;
    let skip = *at % 8;
    *at += width as usize;
    if *at > 8 * data.len() {
        return None;
    }
    // A code lies in three bytes at most.
    let byte = |n: usize| usize::from(data.get(first + n).copied().unwrap_or(0));
    let mask = (1 << width) - 1;
    Some(match order {
        Order::Gif(_) => (byte(0) | byte(1) << 8 | byte(2) << 16) >> skip & mask,
        Order::Tiff => (byte(0) << 16 | byte(1) << 8 | byte(2)) >> (24 - skip - width as usize) & mask,
    })
}

/// The number of bytes that PackBits data unpack to.
pub fn unpacked_runs(data: &[u8]) -> u64 {
    let (mut at, mut total) = (0, 0);
    while let Some(&count) = data.get(at) {
        let (packed, unpacked) = match count {
            0..=127 => (usize::from(count) + 1, u64::from(count) + 1),
            128 => (0, 0),
            129..=255 => (1, 257 - u64::from(count)),
        };
        at += 1 + packed;
        if at > data.len() {
            break;
        }
        total += unpacked;
    }
    total
}

/// What is wrong with the data of the first picture of a GIF file.
pub fn gif_damage(bytes: &[u8]) -> Option<Damage> {
    let palette = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3usize << ((flags & 7) + 1) };
    let mut at = 13 + palette(*bytes.get(10)?);
    loop {
        match *bytes.get(at)? {
            // An extension: its kind, then blocks.
            0x21 => at = blocks(bytes, at + 2)?.1,
            0x2C => break,
            _ => return None,
        }
    }
    let header = bytes.get(at + 1..at + 10)?;
    let side = |low: usize| u64::from(u16::from_le_bytes([header[low], header[low + 1]]));
    let pixels = side(4) * side(6);
    let data = at + 10 + palette(header[8]);
    let literal_bits = u32::from(*bytes.get(data)?);
    let (packed, _) = blocks(bytes, data + 1)?;
    match unpacked_length(&packed, Order::Gif(literal_bits), pixels) {
        Ok(length) if length < pixels => Some(Damage::EndsEarly),
        Ok(_) => None,
        Err(damage) => Some(damage),
    }
}

/// The data of a chain of blocks of a GIF file, and where it ends.
fn blocks(bytes: &[u8], mut at: usize) -> Option<(Vec<u8>, usize)> {
    let mut data = Vec::new();
    loop {
        let length = usize::from(*bytes.get(at)?);
        at += 1 + length;
        if length == 0 {
            return Some((data, at));
        }
        data.extend_from_slice(bytes.get(at - length..at)?);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three literals and the code of the first two together: clear (4), 1, 1, 6 in three bits each, 2 and end (5) in four.
    const GIF: [u8; 3] = [0b0100_1100, 0b0010_1100, 0b0000_0101];

    #[test]
    fn codes_are_counted() {
        assert_eq!(unpacked_length(&GIF, Order::Gif(2), 100), Ok(5));
        assert_eq!(unpacked_length(&GIF, Order::Gif(2), 4), Err(Damage::Leftover));
        // The first literal becomes a code that there cannot be yet.
        let damaged = [GIF[0] | 0b0011_1000, GIF[1], GIF[2]];
        assert_eq!(unpacked_length(&damaged, Order::Gif(2), 100), Err(Damage::Impossible));
    }

    #[test]
    fn runs_are_counted() {
        // Two literals, a byte three times, nothing, and a literal that is missing.
        assert_eq!(unpacked_runs(&[1, 7, 7, 254, 9, 128, 0]), 5);
    }
}
