package main

import (
	"net/http"
	"sync"
	"time"

	"example.com/sfu/journal"
	"example.com/sfu/peer"
	"github.com/pion/webrtc/v3"
)

// start is the origin of the clock, in which all times are microseconds.
var start = time.Now()

func now() int64 { return time.Since(start).Microseconds() }

// Room is a call: who publishes, and who subscribes.
type Room struct {
	policy string
	log    *journal.Journal

	mutex       sync.Mutex
	feeds       []*Feed
	subscribers []*Subscriber
}

func (r *Room) publish(request *http.Request, offer webrtc.SessionDescription) (*webrtc.SessionDescription, error) {
	rates, err := parseRates(request.URL.Query().Get("rates"))
	if err != nil {
		return nil, err
	}
	connection, err := peer.New(false)
	if err != nil {
		return nil, err
	}
	r.mutex.Lock()
	feed, err := newFeed(uint64(len(r.feeds)+1), rates, connection, r)
	if err == nil {
		r.feeds = append(r.feeds, feed)
	}
	r.mutex.Unlock()
	if err != nil {
		return nil, err
	}
	connection.OnTrack(feed.receive)
	return accept(connection, offer)
}

func (r *Room) subscribe(_ *http.Request, offer webrtc.SessionDescription) (*webrtc.SessionDescription, error) {
	r.mutex.Lock()
	feeds := append([]*Feed{}, r.feeds...)
	r.mutex.Unlock()
	subscriber, err := newSubscriber(feeds, policies[r.policy], r)
	if err != nil {
		return nil, err
	}
	answer, err := accept(subscriber.connection, offer)
	if err != nil {
		return nil, err
	}
	r.mutex.Lock()
	r.subscribers = append(r.subscribers, subscriber)
	r.mutex.Unlock()
	return answer, nil
}

// each calls a function for every subscriber.
func (r *Room) each(do func(*Subscriber)) {
	r.mutex.Lock()
	subscribers := r.subscribers // only appended to
	r.mutex.Unlock()
	for _, subscriber := range subscribers {
		do(subscriber)
	}
}

// speakers returns the participants, the one who began to speak last first.
func (r *Room) speakers() []uint64 {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return bySpeech(r.feeds)
}
