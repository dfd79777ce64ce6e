//! Reads pictures of chess positions: finds every board, reads every square, and says how sure it is.
//!
//! ```
//! # #[cfg(feature = "embed-models")]
//! # fn main() -> fenlens::Result<()> {
//! use fenlens::{Options, Picture, Recognizer};
//!
//! let recognizer = Recognizer::embedded(Options::default())?;
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/bad/white.png");
//! # let expected = 0;
//! let picture = Picture::open(path, &recognizer.options().limits)?;
//! let found = recognizer.recognize(&picture)?;
//! for board in &found.boards {
//!     println!("{} ({}, {:.4})", board.fen, board.trust.verdict, board.trust.confidence);
//! }
//! # assert_eq!(found.boards.len(), expected);
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "embed-models"))]
//! # fn main() {}
//! ```
//!
//! # Stages
//!
//! One stage, one module, one named type between two stages. The same words name the modules, the keys of `timings_ms` in
//! records, and [`Stage`] in errors.
//!
//! | stage | module | from | to |
//! |---|---|---|---|
//! | read, decode | `image::picture` | bytes | [`Picture`] |
//! | locate | `recognize::locate` | [`Picture`] | [`Detection`](recognize::Detection): the corners of every board |
//! | rectify | `recognize::rectify` | picture, corners | [`BoardImage`](recognize::BoardImage) |
//! | slice | `recognize::slice` | board image | [`Tiles`](recognize::Tiles) |
//! | classify | `recognize::classify` | tiles | [`Scores`](recognize::Scores), from one or several `views` |
//! | orient | `recognize::orient` | scores, `coordinates` | [`Orientation`](recognize::Orientation) |
//! | place | `recognize::place` | scores, orientation | [`Reading`](recognize::Reading) |
//! | complete | `recognize::complete` | placement, [`Cues`](recognize::Cues), [`Answers`](recognize::Answers) | [`Fen`](fen::Fen), and where its fields come from |
//!
//! Everything up to the scores is an [`Observation`](recognize::Observation): what a board shows, with nothing decided.
//! [`interpret`](recognize::interpret()) makes a [`BoardReading`] of it and of what a person has said, at first and after every
//! answer; [`questions`](recognize::questions) lists what is open. A [`Tile`](games::Tile) (row and column as seen) and a
//! [`Square`](games::chess::Square) of the game are different types; only the stages from orient on turn one into the other.
//!
//! # Other modules
//!
//! [`games`] has the vocabulary and the limits of chess and xiangqi, [`fen`] reads, checks, repairs and writes records,
//! [`output`] draws boards and writes records, overlays and traces, [`evaluate`] measures readings against labels.
//! `docs/architecture.md` says which folder may import which.
//!
//! # Features
//!
//! * `recognize`: everything that touches pictures and networks. Without it only [`games`], [`fen`] and
//!   [`output::diagram`] are built, in seconds.
//! * `embed-models`: the weights are compiled in; otherwise [`Recognizer::from_dir`] reads them from a folder.
//! * `cli` (default): the program `fenlens`.
//!
//! The library prints nothing, sends nothing anywhere, and writes files only in [`output::trace::write`].

#[cfg(feature = "recognize")]
pub mod error;
#[cfg(feature = "recognize")]
pub mod evaluate;
pub mod fen;
pub mod games;
#[cfg(feature = "recognize")]
pub mod image;
#[cfg(feature = "recognize")]
pub mod net;
pub mod output;
#[cfg(feature = "recognize")]
pub mod recognize;

#[cfg(feature = "recognize")]
pub use error::{Error, Result, Stage};
#[cfg(feature = "recognize")]
pub use image::{Limits, Picture};
#[cfg(feature = "recognize")]
pub use net::runtime::Runtime;
#[cfg(feature = "recognize")]
pub use output::record::Record;
#[cfg(feature = "recognize")]
pub use recognize::{BoardReading, Models, Options, Recognition, Recognizer, Verdict};
