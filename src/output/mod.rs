//! Output: records, overlays, traces and drawn boards.

pub mod diagram;
#[cfg(feature = "recognize")]
pub mod overlay;
#[cfg(feature = "recognize")]
pub mod record;
#[cfg(feature = "recognize")]
pub mod trace;
