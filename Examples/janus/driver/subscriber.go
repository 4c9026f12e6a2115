package main

import (
	"fmt"

	"example.com/voiceactivity/videopause"
)

const none = -1 // the substream of a feed that is not forwarded

// Subscriber is a handle of VideoRoom that receives the feeds of others.
type Subscriber struct {
	session, handle uint64
	opaque          string
	room            *Room
	coordinator     *videopause.Coordinator
	feeds           map[uint64]string // the mid that carries the camera of a feed
	path            path
	probe           probe
	applied         map[string]setting // what Janus was told, by mid
	isBusy          bool               // Janus is being told
	waitsUntil      int64              // after Janus could not be told
}

func newSubscriber(e event, room *Room, initial int64) (*Subscriber, error) {
	config := videopause.DefaultConfig()
	config.InitialEstimateBps = initial
	coordinator, err := videopause.New(config)
	if err != nil {
		return nil, err
	}
	return &Subscriber{session: e.Session, handle: e.Handle, opaque: e.Opaque, room: room, coordinator: coordinator,
		feeds: map[uint64]string{}, applied: map[string]setting{}, path: newPath()}, nil
}

func camera(feed uint64) videopause.StreamID { return videopause.Stream(feed, videopause.Video) }

// set takes the streams of the subscription.
func (s *Subscriber) set(streams []stream, at int64) {
	before := s.feeds
	s.feeds = map[uint64]string{}
	s.path.audio = map[string]bool{}
	for _, stream := range streams {
		switch {
		case stream.Type == "audio":
			s.path.audio[stream.Mid] = true
		case stream.Type == "video" && stream.Feed != 0:
			s.feeds[stream.Feed] = stream.Mid
		}
	}
	for feed, mid := range before {
		if s.feeds[feed] != mid {
			delete(s.applied, mid)
			_ = s.coordinator.RemoveStream(camera(feed), at) // which may have left already
		}
	}
	for feed := range s.feeds {
		if published := s.room.feeds[feed]; published != nil {
			s.publish(published, at)
		}
	}
}

// publish takes the layers of a feed. None of these inputs can be refused: the clock is monotonic, and the rates and
// indices are in range.
func (s *Subscriber) publish(feed *Feed, at int64) {
	if _, isWanted := s.feeds[feed.id]; isWanted {
		_ = s.coordinator.UpsertStream(camera(feed.id), videopause.Camera, false, feed.known, at)
	}
}

func (s *Subscriber) remove(feed uint64, at int64) {
	if _, isWanted := s.feeds[feed]; isWanted {
		_ = s.coordinator.RemoveStream(camera(feed), at)
	}
}

func (s *Subscriber) count(stats mediaStats, at int64) {
	if s.path.count(stats, at) {
		_ = s.coordinator.SetBandwidthEstimate(s.path.estimate(), s.path.congestion(), at)
	}
}

// decide lets the coordinator decide, and returns what has changed in the paused tracks.
func (s *Subscriber) decide(at int64) []videopause.Change {
	audible := len(s.room.talking)
	if audible == 0 {
		audible = 1
	}
	_ = s.coordinator.SetAudio(uint32(audible), s.path.audioRate(), at)
	_ = s.coordinator.SetSpeakerOrder(s.room.speakers, at)
	_, _ = s.coordinator.Decide(at)
	s.path.reserve = s.coordinator.Decision().AudioReserveBps
	if found := s.probe.follow(s.coordinator.Decision(), s.coordinator.Rows(), s.path, at); found > 0 {
		s.path.found = max(s.path.found, found)
		_ = s.coordinator.SetBandwidthEstimate(s.path.estimate(), s.path.congestion(), at)
	}
	return s.coordinator.DrainChanges()
}

// pending returns what Janus should forward otherwise than it was told.
func (s *Subscriber) pending(at int64) []setting {
	if s.isBusy || at < s.waitsUntil {
		return nil
	}
	rows := s.coordinator.Rows()
	s.probe.fill(rows, s.layersOf, s.coordinator.Decision(), at)
	var settings []setting
	for _, row := range rows {
		feed := s.room.feeds[row.Stream.Participant()]
		if feed == nil || row.Reason == videopause.FeedDry { // nothing to forward, and nothing is known
			continue
		}
		mid := s.feeds[feed.id]
		wanted := setting{Mid: mid, Send: row.Layer.Height > 0, Substream: int(row.Layer.Spatial),
			Temporal: feed.ladder.temporalOf(row.Layer.Temporal)}
		last, isKnown := s.applied[mid]
		if !wanted.Send { // the layer does not matter
			wanted.Substream, wanted.Temporal = last.Substream, last.Temporal
		}
		if !isKnown || wanted != last {
			settings = append(settings, wanted)
		}
	}
	return settings
}

func (s *Subscriber) layersOf(stream videopause.StreamID) []videopause.Layer {
	if feed := s.room.feeds[stream.Participant()]; feed != nil {
		return feed.known
	}
	return nil
}

// state is what the subscriber's path is known to carry, and what it gets: the substream of each feed, -1 for none. Until
// it is told otherwise, VideoRoom forwards the largest substream.
func (s *Subscriber) state() map[string]any {
	layers := map[string]int{}
	for feed, mid := range s.feeds {
		substream := substreams - 1
		if told, isTold := s.applied[mid]; isTold {
			substream = told.Substream
			if !told.Send {
				substream = none
			}
		}
		layers[fmt.Sprint(feed)] = substream
	}
	return map[string]any{"subscriber": s.opaque, "estimate": s.coordinator.Decision().EstimateBps, "audio": s.path.audioRate(),
		"video": s.path.videoRate(), "rtt": s.path.rtt, "speakers": s.room.speakers, "isProbing": s.probe.until > 0, "layers": layers}
}
