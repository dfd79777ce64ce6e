//! Running networks: the pure-Rust backend by default, a native ONNX Runtime where one is named.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
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
    /// library that is missing or too old is no error: the pure-Rust backend is used instead, and [`Self::fallback`] says
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
                Some((Err(reason), _)) => (ort_tract::api(), Backend::PureRust, Some(reason)),
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

    /// Why a native library that was named is not used, in words, without its path.
    pub fn fallback(&self) -> Option<&str> {
        self.fallback.as_deref()
    }
}

/// A network: one input, one output, both `f32` of fixed shape. It can be run from several threads at once.
///
/// A session of the runtime serves one thread at a time, so a network keeps a pool of them. A call that finds all of
/// them busy waits for one, and when the calls have waited for as long as loading takes, another one is loaded. So a
/// short piece of work does not pay for sessions that it hardly uses, a long one soon has one for each thread, and there
/// are never more sessions than threads. All sessions give the same output.
#[derive(Debug)]
pub struct Network {
    runtime: Runtime,
    weights: Weights,
    pool: Mutex<Pool>,
    /// Notified when a session returns to the pool.
    returned: Condvar,
}

/// The bytes of an ONNX file, shared by a bundle and its networks.
pub(crate) type Weights = Arc<Cow<'static, [u8]>>;

/// The sessions of one network.
#[derive(Debug)]
struct Pool {
    first: First,
    /// Sessions that no call is using.
    free: Vec<Session>,
    /// How long loading took.
    load_time: Duration,
    /// How long calls have waited for a free session since the last one was loaded.
    waited: Duration,
}

/// The session that a network begins with.
#[derive(Debug)]
enum First {
    Loaded,
    /// Another thread is loading it.
    Loading(mpsc::Receiver<Result<Opened>>),
    /// Why there is none; the reason was given as an error when it was first asked for.
    Failed(String),
}

/// A session, and how long it took to load.
#[derive(Debug)]
struct Opened {
    session: Session,
    load_time: Duration,
}

impl Network {
    /// Loads a network from the bytes of an ONNX file.
    ///
    /// # Errors
    /// [`Error::Model`] when the runtime refuses it.
    pub fn load(runtime: &Runtime, onnx: impl Into<Cow<'static, [u8]>>) -> Result<Network> {
        Network::load_shared(runtime, Arc::new(onnx.into()))
    }

    pub(crate) fn load_shared(runtime: &Runtime, weights: Weights) -> Result<Network> {
        let opened = open_session(runtime, &weights)?;
        let network = Network::new(runtime, weights, First::Loaded);
        network.lock().add(opened);
        Ok(network)
    }

    /// Begins to load networks, one after the other on a thread of their own, so that the first steps of the work need
    /// not wait for the networks of the later ones. What the runtime refuses comes to light when it is first
    /// [run](Self::run).
    ///
    /// # Errors
    /// [`Error::Model`]. A native runtime loads before this returns, since a program must not end while it loads.
    pub(crate) fn load_in_turn<const N: usize>(runtime: &Runtime, weights: [Weights; N]) -> Result<[Network; N]> {
        if matches!(runtime.backend, Backend::Native(_)) {
            let loaded: Result<Vec<_>> =
                weights.into_iter().map(|weights| Network::load_shared(runtime, weights)).collect();
            return Ok(loaded?.try_into().expect("as many networks as models"));
        }
        let mut orders = Vec::with_capacity(N);
        let networks = weights.map(|weights| {
            let (sender, receiver) = mpsc::sync_channel(1);
            orders.push((sender, Arc::clone(&weights)));
            Network::new(runtime, weights, First::Loading(receiver))
        });
        let owned = runtime.clone();
        let load = move || {
            for (sender, weights) in orders {
                // Nobody may be waiting any more: then there is nothing to do for this one.
                let _ = sender.send(open_session(&owned, &weights));
            }
        };
        if thread::Builder::new().name("loading".into()).spawn(load).is_err() {
            let source = "no thread to load networks on".into();
            return Err(ModelError::Runtime { source }.into());
        }
        Ok(networks)
    }

    fn new(runtime: &Runtime, weights: Weights, first: First) -> Network {
        let pool = Pool { first, free: Vec::new(), load_time: Duration::ZERO, waited: Duration::ZERO };
        Network { runtime: runtime.clone(), weights, pool: Mutex::new(pool), returned: Condvar::new() }
    }

