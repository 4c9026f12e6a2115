package main

import "example.com/voiceactivity/videopause"

// probeLength is how many µs more is sent at most. A receiver's estimate grows by 8 % a second, up to one and a half of
// what arrives.
const probeLength = 8_000_000

// probe finds out whether the path carries more. VideoRoom sends no padding, so a probe forwards video: streams that are
// paused, which the client does not show until it hears that they are back, and then larger layers.
type probe struct {
	until, goal int64
}

// follow begins a probe when the coordinator asks for one, and ends it once its goal is reached or the path is full.
func (p *probe) follow(decision videopause.Decision, path path, at int64) {
	if at >= decision.ProbeNotBeforeUs { // never without a probe
		p.until, p.goal = decision.ProbeNotBeforeUs+probeLength, decision.ProbeBps
	}
	if decision.HasProbe == 0 || at >= p.until || path.estimate() >= p.goal || path.isFull() {
		p.until = 0
	}
}

// fill raises what is forwarded towards the goal.
func (p *probe) fill(rows []videopause.Row, layersOf func(videopause.StreamID) []videopause.Layer, decision videopause.Decision) {
	if p.until == 0 {
		return
	}
	left := p.goal - decision.AudioReserveBps - decision.TargetBps
	for _, reason := range []videopause.Reason{videopause.PausedForBandwidth, videopause.Forwarded} {
		for i := range rows {
			row, before := &rows[i], rows[i].Layer.Bitrate
			if row.Reason != reason {
				continue
			}
			for _, layer := range layersOf(row.Stream) {
				if layer.IsActive && layer.Bitrate > row.Layer.Bitrate && layer.Bitrate <= row.Ideal.Bitrate && layer.Bitrate-before <= left {
					row.Layer = layer
				}
			}
			left -= row.Layer.Bitrate - before
		}
	}
}
