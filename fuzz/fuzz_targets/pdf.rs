//! Any bytes as a PDF document whose first pages are drawn. The code is part of the program, so its file is included here.
//!
//! The program turns a panic of the PDF reader into an error record; here it ends the run, so that it can be reported to
//! that library.

#![no_main]

mod cli {
    pub mod guard {
        /// Lets panics through.
        pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
            Ok(work())
        }
    }
}

#[path = "../../src/cli/batch/pdf.rs"]
#[allow(dead_code, reason = "the program uses more of it")]
mod pdf;

use fenlens::Limits;
use libfuzzer_sys::fuzz_target;

/// Small, so that a page that claims much costs little.
const LIMITS: Limits = Limits::new(1 << 18, 1 << 18);

fuzz_target!(|data: &[u8]| {
    if let Ok(document) = pdf::Document::open(data.to_vec()) {
        for page in 0..document.pages().min(3) {
            let _ = document.draw(page, &LIMITS);
        }
    }
});
