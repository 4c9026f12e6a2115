package main

import (
	"time"

	"github.com/pion/rtp"
	"github.com/pion/webrtc/v3"
)

// Padding is a stream of nothing but padding, for probes. In a camera's stream, padding that is lost would look like a part
// of a picture that is missing: the receiver would wait for it, give up, and ask for a key frame.
type Padding struct {
	track    *webrtc.TrackLocalStaticRTP
	sequence uint16
	debt     float64 // bytes that are due
	meter    meter
}

// filling is the longest that RTP allows; its last byte is its length (RFC 3550, 5.1). Pion's tracks send no PaddingSize.
var filling = [255]byte{254: 255}

// fill brings what is sent up to a goal, both in bits per second, for the time of a tick.
func (p *Padding) fill(goal, sent int64, tick time.Duration, at int64) {
	if goal <= sent {
		p.debt = 0
		return
	}
	for p.debt += float64(goal-sent) / 8 * tick.Seconds(); p.debt > 0; {
		p.sequence++
		packet := rtp.Packet{Header: rtp.Header{Version: 2, Padding: true, SequenceNumber: p.sequence,
			Timestamp: uint32(at * videoClock / 1_000_000)}, Payload: filling[:]}
		if p.track.WriteRTP(&packet) != nil {
			return
		}
		p.meter.add(packet.MarshalSize(), at)
		p.debt -= float64(packet.MarshalSize())
	}
}
