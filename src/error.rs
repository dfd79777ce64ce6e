//! Everything that can go wrong, split by who can act on it.
//!
//! Messages are lower case, without a full stop and without the path of the picture: the program adds that at the edge.
//! A cause is carried in [`source`](std::error::Error::source) and not repeated in the message; [`Error::chain`] joins
//! the two.

use std::{error::Error as StdError, fmt, io, time::Duration};

use thiserror::Error;

/// `std::result::Result` with this crate's [`enum@Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

type Cause = Box<dyn StdError + Send + Sync>;

/// The stages from bytes to FEN, under the names that modules, timings, errors and documents use.
///
/// Timings count `decode` with `read`, and `complete` with `place`; `load` and `slice` are not timed. Errors arise in
/// `load`, `read`, `decode`, `locate` and `classify`: what a network of another stage fails with is counted with
/// `classify`, and corners that span no area with `locate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// Loading the models, before any picture.
    Load,
    /// Reading the bytes.
    Read,
    /// Decoding the bytes to a picture.
    Decode,
    /// Finding the boards.
    Locate,
    /// Cutting a board out of the picture, its squares made square.
    Rectify,
    /// Cutting the board into tiles.
    Slice,
    /// Running the classifier of the tiles.
    Classify,
    /// Telling which side is at the bottom, with the coordinates around the board.
    Orient,
    /// Applying the rules of the game.
    Place,
    /// Filling in the other fields of the FEN.
    Complete,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Stage; 10] = [
        Stage::Load,
        Stage::Read,
        Stage::Decode,
        Stage::Locate,
        Stage::Rectify,
        Stage::Slice,
        Stage::Classify,
        Stage::Orient,
        Stage::Place,
        Stage::Complete,
    ];

    /// The name used in records.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Load => "load",
            Stage::Read => "read",
            Stage::Decode => "decode",
            Stage::Locate => "locate",
            Stage::Rectify => "rectify",
            Stage::Slice => "slice",
            Stage::Classify => "classify",
            Stage::Orient => "orient",
            Stage::Place => "place",
            Stage::Complete => "complete",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is wrong with the bytes of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// No bytes at all.
    #[error("the file is empty")]
    Empty,
    /// No known picture format begins like this.
    #[error("not a picture (PNG, JPEG, WebP, GIF, BMP and TIFF are read)")]
    NotAPicture,
    /// A known format, but a variant of it that is not read.
    #[error("a kind of picture that is not read")]
    Unsupported,
    /// The data end before the picture does.
    #[error("the picture is cut short")]
    Truncated,
    /// The data contradict their own format.
    #[error("the picture is broken")]
    Broken,
    /// The data cannot be read without a password.
    #[error("encrypted, and cannot be read without its password")]
    Encrypted,
}

impl DecodeError {
    /// The word used in records.
    fn kind(self) -> &'static str {
        match self {
            DecodeError::Empty => "empty",
            DecodeError::NotAPicture => "not-a-picture",
            DecodeError::Unsupported => "unsupported",
            DecodeError::Truncated => "truncated",
            DecodeError::Broken => "broken",
            DecodeError::Encrypted => "encrypted",
        }
    }
}

/// Why drawing a page of a document, in a process of its own, was given up.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum DrawError {
    /// It asked for more memory than the limit allows.
    #[error("it takes more than {} MiB of memory", limit >> 20)]
    OutOfMemory {
        /// The limit in bytes, besides the document itself.
        limit: u64,
    },
    /// It was not finished in time.
    #[error("it takes longer than {} s", limit.as_secs_f64())]
    TooLong {
        /// The limit.
        limit: Duration,
    },
    /// The process ended by itself.
    #[error("the process that draws it crashed ({how})")]
    Crashed {
        /// In words: `stack overflow`, or what the system says.
        how: String,
    },
}

impl DrawError {
    /// The word used in records.
    fn kind(&self) -> &'static str {
        match self {
            DrawError::OutOfMemory { .. } => "out-of-memory",
            DrawError::TooLong { .. } => "too-long",
            DrawError::Crashed { .. } => "crashed",
        }
    }
}

