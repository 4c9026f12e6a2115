package voiceactivity_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/voiceactivity"
)

// contract returns the folder that every binding's tests share, and the talk in it.
func contract(t *testing.T) (folder string, talk []int16) {
	t.Helper()
	folder = os.Getenv("CONTRACT")
	if folder == "" {
		t.Skip("CONTRACT names no folder with the talk")
	}
	sound, err := os.ReadFile(folder + "/talk.s16")
	if err != nil {
		t.Fatal(err)
	}
	talk = make([]int16, len(sound)/2)
	for n := range talk {
		talk[n] = int16(binary.LittleEndian.Uint16(sound[2*n:]))
	}
	return folder, talk
}

// TestEveryStreamHasTheAnswersOfC replays Tests/Contract/streams.txt, which every binding replays.
func TestEveryStreamHasTheAnswersOfC(t *testing.T) {
	folder, talk := contract(t)
	streams, err := os.ReadFile(folder + "/streams.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range strings.Split(strings.TrimSpace(string(streams)), "\n\n")[1:] {
		lines := strings.Split(text, "\n")
		t.Run(strings.Fields(lines[0])[1], func(t *testing.T) {
			var expected []string
			stream := newStream(t, talk, strings.Fields(lines[0]))
			for _, line := range lines[1:] {
				if strings.HasPrefix(line, ">") {
					expected = append(expected, line)
				} else {
					stream.do(strings.Fields(line))
				}
			}
			answers := strings.Join(stream.all(), "\n")
			if answers != strings.Join(expected, "\n") {
				t.Errorf("answered\n%s\ninstead of\n%s", answers, strings.Join(expected, "\n"))
			}
		})
	}
}

type stream struct {
	t        *testing.T
	talk     []int16
	options  voiceactivity.Options
	rules    *voiceactivity.CutRules
	detector *voiceactivity.Detector
	cutter   *voiceactivity.Cutter
	position int
	answers  []string
	hops     []voiceactivity.Hop // of the call
	cuts     []string
	runs     []string
	count    int
	last     string
}

