//! A picture to positions, one module a stage, in the order of a picture's way.

pub mod answers;
pub mod classify;
pub mod complete;
pub mod coordinates;
pub mod cues;
pub mod interpret;
pub mod issue;
pub mod locate;
pub mod models;
pub mod observation;
pub mod options;
pub mod orient;
pub mod place;
mod prior_shift;
pub mod provenance;
pub mod questions;
pub mod recognizer;
pub mod rectify;
pub mod slice;
pub mod timings;
pub mod trust;
pub mod views;
