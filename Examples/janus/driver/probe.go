package main

import "example.com/voiceactivity/videopause"

const (
	// burst is how many bits more a probe sends while streams are paused: a quarter of a second of a path of 400 kbit/s.
	// So it may come often. With all the time that an estimate needs to grow, it would fill the queue, and be in its own way.
	burst         = 100_000
	shortestBurst = 500_000 // µs, for a key frame and what follows it
	longestBurst  = 1_000_000
	// verdict is how many µs behind a burst Janus has told of the receiver's reports about it.
	verdict = 1_200_000
	// surplus is what makes up for the margin that the coordinator keeps of an estimate, because estimates are noisy. What
	// the path carried without a queue is the least that it carries.
	surplus = 1.08
	// pause is how many µs after a probe that filled the path the next one comes.
	pause = 5_000_000
	// A probe for larger pictures lasts as long as the receiver's estimate needs: that grows by 8 % a second …
	patience = 8_000_000
	// … up to one and a half of what arrives, so that this part of the goal is enough. More would only make the queue longer.
	enough = 2.0 / 3
)

// probe finds out whether the path carries more. VideoRoom sends no padding, so a probe forwards video: streams that are
// paused, which the client does not show until it hears that they are back. When none is paused, it forwards larger layers.
type probe struct {
	began, until int64 // until 0 for none
	isBurst      bool
	goal         int64 // bits per second, audio included
	carried      int64 // the video that was forwarded for it
	notBefore    int64
}

// isSending returns whether more is to be forwarded now.
func (p *probe) isSending(at int64) bool { return at < p.until }

// follow begins a probe when the coordinator asks for one, and ends it when the path is full. It returns the video that
// the path was found to carry by a probe that is over; otherwise 0.
func (p *probe) follow(decision videopause.Decision, rows []videopause.Row, path path, at int64) (found int64) {
	if path.isFull() {
		if p.until > 0 {
			p.notBefore = at + pause
		}
		p.until = 0
		return 0
	}
	if p.until > 0 && at >= p.until+verdict {
		found, p.until = int64(float64(p.carried)*surplus), 0
		if found+path.reserve <= path.estimate() { // no news
			p.notBefore = at + pause
		}
	}
	isPaused := false
	for _, row := range rows {
		isPaused = isPaused || row.Reason == videopause.PausedForBandwidth
	}
	// The coordinator asks less often after each probe without result. A burst does so little that it need not wait for that.
	if p.until == 0 && decision.HasProbe != 0 && at >= p.notBefore && (isPaused || at >= decision.ProbeNotBeforeUs) {
		*p = probe{began: at, until: at + patience, goal: decision.ProbeBps, isBurst: isPaused}
		if isPaused {
			p.goal = max(p.goal, 2*max(found+path.reserve, path.estimate()))
		}
	}
	return found
}

// fill raises what is forwarded towards the goal: a burst the streams that are paused, to their smallest layers, and others
// what is shown. The first step may take all of the goal.
func (p *probe) fill(rows []videopause.Row, layersOf func(videopause.StreamID) []videopause.Layer, decision videopause.Decision, at int64) {
	if !p.isSending(at) {
		return
	}
	reason, used, most := videopause.Forwarded, decision.AudioReserveBps+decision.TargetBps, int64(float64(p.goal)*enough)
	if p.isBurst {
		reason, most = videopause.PausedForBandwidth, p.goal
	}
	sent := used
	for i := range rows {
		row, before := &rows[i], rows[i].Layer.Bitrate
		if row.Reason != reason {
			continue
		}
		for _, layer := range layersOf(row.Stream) {
			isMore := layer.IsActive && layer.Bitrate > row.Layer.Bitrate && layer.Bitrate <= row.Ideal.Bitrate
			isEnough := p.isBurst && row.Layer.Bitrate > 0
			if next := sent + layer.Bitrate - before; isMore && !isEnough && (next <= most || sent == used && next <= p.goal) {
				row.Layer = layer
			}
		}
		sent += row.Layer.Bitrate - before
	}
	if p.isBurst && p.carried == 0 && sent > used {
		p.until = p.began + clamp(burst*1_000_000/(sent-used), shortestBurst, longestBurst)
	}
	p.carried = sent - decision.AudioReserveBps
}

func clamp(value, least, most int64) int64 { return max(least, min(value, most)) }

func min(a, b int64) int64 { return -max(-a, -b) }

func max(a, b int64) int64 {
	if a > b {
		return a
	}
	return b
}
