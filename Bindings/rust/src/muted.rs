use crate::ffi;
use crate::results::Event;
use std::ffi::c_int;
use std::time::Duration;

/// What must hold for muted speech to be reported. Only the host knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Requirement {
    // contract: requirement
    /// The runtime passes on the sound of a muted microphone.
    SupportedByRuntime = 0,
    /// The user, or the application, wants it.
    Enabled = 1,
    /// The call is joined, not reconnecting, nor held by a telephone call.
    SessionActive = 2,
    /// The audio session records as well as plays.
    SessionRecords = 3,
    /// The far end's voice is removed from the microphone's signal.
    SessionIsConversation = 4,
    /// The participant may send audio in this call.
    AllowedToSendAudio = 5,
    /// The user has granted access to the microphone.
    RecordingPermitted = 6,
    /// Playout is mono, so that an echo canceller works.
    PlayoutIsNotStereo = 7,
    /// The microphone is muted.
    MicrophoneMuted = 8,
    /// The device delivers sound.
    DataFlowing = 9,
    // contract end
}

/// Decides whether the user speaks while nobody can hear it, from the muted speech of a [`Detector`](crate::Detector) and from
/// requirements. All are met at first except [`Requirement::MicrophoneMuted`]; set only those that you know about. Speech
/// from before a requirement was lost is not reported when it is met again.
#[derive(Debug, Clone)]
pub struct SpeakingGate(ffi::va_speaking_gate);

impl SpeakingGate {
    /// Begins a call.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        let mut gate = ffi::va_speaking_gate::default();
        unsafe { ffi::va_speaking_gate_init(&mut gate) };
        SpeakingGate(gate)
    }

    /// Whether the user speaks while muted.
    pub fn is_speaking(&self) -> bool {
        self.0.is_speaking
    }

    /// Whether muted speech that begins now would count.
    pub fn is_detecting(&self) -> bool {
        self.0.unmet == 0
    }

    /// Sets whether a requirement is met. Returns whether `is_speaking` has changed, as the next four do.
    pub fn set(&mut self, requirement: Requirement, is_met: bool) -> bool {
        unsafe { ffi::va_speaking_gate_set(&mut self.0, requirement as c_int, is_met) }
    }

    /// Takes an event of the detector.
    pub fn handle(&mut self, event: &Event) -> bool {
        unsafe { ffi::va_speaking_gate_handle(&mut self.0, event.raw().r#type) }
    }

    /// Muted speech has begun or ended, without an event. Call it only at a change: otherwise speech from before a requirement
    /// was met counts.
    pub fn set_speech(&mut self, is_speech: bool) -> bool {
        unsafe { ffi::va_speaking_gate_set_speech(&mut self.0, is_speech) }
    }

    /// Forgets the speech heard so far: another microphone, or a reconnection.
    pub fn input_replaced(&mut self) -> bool {
        self.set_speech(false)
    }

    /// Ends the call. Nothing is reported afterwards.
    pub fn end(&mut self) -> bool {
        unsafe { ffi::va_speaking_gate_end(&mut self.0) }
    }
}

/// What a notice says unless you have words of your own.
// contract: notice text
pub const NOTICE_TEXT: &str = "You are muted. Unmute to speak.";
// contract end

/// Decides when a notice such as [`NOTICE_TEXT`] is shown: when `is_speaking` becomes true, for its time, whatever happens
/// meanwhile. Times are those since any origin, in whole milliseconds. A change of the settings holds for the next notice.
#[derive(Debug, Clone)]
pub struct MutedNotice {
    /// How long a notice stays: two seconds.
    pub duration: Duration,
    /// The least time from the beginning of a notice to that of the next.
    pub interval: Duration,
    /// Whether it appears again only after an unmute.
    pub once_per_mute: bool,
    /// Whether it appears.
    pub is_enabled: bool,
    notice: ffi::va_muted_notice,
}

impl MutedNotice {
    /// Makes a notice that stays for two seconds.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        let mut notice = ffi::va_muted_notice::default();
        unsafe { ffi::va_muted_notice_init(&mut notice) };
        let duration = Duration::from_millis(notice.duration_ms as u64);
        MutedNotice { duration, interval: Duration::ZERO, once_per_mute: false, is_enabled: true, notice }
    }

    /// The number of the notice that is shown.
    pub fn shown(&self) -> Option<u64> {
        Some(self.notice.shown).filter(|&number| number != 0)
    }

    /// When the time of the newest notice is over: call `update` then.
    pub fn ends(&self) -> Duration {
        Duration::from_millis(self.notice.ends_at_ms as u64)
    }

    /// Whether the user is speaking while muted and no notice is shown.
    pub fn is_still_speaking(&self) -> bool {
        self.notice.is_speaking && self.notice.shown == 0
    }

    /// Sets whether the user is speaking while muted, and ends a notice whose time is over. Returns whether `shown` has
    /// changed.
    pub fn update(&mut self, is_speaking: bool, now: Duration) -> bool {
        self.notice.duration_ms = milliseconds(self.duration);
        self.notice.interval_ms = milliseconds(self.interval);
        self.notice.is_once_per_mute = self.once_per_mute;
        self.notice.is_enabled = self.is_enabled;
        unsafe { ffi::va_muted_notice_update(&mut self.notice, is_speaking, milliseconds(now)) }
    }

    /// Hides the notice of this number, and no other. Returns whether that was shown.
    pub fn dismiss(&mut self, number: u64) -> bool {
        unsafe { ffi::va_muted_notice_dismiss(&mut self.notice, number) }
    }

    /// Reports an unmute, after which `once_per_mute` allows another notice.
    pub fn unmuted(&mut self) {
        unsafe { ffi::va_muted_notice_unmuted(&mut self.notice) }
    }
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
