package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"example.com/voiceactivity/videopause"
)

const (
	tick   = 100 * time.Millisecond
	ownPin = 1 // VP_PIN_OWN
)

// start is the origin of the clock, in which all times are microseconds.
var start = time.Now()

func now() int64 { return time.Since(start).Microseconds() }

// Driver knows the rooms of one Janus, from its events. It should be started before the calls: it does not ask for what was
// before.
type Driver struct {
	janus   *Janus // nil to observe
	notify  string
	ladder  ladder
	initial int64

	mutex       sync.Mutex // of the rest
	log         *json.Encoder
	rooms       map[uint64]*Room
	feeds       map[uint64]*Feed       // by their publisher's handle
	subscribers map[uint64]*Subscriber // by their handle
}

func (d *Driver) room(id uint64) *Room {
	if d.rooms[id] == nil {
		d.rooms[id] = newRoom(id)
	}
	return d.rooms[id]
}

// tidy forgets a room that is empty.
func (d *Driver) tidy(id uint64) {
	if room := d.rooms[id]; room != nil && len(room.feeds) == 0 && len(room.subscribers) == 0 {
		delete(d.rooms, id)
	}
}

// subscribe takes the streams of a subscription that is new or has changed.
func (d *Driver) subscribe(e event, room *Room, streams []stream, at int64) error {
	subscriber := d.subscribers[e.Handle]
	if subscriber == nil {
		var err error
		if subscriber, err = newSubscriber(e, room, d.initial); err != nil {
			return err
		}
		d.subscribers[e.Handle] = subscriber
		room.subscribers = append(room.subscribers, subscriber)
	}
	subscriber.set(streams, at)
	return nil
}

// forget removes a handle that is gone.
func (d *Driver) forget(handle uint64, at int64) {
	if feed := d.feeds[handle]; feed != nil {
		feed.room.leave(feed.id, at)
		delete(feed.room.feeds, feed.id)
		delete(d.feeds, handle)
		d.tidy(feed.room.id)
	}
	if subscriber := d.subscribers[handle]; subscriber != nil {
		subscriber.room.drop(subscriber)
		subscriber.coordinator.Close()
		delete(d.subscribers, handle)
		d.tidy(subscriber.room.id)
	}
}

// demand takes what a subscriber wants of a feed.
func (d *Driver) demand(body json.RawMessage) error {
	wanted := struct {
		Subscriber    string
		Feed          uint64
		Visible       bool
		Width, Height uint32
		Pinned        bool
	}{Visible: true}
	if err := json.Unmarshal(body, &wanted); err != nil {
		return err
	}
	demand := videopause.DefaultDemand()
	if wanted.Width > 0 && wanted.Height > 0 {
		demand = videopause.DemandOfView(wanted.Width, wanted.Height)
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	at := now()
	if !wanted.Visible {
		demand.IsVisible = 0
	}
	if wanted.Pinned {
		demand.Pin, demand.PinnedAtUs = ownPin, at
	}
	for _, subscriber := range d.subscribers {
		if subscriber.opaque == wanted.Subscriber {
			return subscriber.coordinator.SetDemand(camera(wanted.Feed), demand, at)
		}
	}
	return fmt.Errorf("nobody subscribes with the opaque_id %q: attach the handle with it", wanted.Subscriber)
}

// decide lets each coordinator decide, and carries out what is new.
func (d *Driver) decide() {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for _, subscriber := range d.subscribers {
		changes := subscriber.decide(now())
		d.write("state", subscriber.state())
		if len(changes) > 0 {
			d.tell(subscriber, changes)
		}
		if settings := subscriber.pending(now()); d.janus != nil && len(settings) > 0 {
			subscriber.isBusy = true
			go d.configure(subscriber, settings)
		}
	}
}

// configure carries out a decision. What fails is tried again, a second later.
func (d *Driver) configure(subscriber *Subscriber, settings []setting) {
	err := d.janus.configure(subscriber.session, subscriber.handle, settings)
	d.mutex.Lock()
	defer d.mutex.Unlock()
	subscriber.isBusy = false
	if err != nil {
		subscriber.waitsUntil = now() + 1_000_000
		fmt.Fprintln(os.Stderr, "driver:", err)
		return
	}
	for _, setting := range settings {
		subscriber.applied[setting.Mid] = setting
	}
	d.write("configure", map[string]any{"subscriber": subscriber.opaque, "streams": settings})
}

// tell tells the application which tracks are paused or resumed, in the form of docs/video-pause.md.
func (d *Driver) tell(subscriber *Subscriber, changes []videopause.Change) {
	change := map[string]map[string][]string{"paused": {}, "resumed": {}}
	for _, c := range changes {
		half := change["resumed"]
		if c.IsPaused {
			half = change["paused"]
		}
		half[fmt.Sprint(c.Stream.Participant())] = []string{"video"}
	}
	message := map[string]any{"subscriber": subscriber.opaque, "change": change}
	if d.notify != "" && d.janus != nil {
		go func() {
			if err := post(d.notify, message, nil); err != nil {
				fmt.Fprintln(os.Stderr, "driver:", err)
			}
		}()
	}
	d.write("paused_tracks", map[string]any{"subscriber": subscriber.opaque, "change": change})
}

// write writes a record with its wall clock in seconds.
func (d *Driver) write(kind string, members map[string]any) {
	members["type"], members["at"] = kind, float64(time.Now().UnixMicro())/1e6
	_ = d.log.Encode(members)
}
