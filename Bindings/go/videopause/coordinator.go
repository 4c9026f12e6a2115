// Package videopause is a face of libvideopause for Go.
//
// A Coordinator belongs to one goroutine at a time. Times are microseconds of a monotonic clock.
package videopause

/*
#cgo pkg-config: videopause
#include <video_pause.h>
*/
import "C"

import (
	"errors"
	"math"
	"unsafe"
)

// Track is what a stream of a participant carries.
type Track uint64

const (
	ScreenShare Track = C.VP_TRACK_SCREEN_SHARE
	Video       Track = C.VP_TRACK_VIDEO
)

// StreamID names a stream: a participant, numbered from 0 to 2^63 - 1, and a track.
type StreamID uint64

// Stream returns the name of a participant's stream.
func Stream(participant uint64, track Track) StreamID {
	return StreamID(participant<<1 | uint64(track))
}

// Participant returns whose stream it is.
func (s StreamID) Participant() uint64 { return uint64(s) >> 1 }

// Track returns what it carries.
func (s StreamID) Track() Track { return Track(s & 1) }

// Kind is what a stream shows.
type Kind uint32

const (
	Camera Kind = C.VP_KIND_CAMERA
	Screen Kind = C.VP_KIND_SCREEN_SHARE
)

// Congestion is the estimator's verdict on the path.
type Congestion uint32

const (
	NoCongestion Congestion = C.VP_CONGESTION_NONE
	EarlyWarning Congestion = C.VP_CONGESTION_EARLY_WARNING
	Congested    Congestion = C.VP_CONGESTION_CONGESTED
)

// Strategy is how to share the bits beyond every stream's base layer.
type Strategy uint32

const (
	Grid     Strategy = C.VP_STRATEGY_GRID
	Priority Strategy = C.VP_STRATEGY_PRIORITY
	Stage    Strategy = C.VP_STRATEGY_STAGE
)

// Reason is why a stream is not forwarded; Forwarded, the zero value, if it is.
type Reason uint32

const (
	Forwarded          Reason = C.VP_FORWARDED
	PausedForBandwidth Reason = C.VP_PAUSED_BANDWIDTH
	NotVisible         Reason = C.VP_PAUSED_NOT_VISIBLE
	NotRequested       Reason = C.VP_PAUSED_NOT_REQUESTED
	PausedByPublisher  Reason = C.VP_PAUSED_BY_PUBLISHER
	PausedBySubscriber Reason = C.VP_PAUSED_BY_SUBSCRIBER
	FeedDry            Reason = C.VP_PAUSED_FEED_DRY
	BelowMinimum       Reason = C.VP_PAUSED_BELOW_MINIMUM
)

// Layer is one quality at which a stream can be forwarded. Bitrate includes the layers that it depends on. IsDecodeTarget: a
// decode target of a scalable stream, with its ids. A layer without IsActive counts as one that the publisher does not send.
type Layer struct {
	Spatial, Temporal, Width, Height uint32
	IsActive, IsDecodeTarget         bool
	FramesPerSecond                  float64
	Bitrate                          int64
}

// Config has the settings of video_pause.h, in the same places; start from DefaultConfig. Fields that begin with Is are 0 or 1.
type Config struct {
	// contract: config
	structSize                   uint32
	Strategy                     uint32
	InitialEstimateBps           int64
	AudioBitratePerStreamBps     int64
	AudioStreamLimit             uint32
	ResumeLimit                  uint32
	AudioHeadroom                float64
	GrowMargin                   float64
	EvidenceWindowUs             int64
	ToleratedQueueUs             int64
	ToleratedOutageUs            int64
	DecisionIntervalUs           int64
	HoldOffUs                    int64
	GatePeriodUs                 int64
	LockTimeoutUs                int64
	HiddenGraceUs                int64
	MaximumOversendBps           int64
	MinimumProbeStepBps          int64
	ProbeIntervalUs              int64
	MaximumProbeIntervalUs       int64
	MaximumPinnedProbeIntervalUs int64
	MaximumStreams               uint32
	PreferredHeight              uint32
	IsScreenShareFirst           uint32
	Is720pEnabled                uint32
	OtherTrafficReserveBps       int64
	// contract end
}

