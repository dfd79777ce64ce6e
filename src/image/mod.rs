//! Pictures as pixels: decoding, plane geometry, and warping through a homography.

pub(crate) mod damage;
pub(crate) mod geometry;
mod jpeg;
mod lzw;
pub(crate) mod picture;
mod tiff;
pub(crate) mod warp;

pub use damage::Damage;
pub use geometry::{Corners, Homography, Point};
pub use jpeg::jpeg_damage;
pub use picture::{Limits, Picture, read_file, read_stream};
pub use tiff::TiffFile;
pub use warp::warp;
