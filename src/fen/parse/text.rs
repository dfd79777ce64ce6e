//! The characters of an input, simplified: lookalikes of ASCII become ASCII, invisible characters are left out, all kinds of
//! gap become one. Each keeps its range in the input, so that an issue can point at it.

use std::ops::Range;

use crate::fen::issue::{Issue, Operand, code::Code};

/// What lies between two fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// U+0020, as the standard prescribes.
    Blank,
    Tab,
    LineFeed,
    /// Any other blank of Unicode.
    OtherBlank(char),
    Underscore,
    /// `%20` and similar escapes.
    Percent,
    /// `+`, as in the query of an address.
    Plus,
}

impl Gap {
    fn name(self) -> Operand {
        let (english, chinese) = match self {
            Gap::Blank => ("a blank", "空格"),
            Gap::Tab => ("a tab", "制表符"),
            Gap::LineFeed => ("a line feed", "换行"),
            Gap::OtherBlank('\u{a0}') => ("a no-break space", "不换行空格"),
            Gap::OtherBlank('\u{3000}') => ("an ideographic space", "全角空格"),
            Gap::OtherBlank(_) => ("an unusual space", "特殊空格"),
            Gap::Underscore => ("an underscore", "下划线"),
            Gap::Percent => ("percent escapes", "百分号编码"),
            Gap::Plus => ("a plus sign", "加号"),
        };
        Operand::Words(english, chinese)
    }
}

/// A character with its range in the input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    /// The character as it is read; a blank for every kind of gap.
    pub ch: char,
    /// Set for gaps.
    pub gap: Option<Gap>,
    /// First byte in the input.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
}

impl Glyph {
    /// The bytes that it takes in the input.
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub fn is_slash(&self) -> bool {
        matches!(self.ch, '/' | '\\')
    }
}

/// The bytes that glyphs take in the input.
pub(super) fn span(glyphs: &[Glyph]) -> Range<usize> {
    match (glyphs.first(), glyphs.last()) {
        (Some(first), Some(last)) => first.start as usize..last.end as usize,
        _ => 0..0,
    }
}

/// The characters of glyphs as one text.
pub(super) fn string(glyphs: &[Glyph]) -> String {
    glyphs.iter().map(|glyph| glyph.ch).collect()
}

/// The number of the character at a byte, from 1, as people count.
pub(super) fn column(input: &str, byte: usize) -> usize {
    input.char_indices().take_while(|&(at, _)| at < byte).count() + 1
}

fn hex(ch: char) -> String {
    format!("{:04X}", u32::from(ch))
}

/// Reads the characters of an input.
pub(super) fn glyphs(input: &str, issues: &mut Vec<Issue>) -> Vec<Glyph> {
    let mut glyphs = Vec::with_capacity(input.len());
    let bytes = input.as_bytes();
    let mut reported: Vec<char> = Vec::new();
    let mut escapes: Option<Range<usize>> = None;
    let mut chars = input.char_indices();
    while let Some((at, ch)) = chars.next() {
        let mut end = at + ch.len_utf8();
        let mut read = ch;
        let mut gap = gap(ch);
        if ch == '%'
            && let Some(escaped) = escape(bytes.get(at + 1..at + 3))
        {
            chars.nth(1);
            end = at + 3;
            read = escaped;
            gap = escaped.is_ascii_whitespace().then_some(Gap::Percent);
            // Escaped gaps are reported with the other gaps.
            if gap.is_none() {
                escapes.get_or_insert(at..end);
            }
        } else if gap.is_none() && !ch.is_ascii_graphic() {
            let first = !reported.contains(&ch) && reported.len() < 64;
            if is_invisible(ch) {
                if first {
                    reported.push(ch);
                    issues.push(
                        Issue::new(Code::InvisibleCharacter)
                            .range(at..end)
                            .with("hex", hex(ch))
                            .with("pos", column(input, at)),
                    );
                }
                continue;
            }
            if let Some(ascii) = lookalike(ch) {
                read = ascii;
                if first {
                    reported.push(ch);
                    issues.push(lookalike_issue(input, ch, at..end, ascii));
                }
            }
        }
        let ch = if gap.is_some() { ' ' } else { read };
        glyphs.push(Glyph { ch, gap, start: at as u32, end: end as u32 });
    }
    // Unless they are reported as a gap already.
    if let Some(range) = escapes
        && !glyphs.iter().any(|glyph| glyph.gap == Some(Gap::Percent))
    {
        issues.push(Issue::new(Code::NonstandardSeparator).range(range).with("what", Gap::Percent.name()));
    }
    glyphs
}

/// `char` was read as `ascii`.
pub(super) fn lookalike_issue(input: &str, ch: char, range: Range<usize>, ascii: char) -> Issue {
    Issue::new(Code::LookalikeCharacter)
        .with("char", ch)
        .with("hex", hex(ch))
        .with("pos", column(input, range.start))
        .with("ascii", ascii)
        .range(range)
}

