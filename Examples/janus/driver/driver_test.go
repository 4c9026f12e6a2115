package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/voiceactivity/videopause"
)

const second = 1_000_000

// call is a room with two publishers of three substreams and a subscriber of both, as Janus reports it.
type call struct {
	*testing.T
	driver *Driver
	rtt    int
}

func newCall(t *testing.T) *call {
	ladder, err := parseLadder("180,360,720", "1")
	if err != nil {
		t.Fatal(err)
	}
	c := &call{T: t, rtt: 5, driver: &Driver{ladder: ladder, initial: 1_000_000, log: json.NewEncoder(io.Discard),
		rooms: map[uint64]*Room{}, feeds: map[uint64]*Feed{}, subscribers: map[uint64]*Subscriber{}}}
	c.plugin(0, 11, `{"event": "joined", "room": 1, "id": 1}`)
	c.plugin(0, 12, `{"event": "joined", "room": 1, "id": 2}`)
	for at := int64(0); at <= 3*second; at += second {
		c.publish(at)
	}
	c.plugin(3*second, 21, `{"event": "subscribing", "room": 1, "streams": [
		{"type": "audio", "mid": "0", "feed_id": 1}, {"type": "video", "mid": "1", "feed_id": 1},
		{"type": "audio", "mid": "2", "feed_id": 2}, {"type": "video", "mid": "3", "feed_id": 2}]}`)
	return c
}

func (c *call) event(at int64, kind int, handle uint64, body string) {
	c.Helper()
	text := fmt.Sprintf(`{"type": %d, "subtype": 3, "session_id": 9, "handle_id": %d, "opaque_id": "ann", "event": %s}`, kind, handle, body)
	var e event
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		c.Fatal(err)
	}
	if err := c.driver.dispatch(e, at); err != nil {
		c.Fatal(err)
	}
}

func (c *call) plugin(at int64, handle uint64, data string) {
	c.Helper()
	c.event(at, pluginEvent, handle, `{"plugin": "janus.plugin.videoroom", "data": `+data+`}`)
}

// publish reports 100, 350 and 1,200 kbit/s from each publisher.
func (c *call) publish(at int64) {
	for _, handle := range []uint64{11, 12} {
		for media, rate := range map[string]int64{"video": 100_000, "video-sim1": 350_000, "video-sim2": 1_200_000} {
			c.event(at, mediaEvent, handle, fmt.Sprintf(`{"mid": "1", "media": %q, "bytes-received": %d}`, media, rate/8*at/second))
		}
	}
}

// settle lets the coordinator decide for some seconds with this REMB, and returns what Janus forwards then. While that is
// more than the path carries, the round trip is long.
func (c *call) settle(from, to, remb, capacity int64) map[string]setting {
	c.Helper()
	s := c.driver.subscribers[21]
	for at := from; at < to; at += second / 10 {
		if at%second == 0 {
			c.publish(at)
			c.event(at, mediaEvent, 21, fmt.Sprintf(`{"mid": "0", "media": "audio", "rtt": %d, "bytes-sent": %d, "remb-bitrate": %d}`,
				c.rtt, 3000*at/second, remb))
			c.rtt = 5
		}
		s.decide(at)
		for _, setting := range s.pending(at) {
			s.applied[setting.Mid] = setting
		}
		if s.sent() > capacity {
			c.rtt = 205
		}
	}
	return s.applied
}

// sent is the rate of what Janus forwards.
func (s *Subscriber) sent() (sum int64) {
	for _, setting := range s.applied {
		if setting.Send {
			sum += []int64{100_000, 350_000, 1_200_000}[setting.Substream]
		}
	}
	return sum
}

