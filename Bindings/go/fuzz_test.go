package voiceactivity_test

import (
	"fmt"
	"testing"

	"example.com/voiceactivity"
)

// Whatever the bytes are, they are restored or refused, and what is restored works.
func FuzzUnmarshalBinary(f *testing.F) {
	d := made(f, voiceactivity.Options{SampleRate: 44100})
	for i := 0; i < 3; i++ {
		saved, err := d.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(saved)
		second(d.Process(make([]int16, 5000)))
	}
	f.Fuzz(func(t *testing.T, saved []byte) {
		var d voiceactivity.Detector
		if d.UnmarshalBinary(saved) != nil {
			return
		}
		if _, err := d.Process(make([]int16, 2000)); err != nil && err != voiceactivity.ErrArgument { // it was flushed
			t.Fatal(err)
		}
		if _, err := d.Flush(); err != nil {
			t.Fatal(err)
		}
	})
}

// Any bytes are sound, and it does not matter how they are cut.
func FuzzProcess(f *testing.F) {
	f.Add([]byte("any bytes are sound"), uint16(3))
	f.Fuzz(func(t *testing.T, sound []byte, chunk uint16) {
		samples := make([]int16, 4000+len(sound)/2)
		for i := range samples[4000:] {
			samples[4000+i] = int16(sound[2*i]) | int16(sound[2*i+1])<<8
		}
		options := voiceactivity.Options{SampleRate: 8000}
		whole, cut := analyse(t, options, samples, len(samples)), analyse(t, options, samples, int(chunk)+1)
		if fmt.Sprint(whole) != fmt.Sprint(cut) {
			t.Fatalf("%v in one, %v in chunks of %d", whole, cut, int(chunk)+1)
		}
	})
}
