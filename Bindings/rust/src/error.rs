use crate::ffi;
use std::ffi::c_int;
use std::fmt;

/// A refusal of the library, of which [`Display`](fmt::Display) writes the sentence. After an error a detector is as it
/// was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Error {
    /// An argument is out of range, or the stream was flushed.
    Argument,
    /// The sample rate is not 8000 to 192000 Hz.
    SampleRate,
    /// The thresholds are not 0 < offset <= onset < 1.
    Threshold,
    /// A duration is longer than an hour, or the longest cut is less than a second longer than its padding.
    Duration,
    /// The bytes are not a saved stream, or not all of it, or they were changed.
    SavedData,
    /// The stream was saved by a version with another format or network.
    SavedVersion,
    /// The reference is more than 100 ms ahead of the microphone.
    ReferenceEarly,
    /// Another code of a newer library.
    Other(i32),
}

impl Error {
    fn code(self) -> c_int {
        match self {
            Error::Argument => ffi::VA_ERROR_ARGUMENT,
            Error::SampleRate => ffi::VA_ERROR_SAMPLE_RATE,
            Error::Threshold => ffi::VA_ERROR_THRESHOLD,
            Error::Duration => ffi::VA_ERROR_DURATION,
            Error::SavedData => ffi::VA_ERROR_SAVED_DATA,
            Error::SavedVersion => ffi::VA_ERROR_SAVED_VERSION,
            Error::ReferenceEarly => ffi::VA_ERROR_REFERENCE_EARLY,
            Error::Other(code) => code,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(crate::text(unsafe { ffi::va_status_text(self.code()) }))
    }
}

impl std::error::Error for Error {}

pub(crate) fn check(code: c_int) -> Result<(), Error> {
    Err(match code {
        ffi::VA_OK => return Ok(()),
        ffi::VA_ERROR_ARGUMENT => Error::Argument,
        ffi::VA_ERROR_SAMPLE_RATE => Error::SampleRate,
        ffi::VA_ERROR_THRESHOLD => Error::Threshold,
        ffi::VA_ERROR_DURATION => Error::Duration,
        ffi::VA_ERROR_SAVED_DATA => Error::SavedData,
        ffi::VA_ERROR_SAVED_VERSION => Error::SavedVersion,
        ffi::VA_ERROR_REFERENCE_EARLY => Error::ReferenceEarly,
        code => Error::Other(code),
    })
}
