package voiceactivity_test

import (
	"encoding/binary"
	"hash/crc32"
	"reflect"
	"testing"
	"time"

	"example.com/voiceactivity"
)

const (
	lateRate    = 11025 // odd, and hops of 110.25 samples: a float64 does not hold their positions beyond 2^53
	hopsASecond = 100
	savedAt     = 52 // in what MarshalBinary returns: the position, then the hops, each in 8 bytes; a CRC-32 is at the end
)

// startedAt makes a stream that begins at a position, a whole number of seconds.
func startedAt(t *testing.T, position int64, onHop func(voiceactivity.Hop)) *voiceactivity.Detector {
	d := made(t, voiceactivity.Options{SampleRate: lateRate, OnHop: onHop})
	saved, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	binary.LittleEndian.PutUint64(saved[savedAt:], uint64(position))
	binary.LittleEndian.PutUint64(saved[savedAt+8:], uint64(position/lateRate*hopsASecond))
	end := len(saved) - 4
	binary.LittleEndian.PutUint32(saved[end:], crc32.ChecksumIEEE(saved[:end]))
	if err := d.UnmarshalBinary(saved); err != nil {
		t.Fatal(err)
	}
	return d
}

type late struct {
	Events        []voiceactivity.Event
	Hops          []voiceactivity.Hop
	Cuts          []voiceactivity.Cut
	First, Within int64 // what the cutter needs in the end
	Status        voiceactivity.Status
}

// heardFrom hears the talk twice, with a gap between, and returns everything with its positions from the start.
func heardFrom(t *testing.T, start int64, talk []int16) late {
	var all late
	var hops []voiceactivity.Hop
	d := startedAt(t, start, func(hop voiceactivity.Hop) { hops = append(hops, hop) })
	rules := voiceactivity.CutRules{MinSilence: 100 * time.Millisecond, PadBefore: 50 * time.Millisecond}
	cutter, err := voiceactivity.NewCutter(rules, d)
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range []func() ([]voiceactivity.Event, error){
		func() ([]voiceactivity.Event, error) { return d.Process(talk) },
		func() ([]voiceactivity.Event, error) { return d.PushGap(lateRate) },
		func() ([]voiceactivity.Event, error) { return d.Process(talk) },
		func() ([]voiceactivity.Event, error) { return d.PushLevel(lateRate, 30) },
		d.Flush,
	} {
		hops = hops[:0]
		events, err := call()
		if err != nil {
			t.Fatal(err)
		}
		all.Cuts = append(all.Cuts, cutter.Cuts(events, hops)...)
		all.Events, all.Hops = append(all.Events, events...), append(all.Hops, hops...)
	}
	all.Cuts = append(all.Cuts, cutter.Finish(start+2*int64(len(talk))+2*lateRate)...)
	all.First, all.Within = cutter.Needed()
	all.Status = d.Status()

	for i := range all.Events {
		all.Events[i].Position -= start
		all.Events[i].DecidedAt -= start
	}
	for i := range all.Hops {
		all.Hops[i].Position -= start
	}
	for i := range all.Cuts {
		all.Cuts[i].Start -= start
		all.Cuts[i].End -= start
		all.Cuts[i].DecidedAt -= start
	}
	all.First -= start
	all.Within -= start
	all.Status.Hops -= start / lateRate * hopsASecond
	return all
}

// Positions are whole numbers of 64 bits, from the core to the caller.
func TestALateStreamIsANewOneMoved(t *testing.T) {
	_, talk := contract(t)
	want := heardFrom(t, 60*lateRate, talk) // hops that wait for their look-ahead come first, but not at 0
	if len(want.Events) < 7 || len(want.Cuts) < 4 {
		t.Fatalf("too little was heard to prove anything: %v, %v", want.Events, want.Cuts)
	}
	for _, bits := range []int{31, 32, 53, 56} {
		boundary := int64(1) << bits
		start := (boundary/lateRate - 3) * lateRate // what is crossed lies in the talk
		got := heardFrom(t, start, talk)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("2^%d: %v, %v instead of %v, %v", bits, got.Events, got.Cuts, want.Events, want.Cuts)
		}
		if last := got.Hops[len(got.Hops)-1].Position; start >= boundary || start+last <= boundary {
			t.Errorf("2^%d is not crossed", bits)
		}
	}
}
