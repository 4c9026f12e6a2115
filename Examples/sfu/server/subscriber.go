package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"

	"example.com/sfu/journal"
	"example.com/sfu/peer"
	"example.com/voiceactivity/videopause"
	"github.com/pion/rtcp"
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v3"
)

const (
	initialBps   = 300_000
	tick         = 10 * time.Millisecond
	ticksToThink = 10  // decisions are made each 100 ms, padding is sent each 10 ms
	mostRepeated = 0.3 // of the estimate …
	whileWaiting = 0.1 // … and while packets wait in the path
)

// Subscriber is somebody who receives everybody's audio, and the video that the allocator decides.
type Subscriber struct {
	connection *webrtc.PeerConnection
	room       *Room
	transport  *Transport
	audio      map[uint64]*webrtc.TrackLocalStaticRTP
	feeds      map[uint64]*Feed

	mutex       sync.Mutex // of the rest
	path        Path       // at the last tick
	allocator   Allocator
	forwarders  map[uint64]*Forwarder
	channel     *webrtc.DataChannel
	audioMeter  meter
	videoMeter  meter
	padding     Padding
	repeatMeter meter
}

func newSubscriber(feeds []*Feed, newAllocator func([]*Feed) (Allocator, error), room *Room) (*Subscriber, error) {
	allocator, err := newAllocator(feeds)
	if err != nil {
		return nil, err
	}
	s := &Subscriber{room: room, allocator: allocator, audio: map[uint64]*webrtc.TrackLocalStaticRTP{},
		feeds: map[uint64]*Feed{}, forwarders: map[uint64]*Forwarder{}}
	if s.transport, err = newTransport(); err != nil {
		return nil, err
	}
	s.connection, err = peer.NewEstimating(s.transport)
	if err != nil {
		return nil, err
	}
	for _, feed := range feeds {
		if err := s.add(feed); err != nil {
			return nil, err
		}
	}
	if s.padding.track, err = s.addTrack(peer.VP8, "padding", peer.Padding, func(rtcp.Packet) {}); err != nil {
		return nil, err
	}
	s.connection.OnDataChannel(func(channel *webrtc.DataChannel) {
		channel.OnOpen(func() {
			s.mutex.Lock()
			s.channel = channel
			s.mutex.Unlock()
		})
	})
	s.connection.OnConnectionStateChange(func(state webrtc.PeerConnectionState) {
		if state == webrtc.PeerConnectionStateConnected {
			go s.run()
		}
	})
	return s, nil
}

// add adds the tracks of a feed.
func (s *Subscriber) add(feed *Feed) (err error) {
	name, forwarder := strconv.FormatUint(feed.participant, 10), newForwarder()
	s.feeds[feed.participant], s.forwarders[feed.participant] = feed, forwarder
	if s.audio[feed.participant], err = s.addTrack(peer.Opus, "audio-"+name, name, func(rtcp.Packet) {}); err != nil {
		return err
	}
	forwarder.track, err = s.addTrack(peer.VP8, "video-"+name, name, func(packet rtcp.Packet) { s.answer(feed, forwarder, packet) })
	return err
}

func (s *Subscriber) addTrack(codec webrtc.RTPCodecCapability, id, stream string, answer func(rtcp.Packet)) (*webrtc.TrackLocalStaticRTP, error) {
	track, err := webrtc.NewTrackLocalStaticRTP(codec, id, stream)
	if err != nil {
		return nil, err
	}
	sender, err := s.connection.AddTrack(track)
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			packets, _, err := sender.ReadRTCP()
			if err != nil {
				return
			}
			for _, packet := range packets {
				answer(packet)
			}
		}
	}()
	return track, nil
}

// answer answers requests for key frames and for packets that are missing.
func (s *Subscriber) answer(feed *Feed, forwarder *Forwarder, packet rtcp.Packet) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	switch request := packet.(type) {
	case *rtcp.PictureLossIndication:
		if forwarder.layer != none {
			feed.askForKeyFrame(forwarder.layer)
		}
	case *rtcp.TransportLayerNack:
		for _, pair := range request.Nacks {
			for _, sequence := range pair.PacketList() {
				s.repeatMeter.add(s.repeat(forwarder, sequence, now()), now())
			}
		}
	}
}

