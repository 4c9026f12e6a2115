//go:build !system

package voiceactivity

/*
// Packaging/package-go.sh puts the library's own flags in front.
#cgo CFLAGS: -O2 -I${SRCDIR}
#cgo LDFLAGS: -lm
*/
import "C"
