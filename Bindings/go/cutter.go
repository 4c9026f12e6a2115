package voiceactivity

/*
#include "calls.h"
*/
import "C"

import (
	"time"
	"unsafe"
)

// CutRules say what becomes of speech, in this order. Durations are 0 to an hour, and are rounded up to milliseconds.
type CutRules struct {
	MinSilence time.Duration // speech that is separated by less silence than this is joined
	MinSpeech  time.Duration // speech that is then shorter than this is dropped
	// No cut is longer; 0 sets no limit. Speech that is longer is cut at the best pause in the second half of this
	// length. It must be at least a second longer than both pads.
	MaxLength time.Duration
	// Each cut begins and ends this much earlier and later, except where speech was cut. Cuts that then overlap are
	// joined, or meet in the silence between if they would be too long together.
	PadBefore, PadAfter time.Duration
}

// Cut is a segment to save, transcribe or send on: the samples from Start up to, but not including, End.
type Cut struct {
	Start, End int64
	DecidedAt  int64 // the position of the input at which the end was decided
	Continues  bool  // speech was cut here: the next cut begins where this one ends
}

// Cutter turns the results of a Detector into segments. One goroutine at a time uses it. How a stream is cut into chunks
// does not change them. NewCutter makes it; the zero value has no segments.
type Cutter struct {
	cutter unsafe.Pointer // a va_cutter in Go's memory
	events []C.va_event
	hops   []C.va_hop
}

// NewCutter makes a cutter for the results of a detector, from the beginning of its stream. Its errors are ErrDuration,
// and ErrClosed for a detector that New did not make.
func NewCutter(rules CutRules, detector *Detector) (*Cutter, error) {
	config := detector.config()
	if config.sample_rate_hz == 0 {
		return nil, ErrClosed
	}
	raw := C.va_cut_rules{struct_size: C.sizeof_va_cut_rules}
	if err := fillLengths([]length{
		{&raw.min_silence_ms, rules.MinSilence},
		{&raw.min_speech_ms, rules.MinSpeech},
		{&raw.max_length_ms, rules.MaxLength},
		{&raw.pad_before_ms, rules.PadBefore},
		{&raw.pad_after_ms, rules.PadAfter},
	}); err != nil {
		return nil, err
	}
	size := C.va_cutter_size(&raw, &config)
	memory := aligned(size)
	if err := check(C.call_cutter_init(memory, size, &raw, &config)); err != nil {
		return nil, err
	}
	return &Cutter{cutter: memory}, nil
}

// Cuts takes the results of one call on the detector, the events that it returned and the hops that Options.OnHop got,
// and returns the segments that they complete. Without hops a segment is complete only when later speech begins, and a limit
// cuts where it ends.
func (c *Cutter) Cuts(events []Event, hops []Hop) []Cut {
	if c.cutter == nil {
		return nil
	}
	c.events, c.hops = c.events[:0], c.hops[:0]
	for _, e := range events {
		c.events = append(c.events, C.va_event{
			_type: C.uint32_t(e.Type), position: C.uint64_t(e.Position), decided_at: C.uint64_t(e.DecidedAt)})
	}
	for _, h := range hops {
		c.hops = append(c.hops, C.va_hop{
			position: C.uint64_t(h.Position), posterior: C.float(h.Posterior), state: C.uint8_t(h.State)})
	}
	var cuts []Cut
	var cut C.va_cut
	for C.call_cutter_next(c.cutter, first[C.va_event](c.events), C.size_t(len(c.events)), first[C.va_hop](c.hops),
		C.size_t(len(c.hops)), &cut) {
		cuts = append(cuts, cutOf(&cut))
	}
	return cuts
}

// Finish returns the last segments of a stream of end samples, after those of Detector.Flush.
func (c *Cutter) Finish(end int64) []Cut {
	if c.cutter == nil || end < 0 {
		return nil
	}
	var cuts []Cut
	var cut C.va_cut
	for C.va_cutter_finish((*C.va_cutter)(c.cutter), C.uint64_t(end), &cut) {
		cuts = append(cuts, cutOf(&cut))
	}
	return cuts
}

// Needed returns the first sample that the next cut can contain: what is before it can be forgotten. The samples from
// there up to certain surely belong to the next cut; if both are the same, none has begun for sure.
func (c *Cutter) Needed() (first, certain int64) {
	if c.cutter == nil {
		return 0, 0
	}
	var until C.uint64_t
	needed := C.va_cutter_needed((*C.va_cutter)(c.cutter), &until)
	return int64(needed), int64(until)
}

// Reset starts a new stream at position 0: with Detector.Reset.
func (c *Cutter) Reset() {
	if c.cutter != nil {
		C.va_cutter_reset((*C.va_cutter)(c.cutter))
	}
}

// Fade fades a cut in and out, in place: interleaved samples of some channels, of which the first is at position. Each fade
// is length samples long, or half of a shorter cut. Nothing is faded where speech was cut: at the end of a cut that
// Continues, and at the start if the cut before does, which follows says.
func (c Cut) Fade(samples []float32, channels int, position int64, follows bool, length int64) {
	if channels < 1 || len(samples) < channels {
		return
	}
	cut := C.va_cut{start: C.uint64_t(c.Start), end: C.uint64_t(c.End), continues: C.bool(c.Continues)}
	C.va_cut_fade(first[C.float](samples), C.size_t(len(samples)/channels), C.uint32_t(channels), C.uint64_t(position), &cut,
		C.bool(follows), C.uint64_t(length))
}

func cutOf(c *C.va_cut) Cut {
	return Cut{int64(c.start), int64(c.end), int64(c.decided_at), bool(c.continues)}
}
