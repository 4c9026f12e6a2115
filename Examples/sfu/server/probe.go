package main

const (
	probeLength = 500_000 // µs of padding
	probeResult = 300_000 // µs behind it after which everything has been reported, and the path is judged again
	short       = 30_000  // µs of queue, more than which no probe begins …
	long        = 80_000  // … that end a probe …
	late        = 200_000 // … and beyond which only the first picture may lengthen it: at 250 ms audio is late
)

// Probe is half a second in which padding brings what is sent up to a goal, and what arrived of it.
type Probe struct {
	goal     int64 // bits per second; 0 for no probe
	from, to int64 // to: when it was ended early
	bytes    int   // behind the first packet
	first    departure
	last     departure
	arrival  [2]int64 // of the first packet and of the last
}

func (p *Probe) end() int64 {
	if p.to > 0 {
		return p.to
	}
	return p.from + probeLength
}

// isBusy returns whether it is too early for another, and whether this one may have filled the path.
func (p *Probe) isBusy(at int64) bool { return p.goal > 0 && at < p.end()+probeResult }

// rate returns what to pad up to; 0 for nothing.
func (p *Probe) rate(at, queue int64) int64 {
	if p.goal == 0 || at >= p.end() {
		return 0
	}
	if queue > long {
		p.to = at
		return 0
	}
	return p.goal
}

func (p *Probe) arrived(sent departure, arrival int64) {
	if p.goal == 0 || sent.at < p.from || sent.at >= p.end() {
		return
	}
	if p.arrival[0] == 0 {
		p.first, p.arrival[0] = sent, arrival
		return
	}
	p.bytes += sent.bytes
	p.last, p.arrival[1] = sent, arrival
}

// result returns, once, the rate at which the probe arrived, or was sent if that is less; 0 if there is none.
func (p *Probe) result(at int64) int64 {
	if p.goal == 0 || p.isBusy(at) {
		return 0
	}
	p.goal = 0
	duration := max(p.arrival[1]-p.arrival[0], p.last.at-p.first.at)
	if duration < probeLength/4 {
		return 0
	}
	return int64(p.bytes) * 8 * 1_000_000 / duration
}
