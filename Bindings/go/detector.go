package voiceactivity

/*
#include "calls.h"
*/
import "C"

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// Detector reports whether somebody speaks in one mono stream. New makes it, or UnmarshalBinary from the zero value.
type Detector struct {
	use      sync.Mutex // held by the goroutine that analyses; nobody waits for it
	closed   atomic.Bool
	detector unsafe.Pointer // a va_detector in Go's memory
	results  *C.results
	echo     *EchoReference
	onHop    func(Hop)
}

// New makes a detector. Its errors are ErrSampleRate, ErrThreshold, ErrDuration, ErrArgument for an unknown preset,
// ErrClosed and ErrEchoInUse for the echo reference.
func New(options Options) (*Detector, error) {
	config, err := options.config()
	if err != nil {
		return nil, err
	}
	size := C.va_detector_size_for(config.sample_rate_hz)
	memory := aligned(size)
	if err := check(C.call_init(memory, size, &config)); err != nil {
		return nil, err
	}
	if options.Echo != nil {
		if err := options.Echo.attach(); err != nil {
			return nil, err
		}
	}
	return &Detector{detector: memory, results: newResults(options.OnHop), echo: options.Echo, onHop: options.OnHop}, nil
}

func newResults(onHop func(Hop)) *C.results {
	return &C.results{wants_hops: C.bool(onHop != nil)}
}

// Close ends the use of the detector: methods that return an error return ErrClosed from now on, and another detector may
// have its echo reference. Any goroutine may call it, and more than once. It always returns nil.
func (d *Detector) Close() error {
	if !d.closed.Swap(true) && d.echo != nil {
		d.echo.attached.Store(false)
	}
	return nil
}

// Process analyses 16-bit samples, of any number, and returns the events that they cause.
func (d *Detector) Process(samples []int16) ([]Event, error) {
	return d.collect(func(echo unsafe.Pointer) C.va_status_code {
		code := C.call_process_s16(d.detector, echo, first[C.int16_t](samples), C.size_t(len(samples)), d.results)
		samples = samples[d.results.consumed:]
		return code
	})
}

// ProcessFloat is Process for samples of which full scale is ±1. NaN and infinities are analysed as 0 and counted.
func (d *Detector) ProcessFloat(samples []float32) ([]Event, error) {
	return d.collect(func(echo unsafe.Pointer) C.va_status_code {
		code := C.call_process(d.detector, echo, first[C.float](samples), C.size_t(len(samples)), d.results)
		samples = samples[d.results.consumed:]
		return code
	})
}

// PushGap reports that count samples never arrived: lost packets, DTX, an overrun. It takes about 0.1 s for each hour of
// missing sound, so limit what a wrong time stamp could ask for. ErrArgument: count is negative or
// above 2^40.
func (d *Detector) PushGap(count int64) ([]Event, error) {
	pushed := false
	return d.collect(func(echo unsafe.Pointer) C.va_status_code {
		if pushed {
			return C.call_process_s16(d.detector, echo, nil, 0, d.results)
		}
		pushed = true
		return C.call_push_gap(d.detector, echo, C.uint64_t(count), d.results)
	})
}

// PushLevel reports count samples of which only the sender's audio level is known: the byte of RFC 6464's header
// extension, whose highest bit is the sender's own decision. ErrArgument: count is negative or above 2^40.
func (d *Detector) PushLevel(count int64, rfc6464 byte) ([]Event, error) {
	pushed := false
	return d.collect(func(echo unsafe.Pointer) C.va_status_code {
		if pushed {
			return C.call_process_s16(d.detector, echo, nil, 0, d.results)
		}
		code := C.call_push_level(d.detector, C.uint64_t(count), C.uint8_t(rfc6464), d.results)
		if code == C.VA_ERROR_OUTPUT_FULL { // earlier results, after which it asks again
			return C.VA_OK
		}
		pushed = true
		return code
	})
}