// Demand is what the subscriber wants of a stream, as in video_pause.h; start from DefaultDemand.
type Demand struct {
	// contract: demand
	structSize             uint32
	IsVisible              uint32
	HasViewSize            uint32
	ViewWidth              uint32
	ViewHeight             uint32
	Pin                    uint32
	Priority               uint32
	MaximumQuality         uint32
	PausePolicy            uint32
	MinimumQuality         uint32
	PinnedAtUs             int64
	MaximumFramesPerSecond float64
	// contract end
}

// Decision is the decision in force, as in video_pause.h. Times are Never if there is none.
type Decision struct {
	structSize       uint32
	IsDeficient      uint32
	IsOversending    uint32
	HasProbe         uint32
	Generation       uint64
	StreamCount      uint64
	EstimateBps      int64
	AudioReserveBps  int64
	OtherReserveBps  int64
	KeepBps          int64
	GrowBps          int64
	PicturesBps      int64
	TargetBps        int64
	IdealBps         int64
	ProbeBps         int64
	ProbeNotBeforeUs int64
	NextDecisionAtUs int64
	Strategy         Strategy
	_                uint32
}

// Never is a time that never comes.
const Never int64 = C.VP_NEVER

// The C library reads these structs as its own.
var (
	_ = [1]int{}[unsafe.Sizeof(Config{})-C.sizeof_vp_config]
	_ = [1]int{}[unsafe.Sizeof(Demand{})-C.sizeof_vp_demand]
	_ = [1]int{}[unsafe.Sizeof(Decision{})-C.sizeof_vp_decision]
)

func (c *Config) inC() *C.vp_config     { return (*C.vp_config)(unsafe.Pointer(c)) }
func (d *Demand) inC() *C.vp_demand     { return (*C.vp_demand)(unsafe.Pointer(d)) }
func (d *Decision) inC() *C.vp_decision { return (*C.vp_decision)(unsafe.Pointer(d)) }

// Row is the decision for one stream. Layer is what to forward; it is empty if nothing is.
type Row struct {
	Stream        StreamID
	Reason        Reason
	NeedsKeyFrame bool
	RequiredBps   int64
	Layer, Ideal  Layer
}

// Change is a change of the paused tracks.
type Change struct {
	Stream   StreamID
	IsPaused bool
}

// Coordinator decides which videos one subscriber gets.
type Coordinator struct {
	c    *C.vp_coordinator
	rows []C.vp_stream_decision
}

const changesAtOnce = 16

func check(code C.vp_status_code) error {
	if code == C.VP_OK {
		return nil
	}
	return errors.New(C.GoString(C.vp_status_text(code)))
}

// DefaultConfig returns settings that suit conversations over the internet.
func DefaultConfig() Config {
	var config Config
	C.vp_config_default(config.inC())
	return config
}

// DefaultDemand returns a demand without limits.
func DefaultDemand() Demand {
	var demand Demand
	C.vp_demand_default(demand.inC())
	return demand
}

// DemandOfView returns the demand for a view of this size in pixels.
func DemandOfView(width, height uint32) Demand {
	demand := DefaultDemand()
	demand.HasViewSize, demand.ViewWidth, demand.ViewHeight = 1, width, height
	return demand
}

// New makes a coordinator without streams. Close frees it.
func New(config Config) (*Coordinator, error) {
	if field := C.vp_config_invalid_field(config.inC()); field != nil {
		return nil, errors.New("the setting " + C.GoString(field) + " is out of range")
	}
	d := &Coordinator{}
	if err := check(C.vp_coordinator_create(config.inC(), &d.c)); err != nil {
		return nil, err
	}
	return d, nil
}

