//! Whether the data of a JPEG are whole.
//!
//! The decoder goes on, without a word, when a code is in no table, when data are missing and when some are left. This walks
//! the same data, markers and Huffman codes, and makes no pixels: a damaged byte makes the codes after it fall out of step,
//! so they soon mean something impossible or do not end where the picture does. Only a changed bit of a coefficient's value
//! leaves the codes in step; it is found when it moves the brightness out of range.

use std::cell::OnceCell;

use super::damage::Damage;

/// More scans than any encoder writes; a file that has more is made to keep a decoder busy.
const MOST_SCANS: usize = 100;

/// What a walk over a JPEG found.
pub struct Walked {
    /// The first thing that is wrong.
    pub damage: Option<Damage>,
    /// Whether the walk came to the end-of-image marker.
    pub ended: bool,
}

/// Walks over the data of a JPEG, which may take tables from another one (`tables`, empty for none). Nothing is said of files
/// that lack a table (decoders refuse them, but for frames of video, whose tables they know) or have more pixels than allowed.
pub fn walk(tables: &[u8], bytes: &[u8], most_pixels: u64) -> Walked {
    let mut walk = Walk { most_pixels, ..Walk::default() };
    let walked = walk.segments(tables).and_then(|()| walk.segments(bytes)).and_then(|()| walk.end());
    let damage = match walked {
        Err(Stop::Damage(damage)) => Some(damage),
        Ok(()) | Err(Stop::Unknown) => None,
    };
    Walked { damage, ended: walk.ended }
}

/// The first thing that is wrong with the data of a JPEG in a document, whose size is known there. Nothing is said when the JPEG
/// claims to be larger.
pub fn jpeg_damage(bytes: &[u8], width: u32, height: u32) -> Option<Damage> {
    walk(&[], bytes, u64::from(width) * u64::from(height)).damage
}

/// Whether an end-of-image marker follows the first scan.
pub fn has_end(bytes: &[u8]) -> bool {
    // Segments before the first scan carry their length, and a thumbnail inside one must not be taken for the picture.
    let mut at = 2;
    while let Some(&[0xFF, marker]) = bytes.get(at..at + 2).and_then(|pair| pair.first_chunk()) {
        match marker {
            0xFF => at += 1,
            SOS => break,
            0x01 | 0xD0..=0xD8 => at += 2,
            _ => match bytes.get(at + 2..at + 4) {
                Some(length) => at += 2 + usize::from(u16::from_be_bytes([length[0], length[1]])),
                None => return false,
            },
        }
    }
    bytes.get(at..).is_some_and(|scan| scan.windows(2).any(|pair| pair == END))
}

/// An end-of-image marker.
pub const END: [u8; 2] = [0xFF, EOI];

const SOS: u8 = 0xDA;
const EOI: u8 = 0xD9;

/// Why a walk ends before the data do.
enum Stop {
    Damage(Damage),
    /// Nothing can be said.
    Unknown,
}

impl From<Damage> for Stop {
    fn from(damage: Damage) -> Self {
        Stop::Damage(damage)
    }
}

/// What the segments so far have said.
#[derive(Default)]
struct Walk {
    dc: [Option<Table>; 4],
    ac: [Option<Table>; 4],
    /// The step of quantization of the DC coefficient.
    steps: [Option<i32>; 4],
    /// The units between two restart markers; 0 for no such markers.
    restart: usize,
    frame: Option<Frame>,
    scans: usize,
    most_pixels: u64,
    ended: bool,
    /// The data of one interval, without stuffed bytes.
    interval: Vec<u8>,
}

struct Frame {
    progressive: bool,
    pixels: u64,
    units: usize,
    components: Vec<Component>,
}

struct Component {
    id: u8,
    across: usize,
    down: usize,
    table: usize,
    /// The blocks in rows and columns that a scan of this component alone has.
    blocks: usize,
    /// The coefficients known to be other than 0 in each of these blocks, in the order of the data.
    known: Vec<u64>,
    /// The lowest bit that each coefficient has been given; 255 for none.
    lowest: [u8; 64],
}

