package voiceactivity_test

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/voiceactivity"
)

// The rows that the tests of every language replay; their head says what the columns mean.
func TestSpeakingWhileMutedIsAsTheTableSays(t *testing.T) {
	text, err := os.ReadFile("testdata/speaking-while-muted.txt")
	if err != nil {
		t.Fatal(err)
	}
	var gate *voiceactivity.SpeakingGate
	var notice *voiceactivity.MutedNotice
	row, rows := "", 0
	for _, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		switch {
		case line == "" || line[0] == '#':
		case words[0] == "row":
			row, gate, notice = line, voiceactivity.NewSpeakingGate(), voiceactivity.NewMutedNotice()
			if strings.HasPrefix(words[1], "SM-") {
				rows++
			}
		case words[0] == "text":
			if line != "text "+voiceactivity.NoticeText {
				t.Errorf("%s: the text is %q", row, voiceactivity.NoticeText)
			}
		default:
			ms, _ := strconv.Atoi(words[0])
			on, _ := strconv.Atoi(words[2])
			changed := takeMuted(t, gate, notice, words[1], on)
			notice.Update(gate.IsSpeaking(), time.Duration(ms)*time.Millisecond)
			bit := map[bool]int{true: 1}
			found := fmt.Sprint(bit[changed], bit[gate.IsSpeaking()], bit[gate.IsDetecting()], notice.Shown(),
				bit[notice.IsStillSpeaking()])
			if wanted := strings.Join(words[3:], " "); found != wanted {
				t.Fatalf("%s: %s: found %s", row, line, found)
			}
		}
	}
	if rows != 19 {
		t.Fatalf("the table has %d rows of SM-01 to SM-19", rows)
	}
}

func TestANoticeForEverDoesNotEnd(t *testing.T) {
	for _, duration := range []time.Duration{math.MaxInt64, math.MaxInt64 - 1} {
		notice := voiceactivity.NewMutedNotice()
		notice.Duration = duration
		if !notice.Update(true, time.Second) || notice.Ends() < math.MaxInt64-time.Second {
			t.Errorf("a notice of %v ends at %v", duration, notice.Ends())
		}
		if notice.Update(true, math.MaxInt64-2*time.Second) || notice.Shown() == 0 {
			t.Errorf("a notice of %v has ended", duration)
		}
	}
}

func TestAnUnknownRequirementChangesNothing(t *testing.T) {
	gate := voiceactivity.NewSpeakingGate()
	gate.Set(voiceactivity.MicrophoneMuted, true)
	for _, unknown := range []voiceactivity.Requirement{voiceactivity.DataFlowing + 1, 30, 31, 32, -1} {
		if gate.Set(unknown, false) || !gate.IsDetecting() {
			t.Errorf("%v closes the gate", unknown)
		}
	}
}

func takeMuted(t *testing.T, gate *voiceactivity.SpeakingGate, notice *voiceactivity.MutedNotice, input string, on int) bool {
	switch input {
	case "speech":
		return gate.Handle(voiceactivity.Event{Type: map[int]voiceactivity.EventType{
			0: voiceactivity.MutedSpeechEnd, 1: voiceactivity.MutedSpeechBegin}[on]})
	case "input_replaced":
		return gate.InputReplaced()
	case "end":
		return gate.End()
	case "dismiss":
		notice.Dismiss(uint64(on))
	case "is_enabled":
		notice.Disabled = on == 0
	case "is_once_per_mute":
		notice.OncePerMute = on == 1
	case "interval_ms":
		notice.Interval = time.Duration(on) * time.Millisecond
	case "wait":
	default:
		for r := voiceactivity.Requirement(0); r < 32; r++ {
			if strings.ReplaceAll(r.String(), " ", "_") == input {
				if r == voiceactivity.MicrophoneMuted && on == 0 {
					notice.Unmuted()
				}
				return gate.Set(r, on == 1)
			}
		}
		t.Fatal(input)
	}
	return false
}