// Close frees the coordinator. Afterwards it has no streams, and what returns an error does.
func (d *Coordinator) Close() {
	C.vp_coordinator_destroy(d.c)
	d.c = nil
}

// UpsertStream adds or updates a stream with every layer that it may have.
func (d *Coordinator) UpsertStream(id StreamID, kind Kind, isLocal bool, layers []Layer, at int64) error {
	list := make([]C.vp_layer, len(layers))
	for i, l := range layers {
		list[i] = C.vp_layer{spatial: C.uint32_t(l.Spatial), temporal: C.uint32_t(l.Temporal), width: C.uint32_t(l.Width),
			height: C.uint32_t(l.Height), is_active: flag(l.IsActive), is_decode_target: flag(l.IsDecodeTarget), frames_per_second: C.double(l.FramesPerSecond),
			bitrate_bps: C.int64_t(l.Bitrate)}
	}
	return check(C.vp_upsert_stream(d.c, C.uint64_t(id), C.vp_kind(kind), C.bool(isLocal), first[C.vp_layer](list),
		C.size_t(len(list)), C.int64_t(at)))
}

// RemoveStream removes a stream that is not published any more.
func (d *Coordinator) RemoveStream(id StreamID, at int64) error {
	return check(C.vp_remove_stream(d.c, C.uint64_t(id), C.int64_t(at)))
}

// SetPublisherMuted reports that the publisher turned the stream off or on.
func (d *Coordinator) SetPublisherMuted(id StreamID, isMuted bool, at int64) error {
	return check(C.vp_set_publisher_muted(d.c, C.uint64_t(id), C.bool(isMuted), C.int64_t(at)))
}

// LayerLocked reports that the key frame of the layer to forward has arrived.
func (d *Coordinator) LayerLocked(id StreamID, at int64) error {
	return check(C.vp_layer_locked(d.c, C.uint64_t(id), C.int64_t(at)))
}

// SetDemand sets what the subscriber wants of a stream.
func (d *Coordinator) SetDemand(id StreamID, demand Demand, at int64) error {
	return check(C.vp_set_demand(d.c, C.uint64_t(id), demand.inC(), C.int64_t(at)))
}

// SetSubscriberPaused sets whether the subscriber's application has paused the stream.
func (d *Coordinator) SetSubscriberPaused(id StreamID, isPaused bool, at int64) error {
	return check(C.vp_set_subscriber_paused(d.c, C.uint64_t(id), C.bool(isPaused), C.int64_t(at)))
}

// SetSpeakerOrder sets the participants who spoke most recently, the dominant speaker first.
func (d *Coordinator) SetSpeakerOrder(participants []uint64, at int64) error {
	return check(C.vp_set_speaker_order(d.c, first[C.uint64_t](participants), C.size_t(len(participants)), C.int64_t(at)))
}

// SetSpeaking reports that a participant begins or stops speaking.
func (d *Coordinator) SetSpeaking(participant uint64, isSpeaking bool, at int64) error {
	return check(C.vp_set_speaking(d.c, C.uint64_t(participant), C.bool(isSpeaking), C.int64_t(at)))
}

// SetLastN limits how many streams are forwarded; a negative count means no limit.
func (d *Coordinator) SetLastN(count int, at int64) error {
	limit := C.uint32_t(math.MaxUint32) // no limit, as are counts beyond it
	if count >= 0 && uint64(count) < math.MaxUint32 {
		limit = C.uint32_t(count)
	}
	return check(C.vp_set_last_n(d.c, limit, C.int64_t(at)))
}

// SetStrategy sets how to share the bits.
func (d *Coordinator) SetStrategy(strategy Strategy, at int64) error {
	return check(C.vp_set_strategy(d.c, C.vp_strategy(strategy), C.int64_t(at)))
}

