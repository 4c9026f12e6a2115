// client publishes a camera and a voice from files, or subscribes to a call and writes down what arrives.
//
//	client publish -server http://10.77.0.1:8080 -video DIR -rates 100000,350000,1200000 -audio VOICE -seconds 60 -log FILE
//	client subscribe -server http://10.77.0.1:8080 -feeds 4 -seconds 60 -log FILE
//
// DIR has q.ivf, h.ivf and f.ivf, VP8 at 30 frames per second with many key frames. VOICE.ogg is Opus, one packet of 20 ms
// a page, and VOICE.s16 the same sound as mono PCM at 48 kHz, from which the levels come.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"

	"example.com/sfu/journal"
	"github.com/pion/webrtc/v3"
)

type options struct {
	server, video, rates, audio, log string
	participant                      uint64
	feeds                            int
	seconds                          float64
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "client:", err)
		os.Exit(70)
	}
}

func run(arguments []string) error {
	if len(arguments) == 0 {
		return errors.New("say publish or subscribe")
	}
	var o options
	flags := flag.NewFlagSet(arguments[0], flag.ExitOnError)
	flags.StringVar(&o.server, "server", "http://127.0.0.1:8080", "the server's signalling")
	flags.StringVar(&o.video, "video", "", "the folder of the layers")
	flags.StringVar(&o.rates, "rates", "", "the rates of the layers in bit/s, the smallest first")
	flags.StringVar(&o.audio, "audio", "", "the voice, without .ogg")
	flags.StringVar(&o.log, "log", "", "where to write what is sent or received, as JSON Lines")
	flags.Uint64Var(&o.participant, "participant", 1, "the number that the server will give")
	flags.IntVar(&o.feeds, "feeds", 4, "how many publishers there are")
	flags.Float64Var(&o.seconds, "seconds", 60, "how long")
	if err := flags.Parse(arguments[1:]); err != nil {
		return err
	}
	log, err := journal.Open(o.log)
	if err != nil {
		return err
	}
	switch arguments[0] {
	case "publish":
		return publish(o, log)
	case "subscribe":
		return subscribe(o, log)
	}
	return fmt.Errorf("%q is neither publish nor subscribe", arguments[0])
}

// connect exchanges an offer with all candidates for the server's answer.
func connect(connection *webrtc.PeerConnection, url string) error {
	offer, err := connection.CreateOffer(nil)
	if err != nil {
		return err
	}
	gathered := webrtc.GatheringCompletePromise(connection)
	if err := connection.SetLocalDescription(offer); err != nil {
		return err
	}
	<-gathered
	body, err := json.Marshal(connection.LocalDescription())
	if err != nil {
		return err
	}
	response, err := http.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the server refuses: %s", bytes.TrimSpace(text))
	}
	var answer webrtc.SessionDescription
	if err := json.Unmarshal(text, &answer); err != nil {
		return err
	}
	return connection.SetRemoteDescription(answer)
}
