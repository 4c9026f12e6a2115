package main

import (
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"example.com/sfu/journal"
	"example.com/sfu/peer"
	"github.com/pion/rtcp"
	"github.com/pion/rtp"
	"github.com/pion/rtp/codecs"
	"github.com/pion/webrtc/v3"
)

// patience is how long a missing packet is waited for: it may be sent again.
const patience = 300 * time.Millisecond

func subscribe(o options, log *journal.Journal) error {
	connection, err := peer.New(true)
	if err != nil {
		return err
	}
	defer connection.Close()
	receive := webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionRecvonly}
	for i := 0; i < o.feeds; i++ {
		for _, kind := range []webrtc.RTPCodecType{webrtc.RTPCodecTypeAudio, webrtc.RTPCodecTypeVideo} {
			if _, err := connection.AddTransceiverFromKind(kind, receive); err != nil {
				return err
			}
		}
	}
	if _, err := connection.AddTransceiverFromKind(webrtc.RTPCodecTypeVideo, receive); err != nil { // for padding
		return err
	}
	channel, err := connection.CreateDataChannel("paused", nil)
	if err != nil {
		return err
	}
	channel.OnMessage(func(message webrtc.DataChannelMessage) {
		log.Write("paused_tracks", journal.Record{"change": json.RawMessage(message.Data)})
	})
	connection.OnTrack(func(track *webrtc.TrackRemote, _ *webrtc.RTPReceiver) {
		participant, _ := strconv.ParseUint(track.StreamID(), 10, 64)
		if track.StreamID() == peer.Padding {
			for err := error(nil); err == nil; _, _, err = track.ReadRTP() {
			}
		} else if track.Kind() == webrtc.RTPCodecTypeAudio {
			receiveAudio(track, participant, log)
		} else {
			receiveVideo(track, participant, log, func() {
				_ = connection.WriteRTCP([]rtcp.Packet{&rtcp.PictureLossIndication{MediaSSRC: uint32(track.SSRC())}})
			})
		}
	})
	log.Write("join", journal.Record{})
	if err := connect(connection, o.server+"/subscribe"); err != nil {
		return err
	}
	time.Sleep(time.Duration(o.seconds * float64(time.Second)))
	return nil
}

func receiveAudio(track *webrtc.TrackRemote, participant uint64, log *journal.Journal) {
	for {
		packet, _, err := track.ReadRTP()
		if err != nil {
			return
		}
		log.Write("audio", journal.Record{"participant": participant, "sequence": packet.SequenceNumber})
	}
}

func receiveVideo(track *webrtc.TrackRemote, participant uint64, log *journal.Journal, askForKeyFrame func()) {
	order := &order{waiting: map[uint16]*rtp.Packet{}}
	var mutex sync.Mutex
	var picture picture
	take := func(packet *rtp.Packet) {
		if frame, isComplete := picture.take(packet); isComplete {
			log.Write("frame", journal.Record{"participant": participant, "key": frame.isKey, "height": frame.height, "bytes": frame.bytes})
		}
		if picture.isBroken {
			askForKeyFrame()
		}
	}
	go func() { // gives up on packets that do not come
		for range time.Tick(patience / 10) {
			mutex.Lock()
			order.giveUp(time.Now(), take)
			mutex.Unlock()
		}
	}()
	for {
		packet, _, err := track.ReadRTP()
		if err != nil {
			return
		}
		mutex.Lock()
		order.add(packet, time.Now(), take)
		mutex.Unlock()
	}
}

// order gives packets in the order of their sequence numbers, and nil for each that did not come in time.
type order struct {
	hasBegun bool
	next     uint16
	waiting  map[uint16]*rtp.Packet
	since    time.Time // since when the next one is missing
}

func (o *order) add(packet *rtp.Packet, at time.Time, take func(*rtp.Packet)) {
	if !o.hasBegun {
		o.hasBegun, o.next = true, packet.SequenceNumber
	}
	if int16(packet.SequenceNumber-o.next) < 0 {
		return
	}
	o.waiting[packet.SequenceNumber] = packet
	o.release(at, take)
}

func (o *order) release(at time.Time, take func(*rtp.Packet)) {
	for o.waiting[o.next] != nil {
		packet := o.waiting[o.next]
		delete(o.waiting, o.next)
		o.next++
		o.since = at
		take(packet)
	}
	if len(o.waiting) == 0 {
		o.since = at
	}
}

func (o *order) giveUp(at time.Time, take func(*rtp.Packet)) {
	for len(o.waiting) > 0 && at.Sub(o.since) > patience {
		for o.waiting[o.next] == nil {
			o.next++
			take(nil)
		}
		o.release(at, take)
	}
}

type frame struct {
	isKey         bool
	height, bytes int
}

// picture puts frames together, and knows whether they can be decoded.
type picture struct {
	isBroken bool // a frame was lost since the last key frame
	isInside bool // between the first and the last packet of a frame
	current  frame
	height   int
}

// take returns a frame that can be shown, with the packet that completes it.
func (p *picture) take(packet *rtp.Packet) (frame, bool) {
	if packet == nil {
		p.isBroken, p.isInside = true, false
		return frame{}, false
	}
	var vp8 codecs.VP8Packet
	payload, err := vp8.Unmarshal(packet.Payload)
	if err != nil || len(payload) == 0 { // padding
		return frame{}, false
	}
	if vp8.S == 1 && vp8.PID == 0 {
		p.current, p.isInside = frame{isKey: payload[0]&1 == 0}, true
		if p.current.isKey && len(payload) > 9 {
			p.isBroken = false
			p.height = int(payload[8]) | int(payload[9]&0x3f)<<8 // RFC 6386, 9.1
		}
	}
	p.current.bytes += len(packet.Payload)
	if !packet.Marker || !p.isInside {
		return frame{}, false
	}
	p.isInside, p.current.height = false, p.height
	return p.current, !p.isBroken
}
