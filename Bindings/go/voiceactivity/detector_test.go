package voiceactivity

import (
	"strings"
	"testing"
)

func TestARateOutOfRangeIsRefusedWithTheLibrarysSentence(t *testing.T) {
	if _, err := New(7999, Notice); err == nil || !strings.Contains(err.Error(), "8000") {
		t.Fatalf("got %v", err)
	}
}

func TestAGapIsCountedToTheSampleAndToldWithItsLength(t *testing.T) {
	d, err := New(16000, Conversation)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var gaps []Event
	keep := func(e Event) {
		if e.Type == Discontinuity {
			gaps = append(gaps, e)
		}
	}
	sound := make([]int16, 1600)
	// 20 s: more than one call decides, so that Process has to fetch the rest.
	for _, err := range []error{d.Process(sound, keep), d.PushGap(320001, keep), d.Process(sound, keep), d.Flush(keep)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(gaps) != 1 || gaps[0].Position != 1600 || gaps[0].LengthSamples != 320001 {
		t.Errorf("gaps: %+v", gaps)
	}
	if s := d.Status(); s.MissingSamples != 320001 || s.Hops != (1600+320001+1600)/160 {
		t.Errorf("status: %+v", s)
	}
	if err := d.Process(sound, keep); err == nil {
		t.Error("a flushed detector took samples")
	}
}

func TestMutingIsSeenAtOnceAndFromAnyGoroutine(t *testing.T) {
	d, err := New(48000, Notice)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	done := make(chan bool)
	go func() { d.SetMuted(true); close(done) }()
	<-done
	if !d.Status().IsMuted {
		t.Error("not muted")
	}
}

func TestALevelWithTheVoiceBitIsSpeech(t *testing.T) {
	d, err := New(48000, Conversation)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var events []Event
	for packet := 0; packet < 20; packet++ {
		level := byte(60)
		if packet >= 10 {
			level = 128 + 30
		}
		if err := d.PushLevel(960, level, func(e Event) { events = append(events, e) }); err != nil {
			t.Fatal(err)
		}
	}
	if len(events) != 1 || events[0].Type != Onset || events[0].Position != 9600 || d.RFC6464() != 128+30 {
		t.Errorf("events: %+v, RFC 6464: %d", events, d.RFC6464())
	}
}
