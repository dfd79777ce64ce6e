//! Pictures as pixels: decoding, plane geometry, and warping through a homography.

pub(crate) mod geometry;
pub(crate) mod picture;
pub(crate) mod warp;

pub use geometry::{Corners, Homography, Point};
pub use picture::{Limits, Picture, read_file, read_stream};
pub use warp::warp;
