use crate::config::ms;
use crate::error::Error;
use crate::ffi;
use crate::memory::Memory;
use crate::{Detector, Event, Hop};
use std::ops::Range;
use std::time::Duration;

/// What becomes of speech, in this order. Durations are at most an hour, and are rounded up to milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CutRules {
    /// Speech that is separated by less silence than this is joined.
    pub min_silence: Duration,
    /// Speech that is then shorter than this is dropped.
    pub min_speech: Duration,
    /// No cut is longer; 0 sets no limit. Speech that is longer is cut at the best pause in the second half of this
    /// length. It must be at least a second longer than both pads.
    pub max_length: Duration,
    /// Each cut begins this much earlier, except where speech was cut.
    pub pad_before: Duration,
    /// Each cut ends this much later, except where speech was cut. Cuts that overlap with their padding are joined, or meet
    /// in the silence between if they would be too long together.
    pub pad_after: Duration,
}

/// A segment to save, transcribe or send on: the samples from `start` up to, but not including, `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Cut {
    /// Its first sample.
    pub start: u64,
    /// The sample after its last.
    pub end: u64,
    /// The position of the input at which the end was decided.
    pub decided_at: u64,
    /// Speech was cut here: the next cut begins where this one ends.
    pub continues: bool,
}

/// Turns the results of a detector into segments. How a stream is cut into chunks does not change them.
///
/// ```
/// use std::time::Duration;
/// use voiceactivity::{Config, CutRules, Cutter, Detector};
///
/// let mut detector = Detector::new(&Config::new(16_000))?;
/// detector.keep_hops(true);
/// let rules = CutRules { min_silence: Duration::from_millis(200), ..CutRules::default() };
/// let mut cutter = Cutter::new(&rules, &detector)?;
/// let packets = [[0_i16; 160]; 100];
/// for packet in &packets {
///     detector.process_i16(packet)?;
///     for cut in cutter.push(&detector) {
///         println!("{} to {}", cut.start, cut.end);
///     }
/// }
/// detector.flush()?;
/// let mut last = cutter.push(&detector);
/// last.extend(cutter.finish(16_000));
/// # assert!(last.is_empty());
/// # Ok::<(), voiceactivity::Error>(())
/// ```
pub struct Cutter(Memory<ffi::va_cutter>);

// The memory has one owner, and whoever has it may use it on any thread.
unsafe impl Send for Cutter {}

impl Cutter {
    /// A cutter for the results of a detector, from the beginning of its stream. [`Error::Duration`]: a length is out of
    /// range.
    pub fn new(rules: &CutRules, detector: &Detector) -> Result<Self, Error> {
        let config = detector.config().raw()?;
        let rules = ffi::va_cut_rules {
            struct_size: std::mem::size_of::<ffi::va_cut_rules>() as u32,
            min_silence_ms: ms(rules.min_silence)?,
            min_speech_ms: ms(rules.min_speech)?,
            max_length_ms: ms(rules.max_length)?,
            pad_before_ms: ms(rules.pad_before)?,
            pad_after_ms: ms(rules.pad_after)?,
        };
        let size = match unsafe { ffi::va_cutter_size(&rules, &config) } {
            0 => return Err(Error::Duration), // the detector's settings are checked
            size => size,
        };
        let init = |memory, size, cutter: *mut _| unsafe {
            ffi::va_cutter_init(memory, size, &rules, &config, cutter)
        };
        Ok(Cutter(Memory::new(size, init)?))
    }

    /// Takes the results of the detector's last call, and returns the segments that they complete: call it once after each.
    /// The detector should [keep its hops](Detector::keep_hops): otherwise a segment is complete only when later speech
    /// begins, and a limit cuts where it ends.
    pub fn push(&mut self, detector: &Detector) -> Vec<Cut> {
        let mut events: Vec<_> = detector.events().iter().map(Event::raw).collect();
        let mut hops: Vec<_> = detector.hops().iter().map(Hop::raw).collect();
        let results = ffi::va_output {
            events: events.as_mut_ptr(),
            event_capacity: events.len(),
            event_count: events.len(),
            hops: hops.as_mut_ptr(),
            hop_capacity: hops.len(),
            hop_count: hops.len(),
            more: false,
        };
        collect(|cut| unsafe { ffi::va_cutter_next(self.0.as_ptr(), &results, cut) })
    }

    /// Returns the last segments of a stream of `end` samples, after those of [`Detector::flush`].
    pub fn finish(&mut self, end: u64) -> Vec<Cut> {
        collect(|cut| unsafe { ffi::va_cutter_finish(self.0.as_ptr(), end, cut) })
    }

    /// What surely belongs to the next cut. It begins with the first sample that the next cut can contain: what is before it
    /// can be forgotten. If it is empty, no cut has begun for sure.
    pub fn beginning(&self) -> Range<u64> {
        let mut certain = 0;
        let needed = unsafe { ffi::va_cutter_needed(self.0.as_ptr(), &mut certain) };
        needed..certain
    }

    /// Starts a new stream at position 0: with [`Detector::reset`].
    pub fn reset(&mut self) {
        unsafe { ffi::va_cutter_reset(self.0.as_ptr()) }
    }
}

impl Cut {
    /// Fades the cut in and out, in place: interleaved samples of some channels, of which the first is at `position`. Each
    /// fade is `length` samples long, or half of a shorter cut. Nothing is faded where speech was cut: at the end of a
    /// cut that continues, and at the start if the cut before does, which `follows` says.
    pub fn fade(&self, samples: &mut [f32], channels: u32, position: u64, follows: bool, length: u64) {
        let count = samples.len().checked_div(channels as usize).unwrap_or(0);
        let Cut { start, end, decided_at, continues } = *self;
        let cut = ffi::va_cut { start, end, decided_at, continues };
        unsafe { ffi::va_cut_fade(samples.as_mut_ptr(), count, channels, position, &cut, follows, length) }
    }
}

fn collect(mut next: impl FnMut(*mut ffi::va_cut) -> bool) -> Vec<Cut> {
    let (mut cuts, mut cut) = (Vec::new(), ffi::va_cut::default());
    while next(&mut cut) {
        let ffi::va_cut { start, end, decided_at, continues } = cut;
        cuts.push(Cut { start, end, decided_at, continues });
    }
    cuts
}