// Flush ends the stream: it decides what still waits for its look-ahead, and ends open speech. Afterwards Process,
// PushGap and PushLevel return ErrArgument, until Reset.
func (d *Detector) Flush() ([]Event, error) {
	return d.collect(func(echo unsafe.Pointer) C.va_status_code {
		return C.call_flush(d.detector, echo, d.results)
	})
}

// Reset starts a new stream at position 0 and forgets everything learned, in the echo reference too. The settings, the
// speaker's margin and the mute flag stay.
func (d *Detector) Reset() error {
	echo, err := d.begin()
	if err != nil {
		return err
	}
	defer d.end()
	C.va_detector_reset((*C.va_detector)(d.detector))
	if echo != nil {
		C.va_echo_reset((*C.va_echo)(echo))
	}
	return nil
}

// SetMuted mutes or unmutes, at once. Muting only decides whether speech counts as muted speech; analysis continues.
// Any goroutine may call it.
func (d *Detector) SetMuted(muted bool) {
	if d.detector != nil {
		C.va_detector_set_muted((*C.va_detector)(d.detector), C.bool(muted))
		runtime.KeepAlive(d)
	}
}

// Status returns the newest state without waiting. Any goroutine may call it.
func (d *Detector) Status() Status {
	if d.detector == nil {
		return Status{}
	}
	s := C.va_status{struct_size: C.sizeof_va_status}
	C.va_detector_status((*C.va_detector)(d.detector), &s)
	runtime.KeepAlive(d)
	return Status{
		State:    State(s.state),
		IsSpeech: bool(s.is_speech), IsMuted: bool(s.is_muted), IsMutedSpeech: bool(s.is_muted_speech),
		LevelDBov: uint8(s.level_dbov), Posterior: float32(s.posterior),
		LevelDBFS: float32(s.level_dbfs), NoiseFloorDBFS: float32(s.noise_floor_dbfs),
		Hops: int64(s.hops), ClippedSamples: int64(s.clipped_samples), NonFiniteSamples: int64(s.non_finite_samples),
		MissingSamples: int64(s.missing_samples),
	}
}

// RFC6464 returns the newest level and decision as the byte of RFC 6464's header extension. Any goroutine may call it.
func (d *Detector) RFC6464() byte {
	s := d.Status()
	return byte(C.va_rfc6464_byte(C.uint8_t(s.LevelDBov), C.bool(s.IsSpeech)))
}

// SampleRate returns the rate of the input in Hz, also of a restored detector. Any goroutine may call it.
func (d *Detector) SampleRate() int { return int(d.config().sample_rate_hz) }

// Settings returns the detector's settings, also of a restored detector. Any goroutine may call it.
func (d *Detector) Settings() Settings {
	config := d.config()
	return settingsOf(&config)
}

func (d *Detector) config() C.va_config {
	config := C.va_config{struct_size: C.sizeof_va_config}
	if d.detector != nil {
		C.va_detector_config((*C.va_detector)(d.detector), &config)
		runtime.KeepAlive(d)
	}
	return config
}

// SetSpeakerMargin sets how far below the learned level of the user's speech other speech must be, in dB, so as not to
// count as muted speech: 0 to 40, 15 in a new detector. Infinity lets all speech count.
func (d *Detector) SetSpeakerMargin(dB float32) error {
	return d.simply(func() C.va_status_code {
		return C.va_detector_set_speaker_margin((*C.va_detector)(d.detector), C.float(dB))
	})
}

// SpeakerLevel returns the learned level of the user's speech in dBFS, and from how much speech it was learned.
func (d *Detector) SpeakerLevel() (dBFS float32, learned time.Duration, err error) {
	var level C.float
	var ms C.uint32_t
	err = d.simply(func() C.va_status_code {
		return C.va_detector_speaker_level((*C.va_detector)(d.detector), &level, &ms)
	})
	return float32(level), time.Duration(ms) * time.Millisecond, err
}

