//go:build !system

package voiceactivity

/*
// gnu11: under c11, gcc would not contract a * b + c to the FMA that the AVX2 bodies are written for.
#cgo CFLAGS: -std=gnu11 -O2 -fvisibility=hidden -fno-lto -I${SRCDIR}
#cgo LDFLAGS: -lm
*/
import "C"
