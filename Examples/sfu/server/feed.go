package main

import (
	"sort"
	"strings"
	"sync/atomic"
	"time"

	"example.com/sfu/journal"
	"example.com/sfu/peer"
	"example.com/voiceactivity"
	"github.com/pion/rtcp"
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v3"
)

// The names of the layers, the smallest first, and their heights.
var (
	rids    = []string{"q", "h", "f"}
	heights = []uint32{180, 360, 720}
)

const opusClock = 48000

// Feed is what a participant publishes.
type Feed struct {
	participant uint64
	rates       []int64 // of the layers, as the publisher declares them
	connection  *webrtc.PeerConnection
	room        *Room

	detector   *voiceactivity.Detector // only the audio's goroutine uses it
	spokeAt    int64                   // atomic: when the participant last began to speak
	audioBytes int64                   // atomic
	ssrcs      [3]uint32               // atomic: of the layers
	askedAt    [3]int64                // atomic: when a key frame was last asked for
}

func newFeed(participant uint64, rates []int64, connection *webrtc.PeerConnection, room *Room) (*Feed, error) {
	detector, err := voiceactivity.New(voiceactivity.Options{SampleRate: opusClock})
	if err != nil {
		return nil, err
	}
	if len(rates) > len(rids) {
		rates = rates[:len(rids)]
	}
	return &Feed{participant: participant, rates: rates, connection: connection, room: room, detector: detector}, nil
}

func (f *Feed) receive(track *webrtc.TrackRemote, receiver *webrtc.RTPReceiver) {
	var handle func(*rtp.Packet)
	if track.Kind() == webrtc.RTPCodecTypeAudio {
		level := extension(receiver, peer.AudioLevel)
		handle = func(packet *rtp.Packet) { f.listen(packet, level); f.audio(packet) }
	} else {
		layer := layerOf(track.RID())
		atomic.StoreUint32(&f.ssrcs[layer], uint32(track.SSRC()))
		handle = func(packet *rtp.Packet) { f.video(layer, packet) }
	}
	for {
		packet, _, err := track.ReadRTP()
		if err != nil {
			return
		}
		handle(packet)
	}
}

// listen tells the detector the level that a packet of audio carries (RFC 6464).
func (f *Feed) listen(packet *rtp.Packet, extension uint8) {
	level := packet.GetExtension(extension)
	if len(level) == 0 {
		return
	}
	events, _ := f.detector.PushLevel(opusClock/50, level[0])
	for _, event := range events {
		if event.Type == voiceactivity.Onset {
			atomic.StoreInt64(&f.spokeAt, now())
			f.room.log.Write("speaker", journal.Record{"participant": f.participant})
		}
	}
}

func (f *Feed) audio(packet *rtp.Packet) {
	atomic.AddInt64(&f.audioBytes, int64(packet.MarshalSize()))
	f.room.each(func(s *Subscriber) { s.forwardAudio(f.participant, packet) })
}

func (f *Feed) video(layer int, packet *rtp.Packet) {
	f.room.each(func(s *Subscriber) { s.forwardVideo(f.participant, layer, packet) })
}

// askForKeyFrame asks the publisher, at most five times a second.
func (f *Feed) askForKeyFrame(layer int) {
	ssrc, last := atomic.LoadUint32(&f.ssrcs[layer]), atomic.LoadInt64(&f.askedAt[layer])
	if ssrc == 0 || now()-last < (200*time.Millisecond).Microseconds() || !atomic.CompareAndSwapInt64(&f.askedAt[layer], last, now()) {
		return
	}
	_ = f.connection.WriteRTCP([]rtcp.Packet{&rtcp.PictureLossIndication{MediaSSRC: ssrc}})
}

func layerOf(rid string) int {
	for layer := range rids {
		if rids[layer] == rid {
			return layer
		}
	}
	return 0
}

func extension(receiver *webrtc.RTPReceiver, uri string) uint8 {
	for _, e := range receiver.GetParameters().HeaderExtensions {
		if strings.EqualFold(e.URI, uri) {
			return uint8(e.ID)
		}
	}
	return 0
}

// bySpeech returns the participants, the one who began to speak last first.
func bySpeech(feeds []*Feed) []uint64 {
	order := append([]*Feed{}, feeds...)
	sort.SliceStable(order, func(i, j int) bool {
		return atomic.LoadInt64(&order[i].spokeAt) > atomic.LoadInt64(&order[j].spokeAt)
	})
	var participants []uint64
	for _, feed := range order {
		if atomic.LoadInt64(&feed.spokeAt) > 0 {
			participants = append(participants, feed.participant)
		}
	}
	return participants
}
