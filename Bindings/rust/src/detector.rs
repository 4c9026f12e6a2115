use crate::error::{check, Error};
use crate::ffi;
use crate::memory::Memory;
use crate::{Config, EchoReference, Event, Hop, Status};
use std::cell::Cell;
use std::ffi::c_int;
use std::marker::PhantomData;
use std::ptr::null_mut;
use std::sync::Arc;
use std::time::Duration;

const EVENTS: usize = 32;
const HOPS: usize = 32;

/// The C detector, which lives until neither its owner nor a remote is left.
struct Handle(Memory<ffi::va_detector>);

// It is reached through Detector, which has one owner, and through the two calls of Remote, which any thread may make.
unsafe impl Send for Handle {}
unsafe impl Sync for Handle {}

/// Reports whether somebody speaks in one mono stream.
///
/// A detector is `Send` and not `Sync`: one owner at a time, which may change. What any thread may do, mute and look,
/// goes through a [`Remote`].
///
/// ```compile_fail
/// fn shared<T: Sync>() {}
/// shared::<voiceactivity::Detector>();
/// ```
pub struct Detector {
    handle: Arc<Handle>,
    echo: Option<EchoReference>,
    events: Vec<Event>,
    hops: Vec<Hop>,
    keeps_hops: bool,
    _not_sync: PhantomData<Cell<()>>,
}

impl Detector {
    /// A detector with settings, which are checked: [`Error::SampleRate`], [`Error::Threshold`], [`Error::Duration`].
    pub fn new(config: &Config) -> Result<Self, Error> {
        let config = config.raw()?;
        let init = |memory, size, detector: *mut _| unsafe {
            ffi::va_detector_init(memory, size, &config, detector)
        };
        Ok(Self::of(Memory::new(unsafe { ffi::va_detector_size() }, init)?, None))
    }

    /// A detector beside a loudspeaker.
    pub fn with_echo(config: &Config, echo: EchoReference) -> Result<Self, Error> {
        Ok(Detector { echo: Some(echo), ..Self::new(config)? })
    }

    /// Continues the stream that [`save`](Self::save) returned, beside its restored echo reference if it had one. The
    /// bytes may come from anywhere: they are restored, or refused with [`Error::SavedData`] or [`Error::SavedVersion`].
    ///
    /// ```
    /// use voiceactivity::{Config, Detector};
    ///
    /// let mut here = Detector::new(&Config::new(48_000))?;
    /// here.process(&[0.0; 48_000])?;
    /// let there = Detector::restore(&here.save()?, None)?;
    /// assert_eq!(there.status(), here.status());
    /// # Ok::<(), voiceactivity::Error>(())
    /// ```
    pub fn restore(bytes: &[u8], echo: Option<EchoReference>) -> Result<Self, Error> {
        let init = |memory, size, detector: *mut _| unsafe {
            ffi::va_detector_restore(memory, size, bytes.as_ptr().cast(), bytes.len(), detector)
        };
        Ok(Self::of(Memory::new(unsafe { ffi::va_detector_size() }, init)?, echo))
    }

    fn of(memory: Memory<ffi::va_detector>, echo: Option<EchoReference>) -> Self {
        Detector {
            handle: Arc::new(Handle(memory)),
            echo,
            events: Vec::with_capacity(EVENTS),
            hops: Vec::new(),
            keeps_hops: false,
            _not_sync: PhantomData,
        }
    }

    /// Saves everything that the stream remembers, at most 6 KiB, for another process or machine.
    pub fn save(&self) -> Result<Vec<u8>, Error> {
        let capacity = unsafe { ffi::va_detector_saved_size() };
        self.handle.0.save(capacity, |detector, bytes, capacity, size| unsafe {
            ffi::va_detector_save(detector, bytes, capacity, size)
        })
    }

    /// Analyses samples, of any number, and returns the events that they cause, in order. Full scale is ±1; NaN and
    /// infinities are analysed as 0 and counted.
    pub fn process(&mut self, samples: &[f32]) -> Result<&[Event], Error> {
        self.begin();
        self.process_with(ffi::va_detector_process, samples)
    }

