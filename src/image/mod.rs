//! Pictures as pixels: decoding, plane geometry, and drawing a picture anew through a perspective transform.

pub mod geometry;
pub mod picture;
pub mod warp;
