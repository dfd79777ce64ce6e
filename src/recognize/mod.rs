//! A picture to positions, one module a stage, in the order in which a picture goes through them: locate, rectify, slice,
//! classify, orient, place, complete. A board is [observed](Observation) once, and [interpreted](interpret()) at first and
//! again after every answer of a person.

pub(crate) mod answers;
pub(crate) mod classify;
pub(crate) mod complete;
pub(crate) mod coordinates;
pub(crate) mod cues;
pub(crate) mod integrity;
pub(crate) mod interpret;
pub(crate) mod issue;
pub(crate) mod locate;
pub(crate) mod models;
pub(crate) mod observation;
pub(crate) mod options;
pub(crate) mod orient;
pub(crate) mod place;
mod prior_shift;
pub(crate) mod provenance;
pub mod questions;
pub(crate) mod recognizer;
pub(crate) mod rectify;
pub(crate) mod slice;
pub(crate) mod timings;
pub(crate) mod trust;
pub(crate) mod views;
pub(crate) mod visibility;

pub use answers::{Answer, Answers, Refused, Topic};
pub use classify::{Scores, TileModel, TileSpec};
pub use complete::{Cues, Field, Fields, Reason};
pub use coordinates::{CoordinateEvidence, CoordinateModel};
pub use cues::{
    last_move::LastMove,
    turn_marker::{Shape, TurnMarker},
};
pub use integrity::{Integrity, shades::CornerShade};
pub use interpret::{BoardReading, interpret};
pub use issue::Issue;
pub use locate::{AlignOptions, BoardLocator, Detection, FindOptions, LocateOptions};
pub use models::Models;
pub use observation::Observation;
pub use options::Options;
pub use orient::{Evidence, OrientOptions, Orientation, OrientationEvidence};
pub use place::{PlaceOptions, Reading, SquareReading};
pub use provenance::Source;
pub use recognizer::{Recognition, Recognizer};
pub use rectify::BoardImage;
pub use slice::Tiles;
pub use timings::Timings;
pub use trust::{Trust, TrustOptions, Verdict};
pub use views::ViewOptions;
pub use visibility::{Sight, Visibility, VisibilityModel, VisibilityOptions};

/// Single stages, for the benchmarks of this project only.
#[doc(hidden)]
pub mod stages {
    pub use super::{
        classify::{PieceNetwork, classify},
        coordinates::CoordinateReader,
        locate::Locator,
        orient::orient,
        place::place,
        visibility::{VisibilityNetwork, visibility},
    };
}