/// Why a model cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A file of the model cannot be read.
    #[error("cannot read the model file {file}")]
    Unreadable {
        /// The file.
        file: String,
        /// The reason that the system gives.
        source: io::Error,
    },
    /// `model.toml` is not what it should be.
    #[error("model {model}: model.toml is unusable")]
    Manifest {
        /// The model's name.
        model: String,
        /// The parser's error.
        source: Cause,
    },
    /// The weights, shapes or classes are not those that `model.toml` or this program expects.
    #[error("model {model}: {what} should be {expected}, is {actual}")]
    Mismatch {
        /// The model's name.
        model: String,
        /// Which fact differs.
        what: &'static str,
        /// The expected value.
        expected: String,
        /// The value found.
        actual: String,
    },
    /// The runtime refuses the network.
    #[error("the runtime refuses the network")]
    Runtime {
        /// The runtime's error.
        source: Cause,
    },
}

/// An error of this crate.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes cannot be read: no such file, no permission.
    #[error("cannot read")]
    Read {
        /// The system's error.
        source: io::Error,
    },
    /// The path leads to a directory.
    #[error("a directory, not a picture")]
    Directory,
    /// The bytes are no readable picture.
    #[error("{error}")]
    Decode {
        /// What is wrong.
        error: DecodeError,
        /// The decoder's error, where there is one.
        source: Option<Cause>,
    },
    /// Opening a document or drawing a page of it was given up.
    #[error("not drawn: {error}")]
    Draw {
        /// Why.
        error: DrawError,
    },
    /// The file or the picture is larger than [`Limits`](crate::Limits) allow; nothing was decoded.
    #[error("too large: {actual} {what}, the limit is {limit}")]
    TooLarge {
        /// `bytes` or `pixels`.
        what: &'static str,
        /// The limit in force.
        limit: u64,
        /// The value found.
        actual: u64,
    },
    /// There is no board, or its corners span no area.
    #[error("no board found: {reason}")]
    BoardNotFound {
        /// What was missing.
        reason: String,
    },
    /// A model cannot be used.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The runtime failed on one input.
    #[error("the network could not be run")]
    Inference {
        /// The runtime's error.
        source: Cause,
    },
    /// The program failed on one input, which is an error of the program; it can go on with others.
    #[error("internal error: {message}")]
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
            Error::Read { .. } | Error::Directory | Error::Panic { .. } => Stage::Read,
            Error::TooLarge { what: "bytes", .. } => Stage::Read,
            Error::Decode { .. } | Error::Draw { .. } | Error::TooLarge { .. } => Stage::Decode,
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
                _ => "unreadable",
            },
            Error::Directory => "directory",
            Error::Decode { error, .. } => error.kind(),
            Error::Draw { error } => error.kind(),
            Error::TooLarge { .. } => "too-large",
            Error::BoardNotFound { .. } => "no-board",
            Error::Model(_) => "model",
            Error::Inference { .. } => "inference",
            Error::Panic { .. } => "panic",
        }
    }

    /// The message followed by its causes, joined by `": "`, in one line. Many decoders repeat their cause in their own
    /// message; what has been said already is left out.
    pub fn chain(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            add_cause(&mut text, &error.to_string());
            cause = error.source();
        }
        text
    }
}

/// Adds a cause to a message, unless the message says it already.
fn add_cause(text: &mut String, cause: &str) {
    // Some messages of decoders end in a line feed.
    let cause = cause.split_whitespace().collect::<Vec<_>>().join(" ");
    let cause = cause.as_str();
    if cause.is_empty() || says(text, cause) {
        return;
    }
    let mut last = None;
    for part in cause.split(": ").filter(|part| !part.is_empty()) {
        if last != Some(part) && !text.ends_with(&format!(": {part}")) {
            text.push_str(": ");
            text.push_str(part);
        }
        last = Some(part);
    }
}

/// Whether a text contains a phrase as whole words.
fn says(text: &str, phrase: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + phrase.len()..].chars().next());
        !is_word(before) && !is_word(after)
    })
}

