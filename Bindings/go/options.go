package voiceactivity

/*
#include "calls.h"
*/
import "C"

import "time"

// Preset is what the decision is tuned for.
type Preset int

const (
	// contract: preset
	Conversation  Preset = C.VA_PRESET_CONVERSATION  // calls and meetings: false alarms and misses weigh the same
	Notice        Preset = C.VA_PRESET_NOTICE        // "You are muted": a late notice is better than a wrong one
	Transcription Preset = C.VA_PRESET_TRANSCRIPTION // what to transcribe: extra sound is better than a lost word
	// contract end
)

// Options say how to make a detector. The sample rate is needed; the zero value of everything else is a good choice.
type Options struct {
	SampleRate int            // of the input, 8000 to 192000 Hz
	Preset     Preset         // Conversation
	Settings   *Settings      // in place of the preset's
	Echo       *EchoReference // what a loudspeaker beside the microphone plays
	OnHop      func(Hop)      // called for every 10 ms that are decided, before the method that decides them returns
}

// Settings are what a preset stands for. Start from those of a preset. Durations are 0 to an hour, and are rounded up to
// whole hops of 10 ms.
type Settings struct {
	// contract: setting
	OnsetThreshold     float32       // posterior at or above which speech may begin, 0 < … < 1
	OffsetThreshold    float32       // posterior below which speech may end, 0 < … <= OnsetThreshold
	OnsetDebounce      time.Duration // how long the posterior is at or above OnsetThreshold before speech begins
	Hangover           time.Duration // how long the posterior is below OffsetThreshold before speech ends
	MuteGrace          time.Duration // speech that begins within this time after muting is the end of a sentence
	MuteCarryOver      time.Duration // speech that began earlier counts if it runs this long after MuteGrace
	MutedSpeechHold    time.Duration // muted speech lasts at least this long, unless the user unmutes
	MutedSpeechRelease time.Duration // how long muted speech outlasts the speech
	// contract end
}

// Settings returns the settings of a preset. Its error is ErrArgument, for a preset that does not exist.
func (p Preset) Settings() (Settings, error) {
	var config C.va_config
	if err := fill(&config, C.VA_SAMPLE_RATE_MIN_HZ, p); err != nil {
		return Settings{}, err
	}
	return settingsOf(&config), nil
}

// MoveThresholds sets OnsetThreshold alone, as a user does: OffsetThreshold moves by as much, but to no less than a third of
// onset. It stays if onset is not above 0 and below 1, which New refuses.
func (s *Settings) MoveThresholds(onset float32) {
	config := C.va_config{onset_threshold: C.float(s.OnsetThreshold), offset_threshold: C.float(s.OffsetThreshold)}
	C.va_config_move_thresholds(&config, C.float(onset))
	s.OnsetThreshold, s.OffsetThreshold = float32(config.onset_threshold), float32(config.offset_threshold)
}

func fill(config *C.va_config, rate C.uint32_t, preset Preset) error {
	if preset < 0 || preset > Transcription {
		return ErrArgument
	}
	return check(C.va_config_preset(config, rate, C.va_preset(preset)))
}

func settingsOf(config *C.va_config) Settings {
	duration := func(ms C.uint32_t) time.Duration { return time.Duration(ms) * time.Millisecond }
	return Settings{
		// contract: settings of C
		OnsetThreshold:     float32(config.onset_threshold),
		OffsetThreshold:    float32(config.offset_threshold),
		OnsetDebounce:      duration(config.onset_debounce_ms),
		Hangover:           duration(config.hangover_ms),
		MuteGrace:          duration(config.mute_grace_ms),
		MuteCarryOver:      duration(config.mute_carry_over_ms),
		MutedSpeechHold:    duration(config.muted_speech_hold_ms),
		MutedSpeechRelease: duration(config.muted_speech_release_ms),
		// contract end
	}
}

// config returns the options as the library takes them. The library checks them.
func (o *Options) config() (C.va_config, error) {
	var config C.va_config
	if err := fill(&config, rateOf(o.SampleRate), o.Preset); err != nil {
		return config, err
	}
	s := o.Settings
	if s == nil {
		return config, nil
	}
	config.onset_threshold, config.offset_threshold = C.float(s.OnsetThreshold), C.float(s.OffsetThreshold)
	return config, fillLengths([]length{
		// contract: durations of C
		{&config.onset_debounce_ms, s.OnsetDebounce},
		{&config.hangover_ms, s.Hangover},
		{&config.mute_grace_ms, s.MuteGrace},
		{&config.mute_carry_over_ms, s.MuteCarryOver},
		{&config.muted_speech_hold_ms, s.MutedSpeechHold},
		{&config.muted_speech_release_ms, s.MutedSpeechRelease},
		// contract end
	})
}

// length is a duration, and the field of the library's struct that takes it.
type length struct {
	ms       *C.uint32_t
	duration time.Duration
}

// fillLengths gives the library durations, rounded up to milliseconds.
func fillLengths(lengths []length) error {
	for _, l := range lengths {
		if l.duration < 0 || l.duration > C.VA_DURATION_MAX_MS*time.Millisecond {
			return ErrDuration
		}
		*l.ms = C.uint32_t((l.duration + time.Millisecond - 1) / time.Millisecond)
	}
	return nil
}
