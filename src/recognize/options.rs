//! Everything that can be chosen about reading a picture.

use super::{
    locate::LocateOptions, orient::OrientOptions, place::PlaceOptions, trust::TrustOptions, views::ViewOptions,
    visibility::VisibilityOptions,
};
use crate::{games::chess::Color, image::picture::Limits};

/// Everything that can be chosen about reading a picture, a struct for each stage.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How large an input may be.
    pub limits: Limits,
    /// Locating boards.
    pub locate: LocateOptions,
    /// The views of a board that its squares are classified in.
    pub views: ViewOptions,
    /// Which squares cannot be seen.
    pub visibility: VisibilityOptions,
    /// Which side is at the bottom.
    pub orient: OrientOptions,
    /// The rules of chess.
    pub place: PlaceOptions,
    /// When to trust a reading.
    pub trust: TrustOptions,
    /// The side at the bottom of every board, when the user knows it.
    pub bottom: Option<Color>,
}
