//! What speaks against a picture as a whole, whatever its squares say.

mod beyond;
pub(crate) mod shades;

use self::{
    beyond::goes_on,
    shades::{CornerShade, corner_shade},
};
use super::rectify::BoardImage;
use crate::image::{damage::Damage, picture::Picture};

/// What speaks against a picture as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Integrity {
    /// Whether the dark squares are where they should be.
    pub corner_shade: CornerShade,
    /// Whether squares follow beyond an edge, so that the board may be a part of something larger.
    pub goes_on: bool,
    /// What is wrong with the data of the picture. It is not known where: no part of the picture can be relied on.
    pub damage: Option<Damage>,
}

impl Integrity {
    /// Nothing speaks against it.
    pub const SOUND: Integrity = Integrity { corner_shade: CornerShade::Dark, goes_on: false, damage: None };

    /// Examines a board that was cut out of `picture`, with its pieces upright.
    pub(crate) fn of(board: &BoardImage, picture: &Picture) -> Integrity {
        Integrity { corner_shade: corner_shade(board), goes_on: goes_on(board, picture), damage: picture.damage() }
    }
}
