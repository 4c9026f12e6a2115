package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// The types of events that the driver reads (JANUS_EVENT_TYPE_… in Janus' eventhandler.h).
const (
	handleEvent = 2
	mediaEvent  = 32
	pluginEvent = 64

	mediaStatsEvent = 3 // the subtype
)

// event is an event as Janus' event handlers send it.
type event struct {
	Type    int             `json:"type"`
	Subtype int             `json:"subtype"`
	Session uint64          `json:"session_id"`
	Handle  uint64          `json:"handle_id"`
	Opaque  string          `json:"opaque_id"`
	Body    json.RawMessage `json:"event"`
}

// roomEvent is what VideoRoom says. "talking" is in another member than the names of other events.
type roomEvent struct {
	Event   string   `json:"event"`
	Talking string   `json:"videoroom"`
	Room    uint64   `json:"room"`
	ID      uint64   `json:"id"`
	Streams []stream `json:"streams"`
}

// stream is one stream of a subscription: the subscriber's mid, and whose media it carries.
type stream struct {
	Mid  string `json:"mid"`
	Type string `json:"type"`
	Feed uint64 `json:"feed_id"`
}

// mediaStats is what Janus counts of one medium of a handle. REMB is of the whole connection, with the first medium.
type mediaStats struct {
	Mid      string `json:"mid"`
	Media    string `json:"media"` // audio, or video, video-sim1 and video-sim2: the substreams that a publisher sends
	Received int64  `json:"bytes-received"`
	Sent     int64  `json:"bytes-sent"`
	REMB     int64  `json:"remb-bitrate"`
	RTT      int64  `json:"rtt"` // ms
}

// handle takes what Janus POSTs: one event, or several in an array. An event that it does not understand is not refused,
// because Janus would send it again.
func (d *Driver) handle(body json.RawMessage) error {
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		body = append(append([]byte("["), body...), ']')
	}
	var events []event
	if err := json.Unmarshal(body, &events); err != nil {
		return err
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for _, e := range events {
		if err := d.dispatch(e, now()); err != nil {
			fmt.Fprintf(os.Stderr, "driver: an event of handle %d is not as expected: %v\n", e.Handle, err)
		}
	}
	return nil
}

func (d *Driver) dispatch(e event, at int64) error {
	switch e.Type {
	case handleEvent:
		var change struct {
			Name string `json:"name"`
		}
		if err := json.Unmarshal(e.Body, &change); err != nil {
			return err
		}
		if change.Name == "detached" {
			d.forget(e.Handle, at)
		}
	case pluginEvent:
		var said struct {
			Plugin string          `json:"plugin"`
			Data   json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal(e.Body, &said); err != nil {
			return err
		}
		if said.Plugin == "janus.plugin.videoroom" {
			var change roomEvent
			if err := json.Unmarshal(said.Data, &change); err != nil {
				return err
			}
			return d.roomChanged(e, change, at)
		}
	case mediaEvent:
		if e.Subtype != mediaStatsEvent {
			return nil
		}
		var stats mediaStats
		if err := json.Unmarshal(e.Body, &stats); err != nil {
			return err
		}
		if feed := d.feeds[e.Handle]; feed != nil {
			feed.count(stats, at)
		}
		if subscriber := d.subscribers[e.Handle]; subscriber != nil {
			subscriber.count(stats, at)
		}
	}
	return nil
}

func (d *Driver) roomChanged(e event, change roomEvent, at int64) error {
	room := d.room(change.Room)
	defer d.tidy(change.Room) // what comes late may be of a room that was forgotten
	switch {
	case change.Event == "joined":
		d.feeds[e.Handle] = room.join(change.ID, d.ladder)
	case change.Event == "unpublished" || change.Event == "leaving" || change.Event == "kicked":
		room.leave(change.ID, at)
	case change.Event == "subscribing" || change.Event == "updated":
		return d.subscribe(e, room, change.Streams, at)
	case change.Talking == "talking":
		room.talk(change.ID, true)
	case change.Talking == "stopped-talking":
		room.talk(change.ID, false)
	}
	return nil
}
