package main

import "example.com/voiceactivity/videopause"

// path is what Janus knows of the way to a subscriber.
type path struct {
	remb  int64            // the subscriber's own estimate, bit/s: of the video alone
	audio map[string]bool  // the mids of audio
	sent  map[string]meter // by mid
}

// meter is the rate between the last two statistics.
type meter struct {
	bytes, at, rate int64
}

func newPath() path { return path{sent: map[string]meter{}} }

// count takes Janus' statistics of a medium, and returns whether they have an estimate.
func (p *path) count(stats mediaStats, at int64) bool {
	last := p.sent[stats.Mid]
	next := meter{bytes: stats.Sent, at: at}
	if last.at > 0 && at > last.at {
		next.rate = (stats.Sent - last.bytes) * 8 * 1_000_000 / (at - last.at)
	}
	p.sent[stats.Mid] = next
	if stats.REMB > 0 {
		p.remb = stats.REMB
	}
	return stats.REMB > 0
}

func (p *path) audioRate() (sum int64) {
	for mid := range p.audio {
		sum += p.sent[mid].rate
	}
	return sum
}

func (p *path) videoRate() (sum int64) {
	for mid, sent := range p.sent {
		if !p.audio[mid] {
			sum += sent.rate
		}
	}
	return sum
}

// estimate returns what the path carries. A subscriber's REMB is of packets with a send time, which Janus gives to video
// alone.
func (p *path) estimate() int64 { return p.remb + p.audioRate() }

// full is the part of what is sent below which an estimate says that the path is full: then, a receiver's estimate is 85 %
// of what arrives.
const full = 0.9

func (p *path) congestion() videopause.Congestion {
	if float64(p.remb) < full*float64(p.videoRate()) {
		return videopause.Congested
	}
	return videopause.NoCongestion
}
