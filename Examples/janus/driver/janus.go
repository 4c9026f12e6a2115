package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"
)

// Janus is Janus' HTTP API. Whoever knows a handle may send to it: Janus does not ask who made the session.
type Janus struct {
	url, secret  string
	transactions uint64
}

// unauthorized is JANUS_ERROR_UNAUTHORIZED of Janus' apierror.h.
const unauthorized = 403

var client = &http.Client{Timeout: 2 * time.Second}

// setting is what VideoRoom forwards of one stream of a subscriber.
type setting struct {
	Mid       string `json:"mid"`
	Send      bool   `json:"send"`
	Substream int    `json:"substream"`
	Temporal  int    `json:"temporal"`
}

// configure changes streams of a subscriber's handle.
func (j *Janus) configure(session, handle uint64, streams []setting) error {
	request := map[string]any{
		"janus":       "message",
		"transaction": fmt.Sprint("driver-", atomic.AddUint64(&j.transactions, 1)),
		"body":        map[string]any{"request": "configure", "streams": streams},
	}
	if j.secret != "" {
		request["apisecret"] = j.secret
	}
	var answer struct {
		Janus string `json:"janus"`
		Error struct {
			Code   int    `json:"code"`
			Reason string `json:"reason"`
		} `json:"error"`
	}
	if err := post(fmt.Sprintf("%s/%d/%d", j.url, session, handle), request, &answer); err != nil {
		return fmt.Errorf("-janus should be Janus' HTTP API: %w", err)
	}
	if answer.Janus != "error" {
		return nil
	}
	if answer.Error.Code == unauthorized {
		return fmt.Errorf("-secret should be the api_secret of janus.jcfg: %s", answer.Error.Reason)
	}
	return fmt.Errorf("Janus refuses to configure handle %d: %s", handle, answer.Error.Reason)
}

// post sends JSON, and reads JSON unless nothing is expected.
func post(url string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	response, err := client.Post(url, "application/json", bytes.NewReader(text))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("%s answers %s", url, response.Status)
	}
	if answer == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(answer)
}
