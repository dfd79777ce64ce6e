//! A picture to positions, one module a stage, in the order of a picture's way.

pub mod classify;
pub mod complete;
pub mod coordinates;
pub mod cues;
pub mod locate;
pub mod models;
pub mod orient;
pub mod place;
mod prior_shift;
pub mod questions;
pub mod recognizer;
pub mod rectify;
pub mod slice;
