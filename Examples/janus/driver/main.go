// driver decides which video each subscriber of Janus' VideoRoom gets. It runs beside Janus: it receives Janus' events
// (janus.eventhandler.sampleevh), asks one coordinator of libvideopause for each subscriber, and configures the
// subscribers' handles over Janus' HTTP API. Neither Janus nor its clients change.
//
//	driver -listen 127.0.0.1:8090 -janus http://127.0.0.1:8088/janus [-secret SECRET] [-notify URL] [-observe]
//
// Janus POSTs its events to /events. The application POSTs to /demand what a subscriber wants of a feed:
//
//	{"subscriber": "opaque ID", "feed": 2, "visible": true, "width": 640, "height": 360}
//
// The driver POSTs to -notify what it has paused or resumed for lack of bandwidth, so that the application can tell the
// client: {"subscriber": "opaque ID", "change": {"paused": {"2": ["video"]}, "resumed": {}}}. On standard output it writes
// its state as JSON Lines. With -observe it decides and writes, but configures nothing.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
)

const (
	exitUsage    = 64
	exitSoftware = 70
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8090", "the address for Janus' events and the application's demands")
	janus := flag.String("janus", "http://127.0.0.1:8088/janus", "Janus' HTTP API")
	secret := flag.String("secret", "", "the api_secret of janus.jcfg, if it has one")
	notify := flag.String("notify", "", "where to POST changes of the paused tracks")
	heights := flag.String("heights", "180,360,720", "the heights of the publishers' substreams, the smallest first")
	shares := flag.String("temporal", "1", "the parts of a substream's rate up to each of its temporal layers: 0.4,0.6,1")
	initial := flag.Int64("initial", 1_000_000, "the estimate in bit/s until a subscriber's first REMB")
	observe := flag.Bool("observe", false, "decide, but configure nothing")
	flag.Parse()
	ladder, err := parseLadder(*heights, *shares)
	if err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(exitUsage)
	}
	driver := &Driver{notify: *notify, ladder: ladder, initial: *initial, log: json.NewEncoder(os.Stdout),
		rooms: map[uint64]*Room{}, feeds: map[uint64]*Feed{}, subscribers: map[uint64]*Subscriber{}}
	if !*observe {
		driver.janus = &Janus{url: strings.TrimSuffix(*janus, "/"), secret: *secret}
	}
	http.HandleFunc("/events", reading(driver.handle))
	http.HandleFunc("/demand", reading(driver.demand))
	go func() {
		for range time.Tick(tick) {
			driver.decide()
		}
	}()
	fmt.Fprintln(os.Stderr, "driver:", http.ListenAndServe(*listen, nil))
	os.Exit(exitSoftware)
}

// reading serves POST requests with a body of JSON.
func reading(take func(json.RawMessage) error) http.HandlerFunc {
	return func(response http.ResponseWriter, request *http.Request) {
		var body json.RawMessage
		err := json.NewDecoder(request.Body).Decode(&body)
		if err == nil {
			err = take(body)
		}
		if err != nil {
			http.Error(response, err.Error(), http.StatusBadRequest)
		}
	}
}
