package videopause

import (
	"strings"
	"testing"
)

var layers = []Layer{
	{Spatial: 0, Width: 320, Height: 180, IsActive: true, FramesPerSecond: 30, Bitrate: 150_000},
	{Spatial: 1, Width: 640, Height: 360, IsActive: true, FramesPerSecond: 30, Bitrate: 500_000},
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestAPathThatNarrowsPausesTheLastInRank(t *testing.T) {
	d, err := New(DefaultConfig())
	must(t, err)
	defer d.Close()
	for participant := uint64(0); participant < 20; participant++ {
		must(t, d.UpsertStream(Stream(participant, Video), Camera, false, layers, 0))
	}
	must(t, d.SetSpeakerOrder([]uint64{7, 3}, 0))
	must(t, d.SetDemand(Stream(7, Video), DemandOfView(320, 180), 0))
	must(t, d.SetBandwidthEstimate(20_000_000, NoCongestion, 0))
	changed, err := d.Decide(0)
	must(t, err)
	rows := d.Rows()
	if !changed || len(rows) != 20 || rows[0].Stream != Stream(7, Video) || rows[0].Layer.Height != 180 ||
		rows[1].Stream.Participant() != 3 || rows[1].Layer != layers[1] {
		t.Fatalf("%v: %+v", changed, rows)
	}
	paused := map[StreamID]bool{}
	for at := int64(0); at < 60_000_000; at += 100_000 { // the queue of an outage may last long at the usual rate
		must(t, d.SetBandwidthEstimate(320_000, NoCongestion, at))
		_, err := d.Decide(at)
		must(t, err)
		for _, change := range d.DrainChanges() {
			paused[change.Stream] = change.IsPaused
		}
	}
	if len(paused) != 18 || paused[Stream(7, Video)] || paused[Stream(3, Video)] || d.Decision().TargetBps != 300_000 {
		t.Errorf("%d paused: %v; %d bit/s", len(paused), paused, d.Decision().TargetBps)
	}
	decision := d.Decision()
	if decision.HasProbe != 1 || decision.ProbeBps < 500_000 || decision.NextDecisionAtUs == Never {
		t.Errorf("%+v", decision)
	}
}

func TestErrorsAreTheLibrarysSentences(t *testing.T) {
	config := DefaultConfig()
	config.ResumeLimit = 0
	if _, err := New(config); err == nil || !strings.Contains(err.Error(), "resume_limit") {
		t.Errorf("got %v", err)
	}
	d, err := New(DefaultConfig())
	must(t, err)
	defer d.Close()
	if err := d.RemoveStream(Stream(1, ScreenShare), 0); err == nil || !strings.Contains(err.Error(), "no such stream") {
		t.Errorf("got %v", err)
	}
	must(t, d.SetLastN(-1, 5))
	if err := d.SetLastN(2, 4); err == nil || !strings.Contains(err.Error(), "monotonic") {
		t.Errorf("got %v", err)
	}
	if rows := d.Rows(); len(rows) != 0 {
		t.Errorf("rows without streams: %v", rows)
	}
}

func TestALimitBeyondTheLibrarysTypeIsNone(t *testing.T) {
	d, err := New(DefaultConfig())
	must(t, err)
	defer d.Close()
	must(t, d.UpsertStream(Stream(1, Video), Camera, false, layers, 0))
	must(t, d.SetBandwidthEstimate(20_000_000, NoCongestion, 0))
	for count, want := range map[int]Reason{0: NotRequested, 1: Forwarded, -1: Forwarded, 1 << 32: Forwarded, 1<<32 + 1: Forwarded} {
		must(t, d.SetLastN(0, 0))
		must(t, d.SetLastN(count, 0))
		_, err := d.Decide(0)
		must(t, err)
		if got := d.Rows()[0].Reason; (got == Forwarded) != (want == Forwarded) {
			t.Errorf("at most %d streams: %v", count, got)
		}
	}
}

func TestWhatIsClosedHasNothing(t *testing.T) {
	d, err := New(DefaultConfig())
	must(t, err)
	d.Close()
	d.Close()
	var zero Coordinator
	for _, c := range []*Coordinator{d, &zero} {
		if _, err := c.Decide(1); err == nil {
			t.Error("it decides")
		}
		if changes, rows := c.DrainChanges(), c.Rows(); changes != nil || len(rows) != 0 {
			t.Errorf("%v, %v", changes, rows)
		}
		if c.Layout() != NoLayout || c.Decision().StreamCount != 0 {
			t.Error("it has a layout or a decision")
		}
	}
	demand := &LayerDemand{}
	if err := demand.Update(1, d, 0); err == nil {
		t.Error("a demand that was not made takes an update")
	}
	if _, _, err := demand.DrainChanges(0); err == nil {
		t.Error("a demand that was not made has changes")
	}
}

func TestALayoutDecidesWhatPublishersSend(t *testing.T) {
	coordinator, err := New(DefaultConfig())
	must(t, err)
	defer coordinator.Close()
	layers := []Layer{
		{Width: 320, Height: 180, IsActive: true, IsDecodeTarget: true, Bitrate: 150_000},
		{Spatial: 1, Width: 640, Height: 360, IsActive: true, IsDecodeTarget: true, Bitrate: 500_000},
	}
	for participant := uint64(0); participant < 3; participant++ {
		must(t, coordinator.UpsertStream(Stream(participant, Video), Camera, false, layers, 0))
	}
	entries := []LayoutStream{{Quality: 12, Priority: 3}}
	if coordinator.SetLayoutStreams(entries, 0) == nil || coordinator.SetLayoutStreams(nil, 0) == nil {
		t.Error("a layout outside of a meeting was accepted")
	}
	for _, err := range []error{coordinator.SetInMeeting(true, 0), coordinator.SetCustomLayoutAvailable(true, 0),
		coordinator.SetParticipants([]uint64{7}, 0), coordinator.SetLayout(CustomLayout, 0),
		coordinator.SetLayoutStreams(entries, 0), coordinator.SetSpeaking(2, true, 0), coordinator.SetOtherTraffic(100_000, 0)} {
		must(t, err)
	}
	if _, err := coordinator.Decide(0); err != nil || coordinator.Layout() != CustomLayout {
		t.Fatal(err, coordinator.Layout())
	}
	decision, first := coordinator.Decision(), coordinator.Rows()[0]
	if decision.OtherReserveBps != 100_000 || decision.Strategy != Priority || first.Stream.Participant() != 2 ||
		first.Layer != layers[1] {
		t.Errorf("%+v %+v", decision, first)
	}
	verdicts, err := coordinator.Verdicts(first.Stream)
	if err != nil || len(verdicts) != 2 || verdicts[0].Outcome != LayerSurpassed || verdicts[1].Outcome != LayerForwarded {
		t.Errorf("%v %+v", err, verdicts)
	}
	demand, err := NewLayerDemand(5_000_000)
	must(t, err)
	defer demand.Close()
	must(t, demand.Update(9, coordinator, 0))
	changes, next, err := demand.DrainChanges(0)
	if err != nil || len(changes) != 3 || next != Never {
		t.Errorf("%v %+v %d", err, changes, next)
	}
	for _, change := range changes {
		if change.IsDemanded != (change.Stream.Participant() == 2) || change.IsDemanded && change.HighestSpatial != 1 {
			t.Errorf("%+v", change)
		}
	}
	must(t, demand.Remove(9, 0))
	if _, next, _ = demand.DrainChanges(0); next != 5_000_000 {
		t.Errorf("the next change is at %d", next)
	}
}