func TestTheEstimateDecidesWhatVideoRoomForwards(t *testing.T) {
	c := newCall(t)
	wide := c.settle(3*second, 10*second, 4_000_000, 5_000_000)
	if wide["1"] != (setting{"1", true, 2, 2}) || wide["3"] != (setting{"3", true, 2, 2}) {
		t.Errorf("4 Mbit/s: %+v", wide)
	}
	c.plugin(10*second, 12, `{"videoroom": "talking", "room": 1, "id": 2}`)
	narrow := c.settle(10*second, 11*second, 190_000, 190_000) // the first probe begins after 0.75 s, with the next report
	if narrow["1"].Send || narrow["3"] != (setting{"3", true, 0, 2}) {
		t.Errorf("190 kbit/s while the second talks: %+v", narrow)
	}
	isPaused := func() bool {
		rows := c.driver.subscribers[21].coordinator.Rows()
		return rows[1].Stream == camera(1) && rows[1].Reason == videopause.PausedForBandwidth
	}
	probes, sends := 0, false
	for at := int64(11 * second); at < 31*second; at += second / 10 {
		before := sends
		sends = c.settle(at, at+second/10, 190_000, 190_000)["1"].Send
		if sends && !before {
			probes++
		}
		if !isPaused() {
			t.Fatalf("resumed after %d ms, though the path carries one camera", at/1000-11_000)
		}
	}
	// A probe, two seconds until Janus tells of the queue at the most, and five of rest.
	if probes < 3 || probes > 5 {
		t.Errorf("%d probes in 20 s", probes)
	}
	// The path widens. The receiver's estimate has not noticed yet.
	c.settle(31*second, 41*second, 190_000, 5_000_000)
	if isPaused() {
		t.Error("still paused, though the path carries everything")
	}
}

func TestAFailureSaysWhatToDo(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		fmt.Fprint(response, `{"janus": "error", "error": {"code": 403, "reason": "Unauthorized request"}}`)
	}))
	err := (&Janus{url: server.URL}).configure(9, 21, nil)
	if err == nil || !strings.Contains(err.Error(), "-secret") {
		t.Errorf("wrong secret: %v", err)
	}
	server.Close()
	if err := (&Janus{url: server.URL}).configure(9, 21, nil); err == nil || !strings.Contains(err.Error(), "-janus") {
		t.Errorf("no Janus: %v", err)
	}
}

func TestOtherEventsOfMediaAreNoStatistics(t *testing.T) {
	c := newCall(t)
	before := c.driver.feeds[11].measured(3 * second)
	c.driver.handle(json.RawMessage(`{"type": 32, "subtype": 1, "handle_id": 11, "event": {"media": "video", "receiving": false}}`))
	if after := c.driver.feeds[11].measured(3 * second); after[0] != before[0] {
		t.Errorf("%+v became %+v", before[0], after[0])
	}
}

func TestWhoLeavesIsForgotten(t *testing.T) {
	c := newCall(t)
	c.settle(3*second, 6*second, 4_000_000, 5_000_000)
	c.plugin(6*second, 12, `{"videoroom": "talking", "room": 1, "id": 2}`)
	c.plugin(6*second, 11, `{"videoroom": "talking", "room": 1, "id": 1}`)
	c.plugin(6*second, 11, `{"event": "unpublished", "room": 1, "id": 1}`)
	if speakers := c.driver.rooms[1].speakers; len(speakers) != 1 || speakers[0] != 2 {
		t.Errorf("the speakers are %v", speakers)
	}
	if rows := c.driver.subscribers[21].coordinator.Rows(); len(rows) == 0 {
		t.Error("the second is gone too")
	}
	c.event(6*second, handleEvent, 21, `{"name": "detached"}`)
	c.event(6*second, handleEvent, 12, `{"name": "detached"}`)
	if len(c.driver.subscribers) != 0 || len(c.driver.feeds) != 1 || len(c.driver.rooms[1].subscribers) != 0 {
		t.Errorf("%+v", c.driver)
	}
	c.event(6*second, handleEvent, 11, `{"name": "detached"}`)
	c.plugin(6*second, 11, `{"event": "leaving", "room": 1, "id": 1}`)
	if len(c.driver.rooms) != 0 {
		t.Errorf("a room without anybody is kept: %+v", c.driver.rooms)
	}
}

func TestALadderHasOneToThreeSteps(t *testing.T) {
	for _, heights := range []string{"", "0", "1,2,3,4", "a"} {
		if _, err := parseLadder(heights, "1"); err == nil {
			t.Errorf("%q is taken for heights", heights)
		}
	}
	ladder, err := parseLadder("180", "0.4,0.6,1")
	if err != nil || ladder.temporalOf(0) != 0 || ladder.temporalOf(2) != 2 {
		t.Errorf("%+v, %v", ladder, err)
	}
}
