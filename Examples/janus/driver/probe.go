package main

import "example.com/voiceactivity/videopause"

const (
	// probeLength is how many µs more is sent at most. A receiver's estimate grows by 8 % a second …
	probeLength = 8_000_000
	// … up to one and a half of what arrives, so that this part of the goal is enough. More would only make the queue longer.
	enough = 2.0 / 3
	// A probe with video on a full path delays audio for seconds. The next one comes after these µs, twice as many each time.
	shortestWait = 5_000_000
	longestWait  = 20_000_000
)

// probe finds out whether the path carries more. VideoRoom sends no padding, so a probe forwards video: streams that are
// paused, which the client does not show until it hears that they are back, and then larger layers.
type probe struct {
	until, goal     int64
	wait, notBefore int64
}

// follow begins a probe when the coordinator asks for one, and ends it once its goal is reached or the path is full.
func (p *probe) follow(decision videopause.Decision, path path, at int64) {
	from := decision.ProbeNotBeforeUs // never without a probe
	if from < p.notBefore {
		from = p.notBefore
	}
	if at >= from && !path.isFull() {
		p.until, p.goal = from+probeLength, decision.ProbeBps
	}
	if p.until == 0 {
		return
	}
	switch {
	case path.isFull():
		p.wait = clamp(2*p.wait, shortestWait, longestWait)
		p.until, p.notBefore = 0, at+p.wait
	case path.estimate() >= p.goal:
		p.until, p.wait = 0, 0
	case at >= p.until || decision.HasProbe == 0:
		p.until = 0
	}
}

func clamp(value, least, most int64) int64 {
	if value < least {
		return least
	}
	if value > most {
		return most
	}
	return value
}

// fill raises what is forwarded towards the goal: streams that are paused, and then larger layers. The first step may take
// all of it.
func (p *probe) fill(rows []videopause.Row, layersOf func(videopause.StreamID) []videopause.Layer, decision videopause.Decision) {
	if p.until == 0 {
		return
	}
	used := decision.AudioReserveBps + decision.TargetBps
	most, left := p.goal-used, int64(float64(p.goal)*enough)-used
	isRaised := false
	for _, reason := range []videopause.Reason{videopause.PausedForBandwidth, videopause.Forwarded} {
		for i := range rows {
			row, before := &rows[i], rows[i].Layer.Bitrate
			if row.Reason != reason {
				continue
			}
			for _, layer := range layersOf(row.Stream) {
				isMore := layer.IsActive && layer.Bitrate > row.Layer.Bitrate && layer.Bitrate <= row.Ideal.Bitrate
				if cost := layer.Bitrate - before; isMore && (cost <= left || !isRaised && cost <= most) {
					row.Layer, isRaised = layer, true
				}
			}
			left -= row.Layer.Bitrate - before
		}
	}
}
