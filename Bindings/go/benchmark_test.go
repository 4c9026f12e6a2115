package voiceactivity_test

import (
	"testing"
	"time"

	"example.com/voiceactivity"
)

// BenchmarkHop measures 10 ms of speech, in packets of 20 ms, or in one piece.
func BenchmarkHop(b *testing.B) {
	for _, c := range []struct {
		name        string
		recording   string
		packetParts int // of a second
	}{{"16kHz/20ms", "speech", 50}, {"16kHz/1s", "speech", 1}} {
		b.Run(c.name, func(b *testing.B) {
			samples, rate := read(b, c.recording)
			d := made(b, voiceactivity.Options{SampleRate: rate})
			packet := rate / c.packetParts
			hops := 100 / c.packetParts
			b.ReportAllocs()
			b.ResetTimer()
			start := time.Now()
			at := 0
			for i := 0; i < b.N; i++ {
				if at+packet > len(samples) {
					at = 0
				}
				if _, err := d.Process(samples[at : at+packet]); err != nil {
					b.Fatal(err)
				}
				at += packet
			}
			b.ReportMetric(float64(time.Since(start).Nanoseconds())/float64(b.N)/float64(hops), "ns/hop")
		})
	}
}
