package main

const (
	parts      = 10
	partLength = 50_000 // µs
)

// meter measures a bit rate over the last half second.
type meter struct {
	bytes [parts]int64
	part  int64 // the number of the newest part since the clock's origin
}

func (m *meter) advance(at int64) {
	part := at / partLength
	for ; m.part < part; m.part++ {
		if part-m.part > parts {
			m.part = part - parts
		}
		m.bytes[(m.part+1)%parts] = 0
	}
}

func (m *meter) add(bytes int, at int64) {
	m.advance(at)
	m.bytes[m.part%parts] += int64(bytes)
}

// rate returns bits per second.
func (m *meter) rate(at int64) int64 {
	m.advance(at)
	var sum int64
	for _, bytes := range m.bytes {
		sum += bytes
	}
	return sum * 8 * 1_000_000 / (parts * partLength)
}
