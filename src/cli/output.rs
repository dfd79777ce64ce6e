//! Results on standard output, everything else on standard error; and names and texts from outside as they can be shown.

use std::{
    ffi::OsStr,
    fmt::{Display, Write as _},
    io,
    io::Write,
    path::Path,
};

use super::exit::Exit;

/// Writes a line to standard output and passes it on at once, since a reader in a pipe may be waiting for it.
///
/// # Errors
/// The error of the system.
pub fn result(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

/// Writes to standard output. That the reader has seen enough is not an error.
///
/// # Errors
/// In words.
pub fn print(bytes: &[u8]) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(()),
    }
}

/// Writes a note to standard error, without characters that a terminal would obey. That it cannot be written is ignored.
pub fn note(note: impl Display) {
    styled_note(plain(&note.to_string()));
}

/// Like [`note`], for text in colors: every part of it that comes from outside was made [`plain`] before.
pub fn styled_note(note: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{note}");
}

/// Says why the program cannot go on; the exit code that follows.
pub fn failure(why: impl Display) -> Exit {
    note(format_args!("fenlens: {why}"));
    Exit::Failure
}

/// A number of things: `1 board`, `2 boards`.
pub fn count<N: Display + PartialEq + From<u8>>(number: N, thing: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// Whether a character is one that cannot be seen, and that a terminal obeys or that changes how the text around it looks:
/// control characters, marks of direction, other line ends. Joiners and blanks that names do have are not among them.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}

/// A text of any number of lines as it can be shown: [hidden](is_hidden) characters become visible, as in `\u{1b}`.
pub fn plain(text: &str) -> String {
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// A text as it can be shown in one line.
pub fn line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if !is_hidden(c) {
            shown.push(c);
        } else {
            shown.extend(c.escape_default());
        }
    }
    shown
}

/// A path as it can be shown in one line.
pub fn show(path: &Path) -> String {
    line(&name(path.as_os_str()))
}

/// The replacement character. In names it stands before each byte that is not UTF-8.
const NO_UTF8: char = '\u{fffd}';

/// A name as text, and no other name as the same text. A name in UTF-8 is that text. In any other, each byte that is not
/// UTF-8 is `\u{fffd}` and two hexadecimal digits, as in `scan\u{fffd}E9.png`; so that this can be undone, a `\u{fffd}` that a
/// name has itself is written as its three bytes.
pub fn name(name: &OsStr) -> String {
    let mut text = String::with_capacity(name.len());
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            if c == NO_UTF8 { push_bytes(&mut text, c) } else { text.push(c) }
        }
        chunk.invalid().iter().for_each(|&byte| push_byte(&mut text, byte));
    }
    text
}

/// A text with its [hidden](is_hidden) characters written as [`name`] writes bytes that are not UTF-8, so that it can be
/// undone.
pub fn without_hidden(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars().for_each(|c| if is_hidden(c) { push_bytes(&mut shown, c) } else { shown.push(c) });
    shown
}

fn push_bytes(text: &mut String, c: char) {
    c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| push_byte(text, byte));
}

fn push_byte(text: &mut String, byte: u8) {
    // Text in memory can always be written.
    let _ = write!(text, "{NO_UTF8}{byte:02X}");
}

/// JSON as a terminal can show it: [hidden](is_hidden) characters, which are in its strings only, as `\uXXXX`. The values
/// stay the same.
pub fn json(text: &str) -> String {
    // Those below are escaped in strings already, and line feeds between them are not hidden.
    let is_raw = |c| c >= '\u{7f}' && is_hidden(c);
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_raw(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(shown, "\\u{unit:04x}");
            }
        } else {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_agree_with_their_things() {
        assert_eq!([count(0u64, "page"), count(1, "page"), count(2, "page")], ["0 pages", "1 page", "2 pages"]);
    }

    #[test]
    fn a_terminal_obeys_nothing_that_comes_from_outside() {
        assert_eq!(line("a\u{1b}[31m\u{202e}gnp\u{9b}\n"), "a\\u{1b}[31m\\u{202e}gnp\\u{9b}\\n");
        assert_eq!(plain("a\u{7}\nb"), "a\\u{7}\nb");
        // Names do have these: the blank before AM and PM on a Mac, a joiner in Persian, letters of any script.
        for name in ["9.41\u{202f}AM.png", "می\u{200c}خواهم.png", "棋谱.png", "Ångström \\.png"] {
            assert_eq!(line(name), name);
        }
    }

    #[test]
    fn values_of_json_stay() {
        let text = serde_json::to_string("a\u{1b}\u{9b}\u{202e}\u{e0041}\"").unwrap() + "\n";
        let shown = json(&text);
        assert_eq!(shown, "\"a\\u001b\\u009b\\u202e\\udb40\\udc41\\\"\"\n");
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), serde_json::from_str::<String>(&text).unwrap());
    }

    #[cfg(unix)]
    #[test]
    fn names_stay_different() {
        use std::os::unix::ffi::OsStrExt;
        let of = |bytes: &[u8]| name(OsStr::from_bytes(bytes));
        assert_eq!(of("棋谱 %E4 \\xff \u{1b}.png".as_bytes()), "棋谱 %E4 \\xff \u{1b}.png");
        assert_eq!([of(b"a\xff.png"), of(b"a\xfe.png")], ["a\u{fffd}FF.png", "a\u{fffd}FE.png"]);
        // The bytes that the text stands for.
        let undone = |text: &str| {
            let mut bytes = Vec::new();
            let mut parts = text.split(NO_UTF8);
            bytes.extend(parts.next().unwrap().bytes());
            for part in parts {
                bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
                bytes.extend(part[2..].bytes());
            }
            bytes
        };
        for bytes in [&b"a\xff.png"[..], b"\xe4\xb8", "a\u{fffd}FF.png".as_bytes(), b"\xed\xa0\x80/\xc3\xa9", b"plain"]
        {
            assert_eq!(undone(&of(bytes)), bytes);
            assert_eq!(undone(&without_hidden(&of(bytes))), bytes);
        }
        assert_eq!(without_hidden("a\n\u{202e}"), "a\u{fffd}0A\u{fffd}E2\u{fffd}80\u{fffd}AE");
    }
}
