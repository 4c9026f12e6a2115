package main

import "example.com/voiceactivity/videopause"

// Allocator decides which layer of each participant's camera to forward. One goroutine at a time uses it.
type Allocator interface {
	// decide returns the layer for each participant, none for those that are paused.
	decide(at int64, path Path, audio int64, speakers []uint64) map[uint64]int
	// locked reports that the layer that was decided has arrived at the forwarder.
	locked(participant uint64, at int64)
	// changes returns what has changed in the paused tracks.
	changes() []videopause.Change
	// probe returns, once when a probe is due, the rate to probe to, audio included; 0 otherwise.
	probe(at int64) int64
}

// Path is what is known of the path.
type Path struct {
	estimate int64 // bits per second
	queue    int64 // how long packets wait in it, in µs
	isFull   bool  // whether the queue grows, and no probe is the reason
	isLate   bool  // whether it is long
}

var policies = map[string]func([]*Feed) (Allocator, error){
	"coordinator": newCoordinated,
	"naive":       func(feeds []*Feed) (Allocator, error) { return &naive{feeds: feeds}, nil },
	"all":         func(feeds []*Feed) (Allocator, error) { return &all{feeds: feeds}, nil },
}

// audible is how many of the participants speak at a time. The silence of the others takes next to nothing.
const audible = 1

// headers is what RTP's and SRTP's headers add to the rates that publishers declare.
const headers = 1.06

// coordinated asks libvideopause.
type coordinated struct {
	coordinator *videopause.Coordinator
	target      map[uint64]int
	probed      int64 // when the last probe was due
}

func newCoordinated(feeds []*Feed) (Allocator, error) {
	coordinator, err := videopause.New(videopause.DefaultConfig())
	if err != nil {
		return nil, err
	}
	for _, feed := range feeds {
		var layers []videopause.Layer
		for i := range feed.rates {
			layers = append(layers, videopause.Layer{Spatial: uint32(i), Width: heights[i] * 16 / 9, Height: heights[i],
				IsActive: true, FramesPerSecond: 30, Bitrate: cost(feed, i)})
		}
		id := videopause.Stream(feed.participant, videopause.Video)
		if err := coordinator.UpsertStream(id, videopause.Camera, false, layers, now()); err != nil {
			return nil, err
		}
	}
	return &coordinated{coordinator: coordinator, target: map[uint64]int{}}, nil
}

func (c *coordinated) decide(at int64, path Path, audio int64, speakers []uint64) map[uint64]int {
	congestion := videopause.NoCongestion
	if path.isFull {
		congestion = videopause.EarlyWarning
	}
	if path.isLate {
		congestion = videopause.Congested
	}
	// None of these inputs can be refused: the clock is monotonic and the rates are in range.
	_ = c.coordinator.SetBandwidthEstimate(path.estimate, congestion, at)
	_ = c.coordinator.SetAudio(audible, audio, at)
	_ = c.coordinator.SetSpeakerOrder(speakers, at)
	if _, err := c.coordinator.Decide(at); err != nil {
		return c.target
	}
	for _, row := range c.coordinator.Rows() {
		c.target[row.Stream.Participant()] = none
		if row.Reason == videopause.Forwarded {
			c.target[row.Stream.Participant()] = int(row.Layer.Spatial)
		}
	}
	return c.target
}

func (c *coordinated) locked(participant uint64, at int64) {
	_ = c.coordinator.LayerLocked(videopause.Stream(participant, videopause.Video), at)
}

func (c *coordinated) changes() []videopause.Change { return c.coordinator.DrainChanges() }

func (c *coordinated) probe(at int64) int64 {
	decision := c.coordinator.Decision()
	if decision.HasProbe == 0 || at < decision.ProbeNotBeforeUs || decision.ProbeNotBeforeUs == c.probed {
		return 0
	}
	c.probed = decision.ProbeNotBeforeUs
	return decision.ProbeBps
}

// naive divides each estimate anew: the smallest layer of each camera that fits, in the order of the speakers, and then
// the largest that fits. It pauses nothing for longer than an estimate, and does not probe.
type naive struct{ feeds []*Feed }

func (n *naive) decide(_ int64, path Path, audio int64, speakers []uint64) map[uint64]int {
	target, left := map[uint64]int{}, path.estimate-audio
	order := inOrder(n.feeds, speakers)
	for _, feed := range order {
		target[feed.participant] = none
		if cost(feed, 0) <= left {
			target[feed.participant], left = 0, left-cost(feed, 0)
		}
	}
	for _, feed := range order {
		layer := target[feed.participant]
		for layer != none && layer+1 < len(feed.rates) && cost(feed, layer+1)-cost(feed, layer) <= left {
			left -= cost(feed, layer+1) - cost(feed, layer)
			layer++
		}
		target[feed.participant] = layer
	}
	return target
}

func (n *naive) locked(uint64, int64)         {}
func (n *naive) changes() []videopause.Change { return nil }
func (n *naive) probe(int64) int64            { return 0 }

func cost(feed *Feed, layer int) int64 {
	return int64(float64(feed.rates[layer]) * headers)
}

// inOrder returns the feeds, those of the speakers first.
func inOrder(feeds []*Feed, speakers []uint64) []*Feed {
	var order []*Feed
	isIn := map[uint64]bool{}
	for _, speaker := range speakers {
		for _, feed := range feeds {
			if feed.participant == speaker {
				order, isIn[speaker] = append(order, feed), true
			}
		}
	}
	for _, feed := range feeds {
		if !isIn[feed.participant] {
			order = append(order, feed)
		}
	}
	return order
}

// all forwards the largest layer of everybody, whatever the path carries.
type all struct{ feeds []*Feed }

func (a *all) decide(int64, Path, int64, []uint64) map[uint64]int {
	target := map[uint64]int{}
	for _, feed := range a.feeds {
		target[feed.participant] = len(feed.rates) - 1
	}
	return target
}

func (a *all) locked(uint64, int64)         {}
func (a *all) changes() []videopause.Change { return nil }
func (a *all) probe(int64) int64            { return 0 }