    /// Runs the network on one input; [`Infer`](super::infer::Infer) takes pictures.
    /// Calls from several threads run at the same time.
    ///
    /// # Errors
    /// [`Error::Inference`] when the input has the wrong shape or the runtime fails, [`Error::Model`] when a network that
    /// was loaded meanwhile was refused.
    pub(crate) fn run<'a>(&self, input: impl Into<ArrayViewD<'a, f32>>) -> Result<ArrayD<f32>> {
        // A panic of the runtime drops the session that it happened in.
        let mut session = self.take_session()?;
        let result = run_session(&mut session, input.into());
        self.lock().free.push(session);
        self.returned.notify_one();
        result
    }

    /// A session for the caller alone, from the pool or newly loaded.
    fn take_session(&self) -> Result<Session> {
        let mut pool = self.lock();
        pool.settle_first()?;
        loop {
            if let Some(session) = pool.free.pop() {
                return Ok(session);
            }
            let patience = pool.load_time.saturating_sub(pool.waited);
            if patience.is_zero() {
                pool.waited = Duration::ZERO;
                drop(pool);
                return Ok(open_session(&self.runtime, &self.weights)?.session);
            }
            let start = Instant::now();
            pool = self.returned.wait_timeout(pool, patience).unwrap_or_else(PoisonError::into_inner).0;
            pool.waited += start.elapsed();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Pool> {
        // Nothing that holds the lock leaves the pool half changed.
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pool {
    fn add(&mut self, opened: Opened) {
        self.load_time = opened.load_time;
        self.free.push(opened.session);
    }

    /// Waits for the first session where it is still being loaded.
    fn settle_first(&mut self) -> Result<()> {
        match &self.first {
            First::Loaded => Ok(()),
            First::Failed(reason) => Err(ModelError::Runtime { source: reason.clone().into() }.into()),
            First::Loading(receiver) => {
                let opened = receiver.recv().unwrap_or_else(|_| {
                    let source = "loading broke off".into();
                    Err(ModelError::Runtime { source }.into())
                });
                match opened {
                    Ok(opened) => {
                        self.first = First::Loaded;
                        self.add(opened);
                        Ok(())
                    }
                    Err(error) => {
                        self.first = First::Failed(error.chain());
                        Err(error)
                    }
                }
            }
        }
    }
}

fn run_session(session: &mut Session, input: ArrayViewD<'_, f32>) -> Result<ArrayD<f32>> {
    let failed = |error: ort::Error| Error::Inference { source: Box::new(error) };
    let tensor = TensorRef::from_array_view(input).map_err(failed)?;
    let outputs = session.run(ort::inputs![tensor]).map_err(failed)?;
    Ok(outputs[0].try_extract_array::<f32>().map_err(failed)?.to_owned())
}

fn open_session(runtime: &Runtime, onnx: &[u8]) -> Result<Opened> {
    let start = Instant::now();
    let refused = |error: ort::Error| Error::from(ModelError::Runtime { source: Box::new(error) });
    let mut builder = Session::builder(&runtime.environment)
        .and_then(|builder| Ok(builder.with_optimization_level(GraphOptimizationLevel::Level3)?))
        .map_err(refused)?;
    if matches!(runtime.backend, Backend::Native(_)) {
        // Pictures are read in parallel, so a session that uses all cores would only slow the others down.
        builder = builder.with_intra_threads(1).map_err(|error| refused(error.into()))?;
    }
    let session = builder.commit_from_memory(onnx).map_err(refused)?;
    Ok(Opened { session, load_time: start.elapsed() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::model::ModelBundle;

    #[test]
    fn a_refused_network_is_an_error_when_it_is_run() {
        let runtime = Runtime::pure_rust().unwrap();
        let weights: Weights = Arc::new(Cow::Borrowed(b"no network"));
        let [broken] = Network::load_in_turn(&runtime, [weights]).unwrap();
        for _ in 0..2 {
            let error = broken.run(ndarray::arr1(&[0.0f32]).view().into_dyn()).unwrap_err();
            assert_eq!(error.kind(), "model", "{error}");
        }
    }

    /// The smallest network there is, and an input of its shape that depends on a number.
    fn network(first_loaded: bool) -> (Network, impl Fn(usize) -> ArrayD<f32>) {
        let runtime = Runtime::pure_rust().unwrap();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/models/coordinates-v2");
        let bundle = ModelBundle::from_dir(Path::new(folder)).unwrap();
        let network = if first_loaded {
            bundle.network(&runtime).unwrap()
        } else {
            let [network] = Network::load_in_turn(&runtime, [bundle.weights()]).unwrap();
            network
        };
        let shape = bundle.manifest().input_shape.clone();
        (network, move |n| ArrayD::from_shape_fn(&shape[..], |i| ((i[1] * 7 + i[2] * n + i[3]) % 31) as f32 / 31.0))
    }

    #[test]
    fn threads_share_a_network_and_get_the_outputs_of_one() {
        let (alone, input) = network(true);
        let wanted: Vec<_> = (0..8).map(|n| alone.run(input(n).view()).unwrap()).collect();
        assert_eq!(alone.lock().free.len(), 1, "one thread needs one session");
        let (shared, _) = network(false);
        let got: Vec<_> = thread::scope(|scope| {
            let (shared, input) = (&shared, &input);
            let runs: Vec<_> = (0..8).map(|n| scope.spawn(move || shared.run(input(n).view()).unwrap())).collect();
            runs.into_iter().map(|run| run.join().unwrap()).collect()
        });
        assert!(wanted == got);
        let sessions = shared.lock().free.len();
        assert!((2..=8).contains(&sessions), "{sessions} sessions for 8 threads");
    }

    #[test]
    fn a_session_that_is_free_soon_is_waited_for() {
        let (network, input) = network(true);
        network.lock().load_time = Duration::from_secs(600);
        thread::scope(|scope| {
            for n in 0..4 {
                let (network, input) = (&network, &input);
                scope.spawn(move || network.run(input(n).view()).unwrap());
            }
        });
        let pool = network.lock();
        assert_eq!(pool.free.len(), 1);
        assert!(pool.waited > Duration::ZERO);
    }

    #[test]
    fn a_wrong_shape_is_an_error_and_the_session_stays() {
        let (network, input) = network(true);
        let error = network.run(ndarray::arr1(&[0.0f32]).view().into_dyn()).unwrap_err();
        assert_eq!(error.kind(), "inference");
        assert_eq!(network.lock().free.len(), 1);
        network.run(input(1).view()).unwrap();
    }
}
