//! Running networks: the pure-Rust backend by default, a native ONNX Runtime where one is named.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use ndarray::{ArrayD, ArrayViewD};
use ort::{
    environment::Environment,
    session::{Session, builder::GraphOptimizationLevel},
    value::TensorRef,
};

use crate::{
    error::{Error, ModelError, Result},
    native,
};

/// The backend of this process. It is chosen once: ONNX Runtime keeps its state per process, and so does its interface.
#[derive(Clone, Debug)]
pub struct Runtime {
    environment: Environment,
    backend: Backend,
    fallback: Option<String>,
}

/// What runs the networks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Backend {
    /// `tract`, compiled into this program.
    PureRust,
    /// A native ONNX Runtime.
    Native(PathBuf),
}

/// The first runtime opened in this process, or why there is none.
static RUNTIME: OnceLock<Result<Runtime, String>> = OnceLock::new();

impl Runtime {
    /// The environment variable that names a native library when no path is given.
    pub const VARIABLE: &str = "ORT_DYLIB_PATH";

    /// Opens the library at `native`, or else the one named by [`Self::VARIABLE`], or else the pure-Rust backend. A
    /// library that is missing or too old is no error: the pure-Rust backend takes its place, and [`Self::fallback`] says
    /// why. The first call of a process decides; later calls get the same runtime.
    ///
    /// # Errors
    /// [`Error::Model`] when the backend itself does not start.
    pub fn open(native: Option<&Path>) -> Result<Runtime> {
        let named = native.map(Path::to_owned).or_else(|| {
            let value = std::env::var_os(Self::VARIABLE)?;
            (!value.is_empty()).then(|| value.into())
        });
        Self::once(named)
    }

    /// Opens the pure-Rust backend whatever the environment says, unless the process has a runtime already.
    ///
    /// # Errors
    /// [`Error::Model`] when the backend does not start.
    pub fn pure_rust() -> Result<Runtime> {
        Self::once(None)
    }

    fn once(named: Option<PathBuf>) -> Result<Runtime> {
        let opened = RUNTIME.get_or_init(|| {
            let (api, backend, fallback) = match named.map(|path| (native::open(&path), path)) {
                None => (ort_tract::api(), Backend::PureRust, None),
                Some((Ok(api), path)) => (api, Backend::Native(path), None),
                Some((Err(reason), path)) => {
                    let fallback = format!("cannot use {} as ONNX Runtime: {reason}", path.display());
                    (ort_tract::api(), Backend::PureRust, Some(fallback))
                }
            };
            ort::set_api(api);
            let environment =
                ort::init().with_name("fenlens").with_telemetry(false).build().map_err(|error| error.to_string())?;
            Ok(Runtime { environment, backend, fallback })
        });
        opened.clone().map_err(|reason| ModelError::Runtime { source: reason.into() }.into())
    }

    /// What runs the networks.
    pub fn backend(&self) -> &Backend {
        &self.backend
    }

    /// Why a native library that was named is not used.
    pub fn fallback(&self) -> Option<&str> {
        self.fallback.as_deref()
    }
}

/// A network ready to run: one input, one output, both `f32` of fixed shape. It is meant for one thread; each thread
/// loads its own.
#[derive(Debug)]
pub struct Network {
    session: Session,
}

impl Network {
    /// Loads a network from the bytes of an ONNX file.
    ///
    /// # Errors
    /// [`Error::Model`] when the runtime refuses it.
    pub fn load(runtime: &Runtime, onnx: &[u8]) -> Result<Network> {
        let refused = |error: ort::Error| Error::from(ModelError::Runtime { source: Box::new(error) });
        let mut builder = Session::builder(&runtime.environment)
            .and_then(|builder| Ok(builder.with_optimization_level(GraphOptimizationLevel::Level3)?))
            .map_err(refused)?;
        if matches!(runtime.backend, Backend::Native(_)) {
            // Pictures are read in parallel, so a session that takes all cores for itself only gets in the way.
            builder = builder.with_intra_threads(1).map_err(|error| refused(error.into()))?;
        }
        let session = builder.commit_from_memory(onnx).map_err(refused)?;
        Ok(Network { session })
    }

    /// Runs the network on one input.
    ///
    /// # Errors
    /// [`Error::Inference`] when the input has the wrong shape or the runtime fails.
    pub fn run<'a>(&mut self, input: impl Into<ArrayViewD<'a, f32>>) -> Result<ArrayD<f32>> {
        let failed = |error: ort::Error| Error::Inference { source: Box::new(error) };
        let input = input.into();
        let tensor = TensorRef::from_array_view(input).map_err(failed)?;
        let outputs = self.session.run(ort::inputs![tensor]).map_err(failed)?;
        let output = outputs[0].try_extract_array::<f32>().map_err(failed)?.to_owned();
        Ok(output)
    }
}
