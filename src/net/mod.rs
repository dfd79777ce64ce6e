//! Running networks: the files of a model, the runtimes, and the trait behind which a model can be replaced in tests.
//! Nothing here knows what the models are for.

pub mod infer;
pub mod model;
mod native;
pub mod runtime;
