// Package journal writes what happens in a call as JSON Lines, for run.py.
package journal

import (
	"encoding/json"
	"os"
	"sync"
	"time"
)

// Record is what a line says beside its type and its time.
type Record map[string]any

// Journal is a file of records. A nil Journal writes nothing.
type Journal struct {
	mutex sync.Mutex
	file  *os.File
}

// Open creates the file; without a path, it returns nil.
func Open(path string) (*Journal, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Create(path)
	return &Journal{file: file}, err
}

// Write adds a record with its wall clock in seconds. It buffers nothing: a call ends by killing the server.
func (j *Journal) Write(kind string, members Record) {
	if j == nil {
		return
	}
	members["type"], members["at"] = kind, float64(time.Now().UnixMicro())/1e6
	line, _ := json.Marshal(members)
	j.mutex.Lock()
	defer j.mutex.Unlock()
	_, _ = j.file.Write(append(line, '\n'))
}
