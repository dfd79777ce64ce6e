//! Tests that may lack something they need. Such a test must not pass in silence: it is reported as ignored, with the
//! reason in front of its name. The standard harness cannot do that at run time, so these tests run in that of
//! libtest-mimic.

use std::{env, process::ExitCode};

use libtest_mimic::{Arguments, Trial};

/// A test, which is ignored if something is missing.
pub fn trial(name: &str, missing: Option<&str>, test: impl FnOnce() + Send + 'static) -> Trial {
    let trial = Trial::test(name, move || {
        test();
        Ok(())
    });
    match missing {
        Some(reason) => trial.with_kind(format!("skipped: {reason}")).with_ignored_flag(true),
        None => trial,
    }
}

/// Runs the tests as the command line asks for.
pub fn run(trials: Vec<Trial>) -> ExitCode {
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// That a program is not on the PATH, in words; none if it is there.
pub fn missing_program(name: &str) -> Option<String> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).any(|folder| folder.join(name).is_file());
    (!found).then(|| format!("{name} is not on the PATH"))
}
