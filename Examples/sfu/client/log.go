package main

import (
	"bufio"
	"encoding/json"
	"io"
	"sync"
	"time"
)

type record map[string]any

// log writes JSON Lines, each with its wall clock in seconds.
type log struct {
	mutex sync.Mutex
	out   *bufio.Writer
}

func newLog(out io.Writer) *log { return &log{out: bufio.NewWriter(out)} }

func (l *log) write(kind string, members record) {
	members["type"], members["at"] = kind, float64(time.Now().UnixMicro())/1e6
	line, _ := json.Marshal(members)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	_, _ = l.out.Write(append(line, '\n'))
}

func (l *log) flush() error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.out.Flush()
}
