use crate::error::{check, Error};
use crate::ffi;
use crate::memory::Memory;

/// What a loudspeaker beside the microphone plays, which a detector then leaves out of what it decides: the far end no
/// longer counts as speech.
///
/// It belongs to one detector, from the beginning of its stream. Push what plays in a period before the detector
/// processes what is heard in that period, at most 100 ms earlier. Levels know no echo.
///
/// ```
/// use voiceactivity::{Config, Detector, EchoReference};
///
/// let mut detector = Detector::with_echo(&Config::new(48_000), EchoReference::new(48_000)?)?;
/// let (played, heard) = ([0_i16; 480], [0_i16; 480]);
/// detector.echo().expect("it has one").push_i16(&played)?; // first what plays in these 10 ms,
/// let events = detector.process_i16(&heard)?; // then what is heard
/// # assert!(events.is_empty());
/// # Ok::<(), voiceactivity::Error>(())
/// ```
pub struct EchoReference(Memory<ffi::va_echo>);

// The memory has one owner, and whoever has it may use it on any thread.
unsafe impl Send for EchoReference {}

/// What an echo reference has found.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct EchoState {
    /// From the reference to the microphone, 0 to 740, in steps of 20.
    pub delay_ms: u32,
    /// -1 to 1: how well both move together; with echo above 0.15, without below 0.1.
    pub fit: f32,
    /// The microphone over the reference; 0 until it was learned.
    pub coupling_db: f32,
    /// Samples of the reference that came after their time, and were left out.
    pub late_samples: u64,
}

impl EchoReference {
    /// An echo reference for a rate of 8000 to 192000 Hz. The microphone may have another.
    pub fn new(sample_rate_hz: u32) -> Result<Self, Error> {
        let size = unsafe { ffi::va_echo_size() };
        let init =
            |memory, size, echo: *mut _| unsafe { ffi::va_echo_init(memory, size, sample_rate_hz, echo) };
        Ok(EchoReference(Memory::new(size, init)?))
    }

    /// Continues an echo reference from what [`save`](Self::save) returned. The bytes may come from anywhere: they are
    /// restored or refused.
    pub fn restore(bytes: &[u8]) -> Result<Self, Error> {
        let size = unsafe { ffi::va_echo_size() };
        let init = |memory, size, echo: *mut _| unsafe {
            ffi::va_echo_restore(memory, size, bytes.as_ptr().cast(), bytes.len(), echo)
        };
        Ok(EchoReference(Memory::new(size, init)?))
    }

    /// Saves what it remembers, at most 4 KiB. Save its detector between the same two calls.
    pub fn save(&self) -> Result<Vec<u8>, Error> {
        self.0.save(unsafe { ffi::va_echo_saved_size() }, |echo, bytes, capacity, size| unsafe {
            ffi::va_echo_save(echo, bytes, capacity, size)
        })
    }

    /// Takes what plays next. [`Error::ReferenceEarly`]: it reaches more than 100 ms beyond the microphone's samples, and
    /// none was taken.
    pub fn push(&mut self, samples: &[f32]) -> Result<(), Error> {
        self.push_interleaved(samples, 1)
    }

    /// [`push`](Self::push) for 16-bit samples.
    pub fn push_i16(&mut self, samples: &[i16]) -> Result<(), Error> {
        self.push_interleaved_i16(samples, 1)
    }

    /// [`push`](Self::push) for 1 to 8 channels, one sample of each after the other. What counts is their mean. As in a
    /// room, channels in opposite phase do not cancel: where the odd-numbered channels, counted from 0, are together most
    /// of the time the opposite of the others, they count inverted. Refuses another number of channels, and samples that
    /// are not whole frames.
    pub fn push_interleaved(&mut self, frames: &[f32], channels: u32) -> Result<(), Error> {
        let (count, channels) = shape(frames.len(), channels);
        check(unsafe { ffi::va_echo_push_interleaved(self.as_ptr(), frames.as_ptr(), count, channels) })
    }

    /// [`push_interleaved`](Self::push_interleaved) for 16-bit samples.
    pub fn push_interleaved_i16(&mut self, frames: &[i16], channels: u32) -> Result<(), Error> {
        let (count, channels) = shape(frames.len(), channels);
        check(unsafe { ffi::va_echo_push_interleaved_s16(self.as_ptr(), frames.as_ptr(), count, channels) })
    }

    /// Takes samples of silence, or of which nothing is known. Continue the reference with it while nothing plays and
    /// through gaps, those over 100 ms after [`push_gap`](crate::Detector::push_gap): samples count from the beginning, so
    /// that otherwise all that plays later comes too late, is left out ([`EchoState::late_samples`]), and counts as speech.
    /// Silence of the length that is missing mends that.
    pub fn push_silence(&mut self, count: u64) -> Result<(), Error> {
        check(unsafe { ffi::va_echo_push_silence(self.as_ptr(), count) })
    }

    /// What it has found.
    pub fn state(&self) -> EchoState {
        let mut status = ffi::va_echo_status {
            struct_size: std::mem::size_of::<ffi::va_echo_status>() as u32,
            ..Default::default()
        };
        check(unsafe { ffi::va_echo_state(self.as_ptr(), &mut status) }).expect("struct_size is set");
        let ffi::va_echo_status { delay_ms, fit, coupling_db, late_samples, .. } = status;
        EchoState { delay_ms, fit, coupling_db, late_samples }
    }

    pub(crate) fn as_ptr(&self) -> *mut ffi::va_echo {
        self.0.as_ptr()
    }
}

/// The number of frames and of channels. C refuses 0 channels, which stand for samples that are not whole frames.
fn shape(samples: usize, channels: u32) -> (usize, u32) {
    match samples.checked_rem(channels as usize) {
        Some(0) => (samples / channels as usize, channels),
        _ => (0, 0),
    }
}
