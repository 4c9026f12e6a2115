// Package wav reads the recordings of the tests and of the examples.
package wav

import (
	"encoding/binary"
	"fmt"
	"os"
)

// Read returns the samples and the rate of a mono WAV file of 16 bits, of which the header is 44 bytes long.
func Read(path string) (samples []int16, rate int, err error) {
	bytes, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, err
	}
	little := binary.LittleEndian
	if len(bytes) < 44 || string(bytes[36:40]) != "data" || little.Uint16(bytes[22:]) != 1 || little.Uint16(bytes[34:]) != 16 {
		return nil, 0, fmt.Errorf("%s is not a mono WAV file of 16 bits", path)
	}
	sound := bytes[44:]
	samples = make([]int16, len(sound)/2)
	for i := range samples {
		samples[i] = int16(little.Uint16(sound[2*i:]))
	}
	return samples, int(little.Uint32(bytes[24:])), nil
}