    /// [`process`](Self::process) for 16-bit samples.
    pub fn process_i16(&mut self, samples: &[i16]) -> Result<&[Event], Error> {
        self.begin();
        self.process_with(ffi::va_detector_process_s16, samples)
    }

    /// Reports that samples never arrived: lost packets, DTX, an overrun. At most 2^40. It takes about 0.1 s for each hour
    /// of missing sound, and 12 MB if hops are kept, so limit what a wrong time stamp could ask for.
    pub fn push_gap(&mut self, count: u64) -> Result<&[Event], Error> {
        self.begin();
        self.call(|detector, echo, output| unsafe {
            ffi::va_detector_push_gap(detector, echo, count, output)
        })?;
        self.process_with(ffi::va_detector_process, &[])
    }

    /// Reports samples of which only the sender's audio level is known: the byte of RFC 6464's header extension, whose
    /// highest bit is the sender's own decision. At most 2^40; long times cost as in [`push_gap`](Self::push_gap).
    pub fn push_level(&mut self, count: u64, rfc6464: u8) -> Result<&[Event], Error> {
        self.begin();
        let (level, voice) = unsafe { (ffi::va_rfc6464_level(rfc6464), ffi::va_rfc6464_voice(rfc6464)) };
        // A restored stream may have more results waiting than one output takes, and then takes no level.
        self.process_with(ffi::va_detector_process, &[])?;
        self.call(|detector, _, output| unsafe {
            ffi::va_detector_push_level(detector, count, level, voice, output)
        })?;
        self.process_with(ffi::va_detector_process, &[])
    }

    /// Ends the stream: decides what still waits for its look-ahead, and ends open speech. Until
    /// [`reset`](Self::reset), more sound is an [`Error::Argument`].
    pub fn flush(&mut self) -> Result<&[Event], Error> {
        self.begin();
        while self.call(|detector, echo, output| unsafe { ffi::va_detector_flush(detector, echo, output) })? {
        }
        Ok(&self.events)
    }

    /// Starts a new stream at position 0 and forgets everything learned, in the echo reference too. The settings, the
    /// speaker's margin and the mute flag stay.
    pub fn reset(&mut self) {
        self.begin();
        unsafe { ffi::va_detector_reset(self.as_ptr()) };
        if let Some(echo) = &self.echo {
            unsafe { ffi::va_echo_reset(echo.as_ptr()) };
        }
    }

    /// Whether calls keep the hops that they decide, for [`hops`](Self::hops); a new detector does not.
    pub fn keep_hops(&mut self, keep: bool) {
        self.keeps_hops = keep;
    }

    /// The hops that the last call decided, if they are kept.
    pub fn hops(&self) -> &[Hop] {
        &self.hops
    }

    /// The events of the last call, once more.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The echo reference, if it has one.
    pub fn echo(&mut self) -> Option<&mut EchoReference> {
        self.echo.as_mut()
    }

    /// The settings, also those of a restored stream.
    pub fn config(&self) -> Config {
        let mut config = ffi::va_config {
            struct_size: std::mem::size_of::<ffi::va_config>() as u32,
            ..Default::default()
        };
        check(unsafe { ffi::va_detector_config(self.as_ptr(), &mut config) }).expect("struct_size is set");
        Config::of(&config)
    }

    /// What other threads may do.
    pub fn remote(&self) -> Remote {
        Remote(self.handle.clone())
    }

    /// Mutes or unmutes, at once. Muting only decides whether speech counts as muted speech; analysis continues.
    pub fn set_muted(&self, muted: bool) {
        self.handle.set_muted(muted)
    }

    /// The newest state.
    pub fn status(&self) -> Status {
        self.handle.status()
    }

    /// Sets how far below the learned level of the user's speech other speech must be, in dB, so as not to count as muted
    /// speech: 0 to 40, 15 in a new detector. Infinity lets all speech count.
    pub fn set_speaker_margin(&mut self, margin_db: f32) -> Result<(), Error> {
        check(unsafe { ffi::va_detector_set_speaker_margin(self.as_ptr(), margin_db) })
    }

