package voiceactivity

/*
#include "calls.h"
*/
import "C"

import (
	"math"
	"strconv"
	"time"
)

// Requirement is something that must hold for muted speech to be reported. Only the host knows.
type Requirement int

const (
	// contract: requirement
	SupportedByRuntime    Requirement = C.VA_REQUIREMENT_SUPPORTED_BY_RUNTIME    // the runtime passes on the sound of a muted microphone
	Enabled               Requirement = C.VA_REQUIREMENT_ENABLED                 // the user, or the application, wants it
	SessionActive         Requirement = C.VA_REQUIREMENT_SESSION_ACTIVE          // the call is joined, not reconnecting, nor held by a telephone call
	SessionRecords        Requirement = C.VA_REQUIREMENT_SESSION_RECORDS         // the audio session records as well as plays
	SessionIsConversation Requirement = C.VA_REQUIREMENT_SESSION_IS_CONVERSATION // the far end's voice is removed from the microphone's signal
	AllowedToSendAudio    Requirement = C.VA_REQUIREMENT_ALLOWED_TO_SEND_AUDIO   // the participant may send audio in this call
	RecordingPermitted    Requirement = C.VA_REQUIREMENT_RECORDING_PERMITTED     // the user has granted access to the microphone
	PlayoutIsNotStereo    Requirement = C.VA_REQUIREMENT_PLAYOUT_IS_NOT_STEREO   // playout is mono, so that an echo canceller works
	MicrophoneMuted       Requirement = C.VA_REQUIREMENT_MICROPHONE_MUTED        // the microphone is muted
	DataFlowing           Requirement = C.VA_REQUIREMENT_DATA_FLOWING            // the device delivers sound
	// contract end
)

// String returns the requirement's name.
func (r Requirement) String() string {
	switch r {
	// contract: requirement names
	case SupportedByRuntime:
		return "supported by runtime"
	case Enabled:
		return "enabled"
	case SessionActive:
		return "session active"
	case SessionRecords:
		return "session records"
	case SessionIsConversation:
		return "session is conversation"
	case AllowedToSendAudio:
		return "allowed to send audio"
	case RecordingPermitted:
		return "recording permitted"
	case PlayoutIsNotStereo:
		return "playout is not stereo"
	case MicrophoneMuted:
		return "microphone muted"
	case DataFlowing:
		return "data flowing"
		// contract end
	}
	return "requirement " + strconv.Itoa(int(r))
}

// SpeakingGate decides whether the user speaks while nobody can hear it, from the muted speech of a Detector and from
// requirements. All are met at first except MicrophoneMuted; set only those that you know about. Speech from before a
// requirement was lost is not reported when it is met again. One goroutine at a time uses it. NewSpeakingGate makes it; the
// zero value takes the microphone for muted from the beginning.
type SpeakingGate struct{ gate C.va_speaking_gate }

// NewSpeakingGate begins a call.
func NewSpeakingGate() *SpeakingGate {
	g := &SpeakingGate{}
	C.va_speaking_gate_init(&g.gate)
	return g
}

// IsSpeaking says whether the user speaks while muted.
func (g *SpeakingGate) IsSpeaking() bool { return bool(g.gate.is_speaking) }

// IsDetecting says whether muted speech that begins now would count.
func (g *SpeakingGate) IsDetecting() bool { return g.gate.unmet == 0 }

// Set says whether a requirement is met; one that is unknown changes nothing. It returns whether IsSpeaking has changed, as
// the next three do.
func (g *SpeakingGate) Set(r Requirement, met bool) bool {
	return bool(C.va_speaking_gate_set(&g.gate, C.va_requirement(r), C.bool(met)))
}

// Handle takes an event of the detector.
func (g *SpeakingGate) Handle(e Event) bool {
	return bool(C.va_speaking_gate_handle(&g.gate, C.uint32_t(e.Type)))
}

// InputReplaced forgets the speech heard so far: another microphone, or a reconnection.
func (g *SpeakingGate) InputReplaced() bool {
	return bool(C.va_speaking_gate_set_speech(&g.gate, false))
}

// End ends the call. Nothing is reported afterwards.
func (g *SpeakingGate) End() bool { return bool(C.va_speaking_gate_end(&g.gate)) }

// MutedNotice decides when a notice such as NoticeText is shown: when IsSpeaking becomes true, for its time, whatever
// happens meanwhile. Times are those since any origin, in whole milliseconds. One goroutine at a time uses it. Its fields may
// change at any time, and hold for the next notice.
type MutedNotice struct {
	Duration    time.Duration // how long a notice stays
	Interval    time.Duration // the least time from the beginning of a notice to that of the next
	OncePerMute bool          // it appears again only after an unmute
	Disabled    bool          // it does not appear
	notice      C.va_muted_notice
}

// NoticeText is what a notice says unless you have words of your own.
const NoticeText = C.VA_NOTICE_TEXT

// NewMutedNotice makes a notice that stays for two seconds.
func NewMutedNotice() *MutedNotice {
	n := &MutedNotice{Duration: C.VA_NOTICE_MS * time.Millisecond}
	C.va_muted_notice_init(&n.notice)
	return n
}

// Shown returns the number of the notice that is shown, or 0.
func (n *MutedNotice) Shown() uint64 { return uint64(n.notice.shown) }

// Ends returns when the time of the newest notice is over: call Update then. It is math.MaxInt64 for one that stays until it
// is dismissed, and for a time beyond that.
func (n *MutedNotice) Ends() time.Duration {
	if int64(n.notice.ends_at_ms) > math.MaxInt64/int64(time.Millisecond) {
		return math.MaxInt64
	}
	return time.Duration(n.notice.ends_at_ms) * time.Millisecond
}

// IsStillSpeaking says whether the user is speaking while muted and no notice is shown.
func (n *MutedNotice) IsStillSpeaking() bool {
	return bool(n.notice.is_speaking) && n.notice.shown == 0
}

// Update sets whether the user is speaking while muted, and ends a notice whose time is over. It returns whether Shown has
// changed.
func (n *MutedNotice) Update(speaking bool, now time.Duration) bool {
	n.notice.duration_ms, n.notice.interval_ms = milliseconds(n.Duration), milliseconds(n.Interval)
	n.notice.is_once_per_mute, n.notice.is_enabled = C.bool(n.OncePerMute), C.bool(!n.Disabled)
	return bool(C.va_muted_notice_update(&n.notice, C.bool(speaking), milliseconds(now)))
}

// Dismiss hides the notice of this number, and no other. It returns whether that was shown.
func (n *MutedNotice) Dismiss(number uint64) bool {
	return bool(C.va_muted_notice_dismiss(&n.notice, C.uint64_t(number)))
}

// Unmuted reports an unmute, after which OncePerMute allows another notice.
func (n *MutedNotice) Unmuted() { C.va_muted_notice_unmuted(&n.notice) }

func milliseconds(d time.Duration) C.int64_t {
	if d == math.MaxInt64 {
		return math.MaxInt64 // for ever
	}
	return C.int64_t(d / time.Millisecond)
}
