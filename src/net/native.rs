//! Opens a native ONNX Runtime library at run time. The only `unsafe` of the project.

#![allow(unsafe_code, reason = "calling a foreign library cannot be checked by the compiler")]

use std::{ffi::CStr, path::Path};

use libloading::{Library, Symbol};
use ort::sys::{ORT_API_VERSION, OrtApi, OrtApiBase};

/// The functions of the native library at `path`, or in words why it cannot be used.
///
/// The library stays loaded until the process ends, since its functions may be called until then.
pub(crate) fn open(path: &Path) -> Result<OrtApi, String> {
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
        // SAFETY: the version is a static string that ends in a null byte.
        let version = unsafe { CStr::from_ptr((base.GetVersionString)()) }.to_string_lossy().into_owned();
        return Err(format!("it is version {version}, at least 1.{ORT_API_VERSION} is needed"));
    };
    std::mem::forget(library);
    Ok(api)
}
