package voiceactivity_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/voiceactivity"
)

// cut returns the segments of samples, which it passes in chunks of a length.
func cut(t testing.TB, rules voiceactivity.CutRules, samples []int16, rate, chunk int) []voiceactivity.Cut {
	var hops []voiceactivity.Hop
	onHop := func(hop voiceactivity.Hop) { hops = append(hops, hop) }
	d := made(t, voiceactivity.Options{SampleRate: rate, OnHop: onHop})
	cutter, err := voiceactivity.NewCutter(rules, d)
	if err != nil {
		t.Fatal(err)
	}
	var cuts []voiceactivity.Cut
	keep := func(events []voiceactivity.Event, err error) {
		if err != nil {
			t.Fatal(err)
		}
		cuts = append(cuts, cutter.Cuts(events, hops)...)
		hops = hops[:0]
		if first, certain := cutter.Needed(); first > certain || len(cuts) > 0 && first < cuts[len(cuts)-1].End {
			t.Fatalf("needed from %d, certain up to %d, after %v", first, certain, cuts)
		}
	}
	for at := 0; at < len(samples); at += chunk {
		end := at + chunk
		if end > len(samples) {
			end = len(samples)
		}
		keep(d.Process(samples[at:end]))
	}
	keep(d.Flush())
	return append(cuts, cutter.Finish(int64(len(samples)))...)
}

func TestTheCutsAreVadmonsHoweverTheStreamIsCut(t *testing.T) {
	rules := voiceactivity.CutRules{MinSilence: 2 * time.Second, MinSpeech: 300 * time.Millisecond,
		MaxLength: 2 * time.Second, PadBefore: 100 * time.Millisecond, PadAfter: 100 * time.Millisecond}
	continued := 0
	for _, name := range recordings(t) {
		samples, rate := read(t, name)
		want, err := os.ReadFile("testdata/" + name + ".cuts")
		if err != nil {
			t.Fatal(err)
		}
		for _, chunk := range []int{rate / 100, rate/50 + 1, len(samples)} {
			var got strings.Builder
			for _, cut := range cut(t, rules, samples, rate, chunk) {
				fmt.Fprintf(&got, "%.3f\t%.3f\tspeech\n", float64(cut.Start)/float64(rate), float64(cut.End)/float64(rate))
				if cut.Continues {
					continued++
				}
			}
			if got.String() != string(want) {
				t.Errorf("%s in chunks of %d: got\n%swant\n%s", name, chunk, got.String(), want)
			}
		}
	}
	if continued == 0 {
		t.Error("no speech was cut")
	}
}

func TestWrongRulesAreRefused(t *testing.T) {
	d := made(t, voiceactivity.Options{SampleRate: 16000})
	for _, rules := range []voiceactivity.CutRules{
		{MinSilence: -1}, {PadAfter: time.Hour + 1}, {MaxLength: 999 * time.Millisecond},
		{MaxLength: 2 * time.Second, PadBefore: 600 * time.Millisecond, PadAfter: 600 * time.Millisecond},
	} {
		if _, err := voiceactivity.NewCutter(rules, d); !errors.Is(err, voiceactivity.ErrDuration) {
			t.Errorf("%+v: %v", rules, err)
		}
	}
	if _, err := voiceactivity.NewCutter(voiceactivity.CutRules{}, &voiceactivity.Detector{}); err != voiceactivity.ErrClosed {
		t.Errorf("the zero value of a detector: %v", err)
	}
}

func TestACutterThatIsResetBeginsAnew(t *testing.T) {
	d := made(t, voiceactivity.Options{SampleRate: 16000})
	cutter, err := voiceactivity.NewCutter(voiceactivity.CutRules{MinSilence: time.Second}, d)
	if err != nil {
		t.Fatal(err)
	}
	onset := voiceactivity.Event{Type: voiceactivity.Onset, Position: 1600}
	offset := voiceactivity.Event{Type: voiceactivity.Offset, Position: 3200, DecidedAt: 5000}
	cutter.Cuts([]voiceactivity.Event{onset}, nil)
	cutter.Reset()
	if got := cutter.Finish(8000); got != nil {
		t.Errorf("after a reset: %v", got)
	}
	cutter.Cuts([]voiceactivity.Event{onset, offset}, nil)
	want := voiceactivity.Cut{Start: 1600, End: 3200, DecidedAt: 5000}
	if got := cutter.Finish(8000); len(got) != 1 || got[0] != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestTheZeroValueOfACutterHasNoCuts(t *testing.T) {
	var cutter voiceactivity.Cutter
	cutter.Reset()
	onset := voiceactivity.Event{Type: voiceactivity.Onset, Position: 1600}
	if cuts := cutter.Cuts([]voiceactivity.Event{onset}, []voiceactivity.Hop{{}}); cuts != nil {
		t.Errorf("Cuts: %v", cuts)
	}
	if cuts := cutter.Finish(8000); cuts != nil {
		t.Errorf("Finish: %v", cuts)
	}
	if first, certain := cutter.Needed(); first != 0 || certain != 0 {
		t.Errorf("Needed: %d, %d", first, certain)
	}
}

func TestACutFadesExceptWhereSpeechWasCut(t *testing.T) {
	samples := make([]float32, 200)
	for i := range samples {
		samples[i] = 1
	}
	voiceactivity.Cut{Start: 10, End: 90, Continues: true}.Fade(samples, 2, 0, false, 8)
	for i, sample := range samples {
		if fades := i/2 >= 10 && i/2 < 18; fades != (sample < 1) || sample <= 0 {
			t.Errorf("frame %d: %v", i/2, sample)
		}
	}
	voiceactivity.Cut{End: 90}.Fade(nil, 0, 0, false, 8)
}
