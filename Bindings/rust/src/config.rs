use crate::error::{check, Error};
use crate::ffi;
use std::time::Duration;

/// What the decision is tuned for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Preset {
    /// Calls and meetings: false alarms and misses weigh the same.
    #[default]
    Conversation,
    /// "You are muted": a late notice is better than a wrong one.
    Notice,
    /// What to transcribe: extra sound is better than a lost word.
    Transcription,
}

/// The settings of a detector. Start from a preset, and change what you need. Durations are at most an hour, and are
/// rounded up to whole hops of 10 ms.
///
/// ```
/// use voiceactivity::{Config, Detector, Preset};
/// use std::time::Duration;
///
/// let config = Config { hangover: Duration::from_millis(500), ..Config::preset(48_000, Preset::Transcription) };
/// let detector = Detector::new(&config)?;
/// assert_eq!(detector.config(), config);
/// # Ok::<(), voiceactivity::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The sample rate of the input, 8000 to 192000 Hz.
    pub sample_rate_hz: u32,
    // contract: setting
    /// Posterior at or above which speech may begin, 0 < … < 1.
    pub onset_threshold: f32,
    /// Posterior below which speech may end, 0 < … <= `onset_threshold`.
    pub offset_threshold: f32,
    /// How long the posterior is at or above `onset_threshold` before speech begins.
    pub onset_debounce: Duration,
    /// How long the posterior is below `offset_threshold` before speech ends.
    pub hangover: Duration,
    /// Speech that begins within this time after muting is the end of a sentence.
    pub mute_grace: Duration,
    /// Speech that began earlier counts if it runs this long after `mute_grace`.
    pub mute_carry_over: Duration,
    /// Muted speech lasts at least this long, unless the user unmutes.
    pub muted_speech_hold: Duration,
    /// How long muted speech outlasts the speech.
    pub muted_speech_release: Duration,
    // contract end
}

impl Config {
    /// The settings for conversations. [`Detector::new`](crate::Detector::new) checks the rate.
    pub fn new(sample_rate_hz: u32) -> Self {
        Self::preset(sample_rate_hz, Preset::Conversation)
    }

    /// The settings of a preset.
    pub fn preset(sample_rate_hz: u32, preset: Preset) -> Self {
        let preset = match preset {
            Preset::Conversation => ffi::VA_PRESET_CONVERSATION,
            Preset::Notice => ffi::VA_PRESET_NOTICE,
            Preset::Transcription => ffi::VA_PRESET_TRANSCRIPTION,
        };
        let mut config = ffi::va_config::default();
        check(unsafe { ffi::va_config_preset(&mut config, sample_rate_hz, preset) })
            .expect("the library has every preset");
        Self::of(&config)
    }

    /// Sets the onset threshold alone, as a user does: the offset threshold moves by as much, but to no less than a third of
    /// `onset`. It stays if `onset` is not above 0 and below 1, which [`Detector::new`](crate::Detector::new) refuses.
    ///
    /// ```
    /// let mut config = voiceactivity::Config::new(48_000); // .82 and .4
    /// config.move_thresholds(0.66);
    /// assert_eq!(config.offset_threshold, 0.24);
    /// ```
    pub fn move_thresholds(&mut self, onset: f32) {
        let mut config = ffi::va_config {
            onset_threshold: self.onset_threshold,
            offset_threshold: self.offset_threshold,
            ..Default::default()
        };
        unsafe { ffi::va_config_move_thresholds(&mut config, onset) }
        (self.onset_threshold, self.offset_threshold) = (config.onset_threshold, config.offset_threshold);
    }

    pub(crate) fn of(config: &ffi::va_config) -> Self {
        let duration = |ms: u32| Duration::from_millis(ms.into());
        Config {
            sample_rate_hz: config.sample_rate_hz,
            // contract: settings of C
            onset_threshold: config.onset_threshold,
            offset_threshold: config.offset_threshold,
            onset_debounce: duration(config.onset_debounce_ms),
            hangover: duration(config.hangover_ms),
            mute_grace: duration(config.mute_grace_ms),
            mute_carry_over: duration(config.mute_carry_over_ms),
            muted_speech_hold: duration(config.muted_speech_hold_ms),
            muted_speech_release: duration(config.muted_speech_release_ms),
            // contract end
        }
    }

    /// As the library takes it, which checks it.
    pub(crate) fn raw(&self) -> Result<ffi::va_config, Error> {
        Ok(ffi::va_config {
            struct_size: std::mem::size_of::<ffi::va_config>() as u32,
            sample_rate_hz: self.sample_rate_hz,
            // contract: settings to C
            onset_threshold: self.onset_threshold,
            offset_threshold: self.offset_threshold,
            onset_debounce_ms: ms(self.onset_debounce)?,
            hangover_ms: ms(self.hangover)?,
            mute_grace_ms: ms(self.mute_grace)?,
            mute_carry_over_ms: ms(self.mute_carry_over)?,
            muted_speech_hold_ms: ms(self.muted_speech_hold)?,
            muted_speech_release_ms: ms(self.muted_speech_release)?,
            // contract end
        })
    }
}

/// Milliseconds, rounded up. The library refuses more than an hour.
pub(crate) fn ms(duration: Duration) -> Result<u32, Error> {
    u32::try_from(duration.as_nanos().div_ceil(1_000_000)).map_err(|_| Error::Duration)
}
