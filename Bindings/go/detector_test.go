package voiceactivity_test

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/voiceactivity"
)

var (
	_ encoding.BinaryMarshaler   = &voiceactivity.Detector{}
	_ encoding.BinaryUnmarshaler = &voiceactivity.Detector{}
	_ encoding.BinaryMarshaler   = &voiceactivity.EchoReference{}
	_ encoding.BinaryUnmarshaler = &voiceactivity.EchoReference{}
)

func made(t testing.TB, options voiceactivity.Options) *voiceactivity.Detector {
	t.Helper()
	d, err := voiceactivity.New(options)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestBadOptionsAreRefusedWithTheLibrarysSentence(t *testing.T) {
	bad := func(change func(*voiceactivity.Settings)) voiceactivity.Options {
		settings, err := voiceactivity.Notice.Settings()
		if err != nil {
			t.Fatal(err)
		}
		change(&settings)
		return voiceactivity.Options{SampleRate: 16000, Settings: &settings}
	}
	for _, c := range []struct {
		options voiceactivity.Options
		want    error
	}{
		{voiceactivity.Options{}, voiceactivity.ErrSampleRate},
		{voiceactivity.Options{SampleRate: 7999}, voiceactivity.ErrSampleRate},
		{voiceactivity.Options{SampleRate: 192001}, voiceactivity.ErrSampleRate},
		{voiceactivity.Options{SampleRate: -16000}, voiceactivity.ErrSampleRate},
		{voiceactivity.Options{SampleRate: 1<<32 + 16000}, voiceactivity.ErrSampleRate},
		{voiceactivity.Options{SampleRate: 16000, Preset: 3}, voiceactivity.ErrArgument},
		{voiceactivity.Options{SampleRate: 16000, Preset: -1}, voiceactivity.ErrArgument},
		{voiceactivity.Options{SampleRate: 16000, Settings: &voiceactivity.Settings{}}, voiceactivity.ErrThreshold},
		{bad(func(s *voiceactivity.Settings) { s.OnsetThreshold = float32(math.NaN()) }), voiceactivity.ErrThreshold},
		{bad(func(s *voiceactivity.Settings) { s.OffsetThreshold = 0.95 }), voiceactivity.ErrThreshold},
		{bad(func(s *voiceactivity.Settings) { s.Hangover = -1 }), voiceactivity.ErrDuration},
		{bad(func(s *voiceactivity.Settings) { s.Hangover = time.Hour + 1 }), voiceactivity.ErrDuration},
		{voiceactivity.Options{SampleRate: 16000, Echo: &voiceactivity.EchoReference{}}, voiceactivity.ErrClosed},
	} {
		if _, err := voiceactivity.New(c.options); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v instead of %v", c.options, err, c.want)
		}
	}
	if text := voiceactivity.ErrSampleRate.Error(); !strings.Contains(text, "8000") {
		t.Errorf("the sentence is %q", text)
	}
	if _, err := voiceactivity.Preset(7).Settings(); err != voiceactivity.ErrArgument {
		t.Errorf("preset 7: %v", err)
	}
}

func TestSettingsAreKeptInWholeMilliseconds(t *testing.T) {
	settings, err := voiceactivity.Transcription.Settings()
	if err != nil {
		t.Fatal(err)
	}
	settings.Hangover = 499*time.Millisecond + 1
	d := made(t, voiceactivity.Options{SampleRate: 44100, Settings: &settings})
	settings.Hangover = 500 * time.Millisecond
	if d.Settings() != settings || d.SampleRate() != 44100 {
		t.Errorf("got %+v at %d Hz, want %+v", d.Settings(), d.SampleRate(), settings)
	}
}