impl From<io::Error> for Error {
    fn from(source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::IsADirectory => Error::Directory,
            _ => Error::Read { source },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cause(text: &'static str) -> Cause {
        io::Error::other(text).into()
    }

    #[test]
    fn causes_are_said_once() {
        let error = Error::from(io::Error::new(io::ErrorKind::NotFound, "no such file"));
        assert_eq!(error.chain(), "cannot read: no such file");
        assert_eq!((error.stage().name(), error.kind()), ("read", "not-found"));
        let error = Error::from(io::Error::from(io::ErrorKind::IsADirectory));
        assert_eq!(error.chain(), "a directory, not a picture");
        assert_eq!((error.stage().name(), error.kind()), ("read", "directory"));
        let error = Error::Decode { error: DecodeError::Broken, source: Some(cause("no end marker")) };
        assert_eq!(error.chain(), "the picture is broken: no end marker");
        let error = Error::Inference { source: cause("no memory") };
        assert_eq!(error.chain(), "the network could not be run: no memory");
    }

    /// An error whose message contains that of its cause, as those of decoders do.
    #[derive(Debug, Error)]
    #[error("{words}{cause}")]
    struct Repeating {
        words: &'static str,
        #[source]
        cause: Cause,
    }

    #[test]
    fn what_is_said_already_is_not_repeated() {
        let repeating = |words, cause| -> Cause { Repeating { words, cause }.into() };
        let decode = |source| Error::Decode { error: DecodeError::Truncated, source: Some(source) }.chain();
        let deep = repeating("in a GIF: ", repeating("", repeating("", cause("image truncated\n"))));
        assert_eq!(decode(deep), "the picture is cut short: in a GIF: image truncated");
        assert_eq!(decode(cause("no: no: code")), "the picture is cut short: no: code");
        assert_eq!(decode(cause("the picture is cut short")), "the picture is cut short");
        assert_eq!(decode(cause("cut")), "the picture is cut short");
        // A part of a word is no word.
        assert_eq!(decode(cause("pic")), "the picture is cut short: pic");
        assert_eq!(decode(cause(" \n")), "the picture is cut short");
    }

    #[test]
    fn errors_of_models_are_passed_on_whole() {
        let model = || "toy-v1".to_owned();
        let unreadable = ModelError::Unreadable { file: "a/model.onnx".into(), source: io::Error::other("no disk") };
        assert_eq!(Error::from(unreadable).chain(), "cannot read the model file a/model.onnx: no disk");
        let manifest = ModelError::Manifest { model: model(), source: cause("no name") };
        assert_eq!(Error::from(manifest).chain(), "model toy-v1: model.toml is unusable: no name");
        let runtime = Error::from(ModelError::Runtime { source: cause("no such operator") });
        assert_eq!(runtime.chain(), "the runtime refuses the network: no such operator");
        assert_eq!((runtime.stage().name(), runtime.kind()), ("load", "model"));
        let (expected, actual) = ("[1]".into(), "[2]".into());
        let mismatch = Error::from(ModelError::Mismatch { model: model(), what: "shape", expected, actual });
        assert_eq!(mismatch.chain(), "model toy-v1: shape should be [1], is [2]");
    }

    #[test]
    fn what_was_given_up_says_why() {
        let draw = |error| Error::Draw { error };
        let memory = draw(DrawError::OutOfMemory { limit: 1 << 30 });
        assert_eq!(memory.chain(), "not drawn: it takes more than 1024 MiB of memory");
        assert_eq!((memory.stage().name(), memory.kind()), ("decode", "out-of-memory"));
        let time = draw(DrawError::TooLong { limit: Duration::from_secs(30) });
        assert_eq!((time.chain().as_str(), time.kind()), ("not drawn: it takes longer than 30 s", "too-long"));
        let crash = draw(DrawError::Crashed { how: "stack overflow".into() });
        assert_eq!(crash.chain(), "not drawn: the process that draws it crashed (stack overflow)");
    }

    #[test]
    fn limits_name_both_values() {
        let error = Error::TooLarge { what: "pixels", limit: 10, actual: 3_600_000_000 };
        assert_eq!(error.chain(), "too large: 3600000000 pixels, the limit is 10");
        assert_eq!(error.stage(), Stage::Decode);
    }

    #[test]
    fn stages_from_locate_on_are_modules() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/recognize");
        for stage in Stage::ALL.iter().skip_while(|&&stage| stage != Stage::Locate) {
            let (file, module) = (folder.join(format!("{stage}.rs")), folder.join(stage.name()));
            assert!(file.is_file() || module.is_dir(), "{stage} is no module");
        }
    }
}