func newStream(t *testing.T, talk []int16, head []string) *stream {
	s := &stream{t: t, talk: talk}
	rate, err := strconv.Atoi(head[2])
	if err != nil {
		t.Fatal(err)
	}
	preset := map[string]voiceactivity.Preset{"conversation": voiceactivity.Conversation, "notice": voiceactivity.Notice,
		"transcription": voiceactivity.Transcription}[head[3]]
	settings, err := preset.Settings()
	if err != nil {
		t.Fatal(err)
	}
	s.options = voiceactivity.Options{SampleRate: rate, Settings: &settings, OnHop: s.hop}
	if strings.Contains(head[1], "echo") {
		if s.options.Echo, err = voiceactivity.NewEchoReference(rate); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func name(spoken fmt.Stringer) string { return strings.ReplaceAll(spoken.String(), " ", "_") }

func (s *stream) hop(hop voiceactivity.Hop) {
	s.hops = append(s.hops, hop)
	var flags []string
	for _, flag := range []struct {
		bit  voiceactivity.HopFlags
		name string
	}{{voiceactivity.HopSpeech, "speech"}, {voiceactivity.HopMuted, "muted"},
		{voiceactivity.HopMutedSpeech, "muted_speech"}, {voiceactivity.HopMissing, "missing"},
		{voiceactivity.HopLevelOnly, "level_only"}, {voiceactivity.HopEcho, "echo"}} {
		if hop.Flags&flag.bit != 0 {
			flags = append(flags, flag.name)
		}
	}
	if flags == nil {
		flags = []string{"-"}
	}
	text := name(hop.State) + " " + strings.Join(flags, "+")
	if text != s.last {
		s.endRun()
		s.last = text
	}
	s.count++
}

func (s *stream) endRun() {
	if s.count > 0 {
		s.runs = append(s.runs, fmt.Sprintf("> hops %d %s", s.count, s.last))
	}
	s.count = 0
}

func (s *stream) set(setting string, value float64) {
	settings, duration := s.options.Settings, time.Duration(value)*time.Millisecond
	switch setting {
	case "onset_threshold":
		settings.MoveThresholds(float32(value))
	case "offset_threshold":
		settings.OffsetThreshold = float32(value)
	default:
		*map[string]*time.Duration{"onset_debounce_ms": &settings.OnsetDebounce, "hangover_ms": &settings.Hangover,
			"mute_grace_ms": &settings.MuteGrace, "mute_carry_over_ms": &settings.MuteCarryOver,
			"muted_speech_hold_ms":    &settings.MutedSpeechHold,
			"muted_speech_release_ms": &settings.MutedSpeechRelease}[setting] = duration
	}
}

func (s *stream) rule(name string, value float64) {
	if s.rules == nil {
		s.rules = &voiceactivity.CutRules{}
	}
	*map[string]*time.Duration{"min_silence_ms": &s.rules.MinSilence, "min_speech_ms": &s.rules.MinSpeech,
		"max_length_ms": &s.rules.MaxLength, "pad_before_ms": &s.rules.PadBefore,
		"pad_after_ms": &s.rules.PadAfter}[name] = time.Duration(value) * time.Millisecond
}

func (s *stream) cut(cuts []voiceactivity.Cut) {
	for _, c := range cuts {
		continues := map[bool]int{true: 1}[c.Continues]
		s.cuts = append(s.cuts, fmt.Sprintf("> cut %d %d %d %d", c.Start, c.End, c.DecidedAt, continues))
	}
}

func (s *stream) heard(first, count, shift int) []int16 {
	copies := s.options.SampleRate / 8000
	samples := make([]int16, count*copies)
	for n := range samples {
		if at := first + n/copies; at >= 0 {
			samples[n] = s.talk[at] >> shift
		}
	}
	s.position += len(samples)
	return samples
}

func (s *stream) do(words []string) {
	s.t.Helper()
	numbers := make([]float64, 4)
	for n, word := range words[1:] {
		numbers[n], _ = strconv.ParseFloat(word, 64)
	}
	a, b, c, d := int(numbers[0]), int(numbers[1]), int(numbers[2]), int(numbers[3])
	if words[0] == "set" || words[0] == "rule" {
		take := map[string]func(string, float64){"set": s.set, "rule": s.rule}[words[0]]
		take(words[1], numbers[1])
		return
	}
	if s.detector == nil {
		s.detector = made(s.t, s.options)
		if s.rules != nil {
			var err error
			if s.cutter, err = voiceactivity.NewCutter(*s.rules, s.detector); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	take := func(events []voiceactivity.Event, err error) {
		if err != nil {
			s.t.Fatalf("%v: %v", words, err)
		}
		for _, event := range events {
			s.answers = append(s.answers, fmt.Sprintf("> event %s %d %d %d", name(event.Type), event.Position,
				event.DecidedAt, event.Length))
		}
		if s.cutter != nil {
			s.cut(s.cutter.Cuts(events, s.hops))
		}
		s.hops = s.hops[:0]
	}
	switch words[0] {
	case "hear":
		take(s.detector.Process(s.heard(a, b, c)))
	case "echo":
		for at := a; at < a+b; at += 80 {
			take(nil, s.options.Echo.Push(s.talk[at:at+80]))
			take(s.detector.Process(s.heard(at-c, 80, d)))
		}
	case "level":
		for n := 0; n < a; n++ {
			take(s.detector.PushLevel(int64(b), byte(c)|byte(d)<<7))
		}
	case "mute":
		s.detector.SetMuted(a != 0)
	case "gap":
		take(s.detector.PushGap(int64(a)))
		s.position += a
	case "margin":
		margin := float32(numbers[0])
		if words[1] == "inf" {
			margin = float32(math.Inf(1))
		}
		take(nil, s.detector.SetSpeakerMargin(margin))
	case "speaker":
		take(nil, s.detector.SetSpeakerLevel(float32(numbers[0]), time.Duration(b)*time.Millisecond))
	case "gain":
		take(nil, s.detector.ChangeInputGain(float32(numbers[0])))
	case "flush":
		take(s.detector.Flush())
	default:
		s.t.Fatalf("unknown: %v", words)
	}
}

func (s *stream) all() []string {
	s.endRun()
	if s.cutter != nil {
		s.cut(s.cutter.Finish(int64(s.position)))
	}
	status := s.detector.Status()
	return append(append(append(s.answers, s.cuts...), s.runs...), fmt.Sprintf("> status %d %d", status.Hops, status.MissingSamples))
}
