// pause: a call of six cameras on a path that becomes narrow for ten seconds: which videos are paused, and when they are
// back.
//
//	go run ./pause
package main

import (
	"fmt"
	"os"

	"example.com/voiceactivity/videopause"
)

func capacityBps(at int64) int64 {
	if at >= 2_000_000 && at < 12_000_000 {
		return 320_000
	}
	return 4_000_000
}

func run() error {
	layers := []videopause.Layer{
		{Spatial: 0, Width: 320, Height: 180, IsActive: true, FramesPerSecond: 30, Bitrate: 150_000},
		{Spatial: 1, Width: 640, Height: 360, IsActive: true, FramesPerSecond: 30, Bitrate: 500_000},
	}
	coordinator, err := videopause.New(videopause.DefaultConfig())
	if err != nil {
		return err
	}
	defer coordinator.Close()
	for participant := uint64(1); participant <= 6; participant++ {
		id := videopause.Stream(participant, videopause.Video)
		if err := coordinator.UpsertStream(id, videopause.Camera, false, layers, 0); err != nil {
			return err
		}
	}
	if err := coordinator.SetSpeakerOrder([]uint64{4, 2}, 0); err != nil {
		return err
	}
	for at := int64(0); at < 40_000_000; at += 100_000 {
		if err := coordinator.SetBandwidthEstimate(capacityBps(at), videopause.NoCongestion, at); err != nil {
			return err
		}
		if _, err := coordinator.Decide(at); err != nil {
			return err
		}
		for _, change := range coordinator.DrainChanges() {
			word := "back"
			if change.IsPaused {
				word = "paused"
			}
			fmt.Printf("%.1f s: participant %d is %s\n", float64(at)/1e6, change.Stream.Participant(), word)
		}
	}
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "pause:", err)
		os.Exit(70)
	}
}