impl Walk {
    /// Walks from the start-of-image marker to the end.
    fn segments(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        let mut at = 0;
        self.ended = false;
        while let Some(marker) = next_marker(bytes, &mut at) {
            match marker {
                EOI => {
                    self.ended = true;
                    return Ok(());
                }
                0x01 | 0xD0..=0xD8 => continue,
                _ => {}
            }
            let length = bytes.get(at..at + 2).map(|two| usize::from(u16::from_be_bytes([two[0], two[1]])));
            let Some(body) = length.and_then(|length| bytes.get(at + 2..at + length)) else { break };
            at += body.len() + 2;
            match marker {
                0xC4 => self.huffman_tables(body)?,
                0xC0..=0xC2 => {
                    let frame = Frame::new(body, marker == 0xC2).ok_or(Damage::Impossible)?;
                    self.frame = Some(frame).filter(|frame| frame.pixels <= self.most_pixels);
                    self.frame.as_ref().ok_or(Stop::Unknown)?;
                }
                0xDB => self.quantization_tables(body),
                0xDD => self.restart = body.first_chunk().map_or(0, |&two| u16::from_be_bytes(two).into()),
                SOS => self.scan(body, bytes, &mut at)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// At the end of the file.
    fn end(&self) -> Result<(), Stop> {
        let frame = self.frame.as_ref().ok_or(Damage::EndsEarly)?;
        let begun = frame.components.iter().all(|component| component.lowest[0] != 255);
        // A progressive picture may stop at any precision, if it says that it stops.
        let complete = self.ended || frame.components.iter().all(|c| c.lowest.iter().all(|&lowest| lowest == 0));
        if begun && complete { Ok(()) } else { Err(Damage::EndsEarly.into()) }
    }

    fn huffman_tables(&mut self, mut body: &[u8]) -> Result<(), Stop> {
        while let Some((&place, rest)) = body.split_first() {
            let counts = rest.first_chunk::<16>().ok_or(Damage::Impossible)?;
            let total = counts.iter().map(|&count| usize::from(count)).sum();
            let values = rest[16..].get(..total).ok_or(Damage::Impossible)?;
            let set = if place >> 4 == 0 { &mut self.dc } else { &mut self.ac };
            let slot = set.get_mut(usize::from(place & 15)).ok_or(Damage::Impossible)?;
            *slot = Some(Table { counts: *counts, symbols: values.to_vec(), codes: OnceCell::new() });
            body = &rest[16 + total..];
        }
        Ok(())
    }

    fn quantization_tables(&mut self, mut body: &[u8]) {
        while let Some((&place, rest)) = body.split_first() {
            let wide = usize::from(place >> 4 != 0);
            let Some(table) = rest.get(..64 << wide) else { return };
            let step = table[..=wide].iter().fold(0, |step, &byte| step << 8 | i32::from(byte));
            if let Some(slot) = self.steps.get_mut(usize::from(place & 15)) {
                *slot = Some(step);
            }
            body = &rest[table.len()..];
        }
    }

    /// Walks one scan, whose header is given and whose data begin at `at`.
    fn scan(&mut self, header: &[u8], bytes: &[u8], at: &mut usize) -> Result<(), Stop> {
        self.scans += 1;
        let frame = self.frame.as_mut().filter(|_| self.scans <= MOST_SCANS).ok_or(Damage::Impossible)?;
        let header = Header::new(header, frame).ok_or(Damage::Impossible)?;
        let Header { first, last, lowest, .. } = header;
        let mut parts = Vec::with_capacity(header.parts.len());
        for &(index, dc, ac) in &header.parts {
            let component = &mut frame.components[index];
            component.lowest[first..=last].fill(lowest);
            let (dc, ac) = (table(&self.dc, dc), table(&self.ac, ac));
            if (first == 0 && !header.refines && dc.is_none()) || (last > 0 && ac.is_none()) {
                return Err(Stop::Unknown);
            }
            let step = self.steps[component.table].unwrap_or(1).max(1);
            parts.push(Part {
                dc: dc.and_then(Table::codes),
                ac: ac.and_then(Table::codes),
                blocks: if header.parts.len() == 1 { 1 } else { component.across * component.down },
                brightness: 0,
                brightest: (((BRIGHTEST + step) / step) >> lowest) + 1,
            });
        }
        let alone = (header.parts.len() == 1).then_some(header.parts[0].0);
        let units = alone.map_or(frame.units, |index| frame.components[index].blocks);
        let restart = if self.restart == 0 { units } else { self.restart };
        let mut data = Intervals { bytes, at, units, restart, interval: &mut self.interval };
        if !frame.progressive {
            data.walk(&mut Sequential { parts })?;
        } else if first == 0 && header.refines {
            data.walk(&mut RefinedDc { blocks: parts.iter().map(|part| part.blocks).sum() })?;
        } else if first == 0 {
            data.walk(&mut FirstDc { parts })?;
        } else {
            let codes = parts[0].ac.ok_or(Damage::Impossible)?;
            let component = &mut frame.components[header.parts[0].0];
            component.known.resize(component.blocks, 0);
            let band = Band { codes, first, last, known: &mut component.known, run: 0 };
            if header.refines { data.walk(&mut RefinedAc(band))? } else { data.walk(&mut FirstAc(band))? }
        }
        Ok(())
    }
}

fn table(tables: &[Option<Table>; 4], number: u8) -> Option<&Table> {
    tables.get(usize::from(number))?.as_ref()
}

/// The header of a scan.
struct Header {
    /// For each component its index in the frame and its tables for DC and other coefficients.
    parts: Vec<(usize, u8, u8)>,
    /// The band of coefficients.
    first: usize,
    last: usize,
    /// Whether an earlier scan gave the bits above.
    refines: bool,
    /// The lowest bit that is given.
    lowest: u8,
}

impl Header {
    fn new(body: &[u8], frame: &Frame) -> Option<Header> {
        let (&count, rest) = body.split_first()?;
        let (selectors, rest) = rest.split_at_checked(2 * usize::from(count))?;
        let &[first, last, precision] = rest.first_chunk()?;
        let part = |selector: &[u8]| {
            let index = frame.components.iter().position(|component| component.id == selector[0])?;
            Some((index, selector[1] >> 4, selector[1] & 15))
        };
        let parts = selectors.chunks_exact(2).map(part).collect::<Option<Vec<_>>>()?;
        if !(1..=4).contains(&count) {
            return None;
        }
        if !frame.progressive {
            // Whatever stands there, a sequential scan is of whole blocks.
            return Some(Header { parts, first: 0, last: 63, refines: false, lowest: 0 });
        }
        let header = Header {
            parts,
            first: first.into(),
            last: last.into(),
            refines: precision >> 4 != 0,
            lowest: precision & 15,
        };
        let is_dc = first == 0 && last == 0;
        let is_band = first > 0 && first <= last && last < 64 && count == 1;
        Some(header).filter(|header| (is_dc || is_band) && header.lowest < 14)
    }
}

impl Frame {
    fn new(body: &[u8], progressive: bool) -> Option<Frame> {
        let &[_, height_1, height_2, width_1, width_2, count] = body.first_chunk()?;
        let height = usize::from(u16::from_be_bytes([height_1, height_2]));
        let width = usize::from(u16::from_be_bytes([width_1, width_2]));
        let parts = body[6..].get(..3 * usize::from(count))?;
        let sampling = |part: &[u8]| (usize::from(part[1] >> 4), usize::from(part[1] & 15));
        let widest = parts.chunks_exact(3).map(|part| sampling(part).0).max()?.max(1);
        let highest = parts.chunks_exact(3).map(|part| sampling(part).1).max()?.max(1);
        let component = |part: &[u8]| {
            let (across, down) = sampling(part);
            let valid = (1..=4).contains(&across) && (1..=4).contains(&down) && part[2] < 4;
            let columns = (width * across).div_ceil(8 * widest);
            let rows = (height * down).div_ceil(8 * highest);
            valid.then(|| Component {
                id: part[0],
                across,
                down,
                table: part[2].into(),
                blocks: columns * rows,
                known: Vec::new(),
                lowest: [255; 64],
            })
        };
        let components: Option<Vec<Component>> = parts.chunks_exact(3).map(component).collect();
        let units = width.div_ceil(8 * widest) * height.div_ceil(8 * highest);
        let pixels = width as u64 * height as u64;
        Some(Frame { progressive, pixels, units, components: components? })
            .filter(|_| width > 0 && height > 0 && count <= 4)
    }
}

/// The marker at or after a position, which is moved behind it. Fill bytes and stray bytes are skipped, as decoders do.
fn next_marker(bytes: &[u8], at: &mut usize) -> Option<u8> {
    loop {
        *at += bytes.get(*at..)?.iter().position(|&byte| byte == 0xFF)? + 1;
        match *bytes.get(*at)? {
            0 | 0xFF => {}
            marker => {
                *at += 1;
                return Some(marker);
            }
        }
    }
}

/// The data of one scan, an interval between two restart markers at a time.
struct Intervals<'a> {
    bytes: &'a [u8],
    at: &'a mut usize,
    units: usize,
    restart: usize,
    interval: &'a mut Vec<u8>,
}

/// What reads the units of a scan: groups of blocks, or single blocks.
trait Units {
    /// At the beginning of an interval.
    fn begin(&mut self);
    /// Passes over a unit, given by its number in the scan.
    fn pass(&mut self, bits: &mut Bits<'_>, unit: usize) -> Result<(), Damage>;
    /// At the end of an interval.
    fn end(&self) -> Result<(), Damage> {
        Ok(())
    }
}

impl Intervals<'_> {
    fn walk(&mut self, units: &mut impl Units) -> Result<(), Damage> {
        let mut unit = 0;
        let mut number = 0;
        loop {
            self.next();
            let mut bits = Bits::new(self.interval);
            units.begin();
            let end = (unit + self.restart).min(self.units);
            while unit < end {
                let passed = units.pass(&mut bits, unit);
                if bits.at > bits.end {
                    return Err(Damage::EndsEarly);
                }
                passed?;
                unit += 1;
            }
            units.end()?;
            bits.finish()?;
            if unit == self.units {
                return Ok(());
            }
            if self.bytes.get(*self.at..*self.at + 2) != Some(&[0xFF, 0xD0 + number]) {
                return Err(Damage::Restart);
            }
            *self.at += 2;
            number = (number + 1) % 8;
        }
    }

    /// Copies the data up to the next marker, without the zero bytes that follow 0xFF in data, and with room to read on.
    fn next(&mut self) {
        self.interval.clear();
        let mut rest = self.bytes.get(*self.at..).unwrap_or_default();
        loop {
            // Eight bytes at once, as long as none is 0xFF.
            while let Some(&eight) = rest.first_chunk::<8>() {
                let zero_at_255 = !u64::from_ne_bytes(eight);
                if zero_at_255.wrapping_sub(0x0101_0101_0101_0101) & !zero_at_255 & 0x8080_8080_8080_8080 != 0 {
                    break;
                }
                self.interval.extend_from_slice(&eight);
                rest = &rest[8..];
            }
            let end = rest.iter().position(|&byte| byte == 0xFF).unwrap_or(rest.len());
            self.interval.extend_from_slice(&rest[..end]);
            rest = &rest[end..];
            let Some((_, [0, after @ ..])) = rest.split_first() else { break };
            self.interval.push(0xFF);
            rest = after;
        }
        // Fill bytes may precede a marker.
        while let [0xFF, 0xFF, ..] = rest {
            rest = &rest[1..];
        }
        *self.at = self.bytes.len() - rest.len();
        self.interval.resize(self.interval.len() + ROOM, 0);
    }
}

/// Bytes of room after an interval: more than any block takes.
const ROOM: usize = 512;

/// Reads bits, the highest of each byte first.
struct Bits<'a> {
    bytes: &'a [u8],
    /// The next bit.
    at: usize,
    /// Where the data end and the room begins.
    end: usize,
}

impl<'a> Bits<'a> {
    fn new(interval: &'a [u8]) -> Bits<'a> {
        Bits { bytes: interval, at: 0, end: 8 * (interval.len() - ROOM) }
    }

    /// At least 57 bits, the next one highest.
    #[inline(always)]
    fn peek(&self) -> u64 {
        let eight = self.bytes.get(self.at / 8..).and_then(|rest| rest.first_chunk::<8>());
        eight.map_or(0, |&eight| u64::from_be_bytes(eight) << (self.at % 8))
    }

    /// The next bits as a number; at most 16.
    fn number(&mut self, count: u32) -> u32 {
        let bits = (self.peek() >> 1 >> (63 - count)) as u32;
        self.at += count as usize;
        bits
    }

    /// A symbol of a Huffman table.
    #[inline(always)]
    fn symbol(&mut self, codes: &Codes) -> Result<u8, Damage> {
        let (length, symbol) = codes.find((self.peek() >> 48) as u16).ok_or(Damage::Impossible)?;
        self.at += usize::from(length);
        Ok(symbol)
    }

    /// The difference to the brightness of the block before.
    #[inline(always)]
    fn difference(&mut self, codes: &Codes) -> Result<i32, Damage> {
        let size = u32::from(self.symbol(codes)?);
        if size > 11 {
            return Err(Damage::Impossible);
        }
        let bits = self.number(size) as i32;
        // A number whose highest bit is 0 stands for a negative one.
        Ok(if size > 0 && bits >> (size - 1) == 0 { bits - (1 << size) + 1 } else { bits })
    }

    /// At the end of an interval: less than a byte is left, all ones or all zeros. Some encoders add whole such bytes.
    fn finish(&self) -> Result<(), Damage> {
        let left = self.end - self.at;
        let bits = (self.peek() >> 1 >> (63 - left % 8)) as u8;
        let ones = ((1u16 << (left % 8)) - 1) as u8;
        let whole = &self.bytes[self.at.div_ceil(8)..self.end / 8];
        let all = |byte: u8| whole.iter().all(|&other| other == byte);
        if (bits == ones || bits == 0) && (all(0) || all(0xFF)) { Ok(()) } else { Err(Damage::Leftover) }
    }
}

/// A Huffman table as the file gives it. Most of a small file's time would go into tables; they are made ready when used.
struct Table {
    counts: [u8; 16],
    symbols: Vec<u8>,
    codes: OnceCell<Option<Codes>>,
}

impl Table {
    /// `None` when there are more codes of a length than can be.
    fn codes(&self) -> Option<&Codes> {
        self.codes.get_or_init(|| Codes::new(&self.counts, &self.symbols)).as_ref()
    }
}

/// A Huffman table, ready to use.
struct Codes {
    /// For each beginning of [`SHORT`] bits, the length and symbol of the code; length 0 where the code is longer.
    short: Box<[(u8, u8); 1 << SHORT]>,
    /// For each beginning of [`SHORT`] bits, what the codes of coefficients and their values in these bits do together.
    runs: Box<[Run; 1 << SHORT]>,
    /// For each length, the first 16-bit beginning that is too large for it.
    ends: [u32; 17],
    /// For each length, what to add to a code to have the position of its symbol.
    offsets: [i32; 17],
    symbols: Vec<u8>,
}

/// The bits that are looked up at once.
const SHORT: u32 = 12;

/// Several codes of coefficients, with the bits of their values.
#[derive(Clone, Copy, Default)]
struct Run {
    /// The bits of all; 0 when not even the first fits.
    bits: u8,
    /// The coefficients that they pass.
    coefficients: u8,
    /// Whether the last code ends the block.
    ends: bool,
}

impl Codes {
    fn new(counts: &[u8; 16], symbols: &[u8]) -> Option<Codes> {
        let mut codes = Codes {
            short: Box::new([(0, 0); 1 << SHORT]),
            runs: Box::new([Run::default(); 1 << SHORT]),
            ends: [0; 17],
            offsets: [0; 17],
            symbols: symbols.to_vec(),
        };
        let (mut code, mut position) = (0u32, 0i32);
        for (length, &count) in (1..).zip(counts) {
            codes.offsets[length] = position - code as i32;
            let end = code + u32::from(count);
            codes.ends[length] = end << (16 - length);
            if end > 1 << length {
                return None;
            }
            for code in (code..end).filter(|_| length <= SHORT as usize) {
                let starts = SHORT as usize - length;
                let symbol = symbols[(code as i32 + codes.offsets[length]) as usize];
                codes.short[(code as usize) << starts..(code as usize + 1) << starts].fill((length as u8, symbol));
            }
            position += i32::from(count);
            code = end << 1;
        }
        for start in 0..1u32 << SHORT {
            codes.runs[start as usize] = codes.run(start << (16 - SHORT));
        }
        Some(codes)
    }

