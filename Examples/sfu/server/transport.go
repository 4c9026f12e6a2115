package main

import (
	"math"
	"sync"

	"github.com/pion/interceptor"
	"github.com/pion/interceptor/pkg/gcc"
	"github.com/pion/rtcp"
	"github.com/pion/rtp"
)

const (
	transportCC = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
	shortest    = 10_000_000 // µs over which the shortest transit is sought, at least
	afterCut    = 0.85       // of what arrives (draft-ietf-rmcat-gcc-02, 5.5: β)
	ofProbe     = 0.95       // of the rate at which a probe arrived
)

// Transport adds to Pion's estimator what that one does not have: probes, and the length of the queue in the path.
//
// Both come from transport-wide feedback, which tells when each packet arrived. Pion's estimate grows by 8 % a second, and
// only while much is sent; a probe finds in half a second what the path carries.
type Transport struct {
	*gcc.SendSideBWE

	mutex     sync.Mutex // of the rest
	sent      [1 << 13]departure
	delivered meter
	transit   shortestOf
	queue     int64 // µs
	found     int64 // what a probe found, as long as that holds, in bits per second
	pion      int64 // what Pion estimates, and the most that the path is taken to carry until that changes
	most      int64
	probe     Probe
}

type departure struct {
	sequence uint16
	bytes    int
	at       int64
}

func newTransport() (*Transport, error) {
	estimator, err := gcc.NewSendSideBWE(
		gcc.SendSideBWEInitialBitrate(initialBps), gcc.SendSideBWEPacer(gcc.NewNoOpPacer()))
	return &Transport{SendSideBWE: estimator}, err
}

// AddStream takes down what is sent.
func (t *Transport) AddStream(info *interceptor.StreamInfo, writer interceptor.RTPWriter) interceptor.RTPWriter {
	var id uint8
	for _, extension := range info.RTPHeaderExtensions {
		if extension.URI == transportCC {
			id = uint8(extension.ID)
		}
	}
	write := func(header *rtp.Header, payload []byte, attributes interceptor.Attributes) (int, error) {
		var number rtp.TransportCCExtension
		if number.Unmarshal(header.GetExtension(id)) == nil {
			t.mutex.Lock()
			bytes := header.MarshalSize() + len(payload)
			t.sent[number.TransportSequence%uint16(len(t.sent))] = departure{number.TransportSequence, bytes, now()}
			t.mutex.Unlock()
		}
		return writer.Write(header, payload, attributes)
	}
	return t.SendSideBWE.AddStream(info, interceptor.RTPWriterFunc(write))
}

// WriteRTCP takes down what arrived.
func (t *Transport) WriteRTCP(packets []rtcp.Packet, attributes interceptor.Attributes) error {
	for _, packet := range packets {
		if feedback, isFeedback := packet.(*rtcp.TransportLayerCC); isFeedback {
			t.mutex.Lock()
			t.take(feedback)
			t.mutex.Unlock()
		}
	}
	return t.SendSideBWE.WriteRTCP(packets, attributes)
}

// take goes through the packets that a report is about. Arrivals are times of the subscriber's clock.
func (t *Transport) take(feedback *rtcp.TransportLayerCC) {
	number, arrival := feedback.BaseSequenceNumber, int64(feedback.ReferenceTime)*64_000
	deltas, left := feedback.RecvDeltas, int(feedback.PacketStatusCount)
	for _, symbol := range symbols(feedback.PacketChunks) {
		if left == 0 || len(deltas) == 0 {
			return
		}
		if symbol != rtcp.TypeTCCPacketNotReceived {
			arrival += deltas[0].Delta
			deltas = deltas[1:]
			if sent := t.sent[number%uint16(len(t.sent))]; sent.sequence == number && sent.bytes > 0 {
				t.arrived(sent, arrival)
			}
		}
		number++
		left--
	}
}

func symbols(chunks []rtcp.PacketStatusChunk) (list []uint16) {
	for _, chunk := range chunks {
		switch chunk := chunk.(type) {
		case *rtcp.RunLengthChunk:
			for i := uint16(0); i < chunk.RunLength; i++ {
				list = append(list, chunk.PacketStatusSymbol)
			}
		case *rtcp.StatusVectorChunk:
			list = append(list, chunk.SymbolList...)
		}
	}
	return list
}

func (t *Transport) arrived(sent departure, arrival int64) {
	at := now()
	t.delivered.add(sent.bytes, at)
	t.queue = arrival - sent.at - t.transit.least(arrival-sent.at, at)
	t.probe.arrived(sent, arrival)
}

// path returns what is known of the path now. It takes over what a probe found, and lowers that while the path is full.
func (t *Transport) path(at int64) Path {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	// A probe fills the path by itself for a moment, and Pion's estimator begins with an overuse that nothing explains.
	isFull := t.GetStats()["usage"] == "overuse" && t.queue > short && !t.probe.isBusy(at)
	if rate := t.probe.result(at); rate > 0 {
		t.found = max(t.found, int64(ofProbe*float64(rate)))
	}
	if isFull || t.queue > long {
		t.found = min(t.found, int64(afterCut*float64(t.delivered.rate(at))))
	}
	// Pion remembers the last 250 packets. When more of them wait in the path, it knows none of those that are reported,
	// and its estimate stays as it was.
	if pion := int64(t.GetTargetBitrate()); pion != t.pion {
		t.pion, t.most = pion, math.MaxInt64
	}
	if t.queue > late {
		t.most = min(t.most, int64(afterCut*float64(t.delivered.rate(at))))
	}
	return Path{estimate: min(max(t.pion, t.found), t.most), isFull: isFull,
		isLate: t.queue > late && !t.probe.isBusy(at), queue: t.queue}
}

// padding returns the rate up to which to pad, and begins a probe if one is due and the path is empty.
func (t *Transport) padding(at int64, path Path, due func() int64) int64 {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if !t.probe.isBusy(at) && path.queue < short {
		t.probe = Probe{goal: due(), from: at}
	}
	return t.probe.rate(at, path.queue)
}

// shortestOf knows the least value of the last one or two periods.
type shortestOf struct {
	present, past int64
	since         int64
}

func (s *shortestOf) least(value, at int64) int64 {
	if s.since == 0 || at-s.since > shortest {
		s.past, s.present = s.present, value
		if s.since == 0 {
			s.past = value
		}
		s.since = at
	}
	s.present = min(s.present, value)
	return min(s.present, s.past)
}

func min(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}

func max(a, b int64) int64 { return -min(-a, -b) }
