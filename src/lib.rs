//! Reads pictures of chess positions: finds every board, reads every square, and says how sure it is.
//!
//! ```
//! use fenlens::{Options, Picture, Recognizer};
//!
//! # fn main() -> fenlens::Result<()> {
//! let mut recognizer = Recognizer::embedded(Options::default())?;
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/bad/white.png");
//! # let expected = 0;
//! let picture = Picture::open(path, &recognizer.options().limits)?;
//! let found = recognizer.recognize(&picture)?;
//! for board in &found.boards {
//!     println!("{} ({}, {:.4})", board.fen, board.trust.verdict.name(), board.trust.confidence);
//! }
//! # assert_eq!(found.boards.len(), expected);
//! # Ok(())
//! # }
//! ```
//!
//! # Stages
//!
//! One stage, one module, one named type between two stages:
//!
//! | stage | module | from | to |
//! |---|---|---|---|
//! | read | [`picture`] | bytes | [`Picture`] |
//! | find | [`locate`] | [`Picture`] | [`Corners`](geometry::Corners) of every board |
//! | flatten | [`rectify`] | [`Picture`], corners | [`BoardImage`](rectify::BoardImage) |
//! | slice | [`tiles`] | board image | [`Tiles`](tiles::Tiles) |
//! | classify | [`classify`] | tiles | [`Scores`](classify::Scores) |
//! | orient | [`orient`] | scores, [`coordinates`] | [`Orientation`](orient::Orientation) |
//! | place | [`position`] | scores, orientation | [`Reading`](position::Reading), [`Issue`](position::Issue)s |
//! | look around | [`highlight`], [`side_mark`] | board image, picture | [`Cues`](complete::Cues): last move, mark of the side to move |
//! | complete | [`complete`] | placement, what is shown, answers | [`Fen`](fen::Fen) and where its fields come from |
//!
//! [`recognizer`] joins them and judges the result; [`record`] is the form in which the program prints it; [`overlay`] draws
//! it over the picture; [`trace`] draws what the stages saw. Places as seen in the picture ([`Tile`](game::Tile)) and squares of the game
//! ([`Square`](chess::Square)) are different types, and only the stages from `orient` on turn one into the other.
//!
//! What a picture leaves open, [`questions`] settles with somebody who knows more: a closure, a list of answers, or, in the
//! program, a person at a terminal.
//!
//! The words and rules of the games are in [`chess`] and [`xiangqi`]; [`diagram`] draws a board, as text or in SVG.
//! [`check`] measures readings against labels.
//! Records that come from elsewhere are read, checked, repaired and written by [`fen`]; no picture is needed for that.
//!
//! # Features
//!
//! * `cli` (default): the program `fenlens`. Without it no argument parser is built, and nothing that turns SVG into
//!   pixels.
//!
//! Nothing is ever printed by the library, sent anywhere, or written but by [`trace::write`].

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
pub use image::picture::{Limits, Picture};
#[cfg(feature = "recognize")]
pub use net::runtime::Runtime;
#[cfg(feature = "recognize")]
pub use output::record::Record;
#[cfg(feature = "recognize")]
pub use recognize::{
    interpret::BoardReading,
    models::Models,
    options::Options,
    recognizer::{Recognition, Recognizer},
    trust::Verdict,
};
