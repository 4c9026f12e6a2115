// Package voiceactivity detects speech in a stream of PCM, and that the user speaks while muted.
//
// A Detector follows one mono stream. It takes samples at any rate from 8 to 192 kHz, in chunks of any length, and
// returns events: where speech begins and where it ends. How a stream is cut into chunks does not change its events.
//
// # Goroutines
//
// One goroutine at a time uses a Detector; another one gets ErrBusy, and so does OnHop. Any goroutine may call SetMuted,
// Status, RFC6464, SampleRate, Settings and Close at any time, except during UnmarshalBinary. Different detectors do not
// depend on each other. A method runs C code that neither blocks nor calls back into Go, at some 50 ns for each call: pass
// whole packets.
//
// # Memory
//
// A Detector and an EchoReference live in Go's memory, some 8 and 4 KiB. The garbage collector frees them like any other
// value: there is no finalizer, and nothing leaks if Close is not called. Close is for finding mistakes: methods that
// return an error return ErrClosed afterwards. It also frees the EchoReference for another Detector, which the garbage
// collector does not.
//
// # Building
//
// The C library is part of the package, and cgo compiles it: a C compiler (gcc 12 or clang 14, or later) is all that
// it needs. With the build tag "system", pkg-config finds an installed libvoiceactivity instead.
package voiceactivity
