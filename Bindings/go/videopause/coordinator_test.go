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
	for at := int64(0); at < 10_000_000; at += 100_000 {
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
