//! What the program and the process that draws pages say to each other, over pipes.
//!
//! A message begins with a byte that says what it is; numbers are little-endian; texts and pixels come after their length.
//! The process draws files of strangers, so nothing that it says is believed: lengths are checked before memory is asked
//! for.

use std::{
    ffi::{OsStr, OsString},
    io,
    io::{Read, Write},
    path::PathBuf,
};

use fenlens::{Error, Picture, error::DecodeError};

use super::super::{pdf, pdf::Drawn};

/// The longest path and the longest text of an error, in bytes.
const MOST_TEXT: usize = 1 << 16;

/// The most pixels of a page: a tenth more than it is reduced to, since sides are rounded.
const MOST_PIXELS: u64 = (pdf::MOST_PIXELS * 1.1) as u64;

/// What the process is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Open the document at this path. Others are let go.
    Open(PathBuf),
    /// Draw this page of it, counted from 0.
    Draw(u32),
    /// Let it go. There is no reply.
    Close,
}

/// What came of it.
#[derive(Debug)]
pub enum Reply {
    /// The document has so many pages.
    Pages(u32),
    /// The page.
    Drawn(Drawn),
    /// The document or the page cannot be read.
    Failed(Error),
}

impl Request {
    /// Writes it.
    ///
    /// # Errors
    /// Those of the stream; a path that cannot be told.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let mut message = Vec::new();
        match self {
            Request::Open(path) => {
                message.push(b'O');
                put_text(&mut message, &bytes_of(path.as_os_str())?);
            }
            Request::Draw(page) => {
                message.push(b'D');
                message.extend(page.to_le_bytes());
            }
            Request::Close => message.push(b'C'),
        }
        to.write_all(&message)?;
        to.flush()
    }

    /// Reads one.
    ///
    /// # Errors
    /// Those of the stream; [`io::ErrorKind::UnexpectedEof`] where it ends.
    pub fn read(from: &mut impl Read) -> io::Result<Request> {
        match byte(from)? {
            b'O' => Ok(Request::Open(os_string(text(from)?)?.into())),
            b'D' => Ok(Request::Draw(number(from)?)),
            b'C' => Ok(Request::Close),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

impl Reply {
    /// Writes it.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let mut message = Vec::new();
        let mut pixels: &[u8] = &[];
        match self {
            Reply::Pages(pages) => {
                message.push(b'P');
                message.extend(pages.to_le_bytes());
            }
            Reply::Drawn(Drawn { picture, dpi, incomplete }) => {
                message.push(b'D');
                message.extend((picture.width() as u32).to_le_bytes());
                message.extend((picture.height() as u32).to_le_bytes());
                message.extend(dpi.to_le_bytes());
                message.push(u8::from(*incomplete));
                pixels = picture.data();
            }
            Reply::Failed(error) => {
                message.push(b'F');
                put_error(&mut message, error);
            }
        }
        to.write_all(&message)?;
        to.write_all(pixels)?;
        to.flush()
    }

    /// Reads one.
    ///
    /// # Errors
    /// Those of the stream; [`io::ErrorKind::InvalidData`] for what is no reply, or a page larger than pages are.
    pub fn read(from: &mut impl Read) -> io::Result<Reply> {
        match byte(from)? {
            b'P' => Ok(Reply::Pages(number(from)?)),
            b'D' => drawn(from).map(Reply::Drawn),
            b'F' => error(from).map(Reply::Failed),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

fn drawn(from: &mut impl Read) -> io::Result<Drawn> {
    let (width, height) = (number(from)?, number(from)?);
    let dpi = f64::from_le_bytes(array(from)?);
    let incomplete = byte(from)? != 0;
    let pixels = u64::from(width) * u64::from(height);
    if !(1..=MOST_PIXELS).contains(&pixels) || !dpi.is_finite() {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let data = exactly(from, pixels as usize * 3)?;
    Ok(Drawn { picture: Picture::from_rgb(width as usize, height as usize, data), dpi, incomplete })
}

/// The errors that decoding gives, as numbers.
const DECODE_ERRORS: [DecodeError; 6] = [
    DecodeError::Empty,
    DecodeError::NotAPicture,
    DecodeError::Unsupported,
    DecodeError::Truncated,
    DecodeError::Broken,
    DecodeError::Encrypted,
];

/// Two kinds, two numbers and a text: enough for every error that a document can give.
fn put_error(message: &mut Vec<u8>, error: &Error) {
    let cause = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
    let (kind, detail, numbers, text) = match error {
        Error::Read { source } if source.kind() == io::ErrorKind::NotFound => (b'N', 0, [0; 2], cause),
        Error::Read { .. } => (b'R', 0, [0; 2], cause),
        Error::Directory => (b'D', 0, [0; 2], String::new()),
        Error::Decode { error, .. } => {
            let index = DECODE_ERRORS.iter().position(|known| known == error).unwrap_or_default();
            (b'C', index as u8, [0; 2], cause)
        }
        Error::TooLarge { what, limit, actual } => {
            (b'L', u8::from(*what == "pixels"), [*limit, *actual], String::new())
        }
        other => (b'O', 0, [0; 2], other.chain()),
    };
    message.extend([kind, detail]);
    numbers.iter().for_each(|number: &u64| message.extend(number.to_le_bytes()));
    put_text(message, text.as_bytes());
}

fn error(from: &mut impl Read) -> io::Result<Error> {
    let [kind, detail] = array(from)?;
    let [limit, actual] = [u64::from_le_bytes(array(from)?), u64::from_le_bytes(array(from)?)];
    let text = String::from_utf8_lossy(&text(from)?).into_owned();
    Ok(match kind {
        b'N' => Error::Read { source: io::Error::new(io::ErrorKind::NotFound, text) },
        b'R' => Error::Read { source: io::Error::other(text) },
        b'D' => Error::Directory,
        b'C' => {
            let error = *DECODE_ERRORS.get(usize::from(detail)).ok_or(io::ErrorKind::InvalidData)?;
            Error::Decode { error, source: (!text.is_empty()).then(|| text.into()) }
        }
        b'L' => Error::TooLarge { what: if detail == 0 { "bytes" } else { "pixels" }, limit, actual },
        _ => Error::Panic { message: text },
    })
}

fn put_text(message: &mut Vec<u8>, text: &[u8]) {
    let text = &text[..text.len().min(MOST_TEXT)];
    message.extend((text.len() as u32).to_le_bytes());
    message.extend(text);
}

fn text(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let length = number(from)? as usize;
    if length > MOST_TEXT {
        return Err(io::ErrorKind::InvalidData.into());
    }
    exactly(from, length)
}

fn exactly(from: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length);
    from.take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn array<const N: usize>(from: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn byte(from: &mut impl Read) -> io::Result<u8> {
    array(from).map(|[byte]| byte)
}

fn number(from: &mut impl Read) -> io::Result<u32> {
    array(from).map(u32::from_le_bytes)
}

#[cfg(unix)]
fn bytes_of(path: &OsStr) -> io::Result<Vec<u8>> {
    Ok(std::os::unix::ffi::OsStrExt::as_bytes(path).to_vec())
}

#[cfg(unix)]
fn os_string(bytes: Vec<u8>) -> io::Result<OsString> {
    Ok(std::os::unix::ffi::OsStringExt::from_vec(bytes))
}

#[cfg(not(unix))]
fn bytes_of(path: &OsStr) -> io::Result<Vec<u8>> {
    let text =
        path.to_str().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a name that is not Unicode"))?;
    Ok(text.as_bytes().to_vec())
}

#[cfg(not(unix))]
fn os_string(bytes: Vec<u8>) -> io::Result<OsString> {
    String::from_utf8(bytes).map(Into::into).map_err(|_| io::ErrorKind::InvalidData.into())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(first in prop::sample::select(&b"ODCPF"[..]), rest in any::<Vec<u8>>()) {
            let bytes = [&[first], &rest[..]].concat();
            let _ = Reply::read(&mut bytes.as_slice());
            let _ = Request::read(&mut bytes.as_slice());
        }
    }

    fn sent(reply: &Reply) -> Vec<u8> {
        let mut bytes = Vec::new();
        reply.write(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn requests_arrive() {
        let mut bytes = Vec::new();
        let requests =
            [Request::Open("a b/\u{e9}\n.pdf".into()), Request::Draw(70_000), Request::Close, Request::Open("".into())];
        requests.iter().for_each(|request| request.write(&mut bytes).unwrap());
        let mut stream = bytes.as_slice();
        requests.iter().for_each(|request| assert_eq!(Request::read(&mut stream).unwrap(), *request));
        assert_eq!(Request::read(&mut stream).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn pages_arrive() {
        let data: Vec<u8> = (0..7 * 5 * 3).map(|value| value as u8).collect();
        let picture = Picture::from_rgb(7, 5, data);
        let bytes = sent(&Reply::Drawn(Drawn { picture: picture.clone(), dpi: 199.5, incomplete: true }));
        let Reply::Drawn(drawn) = Reply::read(&mut bytes.as_slice()).unwrap() else { panic!("no page") };
        assert!(drawn.picture == picture && drawn.dpi == 199.5 && drawn.incomplete);
        for end in 0..bytes.len() {
            assert_eq!(Reply::read(&mut &bytes[..end]).unwrap_err().kind(), io::ErrorKind::UnexpectedEof, "{end}");
        }
    }

    #[test]
    fn errors_arrive_as_they_were() {
        let cause = |text: &str| Some(text.to_owned().into());
        let errors = [
            Error::Read { source: io::Error::new(io::ErrorKind::NotFound, "no such file") },
            Error::Read { source: io::Error::other("no permission") },
            Error::Directory,
            Error::Decode { error: DecodeError::Broken, source: cause("no pages") },
            Error::Decode { error: DecodeError::Encrypted, source: None },
            Error::TooLarge { what: "bytes", limit: 5, actual: 1 << 40 },
            Error::TooLarge { what: "pixels", limit: 5, actual: 6 },
            Error::Panic { message: "internal".into() },
        ];
        for error in errors {
            let wanted = (error.kind(), error.stage());
            let wanted_text = if wanted.0 == "panic" { format!("internal error: {error}") } else { error.chain() };
            let bytes = sent(&Reply::Failed(error));
            let Reply::Failed(got) = Reply::read(&mut bytes.as_slice()).unwrap() else { panic!("no error") };
            assert_eq!(((got.kind(), got.stage()), got.chain()), (wanted, wanted_text));
        }
    }

    #[test]
    fn lengths_are_not_believed() {
        let page = |width: u32, height: u32| {
            let mut bytes = vec![b'D'];
            bytes.extend(width.to_le_bytes());
            bytes.extend(height.to_le_bytes());
            bytes.extend(100f64.to_le_bytes());
            bytes.push(0);
            Reply::read(&mut bytes.as_slice()).unwrap_err().kind()
        };
        assert_eq!(page(u32::MAX, u32::MAX), io::ErrorKind::InvalidData);
        assert_eq!(page(0, 3), io::ErrorKind::InvalidData);
        assert_eq!(page(100, 3), io::ErrorKind::UnexpectedEof);
        let mut text = vec![b'F', b'R', 0];
        text.extend([0; 16]);
        text.extend(u32::MAX.to_le_bytes());
        assert_eq!(Reply::read(&mut text.as_slice()).unwrap_err().kind(), io::ErrorKind::InvalidData);
        assert_eq!(Reply::read(&mut &b"?"[..]).unwrap_err().kind(), io::ErrorKind::InvalidData);
        assert_eq!(Request::read(&mut &b"?"[..]).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