    fn search(&self, bits: u16) -> Option<(u8, u8)> {
        let length = (1..17).find(|&length| u32::from(bits) < self.ends[length])?;
        let code = i32::from(bits >> (16 - length));
        let symbol = self.symbols.get(usize::try_from(code + self.offsets[length]).ok()?)?;
        Some((length as u8, *symbol))
    }

    /// The code that 16 bits begin with: its length and symbol.
    #[inline(always)]
    fn find(&self, bits: u16) -> Option<(u8, u8)> {
        match self.short[usize::from(bits >> (16 - SHORT))] {
            (0, _) => self.search(bits),
            found => Some(found),
        }
    }

    fn run(&self, bits: u32) -> Run {
        let mut run = Run::default();
        loop {
            let rest = bits << run.bits & 0xFFFF;
            let Some((length, symbol)) = self.find(rest as u16) else { return run };
            let (zeros, size) = (symbol >> 4, symbol & 15);
            let bits = run.bits + length + size;
            let is_end = size == 0 && zeros == 0;
            if u32::from(bits) > SHORT || size > 10 || (size == 0 && !is_end && zeros != 15) {
                return run;
            }
            if is_end {
                return Run { bits, ends: true, ..run };
            }
            if run.coefficients + zeros + 1 > 63 {
                return run;
            }
            run = Run { bits, coefficients: run.coefficients + zeros + 1, ends: false };
        }
    }
}

/// The largest brightness of a block, in eighths of a step of brightness from the middle: 128 steps, and 32 more that some
/// encoders add to the brightest parts to keep edges clean.
const BRIGHTEST: i32 = 8 * (128 + 32);

/// A component of a scan.
struct Part<'a> {
    dc: Option<&'a Codes>,
    ac: Option<&'a Codes>,
    /// Its blocks in each unit.
    blocks: usize,
    /// The DC coefficient of its last block.
    brightness: i32,
    /// The largest that can be.
    brightest: i32,
}

impl Part<'_> {
    #[inline(always)]
    fn pass_dc(&mut self, bits: &mut Bits<'_>) -> Result<(), Damage> {
        self.brightness += bits.difference(self.dc.ok_or(Damage::Impossible)?)?;
        if self.brightness.abs() > self.brightest { Err(Damage::Impossible) } else { Ok(()) }
    }
}

