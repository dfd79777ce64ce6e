//! A native library that is not what it should be: the program says so and uses its own runtime.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// What every library has: the entry point of ONNX Runtime, which knows no version of its interface.
const ENTRY: &str = r#"
#[repr(C)]
pub struct Base { api: extern "C" fn(u32) -> *const u8, version: extern "C" fn() -> *const u8 }
extern "C" fn api(_: u32) -> *const u8 { std::ptr::null() }
#[unsafe(no_mangle)]
pub extern "C" fn OrtGetApiBase() -> *const Base { &Base { api, version } }
"#;

/// Compiles a library.
fn library(folder: &Path, name: &str, source: &str) -> PathBuf {
    let (input, output) = (folder.join(format!("{name}.rs")), folder.join(format!("lib{name}.so")));
    fs::write(&input, source).unwrap();
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled = Command::new(compiler)
        .args(["--edition", "2024", "--crate-type", "cdylib", "-A", "warnings", "-o"])
        .args([&output, &input])
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    output
}

/// What the program says of a library; it must go on with its own runtime.
fn said_of(library: &Path) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_fenlens")).args(["models", "--runtime"]).arg(library).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{} {said}", output.status);
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("runtime: built-in"), "{said}");
    let (start, end) =
        (format!("note: cannot use {} as ONNX Runtime: ", library.display()), "; the built-in runtime is used\n");
    let reason = said.strip_prefix(&start).and_then(|rest| rest.strip_suffix(end));
    reason.unwrap_or_else(|| panic!("{said}")).to_owned()
}

#[test]
fn no_library() {
    assert!(said_of(Path::new("no/such/library.so")).contains("No such file"));
    assert_eq!(said_of(Path::new("/dev/null")), "a pipe or a device, not a file");
}

#[test]
fn a_version_is_shown_and_not_obeyed() {
    let folder = TempDir::new().unwrap();
    let version = |body: &str| format!("{ENTRY} extern \"C\" fn version() -> *const u8 {{ {body} }}");
    let colored = library(folder.path(), "colored", &version(r#"c"1.2\x1b[31m\n".as_ptr().cast()"#));
    let reason = said_of(&colored);
    assert!(reason.starts_with(r"it is version 1.2\u{1b}[31m\n, at least 1."), "{reason}");
    let nameless = library(folder.path(), "nameless", &version("std::ptr::null()"));
    let reason = said_of(&nameless);
    assert!(reason.starts_with("it is of no version, at least 1."), "{reason}");
}

/// A library that does something when it is loaded.
fn initializer(body: &str) -> String {
    format!(
        "extern \"C\" fn start() {{ {body} }}\n\
         #[used] #[unsafe(link_section = \".init_array\")] static START: extern \"C\" fn() = start;"
    )
}

#[test]
fn a_library_may_end_the_process_that_loads_it() {
    let folder = TempDir::new().unwrap();
    let leaving = library(folder.path(), "leaving", &initializer("std::process::exit(0)"));
    assert_eq!(said_of(&leaving), "it ends the program that loads it (exit status: 0)");
    let crashing = library(folder.path(), "crashing", &initializer("std::process::abort()"));
    assert!(said_of(&crashing).starts_with("it ends the program that loads it (signal: 6"));
}

#[test]
fn the_process_that_tries_it_does_not_outlive_the_program() {
    let folder = TempDir::new().unwrap();
    let mark = folder.path().join("mark");
    let body =
        format!("std::fs::write({mark:?}, std::process::id().to_string()).unwrap(); loop {{ std::thread::park() }}");
    let waiting = library(folder.path(), "waiting", &initializer(&body));
    let mut program =
        Command::new(env!("CARGO_BIN_EXE_fenlens")).args(["models", "--runtime"]).arg(&waiting).spawn().unwrap();
    let begun = Instant::now();
    let in_time = || assert!(begun.elapsed() < Duration::from_secs(60), "it takes too long");
    let loader = loop {
        in_time();
        match fs::read_to_string(&mark) {
            Ok(number) if !number.is_empty() => break number,
            _ => thread::sleep(Duration::from_millis(5)),
        }
    };
    program.kill().unwrap();
    program.wait().unwrap();
    // A process that has ended may be listed until somebody asks for its exit code.
    let runs = || fs::read_to_string(format!("/proc/{loader}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
    while runs() {
        in_time();
        thread::sleep(Duration::from_millis(5));
    }
}
