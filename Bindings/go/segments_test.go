package voiceactivity_test

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	"example.com/voiceactivity"
	"example.com/voiceactivity/internal/wav"
)

// recordings returns the WAV files of testdata. Beside each are the segments that vadmon finds in it.
func recordings(t testing.TB) []string {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatalf("%v: make go in the repository writes the recordings", err)
	}
	var names []string
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ".wav") {
			names = append(names, strings.TrimSuffix(name, ".wav"))
		}
	}
	if len(names) == 0 {
		t.Fatal("testdata holds no recordings")
	}
	return names
}

func read(t testing.TB, name string) (samples []int16, rate int) {
	samples, rate, err := wav.Read("testdata/" + name + ".wav")
	if err != nil {
		t.Fatal(err)
	}
	return samples, rate
}

// analyse returns all events of samples, which it passes in chunks of a length.
func analyse(t testing.TB, options voiceactivity.Options, samples []int16, chunk int) []voiceactivity.Event {
	d := made(t, options)
	defer d.Close()
	var all []voiceactivity.Event
	keep := func(events []voiceactivity.Event, err error) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, events...)
	}
	for len(samples) > 0 {
		if chunk > len(samples) {
			chunk = len(samples)
		}
		keep(d.Process(samples[:chunk]))
		samples = samples[chunk:]
	}
	keep(d.Flush())
	return all
}

// labels writes events as vadmon writes Audacity's labels.
func labels(events []voiceactivity.Event, rate int) string {
	var text strings.Builder
	var onset float64
	for _, event := range events {
		seconds := float64(event.Position) / float64(rate)
		switch event.Type {
		case voiceactivity.Onset:
			onset = seconds
		case voiceactivity.Offset:
			fmt.Fprintf(&text, "%.3f\t%.3f\tspeech\n", onset, seconds)
		}
	}
	return text.String()
}

func TestTheSegmentsAreVadmonsHoweverTheStreamIsCut(t *testing.T) {
	for _, name := range recordings(t) {
		samples, rate := read(t, name)
		want, err := os.ReadFile("testdata/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for _, chunk := range []int{1, 7, rate / 100, rate/50 + 1, len(samples)} {
			if got := labels(analyse(t, voiceactivity.Options{SampleRate: rate}, samples, chunk), rate); got != string(want) {
				t.Errorf("%s in chunks of %d: got\n%swant\n%s", name, chunk, got, want)
			}
		}
	}
}

func TestFloatsAreTheSameSound(t *testing.T) {
	samples, rate := read(t, "speech")
	floats := make([]float32, len(samples))
	for i, sample := range samples {
		floats[i] = float32(sample) / 32768
	}
	d := made(t, voiceactivity.Options{SampleRate: rate})
	got, err := d.ProcessFloat(floats)
	if err != nil {
		t.Fatal(err)
	}
	last, err := d.Flush()
	if err != nil {
		t.Fatal(err)
	}
	want := analyse(t, voiceactivity.Options{SampleRate: rate}, samples, len(samples))
	if got := append(got, last...); len(want) == 0 || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("floats: %v\n16 bits: %v", got, want)
	}
}

func posteriors(t *testing.T, name string) []float32 {
	samples, rate := read(t, name)
	var all []float32
	onHop := func(hop voiceactivity.Hop) {
		if want := int64(len(all)) * int64(rate) / 100; hop.Position != want {
			t.Fatalf("hop %d is at %d instead of %d", len(all), hop.Position, want)
		}
		all = append(all, hop.Posterior)
	}
	analyse(t, voiceactivity.Options{SampleRate: rate, OnHop: onHop}, samples, 1000)
	if len(all) != len(samples)*100/rate {
		t.Fatalf("%s: %d hops of %d samples", name, len(all), len(samples))
	}
	return all
}

// Between SIMD bodies nearly all hops agree to 0.02. These recordings are short, and stay within half of it.
func TestSIMDBodiesAgree(t *testing.T) {
	best := voiceactivity.SIMD()
	if best == "portable" {
		t.Skip("there is only the portable body")
	}
	for _, name := range recordings(t) {
		fast := posteriors(t, name)
		t.Setenv("VA_CPU", "portable")
		if got := voiceactivity.SIMD(); got != "portable" {
			t.Fatalf("VA_CPU=portable gives %s", got)
		}
		slow := posteriors(t, name)
		os.Unsetenv("VA_CPU")
		var most float64
		for i := range fast {
			most = math.Max(most, math.Abs(float64(fast[i]-slow[i])))
		}
		if !(most <= 0.01) {
			t.Errorf("%s: posteriors of %s and portable differ by %v", name, best, most)
		}
	}
}

// A build whose SIMD body is portable on a machine with AVX2 was built wrongly.
func TestTheProcessorsBodyIsUsed(t *testing.T) {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil || os.Getenv("VA_CPU") != "" || runtime.GOARCH != "amd64" {
		t.Skip("no /proc/cpuinfo, VA_CPU is set, or the processor has one body")
	}
	if hasAVX2 := strings.Contains(string(info), " avx2 "); hasAVX2 == (voiceactivity.SIMD() == "portable") {
		t.Errorf("AVX2 of the processor: %t; body: %s", hasAVX2, voiceactivity.SIMD())
	}
}
