// Package voiceactivity is a face of libvoiceactivity for Go.
//
// A Detector belongs to one goroutine at a time; SetMuted and Status may be called from any while it is not closed.
package voiceactivity

/*
#cgo pkg-config: voiceactivity
#include <stdlib.h>
#include <voice_activity.h>

enum { EVENTS = 32 };

// In C's memory, because C may not keep, nor Go pass, a Go pointer that holds another.
typedef struct results {
  va_output output;
  va_event events[EVENTS];
  size_t consumed;
} results;

static results *results_create(void) {
  results *r = calloc(1, sizeof *r);
  if (r != NULL) r->output = (va_output){.events = r->events, .event_capacity = EVENTS};
  return r;
}
*/
import "C"

import (
	"errors"
	"unsafe"
)

// EventType is the type of an event. Ignore those that you do not know.
type EventType uint32

const (
	Onset            EventType = C.VA_EVENT_ONSET
	Offset           EventType = C.VA_EVENT_OFFSET
	MutedSpeechBegin EventType = C.VA_EVENT_MUTED_SPEECH_BEGIN
	MutedSpeechEnd   EventType = C.VA_EVENT_MUTED_SPEECH_END
	Discontinuity    EventType = C.VA_EVENT_DISCONTINUITY
)

// Preset is what the decision is tuned for.
type Preset int

const (
	Conversation  Preset = C.VA_PRESET_CONVERSATION
	Notice        Preset = C.VA_PRESET_NOTICE
	Transcription Preset = C.VA_PRESET_TRANSCRIPTION
)

// Event is a change; positions count input samples from the stream's first.
type Event struct {
	Type                EventType
	Position, DecidedAt uint64
	LengthSamples       uint64
}

// Status is the newest picture of a Detector.
type Status struct {
	IsSpeech, IsMuted, IsMutedSpeech bool
	LevelDBov                        uint8
	Posterior                        float32
	Hops, MissingSamples             uint64
}

// Detector reports whether somebody speaks in one mono stream.
type Detector struct {
	detector *C.va_detector
	results  *C.results
}

func check(code C.va_status_code) error {
	if code == C.VA_OK {
		return nil
	}
	return errors.New(C.GoString(C.va_status_text(code)))
}

// New makes a detector for a rate of 8000 to 192000 Hz. Close frees it.
func New(sampleRateHz uint32, preset Preset) (*Detector, error) {
	var config C.va_config
	if err := check(C.va_config_preset(&config, C.uint32_t(sampleRateHz), C.va_preset(preset))); err != nil {
		return nil, err
	}
	d := &Detector{results: C.results_create()}
	if d.results == nil {
		return nil, check(C.VA_ERROR_MEMORY)
	}
	if err := check(C.va_detector_create(&config, &d.detector)); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// Close frees the detector. Nobody may use it any more, on any goroutine.
func (d *Detector) Close() {
	C.va_detector_destroy(d.detector)
	C.free(unsafe.Pointer(d.results))
	d.detector, d.results = nil, nil
}

// Process analyses samples of any number and calls onEvent for what it finds. A call into C costs some 50 ns: pass whole
// packets.
func (d *Detector) Process(samples []int16, onEvent func(Event)) error {
	for {
		var first *C.int16_t
		if len(samples) > 0 {
			first = (*C.int16_t)(unsafe.Pointer(&samples[0]))
		}
		r := d.results
		code := C.va_detector_process_s16(d.detector, first, C.size_t(len(samples)), &r.consumed, &r.output)
		if err := d.take(code, onEvent); err != nil {
			return err
		}
		samples = samples[r.consumed:]
		if len(samples) == 0 && !bool(r.output.more) {
			return nil
		}
	}
}

// PushGap reports that count samples never arrived: lost packets, DTX, an overrun.
func (d *Detector) PushGap(count uint64, onEvent func(Event)) error {
	if err := d.take(C.va_detector_push_gap(d.detector, C.uint64_t(count), &d.results.output), onEvent); err != nil {
		return err
	}
	if !bool(d.results.output.more) {
		return nil
	}
	return d.Process(nil, onEvent)
}

// PushLevel reports count samples of which only the sender's audio level is known: the byte of RFC 6464's header
// extension, whose highest bit is the sender's own decision.
func (d *Detector) PushLevel(count uint64, rfc6464 byte, onEvent func(Event)) error {
	level, voice := C.va_rfc6464_level(C.uint8_t(rfc6464)), C.va_rfc6464_voice(C.uint8_t(rfc6464))
	return d.take(C.va_detector_push_level(d.detector, C.uint64_t(count), level, voice, &d.results.output), onEvent)
}

// RFC6464 returns the newest level and decision as the byte of RFC 6464's header extension.
func (d *Detector) RFC6464() byte {
	s := d.Status()
	return byte(C.va_rfc6464_byte(C.uint8_t(s.LevelDBov), C.bool(s.IsSpeech)))
}

// Flush ends the stream.
func (d *Detector) Flush(onEvent func(Event)) error {
	for {
		if err := d.take(C.va_detector_flush(d.detector, &d.results.output), onEvent); err != nil {
			return err
		}
		if !bool(d.results.output.more) {
			return nil
		}
	}
}

// SetMuted takes effect at once. Any goroutine.
func (d *Detector) SetMuted(muted bool) { C.va_detector_set_muted(d.detector, C.bool(muted)) }

// Status does not wait. Any goroutine.
func (d *Detector) Status() Status {
	s := C.va_status{struct_size: C.sizeof_va_status}
	C.va_detector_status(d.detector, &s)
	return Status{bool(s.is_speech), bool(s.is_muted), bool(s.is_muted_speech), uint8(s.level_dbov),
		float32(s.posterior), uint64(s.hops), uint64(s.missing_samples)}
}

func (d *Detector) take(code C.va_status_code, onEvent func(Event)) error {
	if err := check(code); err != nil {
		return err
	}
	for _, e := range d.results.events[:d.results.output.event_count] {
		onEvent(Event{EventType(e._type), uint64(e.position), uint64(e.decided_at), uint64(e.length_samples)})
	}
	return nil
}
