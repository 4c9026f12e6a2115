//! A safe face of libvoiceactivity. `Detector` is `Send` and not `Sync`: one owner at a time, which may change. What any
//! thread may do, mute and look, goes through a `Remote`.
pub mod ffi;

use std::ffi::{c_int, CStr};
use std::sync::Arc;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Error(pub c_int);

impl std::fmt::Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        let text = unsafe { CStr::from_ptr(ffi::va_status_text(self.0)) }; // static storage, never NULL
        formatter.write_str(&text.to_string_lossy())
    }
}

impl std::error::Error for Error {}

fn check(code: c_int) -> Result<(), Error> {
    if code == 0 {
        Ok(())
    } else {
        Err(Error(code))
    }
}

/// The C detector, freed when neither its owner nor a remote is left.
struct Handle(*mut ffi::va_detector);

// The pointer is only reached through Detector, which has one owner, and Remote, whose two calls any thread may make.
unsafe impl Send for Handle {}
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        unsafe { ffi::va_detector_destroy(self.0) }
    }
}

pub struct Detector {
    handle: Arc<Handle>,
    events: Box<[ffi::va_event; 32]>,
    _not_sync: std::marker::PhantomData<std::cell::Cell<()>>,
}

impl Detector {
    pub fn preset(sample_rate_hz: u32, preset: c_int) -> Result<ffi::va_config, Error> {
        let mut config = ffi::va_config::default();
        check(unsafe { ffi::va_config_preset(&mut config, sample_rate_hz, preset) })?;
        Ok(config)
    }

    pub fn new(config: &ffi::va_config) -> Result<Self, Error> {
        let mut raw = std::ptr::null_mut();
        check(unsafe { ffi::va_detector_create(config, &mut raw) })?;
        Ok(Detector { handle: Arc::new(Handle(raw)), events: Box::default(), _not_sync: Default::default() })
    }

    pub fn process(&mut self, samples: &[f32], on_event: impl FnMut(&ffi::va_event)) -> Result<(), Error> {
        self.process_with(ffi::va_detector_process, samples, on_event)
    }

    pub fn process_i16(
        &mut self,
        samples: &[i16],
        on_event: impl FnMut(&ffi::va_event),
    ) -> Result<(), Error> {
        self.process_with(ffi::va_detector_process_s16, samples, on_event)
    }

    /// `count` samples never came: lost packets, DTX, an overrun.
    pub fn push_gap(&mut self, count: u64, mut on_event: impl FnMut(&ffi::va_event)) -> Result<(), Error> {
        let more =
            self.call(&mut on_event, |raw, output| unsafe { ffi::va_detector_push_gap(raw, count, output) })?;
        if more {
            self.process(&[], on_event)
        } else {
            Ok(())
        }
    }

    /// The end of the stream.
    pub fn flush(&mut self, mut on_event: impl FnMut(&ffi::va_event)) -> Result<(), Error> {
        while self.call(&mut on_event, |raw, output| unsafe { ffi::va_detector_flush(raw, output) })? {}
        Ok(())
    }

    pub fn remote(&self) -> Remote {
        Remote(self.handle.clone())
    }

    fn process_with<Sample>(
        &mut self,
        function: unsafe extern "C" fn(
            *mut ffi::va_detector,
            *const Sample,
            usize,
            *mut usize,
            *mut ffi::va_output,
        ) -> c_int,
        mut samples: &[Sample],
        mut on_event: impl FnMut(&ffi::va_event),
    ) -> Result<(), Error> {
        loop {
            let mut consumed = 0;
            let more = self.call(&mut on_event, |raw, output| unsafe {
                function(raw, samples.as_ptr(), samples.len(), &mut consumed, output)
            })?;
            samples = &samples[consumed..];
            if samples.is_empty() && !more {
                return Ok(());
            }
        }
    }

    /// One call of the C interface and its events. True: it has more.
    fn call(
        &mut self,
        on_event: &mut impl FnMut(&ffi::va_event),
        function: impl FnOnce(*mut ffi::va_detector, *mut ffi::va_output) -> c_int,
    ) -> Result<bool, Error> {
        let mut output = ffi::va_output {
            events: self.events.as_mut_ptr(),
            event_capacity: self.events.len(),
            event_count: 0,
            hops: std::ptr::null_mut(),
            hop_capacity: 0,
            hop_count: 0,
            more: false,
        };
        check(function(self.handle.0, &mut output))?;
        self.events[..output.event_count].iter().for_each(on_event);
        Ok(output.more)
    }
}

/// For a user interface's or a signalling thread.
#[derive(Clone)]
pub struct Remote(Arc<Handle>);

impl Remote {
    pub fn set_muted(&self, muted: bool) {
        unsafe { ffi::va_detector_set_muted(self.0 .0, muted) }
    }

    pub fn status(&self) -> ffi::va_status {
        let mut status = ffi::va_status {
            struct_size: std::mem::size_of::<ffi::va_status>() as u32,
            ..Default::default()
        };
        check(unsafe { ffi::va_detector_status(self.0 .0, &mut status) }).expect("struct_size is set");
        status
    }
}
