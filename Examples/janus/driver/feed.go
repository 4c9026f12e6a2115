package main

import "example.com/voiceactivity/videopause"

const (
	remembered = 6         // statistics, one a second: a rate is an average of five seconds
	dryAfter   = 2_500_000 // µs without a packet after which a substream counts as not sent
	rateStep   = 0.1       // the change of a rate that the coordinators are told
	ipAndUDP   = 28        // bytes, which Janus does not count
	packetSize = 1100      // bytes, of a typical packet of video
	perHeader  = 1 + float64(ipAndUDP)/packetSize
)

// Feed is what a participant publishes.
type Feed struct {
	id     uint64
	room   *Room
	ladder ladder
	meters [substreams]layerMeter
	known  []videopause.Layer // what the coordinators know
}

// layerMeter measures a substream by what Janus receives of it.
type layerMeter struct {
	samples []sample
	movedAt int64
}

type sample struct {
	at, bytes int64
}

var substreamOf = map[string]int{"video": 0, "video-sim1": 1, "video-sim2": 2}

// count takes Janus' statistics of a publisher's handle.
func (f *Feed) count(stats mediaStats, at int64) {
	substream, isVideo := substreamOf[stats.Media]
	if !isVideo {
		return
	}
	f.meters[substream].add(sample{at, stats.Received})
	layers := f.measured(at)
	if !isNews(f.known, layers) {
		return
	}
	f.known = layers
	for _, subscriber := range f.room.subscribers {
		subscriber.publish(f, at)
	}
}

func (m *layerMeter) add(s sample) {
	if count := len(m.samples); count > 0 && s.bytes > m.samples[count-1].bytes {
		m.movedAt = s.at
	}
	m.samples = append(m.samples, s)
	if len(m.samples) > remembered {
		m.samples = m.samples[1:]
	}
}

// rate returns bits per second as the path sees them.
func (m *layerMeter) rate() int64 {
	if len(m.samples) < 2 {
		return 0
	}
	first, last := m.samples[0], m.samples[len(m.samples)-1]
	return int64(float64(last.bytes-first.bytes) * 8 * perHeader * 1e6 / float64(last.at-first.at))
}

func (f *Feed) measured(at int64) []videopause.Layer {
	var layers []videopause.Layer
	for i, height := range f.ladder.heights {
		m := &f.meters[i]
		for temporal, share := range f.ladder.shares {
			slower := len(f.ladder.shares) - 1 - temporal
			layers = append(layers, videopause.Layer{Spatial: uint32(i), Temporal: uint32(temporal), Width: height * 16 / 9,
				Height: height, IsActive: m.movedAt > 0 && at-m.movedAt < dryAfter,
				FramesPerSecond: float64(int(frameRate) >> slower), Bitrate: int64(share * float64(m.rate()))})
		}
	}
	return layers
}

// isNews returns whether layers differ by more than the fluctuations of their rates.
func isNews(before, after []videopause.Layer) bool {
	if len(before) != len(after) {
		return true
	}
	for i := range before {
		change := float64(after[i].Bitrate - before[i].Bitrate)
		limit := rateStep * float64(before[i].Bitrate)
		if before[i].IsActive != after[i].IsActive || change > limit || change < -limit {
			return true
		}
	}
	return false
}
