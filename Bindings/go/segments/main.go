// segments: raw 16-bit PCM in, segments of speech out, as an Audacity label track.
//
//	sox speech.flac -t s16 -c 1 -r 16000 - | segments 16000
//
// Exit codes: 0, 64 wrong usage, 74 reading or writing failed.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strconv"

	"example.com/voiceactivity"
)

func fail(exitCode int, message string) {
	fmt.Fprintln(os.Stderr, "segments: "+message)
	os.Exit(exitCode)
}

// readPacket reads up to len(samples) samples; a torn last one is dropped.
func readPacket(r io.Reader, bytes []byte, samples []int16) ([]int16, error) {
	n, err := io.ReadFull(r, bytes)
	for i := 0; i < n/2; i++ {
		samples[i] = int16(binary.LittleEndian.Uint16(bytes[2*i:]))
	}
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return samples[:n/2], err
}

func main() {
	if len(os.Args) != 2 {
		fail(64, "give the sample rate in Hz; the sound is raw 16-bit PCM on standard input.")
	}
	rate, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fail(64, os.Args[1]+" is not a sample rate in Hz.")
	}
	detector, err := voiceactivity.New(voiceactivity.Options{SampleRate: rate})
	if err != nil {
		fail(64, err.Error())
	}
	defer detector.Close()

	out := bufio.NewWriter(os.Stdout)
	var onset int64
	print := func(events []voiceactivity.Event, err error) {
		if err != nil {
			fail(70, err.Error())
		}
		for _, e := range events {
			switch e.Type {
			case voiceactivity.Onset:
				onset = e.Position
			case voiceactivity.Offset:
				fmt.Fprintf(out, "%.3f\t%.3f\tspeech\n", float64(onset)/float64(rate), float64(e.Position)/float64(rate))
			}
		}
	}
	packet := rate / 50 // 20 ms
	in, bytes, samples := bufio.NewReader(os.Stdin), make([]byte, 2*packet), make([]int16, packet)
	for err = nil; err == nil; {
		var read []int16
		if read, err = readPacket(in, bytes, samples); err == nil || err == io.EOF {
			print(detector.Process(read))
		}
	}
	if err != io.EOF {
		fail(74, "standard input cannot be read: "+err.Error())
	}
	print(detector.Flush())
	if err := out.Flush(); err != nil {
		fail(74, "the segments cannot be written: "+err.Error())
	}
}
