package main

import (
	"encoding/json"
	"os"
	"sync"
	"time"
)

// Log is a file of JSON Lines, each with its wall clock in seconds. A nil Log writes nothing.
type Log struct {
	mutex sync.Mutex
	file  *os.File
}

func openLog(path string) (*Log, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Create(path)
	return &Log{file: file}, err
}

func (l *Log) write(kind string, members map[string]any) {
	if l == nil {
		return
	}
	members["type"], members["at"] = kind, float64(time.Now().UnixMicro())/1e6
	line, _ := json.Marshal(members)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	_, _ = l.file.Write(append(line, '\n'))
}
