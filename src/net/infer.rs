//! What runs a model, and what comes out.

use super::runtime::Network;
use crate::{error::Result, image::picture::Picture};

/// A model that takes a picture: a [`Network`], or in tests a closure that draws the output. It can be used from several
/// threads at once.
pub trait Infer: Send + Sync {
    /// The output for one picture of the size that the model expects.
    ///
    /// # Errors
    /// [`Error::Inference`](crate::Error::Inference) when the picture has another size or the runtime fails,
    /// [`Error::Model`](crate::Error::Model) when the runtime refuses a network that was loaded meanwhile.
    fn infer(&self, picture: &Picture) -> Result<Tensor>;
}

impl Infer for Network {
    fn infer(&self, picture: &Picture) -> Result<Tensor> {
        let output = self.run(picture.to_tensor().view().into_dyn())?;
        let shape = output.shape().to_vec();
        // The values of an array in standard layout are those of its buffer, which need not be copied one by one.
        let values =
            if output.is_standard_layout() { output.into_raw_vec_and_offset().0 } else { output.into_iter().collect() };
        Ok(Tensor::new(shape, values))
    }
}

impl<F: Fn(&Picture) -> Result<Tensor> + Send + Sync> Infer for F {
    fn infer(&self, picture: &Picture) -> Result<Tensor> {
        self(picture)
    }
}

/// The output of a model: numbers in rows and columns of any depth, the last index running fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    shape: Vec<usize>,
    values: Vec<f32>,
}

impl Tensor {
    /// A tensor of a shape and its values.
    ///
    /// # Panics
    /// When there are not as many values as the shape says.
    pub fn new(shape: impl Into<Vec<usize>>, values: Vec<f32>) -> Tensor {
        let shape = shape.into();
        assert_eq!(shape.iter().product::<usize>(), values.len(), "values of a tensor of shape {shape:?}");
        Tensor { shape, values }
    }

    /// The length along each index, the batch first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// All values.
    pub fn values(&self) -> &[f32] {
        &self.values
    }
}
