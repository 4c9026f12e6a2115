// server is a small SFU: it forwards Opus and one simulcast layer of each camera, estimates what the path to each
// subscriber carries, and lets an allocator decide what to forward.
//
//	server -listen 10.77.0.1:8080 -policy coordinator -log server.jsonl
//
// Publishers POST an offer to /publish?rates=100000,350000,1200000, the rates of their layers in bit/s, and subscribers
// to /subscribe; both get the answer. A subscriber joins after the publishers that it wants to see.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"

	"example.com/sfu/journal"
	"github.com/pion/webrtc/v3"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8080", "the address of the signalling")
	policy := flag.String("policy", "coordinator", "what to forward: coordinator, naive or all")
	log := flag.String("log", "", "where to write what is decided and sent, as JSON Lines")
	flag.Parse()
	if _, isKnown := policies[*policy]; !isKnown {
		fmt.Fprintf(os.Stderr, "server: there is no policy %q: use coordinator, naive or all\n", *policy)
		os.Exit(64)
	}
	if err := serve(*listen, *policy, *log); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(70)
	}
}

func serve(listen, policy, path string) error {
	log, err := journal.Open(path)
	if err != nil {
		return err
	}
	room := &Room{policy: policy, log: log}
	http.HandleFunc("/publish", answering(room.publish))
	http.HandleFunc("/subscribe", answering(room.subscribe))
	return http.ListenAndServe(listen, nil)
}

// answering serves an exchange of an offer for an answer.
func answering(join func(*http.Request, webrtc.SessionDescription) (*webrtc.SessionDescription, error)) http.HandlerFunc {
	return func(response http.ResponseWriter, request *http.Request) {
		var offer webrtc.SessionDescription
		err := json.NewDecoder(request.Body).Decode(&offer)
		if err == nil {
			var answer *webrtc.SessionDescription
			if answer, err = join(request, offer); err == nil {
				err = json.NewEncoder(response).Encode(answer)
			}
		}
		if err != nil {
			http.Error(response, err.Error(), http.StatusBadRequest)
		}
	}
}

// accept answers an offer, with all candidates in the answer.
func accept(connection *webrtc.PeerConnection, offer webrtc.SessionDescription) (*webrtc.SessionDescription, error) {
	if err := connection.SetRemoteDescription(offer); err != nil {
		return nil, err
	}
	answer, err := connection.CreateAnswer(nil)
	if err != nil {
		return nil, err
	}
	gathered := webrtc.GatheringCompletePromise(connection)
	if err := connection.SetLocalDescription(answer); err != nil {
		return nil, err
	}
	<-gathered
	return connection.LocalDescription(), nil
}

func parseRates(text string) ([]int64, error) {
	var rates []int64
	for _, word := range strings.Split(text, ",") {
		rate, err := strconv.ParseInt(word, 10, 64)
		if err != nil || rate <= 0 {
			return nil, errors.New("rates should be the layers' bit rates, the smallest first: rates=100000,350000")
		}
		rates = append(rates, rate)
	}
	return rates, nil
}
