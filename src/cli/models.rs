//! `fenlens models`: lists the models and checks that they can be used.

use fenlens::{Error, Models, Runtime, net::runtime::Backend};

use super::{args::RuntimeArgs, exit::Exit, output, probe};

/// The models and the runtime that the flags name. A note reports a native library that cannot be used.
pub fn load(args: &RuntimeArgs) -> Result<(Models, Runtime), Error> {
    let models = args.models.as_ref().map_or_else(Models::embedded, Models::from_dir)?;
    let runtime = match probe::named(args.runtime.as_deref()) {
        None => Runtime::pure_rust()?,
        Some(library) => {
            let usable = probe::probe(&library);
            let runtime = if usable.is_ok() { Runtime::open(Some(&library)) } else { Runtime::pure_rust() }?;
            if let Some(reason) = usable.as_ref().err().map(String::as_str).or(runtime.fallback()) {
                let name = output::show(&library);
                output::note(format_args!(
                    "note: cannot use {name} as ONNX Runtime: {reason}; the built-in runtime is used"
                ));
            }
            runtime
        }
    };
    Ok((models, runtime))
}

/// Runs the command.
pub fn run(args: &RuntimeArgs) -> Exit {
    let listed = load(args).and_then(|(models, runtime)| {
        let mut lines = vec![match runtime.backend() {
            Backend::PureRust => "runtime: built-in (tract)".to_owned(),
            Backend::Native(path) => format!("runtime: native ONNX Runtime, {}", output::show(path)),
        }];
        for bundle in models.all() {
            bundle.network(&runtime)?;
            let facts = bundle.manifest();
            lines.push(format!(
                "{} version {}: {:?} to {:?}, {} KiB, sha256 {}",
                facts.name,
                facts.version,
                facts.input_shape,
                facts.output_shape,
                bundle.onnx().len().div_ceil(1024),
                facts.sha256
            ));
        }
        Ok(lines)
    });
    match listed {
        Ok(lines) => match output::print((output::plain(&lines.join("\n")) + "\n").as_bytes()) {
            Ok(()) => Exit::Success,
            Err(message) => output::failure(message),
        },
        Err(error) => output::failure(error.chain()),
    }
}
