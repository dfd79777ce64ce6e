//! The networks: what their files say of them, and the runtimes that run them.

pub mod model;
mod native;
pub mod runtime;
