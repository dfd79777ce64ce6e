//! Running networks: the pure-Rust backend by default, a native ONNX Runtime where one is named.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock, mpsc},
    thread,
};

use ndarray::{ArrayD, ArrayViewD};
use ort::{
    environment::Environment,
    session::{Session, builder::GraphOptimizationLevel},
    value::TensorRef,
};

use super::native;
use crate::error::{Error, ModelError, Result};

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

/// A network: one input, one output, both `f32` of fixed shape. It is meant for one thread; each thread loads its own.
#[derive(Debug)]
pub struct Network {
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    Ready(Session),
    /// Another thread is at it.
    Loading(mpsc::Receiver<Result<Session>>),
    /// Why there is none; the reason was given as an error when it was first asked for.
    Failed(String),
}

impl Network {
    /// Loads a network from the bytes of an ONNX file.
    ///
    /// # Errors
    /// [`Error::Model`] when the runtime refuses it.
    pub fn load(runtime: &Runtime, onnx: &[u8]) -> Result<Network> {
        Ok(Network { state: Mutex::new(State::Ready(open_session(runtime, onnx)?)) })
    }

    /// Begins to load networks, one after the other on a thread of their own, so that the first steps of the work need
    /// not wait for the networks of the later ones. What the runtime refuses comes to light when it is first
    /// [run](Self::run).
    ///
    /// # Errors
    /// [`Error::Model`]. A native runtime loads at once, since a program may not end while it is at it.
    pub fn load_in_turn<const N: usize>(runtime: &Runtime, onnx: [Cow<'static, [u8]>; N]) -> Result<[Network; N]> {
        let (senders, networks): (Vec<_>, Vec<_>) = (0..N)
            .map(|_| {
                let (sender, receiver) = mpsc::sync_channel(1);
                (sender, Network { state: Mutex::new(State::Loading(receiver)) })
            })
            .unzip();
        let owned = runtime.clone();
        let load = move || {
            for (sender, onnx) in senders.iter().zip(&onnx) {
                // Nobody may be waiting any more: then there is nothing to do for this one.
                let _ = sender.send(open_session(&owned, onnx));
            }
        };
        let mut networks: [Network; N] = networks.try_into().expect("as many networks as models");
        if matches!(runtime.backend, Backend::Native(_)) {
            load();
            for network in &mut networks {
                Self::session(&mut network.state.lock().expect("no panic"))?;
            }
        } else if thread::Builder::new().name("loading".into()).spawn(load).is_err() {
            let source = "no thread to load networks on".into();
            return Err(ModelError::Runtime { source }.into());
        }
        Ok(networks)
    }

    /// Runs the network on one input.
    ///
    /// # Errors
    /// [`Error::Inference`] when the input has the wrong shape or the runtime fails, [`Error::Model`] when a network that
    /// was loaded meanwhile was refused.
    pub fn run<'a>(&self, input: impl Into<ArrayViewD<'a, f32>>) -> Result<ArrayD<f32>> {
        let failed = |error: ort::Error| Error::Inference { source: Box::new(error) };
        let input = input.into();
        let mut state = self.state.lock().expect("no panic");
        let session = Self::session(&mut state)?;
        let tensor = TensorRef::from_array_view(input).map_err(failed)?;
        let outputs = session.run(ort::inputs![tensor]).map_err(failed)?;
        let output = outputs[0].try_extract_array::<f32>().map_err(failed)?.to_owned();
        Ok(output)
    }

    /// The session, once it is there.
    fn session(state: &mut State) -> Result<&mut Session> {
        if let State::Loading(receiver) = state {
            *state = match receiver.recv() {
                Ok(Ok(session)) => State::Ready(session),
                Ok(Err(error)) => {
                    *state = State::Failed(error.chain());
                    return Err(error);
                }
                Err(_) => State::Failed("loading broke off".to_owned()),
            };
        }
        match state {
            State::Ready(session) => Ok(session),
            State::Failed(reason) => Err(ModelError::Runtime { source: reason.clone().into() }.into()),
            State::Loading(_) => unreachable!("the state was settled above"),
        }
    }
}

fn open_session(runtime: &Runtime, onnx: &[u8]) -> Result<Session> {
    let refused = |error: ort::Error| Error::from(ModelError::Runtime { source: Box::new(error) });
    let mut builder = Session::builder(&runtime.environment)
        .and_then(|builder| Ok(builder.with_optimization_level(GraphOptimizationLevel::Level3)?))
        .map_err(refused)?;
    if matches!(runtime.backend, Backend::Native(_)) {
        // Pictures are read in parallel, so a session that takes all cores for itself only gets in the way.
        builder = builder.with_intra_threads(1).map_err(|error| refused(error.into()))?;
    }
    builder.commit_from_memory(onnx).map_err(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_network_is_an_error_when_it_is_run() {
        let runtime = Runtime::pure_rust().unwrap();
        let [broken] = Network::load_in_turn(&runtime, [Cow::Borrowed(&b"no network"[..])]).unwrap();
        for _ in 0..2 {
            let error = broken.run(ndarray::arr1(&[0.0f32]).view().into_dyn()).unwrap_err();
            assert_eq!(error.kind(), "model", "{error}");
        }
    }
}
