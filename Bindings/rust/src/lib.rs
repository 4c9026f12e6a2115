#![doc = include_str!("../README.md")]
#![deny(missing_docs, unsafe_op_in_unsafe_fn)]

mod config;
mod cutter;
mod detector;
mod echo;
mod error;
mod ffi;
#[cfg(test)]
mod layout;
mod memory;
mod muted;
mod results;

pub use config::{Config, Preset};
pub use cutter::{Cut, CutRules, Cutter};
pub use detector::{Detector, Remote};
pub use echo::{EchoReference, EchoState};
pub use error::Error;
pub use muted::{MutedNotice, Requirement, SpeakingGate, NOTICE_TEXT};
pub use results::{Event, EventKind, Hop, State, Status};

use std::ffi::{c_char, CStr};

/// The version of the C library, "MAJOR.MINOR.PATCH".
pub fn version() -> &'static str {
    text(unsafe { ffi::va_version() })
}

/// "avx512", "avx2" or "portable": the body of the analysis that a new detector uses. The environment variable VA_CPU
/// limits it.
pub fn simd_name() -> &'static str {
    text(unsafe { ffi::va_simd_name() })
}

/// What the library returns in static storage, which is ASCII.
fn text(pointer: *const c_char) -> &'static str {
    unsafe { CStr::from_ptr(pointer) }.to_str().unwrap_or_default()
}