    /// The learned level of the user's speech in dBFS, and from how much speech it was learned.
    pub fn speaker_level(&self) -> (f32, Duration) {
        let (mut level, mut ms) = (0.0, 0);
        check(unsafe { ffi::va_detector_speaker_level(self.as_ptr(), &mut level, &mut ms) })
            .expect("no pointer is null");
        (level, Duration::from_millis(ms.into()))
    }

    /// Replaces what was learned, for example by what [`speaker_level`](Self::speaker_level) returned in an earlier session
    /// of the same user and microphone. Less than 10 ms forgets, and more than 30 s counts as that.
    pub fn set_speaker_level(&mut self, level_dbfs: f32, learned: Duration) -> Result<(), Error> {
        let ms = u32::try_from(learned.as_millis()).unwrap_or(u32::MAX); // it counts 30 s at most
        check(unsafe { ffi::va_detector_set_speaker_level(self.as_ptr(), level_dbfs, ms) })
    }

    /// Reports that the gain in front of the detector has changed, from the next sample on: -60 to 60 dB.
    pub fn change_input_gain(&mut self, gain_db: f32) -> Result<(), Error> {
        check(unsafe { ffi::va_detector_change_input_gain(self.as_ptr(), gain_db) })
    }

    fn as_ptr(&self) -> *mut ffi::va_detector {
        self.handle.0.as_ptr()
    }

    fn begin(&mut self) {
        self.events.clear();
        self.hops.clear();
    }

    fn process_with<Sample>(
        &mut self,
        function: ffi::Process<Sample>,
        mut samples: &[Sample],
    ) -> Result<&[Event], Error> {
        loop {
            let mut consumed = 0;
            let more = self.call(|detector, echo, output| unsafe {
                function(detector, echo, samples.as_ptr(), samples.len(), &mut consumed, output)
            })?;
            samples = &samples[consumed..];
            if !more {
                return Ok(&self.events);
            }
        }
    }

    /// One call of the library, of which it keeps the results. True: there are more.
    fn call(
        &mut self,
        function: impl FnOnce(*mut ffi::va_detector, *mut ffi::va_echo, *mut ffi::va_output) -> c_int,
    ) -> Result<bool, Error> {
        let mut events = [ffi::va_event::default(); EVENTS];
        let mut hops = [ffi::va_hop::default(); HOPS];
        let mut output = ffi::va_output {
            events: events.as_mut_ptr(),
            event_capacity: EVENTS,
            event_count: 0,
            hops: if self.keeps_hops { hops.as_mut_ptr() } else { null_mut() },
            hop_capacity: if self.keeps_hops { HOPS } else { 0 },
            hop_count: 0,
            more: false,
        };
        let echo = self.echo.as_ref().map_or(null_mut(), EchoReference::as_ptr);
        check(function(self.as_ptr(), echo, &mut output))?;
        self.events.extend(events[..output.event_count].iter().filter_map(Event::of));
        self.hops.extend(hops[..output.hop_count].iter().map(Hop::of));
        Ok(output.more)
    }
}

/// A detector, for a user interface's or a signalling thread. It may outlive the [`Detector`].
///
/// ```
/// use voiceactivity::{Config, Detector};
///
/// let detector = Detector::new(&Config::new(48_000))?;
/// let remote = detector.remote();
/// std::thread::spawn(move || remote.set_muted(true)).join().unwrap();
/// assert!(detector.status().is_muted);
/// # Ok::<(), voiceactivity::Error>(())
/// ```
#[derive(Clone)]
pub struct Remote(Arc<Handle>);

impl Remote {
    /// [`Detector::set_muted`].
    pub fn set_muted(&self, muted: bool) {
        self.0.set_muted(muted)
    }

    /// [`Detector::status`], without waiting.
    pub fn status(&self) -> Status {
        self.0.status()
    }
}

impl Handle {
    fn set_muted(&self, muted: bool) {
        unsafe { ffi::va_detector_set_muted(self.0.as_ptr(), muted) }
    }

    fn status(&self) -> Status {
        let mut status = ffi::va_status {
            struct_size: std::mem::size_of::<ffi::va_status>() as u32,
            ..Default::default()
        };
        check(unsafe { ffi::va_detector_status(self.0.as_ptr(), &mut status) }).expect("struct_size is set");
        Status::of(&status)
    }
}
