package voiceactivity

/*
#include "calls.h"
*/
import "C"

import "strconv"

// EventType is the type of an event. Ignore those that you do not know.
type EventType uint32

const (
	// contract: event
	Onset            EventType = C.VA_EVENT_ONSET              // speech begins at the position
	Offset           EventType = C.VA_EVENT_OFFSET             // speech ends at the position
	MutedSpeechBegin EventType = C.VA_EVENT_MUTED_SPEECH_BEGIN // the user speaks while muted
	MutedSpeechEnd   EventType = C.VA_EVENT_MUTED_SPEECH_END   // the user no longer speaks, or is no longer muted
	Discontinuity    EventType = C.VA_EVENT_DISCONTINUITY      // samples are missing from the position on
	// contract end
)

// String returns the event's name.
func (t EventType) String() string {
	switch t {
	// contract: event names
	case Onset:
		return "onset"
	case Offset:
		return "offset"
	case MutedSpeechBegin:
		return "muted speech begin"
	case MutedSpeechEnd:
		return "muted speech end"
	case Discontinuity:
		return "discontinuity"
		// contract end
	}
	return "event " + strconv.FormatUint(uint64(t), 10)
}

// Event is a change. Positions count input samples from the first one after New or Reset.
type Event struct {
	Type      EventType
	Position  int64 // where it happened
	DecidedAt int64 // the position of the input at which it was decided
	Length    int64 // of a Discontinuity: the missing samples
}

// State is where the decision is.
type State uint8

const (
	// contract: state
	Silence      State = C.VA_STATE_SILENCE       // nobody speaks
	PendingOnset State = C.VA_STATE_PENDING_ONSET // at or above the onset threshold; the debounce is running
	Speech       State = C.VA_STATE_SPEECH        // somebody speaks
	Hangover     State = C.VA_STATE_HANGOVER      // below the offset threshold; the hangover is running; it counts as speech
	// contract end
)

// String returns the state's name.
func (s State) String() string {
	switch s {
	// contract: state names
	case Silence:
		return "silence"
	case PendingOnset:
		return "pending onset"
	case Speech:
		return "speech"
	case Hangover:
		return "hangover"
		// contract end
	}
	return "state " + strconv.Itoa(int(s))
}

// HopFlags are facts about a hop.
type HopFlags uint8

const (
	// contract: flag
	HopSpeech      HopFlags = C.VA_HOP_SPEECH       // the state was speech or hangover after the hop was decided
	HopMuted       HopFlags = C.VA_HOP_MUTED        // the microphone was muted when the hop was decided
	HopMutedSpeech HopFlags = C.VA_HOP_MUTED_SPEECH // the muted-speech state after the hop
	HopMissing     HopFlags = C.VA_HOP_MISSING      // part of the hop or all of it lies in a gap: posterior 0, levels -127
	HopLevelOnly   HopFlags = C.VA_HOP_LEVEL_ONLY   // half of the hop or more came from a reported level: posterior 0 or 1
	HopEcho        HopFlags = C.VA_HOP_ECHO         // a third of the audible bands or more were only echo
	// contract end
)

// Hop is what was found in 10 ms. Levels are in dBFS, -127 to 12: a full-scale sine has -3.01 dBFS.
type Hop struct {
	Position       int64   // the first input sample of the hop
	Posterior      float32 // the probability of speech
	LevelDBFS      float32 // RMS of the hop
	PeakDBFS       float32 // its largest magnitude
	NoiseFloorDBFS float32 // the tracked background
	State          State
	Flags          HopFlags
	LevelDBov      uint8 // LevelDBFS negated and rounded, 0 to 127 (RFC 6464)
}

// Status is the newest picture of a detector. Each field is at most one hop old.
type Status struct {
	State                            State
	IsSpeech, IsMuted, IsMutedSpeech bool
	LevelDBov                        uint8
	Posterior                        float32
	LevelDBFS, NoiseFloorDBFS        float32
	Hops                             int64 // decided so far
	ClippedSamples, NonFiniteSamples int64
	MissingSamples                   int64 // those that PushGap reported
}

func eventOf(e *C.va_event) Event {
	return Event{EventType(e._type), int64(e.position), int64(e.decided_at), int64(e.length_samples)}
}

func hopOf(h *C.va_hop) Hop {
	return Hop{int64(h.position), float32(h.posterior), float32(h.level_dbfs), float32(h.peak_dbfs),
		float32(h.noise_floor_dbfs), State(h.state), HopFlags(h.flags), uint8(h.level_dbov)}
}
