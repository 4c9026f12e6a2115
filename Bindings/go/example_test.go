package voiceactivity_test

import (
	"fmt"
	"log"

	"example.com/voiceactivity"
	"example.com/voiceactivity/internal/wav"
)

// Where somebody speaks in a recording.
func Example() {
	samples, rate, err := wav.Read("testdata/speech.wav")
	if err != nil {
		log.Fatal(err)
	}
	detector, err := voiceactivity.New(voiceactivity.Options{SampleRate: rate})
	if err != nil {
		log.Fatal(err)
	}
	defer detector.Close()

	events, err := detector.Process(samples) // chunks of any length; here there is one
	if err != nil {
		log.Fatal(err)
	}
	last, err := detector.Flush()
	if err != nil {
		log.Fatal(err)
	}
	for _, event := range append(events, last...)[:4] {
		fmt.Printf("%v at %.2f s\n", event.Type, float64(event.Position)/float64(rate))
	}
	// Output:
	// onset at 0.72 s
	// offset at 1.44 s
	// onset at 1.83 s
	// offset at 3.26 s
}

// "You are muted": the preset Notice reports speech while muted.
func ExampleDetector_SetMuted() {
	samples, rate, err := wav.Read("testdata/speech.wav")
	if err != nil {
		log.Fatal(err)
	}
	detector, err := voiceactivity.New(voiceactivity.Options{SampleRate: rate, Preset: voiceactivity.Notice})
	if err != nil {
		log.Fatal(err)
	}
	detector.SetMuted(true) // from the user interface's goroutine, at any time
	events, err := detector.Process(samples)
	if err != nil {
		log.Fatal(err)
	}
	for _, event := range events {
		if event.Type == voiceactivity.MutedSpeechBegin {
			fmt.Println("You are muted.")
			break
		}
	}
	// Output: You are muted.
}

// A preset with one setting changed.
func ExamplePreset_Settings() {
	settings, err := voiceactivity.Transcription.Settings()
	if err != nil {
		log.Fatal(err)
	}
	settings.Hangover *= 2
	detector, err := voiceactivity.New(voiceactivity.Options{SampleRate: 48000, Settings: &settings})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(detector.Settings().Hangover)
	// Output: 600ms
}

// A stream moves to another process in the middle.
func ExampleDetector_MarshalBinary() {
	here, err := voiceactivity.New(voiceactivity.Options{SampleRate: 48000})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := here.Process(make([]int16, 48000)); err != nil {
		log.Fatal(err)
	}
	saved, err := here.MarshalBinary()
	if err != nil {
		log.Fatal(err)
	}

	var there voiceactivity.Detector
	if err := there.UnmarshalBinary(saved); err != nil {
		log.Fatal(err)
	}
	fmt.Println(there.SampleRate(), there.Status().Hops)
	// Output: 48000 97
}
