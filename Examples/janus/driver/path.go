package main

import "example.com/voiceactivity/videopause"

const (
	// fallen is the part of the last estimate below which a new one means that the path is full. A receiver lowers its
	// estimate only when its packets take longer and longer.
	fallen = 0.95
	// steepest is how much a new estimate may be of the last. Receivers grow theirs by 8 % a second; what jumps is guessed
	// from the first packets after a time without video.
	steepest = 1.25
	// queue is by how many ms the round trip is longer than the shortest if the path is full.
	queue = 100
)

// path is what Janus knows of the way to a subscriber.
type path struct {
	remb     int64 // the subscriber's own estimate, bit/s: of the video alone
	isLower  bool  // than before
	found    int64 // the video that a probe found the path to carry, until it is full; bit/s
	reserve  int64 // what the coordinator keeps for audio
	rtt      int64 // ms
	shortest int64
	audio    map[string]bool  // the mids of audio
	sent     map[string]meter // by mid
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
	if stats.RTT > 0 && p.audio[stats.Mid] {
		p.rtt = stats.RTT
		if p.shortest == 0 || p.rtt < p.shortest {
			p.shortest = p.rtt
		}
	}
	if stats.REMB > 0 {
		p.isLower = float64(stats.REMB) < fallen*float64(p.remb)
		if p.remb == 0 {
			p.remb = stats.REMB
		}
		p.remb = min(stats.REMB, int64(steepest*float64(p.remb)))
	}
	if p.isFull() {
		p.found = 0
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

// estimate returns what the path carries. REMB is of packets with a send time, which Janus gives to video alone.
func (p *path) estimate() int64 { return max(p.remb+p.audioRate(), p.found+p.reserve) }

// isFull returns whether packets wait.
func (p *path) isFull() bool { return p.isLower || p.rtt > p.shortest+queue }

func (p *path) congestion() videopause.Congestion {
	if p.isFull() {
		return videopause.Congested
	}
	return videopause.NoCongestion
}
