package main

import (
	"errors"
	"strconv"
	"strings"
)

const (
	substreams = 3 // that VideoRoom knows, and as many temporal layers
	frameRate  = 30
)

// ladder is what Janus does not know of the publishers' encodings: the heights of the substreams, and the parts of a
// substream's rate up to each temporal layer. Its frame rate is assumed.
type ladder struct {
	heights []uint32
	shares  []float64
}

func parseLadder(heights, shares string) (ladder, error) {
	var l ladder
	for _, word := range strings.Split(heights, ",") {
		height, err := strconv.ParseUint(word, 10, 16)
		if err != nil || height == 0 || len(l.heights) == substreams {
			return l, errors.New("-heights should be one to three numbers of lines, the smallest first: 180,360,720")
		}
		l.heights = append(l.heights, uint32(height))
	}
	for _, word := range strings.Split(shares, ",") {
		share, err := strconv.ParseFloat(word, 64)
		if err != nil || !(share > 0 && share <= 1) || len(l.shares) == substreams {
			return l, errors.New("-temporal should be one to three parts of a rate up to 1, the smallest first: 0.4,0.6,1")
		}
		l.shares = append(l.shares, share)
	}
	return l, nil
}

// temporalOf returns what to ask VideoRoom for: for the fastest layer, everything.
func (l ladder) temporalOf(layer uint32) int {
	if int(layer) == len(l.shares)-1 {
		return substreams - 1
	}
	return int(layer)
}
