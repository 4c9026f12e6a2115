use crate::ffi;

/// What an [`Event`] reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventKind {
    // contract: event
    /// Speech begins at the position.
    Onset = 1,
    /// Speech ends at the position.
    Offset = 2,
    /// The user speaks while muted.
    MutedSpeechBegin = 3,
    /// The user no longer speaks, or is no longer muted.
    MutedSpeechEnd = 4,
    /// Samples are missing from the position on.
    Discontinuity = 5,
    // contract end
}

/// A change. Positions count input samples from the stream's first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// Where it happened.
    pub position: u64,
    /// The position of the input at which it was decided.
    pub decided_at: u64,
    /// Of a discontinuity: how many samples are missing; otherwise 0.
    pub length: u64,
}

impl Event {
    /// None for an event of a newer library, which is to be ignored.
    pub(crate) fn of(event: &ffi::va_event) -> Option<Self> {
        let kind = match event.r#type {
            // contract: event of C
            ffi::VA_EVENT_ONSET => EventKind::Onset,
            ffi::VA_EVENT_OFFSET => EventKind::Offset,
            ffi::VA_EVENT_MUTED_SPEECH_BEGIN => EventKind::MutedSpeechBegin,
            ffi::VA_EVENT_MUTED_SPEECH_END => EventKind::MutedSpeechEnd,
            ffi::VA_EVENT_DISCONTINUITY => EventKind::Discontinuity,
            // contract end
            _ => return None,
        };
        let ffi::va_event { position, decided_at, length_samples: length, .. } = *event;
        Some(Event { kind, position, decided_at, length })
    }

    pub(crate) fn raw(&self) -> ffi::va_event {
        let Event { kind, position, decided_at, length: length_samples, .. } = *self;
        ffi::va_event { r#type: kind as u32, position, decided_at, length_samples, ..Default::default() }
    }
}

/// Where the decision is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum State {
    // contract: state
    /// Nobody speaks.
    Silence = 0,
    /// At or above the onset threshold; the debounce is running.
    PendingOnset = 1,
    /// Somebody speaks.
    Speech = 2,
    /// Below the offset threshold; the hangover is running; it counts as speech.
    Hangover = 3,
    // contract end
}

impl State {
    fn of(state: u8) -> Self {
        match state {
            // contract: state of C
            ffi::VA_STATE_SILENCE => State::Silence,
            ffi::VA_STATE_PENDING_ONSET => State::PendingOnset,
            ffi::VA_STATE_SPEECH => State::Speech,
            ffi::VA_STATE_HANGOVER => State::Hangover,
            // contract end
            _ => State::Silence,
        }
    }
}

/// What was found in 10 ms. Levels are in dBFS, -127 to 12: a full-scale sine has -3.01 dBFS.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Hop {
    /// The first input sample of the hop.
    pub position: u64,
    /// The probability of speech.
    pub posterior: f32,
    /// The RMS of the hop.
    pub level_dbfs: f32,
    /// Its largest magnitude.
    pub peak_dbfs: f32,
    /// The tracked background.
    pub noise_floor_dbfs: f32,
    /// The state after the hop.
    pub state: State,
    /// `level_dbfs`, negated and rounded, 0 to 127 (RFC 6464).
    pub level_dbov: u8,
    flags: u8,
}

impl Hop {
    pub(crate) fn of(hop: &ffi::va_hop) -> Self {
        Hop {
            position: hop.position,
            posterior: hop.posterior,
            level_dbfs: hop.level_dbfs,
            peak_dbfs: hop.peak_dbfs,
            noise_floor_dbfs: hop.noise_floor_dbfs,
            state: State::of(hop.state),
            level_dbov: hop.level_dbov,
            flags: hop.flags,
        }
    }

    /// What a cutter reads.
    pub(crate) fn raw(&self) -> ffi::va_hop {
        let Hop { position, posterior, state, .. } = *self;
        ffi::va_hop { position, posterior, state: state as u8, ..Default::default() }
    }

    /// The state was speech or hangover.
    pub fn is_speech(&self) -> bool {
        self.flags & ffi::VA_HOP_SPEECH != 0
    }

    /// The microphone was muted.
    pub fn is_muted(&self) -> bool {
        self.flags & ffi::VA_HOP_MUTED != 0
    }

    /// The user spoke while muted.
    pub fn is_muted_speech(&self) -> bool {
        self.flags & ffi::VA_HOP_MUTED_SPEECH != 0
    }

    /// Part of the hop lies in a gap: its posterior is 0, its levels -127.
    pub fn is_missing(&self) -> bool {
        self.flags & ffi::VA_HOP_MISSING != 0
    }

    /// Half of the hop or more came from [`push_level`](crate::Detector::push_level): its posterior is 0 or 1.
    pub fn is_level_only(&self) -> bool {
        self.flags & ffi::VA_HOP_LEVEL_ONLY != 0
    }

    /// A third of the audible bands or more were only echo.
    pub fn is_echo(&self) -> bool {
        self.flags & ffi::VA_HOP_ECHO != 0
    }
}

/// The newest picture of a detector. Each field is at most one hop old.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Status {
    /// Where the decision is.
    pub state: State,
    /// The state is speech or hangover.
    pub is_speech: bool,
    /// As it was last set.
    pub is_muted: bool,
    /// The user speaks while muted.
    pub is_muted_speech: bool,
    /// The level in -dBov, 0 to 127.
    pub level_dbov: u8,
    /// The probability of speech.
    pub posterior: f32,
    /// The level.
    pub level_dbfs: f32,
    /// The tracked background.
    pub noise_floor_dbfs: f32,
    /// How many hops were decided so far.
    pub hops: u64,
    /// Samples at or beyond full scale.
    pub clipped_samples: u64,
    /// Samples that were not numbers, each analysed as 0.
    pub non_finite_samples: u64,
    /// Samples that [`push_gap`](crate::Detector::push_gap) reported.
    pub missing_samples: u64,
}

impl Status {
    pub(crate) fn of(status: &ffi::va_status) -> Self {
        Status {
            state: State::of(status.state as u8),
            is_speech: status.is_speech,
            is_muted: status.is_muted,
            is_muted_speech: status.is_muted_speech,
            level_dbov: status.level_dbov,
            posterior: status.posterior,
            level_dbfs: status.level_dbfs,
            noise_floor_dbfs: status.noise_floor_dbfs,
            hops: status.hops,
            clipped_samples: status.clipped_samples,
            non_finite_samples: status.non_finite_samples,
            missing_samples: status.missing_samples,
        }
    }

    /// The level and the decision as the byte of RFC 6464's header extension.
    pub fn rfc6464(&self) -> u8 {
        unsafe { ffi::va_rfc6464_byte(self.level_dbov, self.is_speech) }
    }
}
