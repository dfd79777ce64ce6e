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
//! | look around | [`highlight`], [`side_mark`] | board image, picture | [`Shown`](complete::Shown): last move, mark of the side to move |
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

pub mod check;
pub mod chess;
pub mod classify;
pub mod complete;
pub mod coordinates;
pub mod diagram;
pub mod error;
pub mod fen;
pub mod game;
pub mod geometry;
pub mod highlight;
pub mod locate;
pub mod model;
mod native;
pub mod orient;
pub mod overlay;
pub mod picture;
pub mod placement;
pub mod position;
mod prior;
pub mod questions;
pub mod recognizer;
pub mod record;
pub mod rectify;
pub mod runtime;
pub mod side_mark;
pub mod tiles;
pub mod trace;
pub mod xiangqi;

pub use error::{Error, Result, Stage};
pub use model::Models;
pub use picture::{Limits, Picture};
pub use recognizer::{BoardReading, Options, Recognition, Recognizer, Verdict};
pub use record::Record;
pub use runtime::Runtime;
