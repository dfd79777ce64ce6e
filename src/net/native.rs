//! Opens a native ONNX Runtime library at run time. The only `unsafe` of the project.

#![allow(unsafe_code, reason = "calling a foreign library cannot be checked by the compiler")]

use std::{
    ffi::{CStr, c_char},
    fs,
    path::Path,
};

use libloading::{Library, Symbol};
use ort::sys::{ORT_API_VERSION, OrtApi, OrtApiBase};

/// The functions of the native library at `path`, or in words why it cannot be used.
///
/// The library stays loaded until the process ends, since its functions may be called until then. What its initializers do
/// to the process cannot be undone; the program tries a library in another process first.
pub(crate) fn open(path: &Path) -> Result<OrtApi, String> {
    // Loading a pipe would wait until somebody writes to it. A name without a folder may be one that the system finds.
    if fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir()) {
        return Err("a pipe or a device, not a file".to_owned());
    }
    // SAFETY: loading runs the library's initializers. The user named this file as an ONNX Runtime; that is all the
    // assurance there can be for foreign code.
    let library = unsafe { Library::new(path) }.map_err(|error| error.to_string())?;
    // SAFETY: `OrtGetApiBase` has had this signature in every release of ONNX Runtime.
    let entry: Symbol<unsafe extern "C" fn() -> *const OrtApiBase> =
        unsafe { library.get(b"OrtGetApiBase\0") }.map_err(|_| "it is no ONNX Runtime: no OrtGetApiBase".to_owned())?;
    // SAFETY: the entry point takes nothing and returns null or a pointer to a static table.
    let base = unsafe { entry().as_ref() }.ok_or("OrtGetApiBase returned nothing")?;
    // SAFETY: both members are functions of that table; a version that is too new for the library yields null, else a
    // pointer to a static table at least as long as `OrtApi` of that version.
    let api = unsafe { (base.GetApi)(ORT_API_VERSION).as_ref() };
    let Some(api) = api.cloned() else {
        // SAFETY: the function takes nothing and returns null or a static string that ends in a null byte.
        let version = unsafe { text((base.GetVersionString)()) };
        let version = version.map_or("of no version".to_owned(), |version| format!("version {}", visible(&version)));
        return Err(format!("it is {version}, at least 1.{ORT_API_VERSION} is needed"));
    };
    std::mem::forget(library);
    Ok(api)
}

/// A copy of a string; `None` for null.
///
/// # Safety
/// `pointer` is null, or leads to bytes that end in a null byte.
unsafe fn text(pointer: *const c_char) -> Option<String> {
    // SAFETY: it is not null here, and the caller vouches for the rest.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned())
}

/// The first characters of a text of foreign origin, with everything escaped that a terminal would obey.
fn visible(text: &str) -> String {
    const MOST: usize = 40;
    text.chars().take(MOST).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_shown_and_not_obeyed() {
        assert_eq!(visible("1.20.0"), "1.20.0");
        assert_eq!(visible("1.2\u{1b}[31m\u{202e}\n"), "1.2\\u{1b}[31m\\u{202e}\\n");
        assert_eq!(visible(&"1".repeat(1000)).len(), 40);
    }

    #[test]
    fn null_is_no_version() {
        // SAFETY: null, and a literal that ends in a null byte.
        let texts = unsafe { [text(std::ptr::null()), text(c"1.9".as_ptr())] };
        assert_eq!(texts, [None, Some("1.9".to_owned())]);
    }
}