/// Scans of whole blocks.
struct Sequential<'a> {
    parts: Vec<Part<'a>>,
}

impl Units for Sequential<'_> {
    fn begin(&mut self) {
        self.parts.iter_mut().for_each(|part| part.brightness = 0);
    }

    fn pass(&mut self, bits: &mut Bits<'_>, _: usize) -> Result<(), Damage> {
        for part in &mut self.parts {
            for _ in 0..part.blocks {
                part.pass_dc(bits)?;
                pass_coefficients(bits, part.ac.ok_or(Damage::Impossible)?)?;
                if bits.at > bits.end {
                    return Err(Damage::EndsEarly);
                }
            }
        }
        Ok(())
    }
}

/// Passes over the coefficients of a block after the first.
#[inline(always)]
fn pass_coefficients(bits: &mut Bits<'_>, codes: &Codes) -> Result<(), Damage> {
    let mut next = 1;
    while next < 64 {
        let run = codes.runs[(bits.peek() >> (64 - SHORT)) as usize];
        let after = next + usize::from(run.coefficients);
        // A block that is full has no code for its end; what follows belongs to the next block.
        if run.bits > 0 && after < 64 {
            bits.at += usize::from(run.bits);
            if run.ends {
                return Ok(());
            }
            next = after;
            continue;
        }
        let symbol = bits.symbol(codes)?;
        let (zeros, size) = (usize::from(symbol >> 4), usize::from(symbol & 15));
        match (zeros, size) {
            (0, 0) => return Ok(()),
            (15, 0) => next += 16,
            (_, 1..=10) => next += zeros + 1,
            _ => return Err(Damage::Impossible),
        }
        bits.at += size;
        if next > 64 || (size == 0 && next == 64) {
            return Err(Damage::Impossible);
        }
    }
    Ok(())
}