// Set720pEnabled sets whether cameras may be forwarded above 360p.
func (d *Coordinator) Set720pEnabled(isEnabled bool, at int64) error {
	return check(C.vp_set_720p_enabled(d.c, C.bool(isEnabled), C.int64_t(at)))
}

// SetVideoPauseEnabled sets whether the client can handle paused video.
func (d *Coordinator) SetVideoPauseEnabled(isEnabled bool, at int64) error {
	return check(C.vp_set_video_pause_enabled(d.c, C.bool(isEnabled), C.int64_t(at)))
}

// SetBandwidthEstimate sets the estimate for everything that the subscriber receives, in bits per second.
func (d *Coordinator) SetBandwidthEstimate(bps int64, congestion Congestion, at int64) error {
	return check(C.vp_set_bandwidth_estimate(d.c, C.int64_t(bps), C.vp_congestion(congestion), C.int64_t(at)))
}

// SetAudio sets how many audio streams the subscriber receives, and their measured rate; 0 if it is not known.
func (d *Coordinator) SetAudio(streams uint32, measuredBps, at int64) error {
	return check(C.vp_set_audio(d.c, C.uint32_t(streams), C.int64_t(measuredBps), C.int64_t(at)))
}

// SetOtherTraffic sets the measured rate of retransmissions, repair and data, which is reserved.
func (d *Coordinator) SetOtherTraffic(bps, at int64) error {
	return check(C.vp_set_other_traffic(d.c, C.int64_t(bps), C.int64_t(at)))
}

// Decide returns whether there is anything new to forward. Call it after every input, and at Decision.NextDecisionAtUs.
func (d *Coordinator) Decide(at int64) (bool, error) {
	var isChanged C.bool
	err := check(C.vp_decide(d.c, C.int64_t(at), &isChanged))
	return bool(isChanged), err
}

// Decision returns the decision in force.
func (d *Coordinator) Decision() Decision {
	decision := Decision{structSize: C.sizeof_vp_decision}
	C.vp_current_decision(d.c, decision.inC())
	return decision
}

// Rows returns the decision for each stream, the most important first.
func (d *Coordinator) Rows() []Row {
	count := C.size_t(d.Decision().StreamCount)
	if C.size_t(len(d.rows)) < count+1 { // never empty, so that there is a first
		d.rows = make([]C.vp_stream_decision, count+16)
	}
	C.vp_stream_decisions(d.c, &d.rows[0], C.size_t(len(d.rows)), &count)
	rows := make([]Row, count)
	for i := range rows {
		r := &d.rows[i]
		rows[i] = Row{StreamID(r.stream), Reason(r.reason), r.needs_key_frame != 0, int64(r.required_bps), layer(r.layer),
			layer(r.ideal)}
	}
	return rows
}

// DrainChanges returns what has changed in the paused tracks since the last call.
func (d *Coordinator) DrainChanges() []Change {
	var changes []Change
	for count := C.size_t(changesAtOnce); count == changesAtOnce; {
		var some [changesAtOnce]C.vp_paused_change
		if C.vp_drain_paused_changes(d.c, &some[0], changesAtOnce, &count) != C.VP_OK {
			return nil // it is closed
		}
		for _, c := range some[:count] {
			changes = append(changes, Change{StreamID(c.stream), c.is_paused != 0})
		}
	}
	return changes
}

func layer(l C.vp_layer) Layer {
	return Layer{uint32(l.spatial), uint32(l.temporal), uint32(l.width), uint32(l.height), l.is_active != 0,
		l.is_decode_target != 0, float64(l.frames_per_second), int64(l.bitrate_bps)}
}

// first returns a pointer to the first element under C's name of its type, or nil if there is none.
func first[InC, Element any](elements []Element) *InC {
	if len(elements) == 0 {
		return nil
	}
	return (*InC)(unsafe.Pointer(&elements[0]))
}

func flag(b bool) C.uint32_t {
	if b {
		return 1
	}
	return 0
}