// SetSpeakerLevel replaces what was learned, for example by what SpeakerLevel returned in an earlier session of the same
// user and microphone. Less than 10 ms for learned forgets, and more than 30 s counts as that.
func (d *Detector) SetSpeakerLevel(dBFS float32, learned time.Duration) error {
	if learned < 0 {
		return ErrArgument
	}
	if learned > C.VA_SPEAKER_MOST_MS*time.Millisecond {
		learned = C.VA_SPEAKER_MOST_MS * time.Millisecond
	}
	return d.simply(func() C.va_status_code {
		return C.va_detector_set_speaker_level((*C.va_detector)(d.detector), C.float(dBFS),
			C.uint32_t(learned/time.Millisecond))
	})
}

// ChangeInputGain reports that the gain in front of the detector has changed, from the next sample on: -60 to 60 dB.
func (d *Detector) ChangeInputGain(dB float32) error {
	return d.simply(func() C.va_status_code {
		return C.va_detector_change_input_gain((*C.va_detector)(d.detector), C.float(dB))
	})
}

// MarshalBinary saves everything that the stream remembers, at most 6 KiB, for another process or machine. It implements
// encoding.BinaryMarshaler. An echo reference is saved by itself, between the same two calls.
func (d *Detector) MarshalBinary() ([]byte, error) {
	bytes := make([]byte, C.va_detector_saved_size())
	var size C.size_t
	err := d.simply(func() C.va_status_code {
		return C.va_detector_save((*C.va_detector)(d.detector), unsafe.Pointer(&bytes[0]), C.size_t(len(bytes)), &size)
	})
	if err != nil {
		return nil, err
	}
	return bytes[:size], nil
}

// UnmarshalBinary continues a saved stream in place of the detector's own, with the sample rate and the settings that
// were saved; Options.Echo and Options.OnHop stay. The detector may be the zero value. No other goroutine may use the
// detector meanwhile, not even its status. The bytes may come from anywhere: ErrSavedData and ErrSavedVersion refuse
// them, and leave the detector as it was. It implements encoding.BinaryUnmarshaler.
func (d *Detector) UnmarshalBinary(bytes []byte) error {
	if len(bytes) == 0 {
		return ErrSavedData
	}
	if d.closed.Load() {
		return ErrClosed
	}
	if !d.use.TryLock() {
		return ErrBusy
	}
	defer d.use.Unlock()
	size := C.va_detector_size()
	memory := aligned(size)
	if err := check(C.call_restore(memory, size, unsafe.Pointer(&bytes[0]), C.size_t(len(bytes)))); err != nil {
		return err
	}
	d.detector = memory
	if d.results == nil {
		d.results = newResults(nil)
	}
	return nil
}

// begin claims the detector and its echo reference for the calling goroutine, and returns the latter.
func (d *Detector) begin() (echo unsafe.Pointer, err error) {
	if d.closed.Load() || d.detector == nil {
		return nil, ErrClosed
	}
	if !d.use.TryLock() {
		return nil, ErrBusy
	}
	if d.echo == nil {
		return nil, nil
	}
	if !d.echo.use.TryLock() {
		d.use.Unlock()
		return nil, ErrBusy
	}
	return d.echo.echo, nil
}

func (d *Detector) end() {
	if d.echo != nil {
		d.echo.use.Unlock()
	}
	d.use.Unlock()
}

// simply makes one call of the library that has no results.
func (d *Detector) simply(call func() C.va_status_code) error {
	if _, err := d.begin(); err != nil {
		return err
	}
	defer d.end()
	return check(call())
}

// collect repeats a call of the library until it has returned all its results.
func (d *Detector) collect(call func(echo unsafe.Pointer) C.va_status_code) ([]Event, error) {
	echo, err := d.begin()
	if err != nil {
		return nil, err
	}
	defer d.end()
	var events []Event
	for r := d.results; ; {
		if err := check(call(echo)); err != nil {
			return events, err
		}
		for i := range r.events[:r.event_count] {
			events = append(events, eventOf(&r.events[i]))
		}
		for i := range r.hops[:r.hop_count] {
			d.onHop(hopOf(&r.hops[i]))
		}
		if !bool(r.more) {
			return events, nil
		}
	}
}