func TestAGapIsCountedToTheSampleAndToldWithItsLength(t *testing.T) {
	var missing int
	d := made(t, voiceactivity.Options{SampleRate: 16000, OnHop: func(hop voiceactivity.Hop) {
		if hop.Flags&voiceactivity.HopMissing != 0 {
			missing++
		}
	}})
	sound := make([]int16, 1600)
	var gaps []voiceactivity.Event
	keep := func(events []voiceactivity.Event, err error) {
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if e.Type == voiceactivity.Discontinuity {
				gaps = append(gaps, e)
			}
		}
	}
	// 20 s: more than one call of the library decides.
	keep(d.Process(sound))
	keep(d.PushGap(320001))
	keep(d.Process(sound))
	keep(d.Flush())
	if len(gaps) != 1 || gaps[0].Position != 1600 || gaps[0].Length != 320001 || missing != 2001 {
		t.Errorf("gaps: %+v, %d hops are missing", gaps, missing)
	}
	if s := d.Status(); s.MissingSamples != 320001 || s.Hops != (1600+320001+1600)/160 {
		t.Errorf("status: %+v", s)
	}
	for _, count := range []int64{-1, math.MinInt64, 1<<40 + 1} {
		if _, err := d.PushGap(count); err != voiceactivity.ErrArgument {
			t.Errorf("a gap of %d: %v", count, err)
		}
	}
}

