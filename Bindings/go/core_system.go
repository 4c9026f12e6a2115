//go:build system

package voiceactivity

/*
#cgo pkg-config: voiceactivity
*/
import "C"
