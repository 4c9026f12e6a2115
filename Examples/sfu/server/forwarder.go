package main

import (
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v3"
)

const (
	none       = -1
	videoClock = 90000
	remembered = 512
	repeats    = 4       // how often a packet is sent, at most …
	repeatTime = 50_000  // … how many µs apart, beside the queue: until then, it may be on its way …
	repeatable = 500_000 // … and how many µs after it was sent first: nobody waits longer
)

// Forwarder makes one stream of the layers of a camera: sequence numbers without gaps, and time stamps that go on.
//
// It assumes that its publisher's packets come in order. A server on a real path to its publishers keeps a jitter buffer.
type Forwarder struct {
	track          *webrtc.TrackLocalStaticRTP
	target         int // the layer to forward, or none
	layer          int // the layer that is forwarded, or none
	isLocked       bool
	sequence       uint16 // of the newest packet that was sent
	timestamp      uint32
	sequenceOffset uint16
	stampOffset    uint32
	sentAt         int64
	history        [remembered]sent
}

// sent is a packet that may be asked for again.
type sent struct {
	packet *rtp.Packet
	first  int64 // when it was sent first …
	at     int64 // … and last
	times  int
}

func newForwarder() *Forwarder {
	return &Forwarder{target: none, layer: none}
}

// aim sets the layer to forward. The present one goes on until a key frame of the new one comes.
func (f *Forwarder) aim(layer int) {
	f.target = layer
	if layer == none {
		f.layer = none
	}
}

// needsKeyFrame returns whether the forwarder waits for a key frame of its target.
func (f *Forwarder) needsKeyFrame() bool { return f.target != none && f.layer != f.target }

// forward sends a packet if it is of the layer that is forwarded, and returns the bytes sent and whether this is the
// first packet of the target.
func (f *Forwarder) forward(layer int, packet *rtp.Packet, at int64) (bytes int, isLocked bool) {
	if layer == f.target && f.layer != f.target && isKeyFrame(packet.Payload) {
		f.switchTo(layer, packet, at)
		isLocked = true
	}
	if layer != f.layer {
		return 0, false
	}
	out := *packet
	out.Header.Extensions, out.Header.Extension = nil, false
	out.SequenceNumber += f.sequenceOffset
	out.Timestamp += f.stampOffset
	f.sequence, f.timestamp, f.sentAt = out.SequenceNumber, out.Timestamp, at
	f.history[f.sequence%remembered] = sent{packet: &out, first: at, at: at, times: 1}
	return f.send(&out), isLocked
}

func (f *Forwarder) switchTo(layer int, packet *rtp.Packet, at int64) {
	f.layer = layer
	passed := uint32((at-f.sentAt)*videoClock/1_000_000) | 1 // never the same frame
	f.sequenceOffset = f.sequence + 1 - packet.SequenceNumber
	f.stampOffset = f.timestamp + passed - packet.Timestamp
}

// repeat sends a packet again, unless that is of no use, and returns its size.
func (f *Forwarder) repeat(sequence uint16, queue, at int64) int {
	old := &f.history[sequence%remembered]
	if old.packet == nil || old.packet.SequenceNumber != sequence || old.times >= repeats ||
		at-old.at < repeatTime+queue || at-old.first > repeatable+queue {
		return 0
	}
	old.times++
	old.at = at
	return f.send(old.packet)
}

func (f *Forwarder) send(packet *rtp.Packet) int {
	if f.track.WriteRTP(packet) != nil {
		return 0
	}
	return packet.MarshalSize()
}

// isKeyFrame returns whether a payload begins a key frame of VP8: the first packet of the first partition (RFC 7741), with
// the inverse key frame flag 0 (RFC 6386, 9.1).
func isKeyFrame(payload []byte) bool {
	if len(payload) < 2 || payload[0]&0x17 != 0x10 {
		return false
	}
	header := 1
	if payload[0]&0x80 != 0 { // extensions
		x := payload[1]
		header = 2
		if x&0x80 != 0 && len(payload) > 2 { // a picture ID of 7 or 15 bits
			header += 1 + int(payload[2]>>7)
		}
		if x&0x40 != 0 {
			header++
		}
		if x&0x30 != 0 {
			header++
		}
	}
	return len(payload) > header && payload[header]&1 == 0
}