func TestAFlushedDetectorTakesNothingUntilItIsReset(t *testing.T) {
	d := made(t, voiceactivity.Options{SampleRate: 16000})
	if _, err := d.Flush(); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"Process":      second(d.Process(make([]int16, 160))),
		"ProcessFloat": second(d.ProcessFloat(make([]float32, 160))),
		"PushGap":      second(d.PushGap(160)),
		"PushLevel":    second(d.PushLevel(160, 30)),
	} {
		if err != voiceactivity.ErrArgument {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := d.Flush(); err != nil {
		t.Errorf("a second Flush: %v", err)
	}
	if err := d.Reset(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Process(make([]int16, 1600)); err != nil || d.Status().Hops != 7 { // 100 ms less 30 of look-ahead
		t.Errorf("after Reset: %v, %+v", err, d.Status())
	}
}

func second[T any](_ T, err error) error { return err }

func TestAClosedDetectorSaysSo(t *testing.T) {
	closed := made(t, voiceactivity.Options{SampleRate: 16000})
	for i := 0; i < 2; i++ {
		if err := closed.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for what, d := range map[string]*voiceactivity.Detector{"closed": closed, "zero": {}} {
		for name, err := range map[string]error{
			"Process":          second(d.Process(nil)),
			"ProcessFloat":     second(d.ProcessFloat(nil)),
			"PushGap":          second(d.PushGap(1)),
			"PushLevel":        second(d.PushLevel(1, 0)),
			"Flush":            second(d.Flush()),
			"Reset":            d.Reset(),
			"SetSpeakerMargin": d.SetSpeakerMargin(3),
			"MarshalBinary":    second(d.MarshalBinary()),
		} {
			if err != voiceactivity.ErrClosed {
				t.Errorf("%s, %s: %v", what, name, err)
			}
		}
		d.SetMuted(true)
		_, _, _ = d.Status(), d.RFC6464(), d.Settings()
	}
	if err := closed.UnmarshalBinary([]byte{1}); err != voiceactivity.ErrClosed {
		t.Errorf("UnmarshalBinary: %v", err)
	}
}

func TestSamplesThatAreNoNumbersAreCountedAndDoNoHarm(t *testing.T) {
	samples, rate := read(t, "speech")
	floats := make([]float32, len(samples))
	for i, sample := range samples {
		floats[i] = float32(sample) / 32768
	}
	hostile := make([]float32, 4800)
	for i := range hostile {
		hostile[i] = []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32}[i%4]
	}
	d := made(t, voiceactivity.Options{SampleRate: rate, OnHop: func(hop voiceactivity.Hop) {
		if !(hop.Posterior >= 0 && hop.Posterior <= 1) || !(hop.LevelDBFS >= -127 && hop.LevelDBFS <= 12) {
			t.Fatalf("hop: %+v", hop)
		}
	}})
	for _, sound := range [][]float32{nil, hostile, {}, floats} {
		if _, err := d.ProcessFloat(sound); err != nil {
			t.Fatal(err)
		}
	}
	if s := d.Status(); s.NonFiniteSamples != 3600 || s.ClippedSamples < 1200 {
		t.Errorf("status: %+v", s)
	}
	if _, err := d.Flush(); err != nil {
		t.Fatal(err)
	}
}

func TestAnOnsetThresholdAloneMovesTheOffsetThreshold(t *testing.T) {
	for _, row := range []struct {
		preset        voiceactivity.Preset
		onset, offset float32
	}{
		{voiceactivity.Conversation, .3, .1}, {voiceactivity.Conversation, .66, .24},
		{voiceactivity.Notice, .75, .55}, {voiceactivity.Transcription, .5, .4},
	} {
		settings, err := row.preset.Settings()
		if err != nil {
			t.Fatal(err)
		}
		settings.MoveThresholds(row.onset)
		if settings.OnsetThreshold != row.onset || settings.OffsetThreshold != row.offset {
			t.Errorf("%v: %v, %v", row, settings.OnsetThreshold, settings.OffsetThreshold)
		}
		if got := made(t, voiceactivity.Options{SampleRate: 16000, Settings: &settings}).Settings(); got != settings {
			t.Errorf("%v: the detector has %v", row, got)
		}
	}
}

func TestALevelWithTheVoiceBitIsSpeech(t *testing.T) {
	d := made(t, voiceactivity.Options{SampleRate: 48000})
	var events []voiceactivity.Event
	for packet := 0; packet < 20; packet++ {
		level := byte(60)
		if packet >= 10 {
			level = 128 + 30
		}
		found, err := d.PushLevel(960, level)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, found...)
	}
	if len(events) != 1 || events[0].Type != voiceactivity.Onset || events[0].Position != 9600 || d.RFC6464() != 128+30 {
		t.Errorf("events: %+v, RFC 6464: %d", events, d.RFC6464())
	}
	// A level of a minute has more results than the library returns at once.
	if _, err := d.PushLevel(48000*60, 60); err != nil {
		t.Fatal(err)
	}
	if hops := d.Status().Hops; hops != 40+6000-3 { // less the look-ahead
		t.Errorf("%d hops", hops)
	}
	if _, err := d.PushLevel(-1, 60); err != voiceactivity.ErrArgument {
		t.Errorf("a level of -1 samples: %v", err)
	}
}

func TestASavedStreamContinuesAsIfItHadNotMoved(t *testing.T) {
	for _, name := range recordings(t) {
		samples, rate := read(t, name)
		for _, at := range []int{0, 1, len(samples) / 3, len(samples)/2 + 77} {
			first := made(t, voiceactivity.Options{SampleRate: rate, Preset: voiceactivity.Transcription})
			var events []voiceactivity.Event
			keep := func(found []voiceactivity.Event, err error) {
				if err != nil {
					t.Fatal(err)
				}
				events = append(events, found...)
			}
			keep(first.Process(samples[:at]))
			saved, err := first.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			var second voiceactivity.Detector
			if err := second.UnmarshalBinary(saved); err != nil {
				t.Fatal(err)
			}
			if second.SampleRate() != rate || second.Settings() != first.Settings() {
				t.Errorf("%s: %d Hz, %+v", name, second.SampleRate(), second.Settings())
			}
			keep(second.Process(samples[at:]))
			keep(second.Flush())
			options := voiceactivity.Options{SampleRate: rate, Preset: voiceactivity.Transcription}
			if want := analyse(t, options, samples, len(samples)); fmt.Sprint(events) != fmt.Sprint(want) {
				t.Errorf("%s, moved at %d: %v instead of %v", name, at, events, want)
			}
		}
	}
}

func TestForeignTornAndChangedBytesAreRefused(t *testing.T) {
	d := made(t, voiceactivity.Options{SampleRate: 16000})
	d.SetMuted(true)
	saved, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	changed := append([]byte(nil), saved...)
	changed[len(changed)/2] ^= 1
	for what, b := range map[string][]byte{
		"nil": nil, "empty": {}, "torn": saved[:len(saved)-1], "longer": append(changed[:0:0], append(saved, 0)...),
		"changed": changed, "foreign": bytes.Repeat([]byte("no"), 1000),
	} {
		err := d.UnmarshalBinary(b)
		if err != voiceactivity.ErrSavedData && err != voiceactivity.ErrSavedVersion {
			t.Errorf("%s: %v", what, err)
		}
	}
	if !d.Status().IsMuted || d.SampleRate() != 16000 {
		t.Error("a refusal has changed the detector")
	}
}

func TestTheSpeakersLevelIsLearnedKeptAndForgotten(t *testing.T) {
	samples, rate := read(t, "speech")
	d := made(t, voiceactivity.Options{SampleRate: rate})
	if _, err := d.Process(samples); err != nil {
		t.Fatal(err)
	}
	level, learned, err := d.SpeakerLevel()
	if err != nil || level < -60 || level > 0 || learned < 3*time.Second {
		t.Fatalf("%v dBFS of %v, %v", level, learned, err)
	}
	if err := d.ChangeInputGain(6); err != nil {
		t.Fatal(err)
	}
	if louder, _, _ := d.SpeakerLevel(); math.Abs(float64(louder-level-6)) > 0.01 {
		t.Errorf("%v dBFS after 6 dB instead of %v", louder, level+6)
	}
	if err := d.SetSpeakerLevel(-30, time.Hour); err != nil {
		t.Fatal(err)
	}
	if level, learned, _ := d.SpeakerLevel(); math.Abs(float64(level+30)) > 0.01 || learned != 30*time.Second {
		t.Errorf("%v dBFS of %v", level, learned)
	}
	if err := d.SetSpeakerMargin(float32(math.Inf(1))); err != nil {
		t.Errorf("an infinite margin: %v", err)
	}
	for what, err := range map[string]error{
		"a level of 13 dBFS": d.SetSpeakerLevel(13, time.Second), "a negative time": d.SetSpeakerLevel(-30, -1),
		"a margin of 41 dB": d.SetSpeakerMargin(41), "no margin": d.SetSpeakerMargin(float32(math.NaN())),
		"a gain of 61 dB": d.ChangeInputGain(61),
	} {
		if err != voiceactivity.ErrArgument {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// The microphone hears nothing but the loudspeaker, 100 ms later and 6 dB softer; or two of them in opposite phase.
func TestTheFarEndIsNoSpeechBesideItsReference(t *testing.T) {
	for _, channels := range []int{1, 2} {
		theFarEndIsNoSpeech(t, channels)
	}
}

func theFarEndIsNoSpeech(t *testing.T, channels int) {
	played, rate := read(t, "speech")
	heard := make([]int16, len(played))
	for i := rate / 10; i < len(heard); i++ {
		heard[i] = played[i-rate/10] / 2
	}
	echo, err := voiceactivity.NewEchoReference(rate)
	if err != nil {
		t.Fatal(err)
	}
	d := made(t, voiceactivity.Options{SampleRate: rate, Preset: voiceactivity.Notice, Echo: echo})
	if _, err := voiceactivity.New(voiceactivity.Options{SampleRate: rate, Echo: echo}); err != voiceactivity.ErrEchoInUse {
		t.Errorf("a second detector: %v", err)
	}
	d.SetMuted(true)
	var events []voiceactivity.Event
	for i := 0; i < len(played); i += rate / 100 {
		if i == len(played)/rate/2*rate { // moved in the middle
			for _, part := range []interface {
				encoding.BinaryMarshaler
				encoding.BinaryUnmarshaler
			}{d, echo} {
				saved, err := part.MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				if err := part.UnmarshalBinary(saved); err != nil {
					t.Fatal(err)
				}
			}
		}
		end := i + rate/100
		if end > len(played) {
			end = len(played)
		}
		var frames []int16
		for _, sample := range played[i:end] {
			frames = append(frames, sample)
			if channels == 2 {
				frames = append(frames, -sample)
			}
		}
		if err := echo.PushInterleaved(frames, channels); err != nil {
			t.Fatal(err)
		}
		found, err := d.Process(heard[i:end])
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, found...)
	}
	if len(events) > 0 {
		t.Errorf("events: %v", events)
	}
	if state, err := echo.State(); err != nil || state.DelayMS < 80 || state.DelayMS > 120 || state.Fit < 0.15 {
		t.Errorf("%+v, %v", state, err)
	}
	if without := analyse(t, voiceactivity.Options{SampleRate: rate, Preset: voiceactivity.Notice}, heard, 1000); len(without) == 0 {
		t.Error("without the reference there is no speech either")
	}
	d.Close()
	made(t, voiceactivity.Options{SampleRate: rate, Echo: echo})
}

func TestAReferenceIsRefusedWhereItDoesNotFit(t *testing.T) {
	if _, err := voiceactivity.NewEchoReference(7999); err != voiceactivity.ErrSampleRate {
		t.Errorf("7999 Hz: %v", err)
	}
	echo, err := voiceactivity.NewEchoReference(48000)
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"nothing": echo.Push(nil), "no floats": echo.PushFloat(nil), "floats": echo.PushFloat(make([]float32, 480)),
		"silence": echo.PushSilence(480), "stereo": echo.PushInterleavedFloat(make([]float32, 480), 2),
	} {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := echo.Push(make([]int16, 9600)); err != voiceactivity.ErrReferenceEarly {
		t.Errorf("200 ms too early: %v", err)
	}
	for what, err := range map[string]error{
		"9 channels": echo.PushInterleaved(make([]int16, 9), 9), "none": echo.PushInterleavedFloat(make([]float32, 9), 0),
		"half a frame": echo.PushInterleaved(make([]int16, 9), 2),
	} {
		if err != voiceactivity.ErrArgument {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := echo.PushSilence(-1); err != voiceactivity.ErrArgument {
		t.Errorf("less than nothing: %v", err)
	}
	if err := echo.UnmarshalBinary(make([]byte, 300)); err != voiceactivity.ErrSavedData {
		t.Errorf("zeros: %v", err)
	}
	if err := (&voiceactivity.EchoReference{}).Push(nil); err != voiceactivity.ErrClosed {
		t.Errorf("the zero value: %v", err)
	}
}

// What a second goroutine does while one analyses is either allowed or refused, and never breaks the stream.
func TestGoroutinesCannotBreakADetector(t *testing.T) {
	samples, rate := read(t, "speech")
	inside, proceed := make(chan bool), make(chan bool)
	var once sync.Once
	d := made(t, voiceactivity.Options{SampleRate: rate, OnHop: func(voiceactivity.Hop) {
		once.Do(func() { inside <- true; <-proceed })
	}})
	var events []voiceactivity.Event
	var failure error
	finished := make(chan bool)
	go func() {
		events, failure = d.Process(samples)
		close(finished)
	}()
	<-inside
	for name, err := range map[string]error{
		"Process": second(d.Process(samples)), "Flush": second(d.Flush()), "Reset": d.Reset(),
		"UnmarshalBinary": d.UnmarshalBinary([]byte{1}), "MarshalBinary": second(d.MarshalBinary()),
	} {
		if err != voiceactivity.ErrBusy {
			t.Errorf("%s: %v", name, err)
		}
	}
	close(proceed)
	for working := true; working; { // the allowed calls, under the race detector
		select {
		case <-finished:
			working = false
		default:
			d.SetMuted(true)
			_, _ = d.Status(), d.RFC6464()
			d.SetMuted(false)
		}
	}
	if failure != nil || len(events) == 0 {
		t.Fatal(failure, events)
	}
	speech := func(events []voiceactivity.Event) (found []voiceactivity.Event) {
		for _, event := range events {
			if event.Type == voiceactivity.Onset || event.Type == voiceactivity.Offset {
				found = append(found, event)
			}
		}
		return found
	}
	last, err := d.Flush()
	if err != nil {
		t.Fatal(err)
	}
	got, want := speech(append(events, last...)), analyse(t, voiceactivity.Options{SampleRate: rate}, samples, 160)
	if fmt.Sprint(got) != fmt.Sprint(speech(want)) {
		t.Errorf("%v instead of %v", got, want)
	}
}

func TestDetectorsNeedNoClose(t *testing.T) {
	resident := func() (pages int) {
		statm, err := os.ReadFile("/proc/self/statm")
		if err != nil {
			t.Skip(err)
		}
		var size int
		fmt.Sscan(string(statm), &size, &pages)
		return pages * os.Getpagesize()
	}
	make1000 := func() {
		for i := 0; i < 1000; i++ {
			second(made(t, voiceactivity.Options{SampleRate: 48000}).Process(make([]int16, 480)))
		}
	}
	make1000()
	before := resident()
	for i := 0; i < 20; i++ {
		make1000()
	}
	if grown := resident() - before; grown > 64<<20 { // 20,000 detectors are 200 MB
		t.Errorf("%d bytes more are in use", grown)
	}
}

func TestTheNamesOfTypesAndStates(t *testing.T) {
	names := fmt.Sprint(voiceactivity.Onset, voiceactivity.MutedSpeechBegin, voiceactivity.MutedSpeechEnd,
		voiceactivity.Discontinuity, voiceactivity.EventType(9), voiceactivity.Silence, voiceactivity.PendingOnset,
		voiceactivity.Speech, voiceactivity.Hangover, voiceactivity.State(9))
	if names != "onset muted speech begin muted speech end discontinuity event 9 "+
		"silence pending onset speech hangover state 9" {
		t.Error(names)
	}
}
