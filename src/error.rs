//! Everything that can go wrong, split by who can act on it.
//!
//! Messages are lower case, without a full stop and without the path of the picture: the program adds that at the edge.
//! A cause is carried in [`source`](std::error::Error::source) and not repeated in the message; [`Error::chain`] joins
//! the two.

use std::{error::Error as StdError, fmt, io};

/// `std::result::Result` with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

type Cause = Box<dyn StdError + Send + Sync>;

/// The stage of the way from bytes to FEN in which an error arose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// Getting the bytes.
    Read,
    /// Turning bytes into a picture.
    Decode,
    /// Finding boards, or flattening one.
    Locate,
    /// Running the square classifier.
    Classify,
    /// Loading the models, before any picture.
    Load,
}

impl Stage {
    /// The name used in records.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Read => "read",
            Stage::Decode => "decode",
            Stage::Locate => "locate",
            Stage::Classify => "classify",
            Stage::Load => "load",
        }
    }
}

/// What is wrong with the bytes of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecodeFault {
    /// No bytes at all.
    Empty,
    /// No known picture format begins like this.
    NotAPicture,
    /// A known format, but a variant of it that is not read.
    Unsupported,
    /// The data end before the picture does.
    Truncated,
    /// The data contradict their own format.
    Broken,
    /// The data cannot be read without a password.
    Encrypted,
}

/// Why a model cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum ModelError {
    /// A file of the model cannot be read.
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        source: io::Error,
    },
    /// `model.toml` is not what it should be.
    Manifest {
        /// The model's name.
        model: String,
        /// The parser's word.
        source: Cause,
    },
    /// The weights, shapes or classes are not those that `model.toml` or this program expects.
    Mismatch {
        /// The model's name.
        model: String,
        /// Which fact differs.
        what: &'static str,
        /// The value that was due.
        expected: String,
        /// The value that was found.
        actual: String,
    },
    /// The runtime refuses the network.
    Runtime {
        /// The runtime's word.
        source: Cause,
    },
}

/// An error of this crate.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The bytes cannot be had: no such file, a directory, no permission.
    Read {
        /// The system's word.
        source: io::Error,
    },
    /// The bytes are no readable picture.
    Decode {
        /// What is wrong.
        fault: DecodeFault,
        /// The decoder's word, where there is one.
        source: Option<Cause>,
    },
    /// The file or the picture is larger than [`Limits`](crate::Limits) allow; nothing was decoded.
    TooLarge {
        /// `bytes` or `pixels`.
        what: &'static str,
        /// The limit in force.
        limit: u64,
        /// The value found.
        actual: u64,
    },
    /// There is no board, or its corners span no area.
    BoardNotFound {
        /// What was missing.
        reason: String,
    },
    /// A model cannot be used.
    Model(ModelError),
    /// The runtime failed on one input.
    Inference {
        /// The runtime's word.
        source: Cause,
    },
    /// The program failed on one input, which is an error of the program; it can go on with others.
    Panic {
        /// The message of the panic.
        message: String,
    },
}

impl Error {
    /// The stage that failed.
    pub fn stage(&self) -> Stage {
        match self {
            // Where a panic arose is not known: it is charged to the picture as a whole.
            Error::Read { .. } | Error::Panic { .. } => Stage::Read,
            Error::TooLarge { what: "bytes", .. } => Stage::Read,
            Error::Decode { .. } | Error::TooLarge { .. } => Stage::Decode,
            Error::BoardNotFound { .. } => Stage::Locate,
            Error::Model(_) => Stage::Load,
            Error::Inference { .. } => Stage::Classify,
        }
    }

    /// A stable word for the kind of error, as used in records.
    pub fn kind(&self) -> &'static str {
        match self {
            Error::Read { source } => match source.kind() {
                io::ErrorKind::NotFound => "not-found",
                io::ErrorKind::IsADirectory => "directory",
                _ => "unreadable",
            },
            Error::Decode { fault, .. } => match fault {
                DecodeFault::Empty => "empty",
                DecodeFault::NotAPicture => "not-a-picture",
                DecodeFault::Unsupported => "unsupported",
                DecodeFault::Truncated => "truncated",
                DecodeFault::Broken => "broken",
                DecodeFault::Encrypted => "encrypted",
            },
            Error::TooLarge { .. } => "too-large",
            Error::BoardNotFound { .. } => "no-board",
            Error::Model(_) => "model",
            Error::Inference { .. } => "inference",
            Error::Panic { .. } => "panic",
        }
    }

    /// The message followed by its causes, joined by `": "`.
    pub fn chain(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            text.push_str(": ");
            text.push_str(&error.to_string());
            cause = error.source();
        }
        text
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Read { source } if source.kind() == io::ErrorKind::IsADirectory => {
                f.write_str("a directory, not a picture")
            }
            Error::Read { .. } => f.write_str("cannot read"),
            Error::Decode { fault, .. } => f.write_str(match fault {
                DecodeFault::Empty => "the file is empty",
                DecodeFault::NotAPicture => "not a picture (PNG, JPEG, WebP, GIF, BMP and TIFF are read)",
                DecodeFault::Unsupported => "a kind of picture that is not read",
                DecodeFault::Truncated => "the picture is cut short",
                DecodeFault::Broken => "the picture is broken",
                DecodeFault::Encrypted => "encrypted, and cannot be read without its password",
            }),
            Error::TooLarge { what, limit, actual } => {
                write!(f, "too large: {actual} {what}, the limit is {limit}")
            }
            Error::BoardNotFound { reason } => write!(f, "no board found: {reason}"),
            Error::Model(error) => error.fmt(f),
            Error::Inference { .. } => f.write_str("the network could not be run"),
            Error::Panic { message } => write!(f, "internal error: {message}"),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Error::Read { source } if source.kind() == io::ErrorKind::IsADirectory => None,
            Error::Read { source } => Some(source),
            Error::Decode { source, .. } => source.as_deref().map(|e| e as _),
            Error::Model(error) => error.source(),
            Error::Inference { source } => Some(source.as_ref()),
            Error::TooLarge { .. } | Error::BoardNotFound { .. } | Error::Panic { .. } => None,
        }
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelError::Unreadable { file, .. } => write!(f, "cannot read the model file {file}"),
            ModelError::Manifest { model, .. } => write!(f, "model {model}: model.toml is unusable"),
            ModelError::Mismatch { model, what, expected, actual } => {
                write!(f, "model {model}: {what} should be {expected}, is {actual}")
            }
            ModelError::Runtime { .. } => f.write_str("the runtime refuses the network"),
        }
    }
}

impl StdError for ModelError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            ModelError::Unreadable { source, .. } => Some(source),
            ModelError::Manifest { source, .. } | ModelError::Runtime { source } => Some(source.as_ref()),
            ModelError::Mismatch { .. } => None,
        }
    }
}

impl From<ModelError> for Error {
    fn from(error: ModelError) -> Self {
        Error::Model(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_said_once() {
        let error = Error::Read { source: io::Error::new(io::ErrorKind::NotFound, "no such file") };
        assert_eq!(error.chain(), "cannot read: no such file");
        assert_eq!((error.stage().name(), error.kind()), ("read", "not-found"));
        let error = Error::Read { source: io::Error::from(io::ErrorKind::IsADirectory) };
        assert_eq!(error.chain(), "a directory, not a picture");
    }

    #[test]
    fn limits_name_both_values() {
        let error = Error::TooLarge { what: "pixels", limit: 10, actual: 3_600_000_000 };
        assert_eq!(error.chain(), "too large: 3600000000 pixels, the limit is 10");
        assert_eq!(error.stage(), Stage::Decode);
    }
}
