//! What one board shows: everything that is seen and nothing that is decided.
//!
//! A board is observed once. [`interpret`](super::interpret) then decides, at first and after every answer, so no decision
//! needs the picture again.

use super::{
    classify::{Scores, TileModel},
    coordinates::{CoordinateEvidence, CoordinateModel},
    cues::turn_marker::{TurnMarker, find_turn_marker},
    integrity::Integrity,
    locate::Detection,
    options::Options,
    orient::{OrientationEvidence, is_certain},
    rectify::BoardImage,
    timings::{StageClock, Timed},
    views::Viewer,
    visibility::{Visibility, VisibilityModel, patches::lone_patch, visibility},
};
use crate::{
    error::Result,
    games::game::Game,
    image::{geometry::Corners, picture::Picture},
};

/// One board as seen. It never changes once it is made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Observation {
    /// The corners as detected, in pixels of the picture, clockwise from the one that is top left in the picture.
    pub corners: Corners,
    /// The probability that a board is there, at these corners.
    pub located: f32,
    /// By how many quarter turns clockwise the board was turned to set the pieces upright, 0 to 3. All tiles below are those
    /// of the turned board.
    pub quarter_turns: usize,
    /// The rectified board.
    pub image: BoardImage,
    /// The calibrated class probabilities of every tile, as if it could be seen.
    pub scores: Scores,
    /// Which tiles can be seen.
    pub visibility: Visibility,
    /// What speaks against the picture as a whole.
    pub integrity: Integrity,
    /// What speaks for either side at the bottom.
    pub orientation: OrientationEvidence,
    /// A mark beside the board that tells the side to move.
    pub turn_marker: Option<TurnMarker>,
}

impl Observation {
    /// The game on the board.
    pub fn game(&self) -> Game {
        self.image.game()
    }
}

/// Observes the boards of one picture.
pub(crate) struct Observer<'a> {
    pub(crate) picture: &'a Picture,
    pub(crate) pieces: &'a dyn TileModel,
    pub(crate) coordinates: &'a dyn CoordinateModel,
    pub(crate) visibility: &'a dyn VisibilityModel,
    pub(crate) options: &'a Options,
    pub(crate) clock: &'a StageClock,
}

impl Observer<'_> {
    /// Views a board until its squares are as sure as they will be, and reads its coordinates if they are needed.
    ///
    /// # Errors
    /// Those of the models; [`Error::BoardNotFound`](crate::Error::BoardNotFound) when the corners span no area.
    pub(crate) fn observe(&self, located: Detection) -> Result<Observation> {
        let Detection { corners, confidence } = located;
        let viewer = Viewer {
            picture: self.picture,
            pieces: self.pieces,
            options: &self.options.views,
            trust: &self.options.trust,
            clock: self.clock,
        };
        let viewed = viewer.view(&corners)?;
        let visibility = self.clock.time(Timed::Classify, || {
            visibility(self.visibility, &viewed.image, self.picture, &self.options.visibility)
        })?;
        let visibility = visibility.and_covered(lone_patch(&viewed.image, &viewed.scores));
        let upright = corners.turned(viewed.quarter_turns);
        let coordinates = if self.options.bottom.is_some() || is_certain(&viewed.scores, &self.options.orient) {
            CoordinateEvidence::Nothing
        } else {
            self.clock.time(Timed::Orient, || self.coordinates.read(self.picture, &upright))?
        };
        let turn_marker = self.clock.time(Timed::Place, || find_turn_marker(self.picture, &upright));
        Ok(Observation {
            corners,
            located: confidence,
            quarter_turns: viewed.quarter_turns,
            orientation: OrientationEvidence::new(&viewed.scores, coordinates),
            integrity: Integrity::of(&viewed.image, self.picture),
            image: viewed.image,
            scores: viewed.scores,
            visibility,
            turn_marker,
        })
    }
}
