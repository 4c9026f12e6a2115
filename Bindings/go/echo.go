package voiceactivity

/*
#include "calls.h"
*/
import "C"

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// EchoReference knows what a loudspeaker beside the microphone plays, and takes it out of what its detector decides:
// the far end no longer counts as speech.
//
// Make it, pass it to New in Options.Echo, and push what plays in a period before the detector processes what is heard
// in that period, at most 100 ms earlier. Both streams begin at the same time. It belongs to the goroutine of its
// detector. Levels (PushLevel) know no echo.
type EchoReference struct {
	use      sync.Mutex // held by the goroutine that uses it; nobody waits for it
	attached atomic.Bool
	echo     unsafe.Pointer // a va_echo in Go's memory
}

// EchoState is what an echo reference has found.
type EchoState struct {
	DelayMS     int     // from the reference to the microphone, 0 to 740, in steps of 20
	Fit         float32 // -1 to 1: how well both move together; with echo above 0.15, without below 0.1
	CouplingDB  float32 // microphone over reference; 0 until it was learned
	LateSamples int64   // samples of the reference that came after their time, and were left out
}

// NewEchoReference makes an echo reference. The microphone may have another rate. Its error is ErrSampleRate.
func NewEchoReference(sampleRate int) (*EchoReference, error) {
	size := C.va_echo_size()
	memory := aligned(size)
	if err := check(C.call_echo_init(memory, size, rateOf(sampleRate))); err != nil {
		return nil, err
	}
	return &EchoReference{echo: memory}, nil
}

// Push takes what plays next. ErrReferenceEarly: it reaches more than 100 ms beyond the microphone's samples, and none
// was taken.
func (e *EchoReference) Push(samples []int16) error { return e.PushInterleaved(samples, 1) }

// PushFloat is Push for samples of which full scale is ±1.
func (e *EchoReference) PushFloat(samples []float32) error { return e.PushInterleavedFloat(samples, 1) }

// PushInterleaved is Push for 1 to 8 channels, one sample of each after the other. What counts is their mean. As in a
// room, channels in opposite phase do not cancel: where the odd-numbered channels, counted from 0, are together most of
// the time the opposite of the others, they count inverted. ErrArgument: another number of channels, or no whole frames.
func (e *EchoReference) PushInterleaved(frames []int16, channels int) error {
	return e.with(func(echo *C.va_echo) C.va_status_code {
		count, each, code := shapeOf(len(frames), channels)
		if code != C.VA_OK {
			return code
		}
		return C.va_echo_push_interleaved_s16(echo, first[C.int16_t](frames), count, each)
	})
}

// PushInterleavedFloat is PushInterleaved for samples of which full scale is ±1.
func (e *EchoReference) PushInterleavedFloat(frames []float32, channels int) error {
	return e.with(func(echo *C.va_echo) C.va_status_code {
		count, each, code := shapeOf(len(frames), channels)
		if code != C.VA_OK {
			return code
		}
		return C.va_echo_push_interleaved(echo, first[C.float](frames), count, each)
	})
}

// shapeOf returns the frames and channels of interleaved samples.
func shapeOf(samples, channels int) (C.size_t, C.uint32_t, C.va_status_code) {
	if channels < 1 || channels > C.VA_ECHO_CHANNELS_MAX || samples%channels != 0 {
		return 0, 0, C.VA_ERROR_ARGUMENT
	}
	return C.size_t(samples / channels), C.uint32_t(channels), C.VA_OK
}

// PushSilence takes count samples of silence, or of which nothing is known. Continue the reference with it while nothing
// plays and through gaps, those over 100 ms after PushGap: samples count from the beginning, so that otherwise all that
// plays later comes too late, is left out (EchoState.LateSamples), and counts as speech. Silence of the length that is
// missing mends that.
func (e *EchoReference) PushSilence(count int64) error {
	if count < 0 {
		return ErrArgument
	}
	return e.with(func(echo *C.va_echo) C.va_status_code { return C.va_echo_push_silence(echo, C.uint64_t(count)) })
}

// State returns what it has found.
func (e *EchoReference) State() (EchoState, error) {
	s := C.va_echo_status{struct_size: C.sizeof_va_echo_status}
	if err := e.with(func(echo *C.va_echo) C.va_status_code { return C.va_echo_state(echo, &s) }); err != nil {
		return EchoState{}, err
	}
	return EchoState{int(s.delay_ms), float32(s.fit), float32(s.coupling_db), int64(s.late_samples)}, nil
}

// MarshalBinary saves what it remembers, at most 4 KiB. Save the detector between the same two calls. It implements
// encoding.BinaryMarshaler.
func (e *EchoReference) MarshalBinary() ([]byte, error) {
	bytes := make([]byte, C.va_echo_saved_size())
	var size C.size_t
	err := e.with(func(echo *C.va_echo) C.va_status_code {
		return C.va_echo_save(echo, unsafe.Pointer(&bytes[0]), C.size_t(len(bytes)), &size)
	})
	if err != nil {
		return nil, err
	}
	return bytes[:size], nil
}

// UnmarshalBinary continues a saved echo reference in place of this one, which may be the zero value. ErrSavedData and
// ErrSavedVersion refuse the bytes, and leave it as it was. It implements encoding.BinaryUnmarshaler.
func (e *EchoReference) UnmarshalBinary(bytes []byte) error {
	if len(bytes) == 0 {
		return ErrSavedData
	}
	if !e.use.TryLock() {
		return ErrBusy
	}
	defer e.use.Unlock()
	size := C.va_echo_size()
	memory := aligned(size)
	if err := check(C.call_echo_restore(memory, size, unsafe.Pointer(&bytes[0]), C.size_t(len(bytes)))); err != nil {
		return err
	}
	e.echo = memory
	return nil
}

// attach gives it to a detector.
func (e *EchoReference) attach() error {
	if !e.use.TryLock() {
		return ErrBusy
	}
	defer e.use.Unlock()
	if e.echo == nil {
		return ErrClosed
	}
	if e.attached.Swap(true) {
		return ErrEchoInUse
	}
	return nil
}

func (e *EchoReference) with(call func(*C.va_echo) C.va_status_code) error {
	if !e.use.TryLock() {
		return ErrBusy
	}
	defer e.use.Unlock()
	if e.echo == nil {
		return ErrClosed
	}
	return check(call((*C.va_echo)(e.echo)))
}
