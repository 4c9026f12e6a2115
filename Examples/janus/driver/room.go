package main

// Room is a room of VideoRoom.
type Room struct {
	id          uint64
	feeds       map[uint64]*Feed
	subscribers []*Subscriber
	speakers    []uint64 // who talked last first
	talking     map[uint64]bool
}

func newRoom(id uint64) *Room {
	return &Room{id: id, feeds: map[uint64]*Feed{}, talking: map[uint64]bool{}}
}

// join returns the feed of a participant. Whoever joins may publish later.
func (r *Room) join(id uint64, ladder ladder) *Feed {
	feed := &Feed{id: id, room: r, ladder: ladder}
	r.feeds[id] = feed
	return feed
}

// leave removes what a participant published.
func (r *Room) leave(id uint64, at int64) {
	r.talk(id, false)
	r.speakers = r.speakersBut(id)
	for _, subscriber := range r.subscribers {
		subscriber.remove(id, at)
	}
	if feed := r.feeds[id]; feed != nil {
		feed.meters, feed.known = [substreams]layerMeter{}, nil // it may publish again
	}
}

func (r *Room) talk(id uint64, isTalking bool) {
	delete(r.talking, id)
	if !isTalking {
		return
	}
	r.talking[id] = true
	r.speakers = append([]uint64{id}, r.speakersBut(id)...)
}

func (r *Room) speakersBut(id uint64) (others []uint64) {
	for _, other := range r.speakers {
		if other != id {
			others = append(others, other)
		}
	}
	return others
}

func (r *Room) drop(gone *Subscriber) {
	for i, subscriber := range r.subscribers {
		if subscriber == gone {
			r.subscribers = append(r.subscribers[:i], r.subscribers[i+1:]...)
			return
		}
	}
}