/// The first scan of the DC coefficients.
struct FirstDc<'a> {
    parts: Vec<Part<'a>>,
}

impl Units for FirstDc<'_> {
    fn begin(&mut self) {
        self.parts.iter_mut().for_each(|part| part.brightness = 0);
    }

    fn pass(&mut self, bits: &mut Bits<'_>, _: usize) -> Result<(), Damage> {
        self.parts.iter_mut().try_for_each(|part| (0..part.blocks).try_for_each(|_| part.pass_dc(bits)))
    }
}

/// A scan of one more bit of the DC coefficients.
struct RefinedDc {
    /// The blocks of all components in a unit.
    blocks: usize,
}

impl Units for RefinedDc {
    fn begin(&mut self) {}

    fn pass(&mut self, bits: &mut Bits<'_>, _: usize) -> Result<(), Damage> {
        bits.at += self.blocks;
        Ok(())
    }
}

/// A band of the coefficients after the first, of one component.
struct Band<'a> {
    codes: &'a Codes,
    first: usize,
    last: usize,
    /// For each block the coefficients known to be other than 0.
    known: &'a mut [u64],
    /// The blocks still to come, this one included, for which there is no code.
    run: u32,
}

/// The first scan of a band.
struct FirstAc<'a>(Band<'a>);

