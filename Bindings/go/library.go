package voiceactivity

/*
#include "calls.h"
*/
import "C"

import (
	"errors"
	"unsafe"
)

// Error is a refusal of the C library. After an error the detector is as it was.
type Error int

const (
	// contract: status
	ErrArgument       Error = C.VA_ERROR_ARGUMENT        // an argument is out of range, or the stream was flushed
	ErrSampleRate     Error = C.VA_ERROR_SAMPLE_RATE     // not 8000 to 192000 Hz
	ErrThreshold      Error = C.VA_ERROR_THRESHOLD       // not 0 < offset <= onset < 1
	ErrDuration       Error = C.VA_ERROR_DURATION        // negative, longer than an hour, or too short for the longest cut
	ErrSavedData      Error = C.VA_ERROR_SAVED_DATA      // bytes that MarshalBinary did not write, or not all of them
	ErrSavedVersion   Error = C.VA_ERROR_SAVED_VERSION   // bytes of a version with another format or another network
	ErrReferenceEarly Error = C.VA_ERROR_REFERENCE_EARLY // a reference more than 100 ms ahead of the microphone
	// contract end
)

// Error returns one sentence.
func (e Error) Error() string {
	return "voiceactivity: " + C.GoString(C.va_status_text(C.va_status_code(e)))
}

// Mistakes in the use of a detector or an echo reference.
var (
	ErrClosed    = errors.New("voiceactivity: the detector or echo reference was closed, or New did not make it")
	ErrBusy      = errors.New("voiceactivity: the detector or its echo reference is in use, by another goroutine or within OnHop")
	ErrEchoInUse = errors.New("voiceactivity: the echo reference belongs to another detector")
)

func check(code C.va_status_code) error {
	if code == C.VA_OK {
		return nil
	}
	return Error(code)
}

// Version returns the version of the C library, "MAJOR.MINOR.PATCH".
func Version() string { return C.GoString(C.va_version()) }

// SIMD returns "avx512", "avx2" or "portable": the body of the analysis that a new detector uses. The environment
// variable VA_CPU limits it.
func SIMD() string { return C.GoString(C.va_simd_name()) }

// aligned returns zeroed memory as the library wants it: the objects in it contain no pointer.
func aligned(size C.size_t) unsafe.Pointer {
	memory := make([]byte, int(size)+C.VA_DETECTOR_ALIGNMENT-1)
	beyond := uintptr(unsafe.Pointer(&memory[0])) % C.VA_DETECTOR_ALIGNMENT
	return unsafe.Pointer(&memory[(C.VA_DETECTOR_ALIGNMENT-beyond)%C.VA_DETECTOR_ALIGNMENT])
}

// rateOf returns a rate as the library takes it, and one that it refuses for every rate beyond its type.
func rateOf(hz int) C.uint32_t {
	if hz < 0 || hz > C.VA_SAMPLE_RATE_MAX_HZ {
		return 0
	}
	return C.uint32_t(hz)
}

// first returns a pointer to the first element under C's name of its type, or nil if there is none.
func first[InC, Element any](elements []Element) *InC {
	if len(elements) == 0 {
		return nil
	}
	return (*InC)(unsafe.Pointer(&elements[0]))
}