// repeat sends a packet again, as long as that takes no more than a small part of what the path carries.
func (s *Subscriber) repeat(forwarder *Forwarder, sequence uint16, at int64) int {
	most := mostRepeated
	if s.path.queue > short {
		most = whileWaiting
	}
	if s.repeatMeter.rate(at) > int64(most*float64(s.path.estimate)) {
		return 0
	}
	return forwarder.repeat(sequence, s.path.queue, at)
}

func (s *Subscriber) forwardAudio(participant uint64, packet *rtp.Packet) {
	track := s.audio[participant]
	if track == nil {
		return
	}
	out := *packet
	out.Header.Extensions, out.Header.Extension = nil, false
	if track.WriteRTP(&out) == nil {
		s.mutex.Lock()
		s.audioMeter.add(out.MarshalSize(), now())
		s.mutex.Unlock()
	}
}

func (s *Subscriber) forwardVideo(participant uint64, layer int, packet *rtp.Packet) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	forwarder := s.forwarders[participant]
	if forwarder == nil {
		return
	}
	at := now()
	bytes, isLocked := forwarder.forward(layer, packet, at)
	s.videoMeter.add(bytes, at)
	if isLocked {
		s.allocator.locked(participant, at)
	}
}

// run decides and pads until the connection ends.
func (s *Subscriber) run() {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for count := 0; s.connection.ConnectionState() == webrtc.PeerConnectionStateConnected; count++ {
		<-ticker.C
		speakers := s.room.speakers()
		s.mutex.Lock()
		at := now()
		s.path = s.transport.path(at)
		if count%ticksToThink == 0 {
			s.think(at, speakers)
			s.report(at)
		}
		s.pad(at)
		s.mutex.Unlock()
	}
}

// think asks the allocator and does what it says.
func (s *Subscriber) think(at int64, speakers []uint64) {
	for participant, layer := range s.allocator.decide(at, s.path, s.audioMeter.rate(at), speakers) {
		forwarder := s.forwarders[participant]
		forwarder.aim(layer)
		if forwarder.needsKeyFrame() {
			s.feeds[participant].askForKeyFrame(layer)
		}
	}
	if changes := s.allocator.changes(); len(changes) > 0 {
		s.tell(changes)
	}
}

// tell sends the subscriber a change of the paused tracks, in the form of docs/video-pause.md.
func (s *Subscriber) tell(changes []videopause.Change) {
	message := map[string]map[string][]string{"paused": {}, "resumed": {}}
	for _, change := range changes {
		half := message["resumed"]
		if change.IsPaused {
			half = message["paused"]
		}
		name := strconv.FormatUint(change.Stream.Participant(), 10)
		half[name] = append(half[name], "video")
	}
	text, _ := json.Marshal(message)
	s.room.log.Write("paused_tracks", journal.Record{"change": message})
	if s.channel != nil {
		_ = s.channel.SendText(string(text))
	}
}

// pad sends the padding of a probe.
func (s *Subscriber) pad(at int64) {
	goal := s.transport.padding(at, s.path, func() int64 { return s.allocator.probe(at) })
	s.padding.fill(goal, s.audioMeter.rate(at)+s.videoMeter.rate(at)+s.repeatMeter.rate(at), tick, at)
}

func (s *Subscriber) report(at int64) {
	layers := map[string]int{}
	for participant, forwarder := range s.forwarders {
		layers[fmt.Sprint(participant)] = forwarder.target
	}
	s.room.log.Write("state", journal.Record{
		"estimate": s.path.estimate, "gcc": s.transport.GetTargetBitrate(), "audio": s.audioMeter.rate(at), "video": s.videoMeter.rate(at),
		"padding": s.padding.meter.rate(at), "repeated": s.repeatMeter.rate(at), "full": s.path.isFull, "queue": s.path.queue,
		"layers": layers,
	})
}