impl Units for FirstAc<'_> {
    fn begin(&mut self) {
        self.0.run = 0;
    }

    fn pass(&mut self, bits: &mut Bits<'_>, unit: usize) -> Result<(), Damage> {
        let Band { codes, first, last, ref mut known, ref mut run } = self.0;
        let mut next = first;
        while *run == 0 && next <= last {
            let symbol = bits.symbol(codes)?;
            let (zeros, size) = (usize::from(symbol >> 4), usize::from(symbol & 15));
            match (zeros, size) {
                (15, 0) => next += 16,
                (_, 0) => *run = (1 << zeros) + bits.number(zeros as u32),
                (_, 1..=10) if next + zeros <= last => {
                    next += zeros;
                    known[unit] |= 1 << next;
                    bits.at += size;
                    next += 1;
                }
                _ => return Err(Damage::Impossible),
            }
        }
        if *run > 0 {
            *run -= 1;
            return Ok(());
        }
        if next == last + 1 { Ok(()) } else { Err(Damage::Impossible) }
    }

    fn end(&self) -> Result<(), Damage> {
        if self.0.run == 0 { Ok(()) } else { Err(Damage::Impossible) }
    }
}

/// A scan of one more bit of a band.
struct RefinedAc<'a>(Band<'a>);

impl Units for RefinedAc<'_> {
    fn begin(&mut self) {
        self.0.run = 0;
    }

    fn pass(&mut self, bits: &mut Bits<'_>, unit: usize) -> Result<(), Damage> {
        let Band { codes, first, last, ref mut known, ref mut run } = self.0;
        let mut next = first;
        let before = known[unit];
        let is_known = |coefficient: usize| before >> coefficient & 1 == 1;
        while *run == 0 && next <= last {
            let symbol = bits.symbol(codes)?;
            let mut zeros = symbol >> 4;
            match symbol & 15 {
                0 if zeros < 15 => {
                    *run = (1 << zeros) + bits.number(u32::from(zeros));
                    break;
                }
                0 => {}
                1 => bits.at += 1,
                _ => return Err(Damage::Impossible),
            }
            // Each known coefficient on the way has a bit of its own.
            while next <= last && (is_known(next) || zeros > 0) {
                if is_known(next) {
                    bits.at += 1;
                } else {
                    zeros -= 1;
                }
                next += 1;
            }
            if next > last {
                return Err(Damage::Impossible);
            }
            if symbol & 15 == 1 {
                known[unit] |= 1 << next;
            }
            next += 1;
        }
        if *run > 0 {
            *run -= 1;
            if next <= last {
                let rest = u64::MAX >> (63 - last) & u64::MAX << next;
                bits.at += (before & rest).count_ones() as usize;
            }
        }
        Ok(())
    }

    fn end(&self) -> Result<(), Damage> {
        if self.0.run == 0 { Ok(()) } else { Err(Damage::Impossible) }
    }
}