/// The printable ASCII character of two hexadecimal digits.
fn escape(digits: Option<&[u8]>) -> Option<char> {
    let text = std::str::from_utf8(digits?).ok()?;
    if !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let ch = char::from(u8::from_str_radix(text, 16).ok()?);
    (ch.is_ascii_graphic() || ch.is_ascii_whitespace()).then_some(ch)
}

fn gap(ch: char) -> Option<Gap> {
    match ch {
        ' ' => Some(Gap::Blank),
        '\t' => Some(Gap::Tab),
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(Gap::LineFeed),
        '_' => Some(Gap::Underscore),
        _ if !ch.is_ascii() && ch.is_whitespace() => Some(Gap::OtherBlank(ch)),
        _ => None,
    }
}

/// Characters without a shape of their own, which come along when text is copied.
fn is_invisible(ch: char) -> bool {
    ch.is_control()
        || matches!(
            ch,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{180b}'..='\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{e0000}'..='\u{e01ef}'
        )
}

/// The ASCII character that a character stands for beyond doubt: full-width forms of input methods, dashes, slashes.
///
/// Letters of other alphabets are not among them: the Cyrillic К is a knight to a Russian, not a king.
fn lookalike(ch: char) -> Option<char> {
    match ch {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(ch) - 0xfee0),
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{2e3a}' | '\u{2e3b}' => Some('-'),
        '\u{2044}' | '\u{2215}' | '\u{29f8}' => Some('/'),
        '\u{29f5}' | '\u{fe68}' => Some('\\'),
        _ => None,
    }
}

/// The value of a decimal digit of any script.
pub(super) fn digit(ch: char) -> Option<u32> {
    /// The zeros of the scripts in which numbers are commonly written; nine digits follow each.
    const ZEROS: [u32; 14] =
        [0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xbe6, 0xc66, 0xe50, 0xed0, 0xf20, 0x1040, 0xff10];
    ch.to_digit(10).or_else(|| ZEROS.iter().map(|zero| u32::from(ch).wrapping_sub(*zero)).find(|&value| value < 10))
}

/// The fields of a record: runs of glyphs between gaps. Reports gaps that are not one blank.
pub(super) fn tokens(input: &str, record: &[Glyph], edges: (bool, bool), issues: &mut Vec<Issue>) -> Vec<Range<usize>> {
    let mut tokens: Vec<Range<usize>> = Vec::new();
    let mut surplus: Option<Range<usize>> = None;
    let mut odd: Option<(Gap, Range<usize>)> = None;
    let mut at = 0;
    while at < record.len() {
        let from = at;
        let is_gap = record[at].gap.is_some();
        while at < record.len() && record[at].gap.is_some() == is_gap {
            at += 1;
        }
        if !is_gap {
            tokens.push(from..at);
            continue;
        }
        let run = &record[from..at];
        let at_edge = (from == 0, at == record.len());
        if at_edge.0 || at_edge.1 {
            // Gaps between the record and the text around it may be anything.
            if (at_edge.0 && edges.0) || (at_edge.1 && edges.1) {
                surplus.get_or_insert(span(run));
            }
            continue;
        }
        if let Some(gap) = run.iter().filter_map(|glyph| glyph.gap).find(|&gap| gap != Gap::Blank) {
            odd.get_or_insert((gap, span(run)));
        }
        let one_line_end = run.len() == 2 && run.iter().all(|glyph| glyph.gap == Some(Gap::LineFeed));
        if run.len() > 1 && !one_line_end {
            surplus.get_or_insert(span(run));
        }
    }
    if let Some(range) = surplus {
        issues.push(Issue::new(Code::ExtraWhitespace).with("pos", column(input, range.start)).range(range));
    }
    if let Some((gap, range)) = odd {
        issues.push(Issue::new(Code::NonstandardSeparator).range(range).with("what", gap.name()));
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &str) -> (String, Vec<&'static str>) {
        let mut issues = Vec::new();
        let glyphs = glyphs(input, &mut issues);
        (string(&glyphs), issues.iter().map(|issue| issue.code.name()).collect())
    }

    #[test]
    fn characters_become_plain() {
        assert_eq!(read("ｋ８／–"), ("k8/-".into(), vec!["lookalike-character"; 4]));
        assert_eq!(read("\u{feff}k\u{200b}Q\u{200b}"), ("kQ".into(), vec!["invisible-character"; 2]));
        assert_eq!(read("8%2F8%20w"), ("8/8 w".into(), vec![]));
        assert_eq!(read("8%2f8 w"), ("8/8 w".into(), vec!["nonstandard-separator"]));
        assert_eq!(read("5%zz%2"), ("5%zz%2".into(), vec![]));
        assert_eq!(read("\u{212a}р"), ("\u{212a}р".into(), vec![]));
    }

    #[test]
    fn digits_of_all_scripts() {
        assert_eq!((digit('7'), digit('٥'), digit('५'), digit('x')), (Some(7), Some(5), Some(5), None));
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!((column("♜♞x", 0), column("♜♞x", 3), column("♜♞x", 6)), (1, 2, 3));
    }
}
