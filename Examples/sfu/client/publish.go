package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"example.com/sfu/journal"
	"example.com/sfu/peer"
	"example.com/voiceactivity"
	"github.com/pion/rtcp"
	"github.com/pion/rtp"
	"github.com/pion/rtp/codecs"
	"github.com/pion/webrtc/v3"
	"github.com/pion/webrtc/v3/pkg/media/ivfreader"
	"github.com/pion/webrtc/v3/pkg/media/oggreader"
)

const (
	packetTime  = 20 * time.Millisecond
	packetClock = 960 // samples of 48 kHz
	frameTime   = time.Second / 30
	frameClock  = 3000 // of 90 kHz
	mtu         = 1150
)

// layer is one encoding of the camera: the frames of a file, again and again.
type layer struct {
	track      *webrtc.TrackLocalStaticRTP
	frames     [][]byte
	next       int
	packetizer rtp.Packetizer
	isAsked    int32 // atomic: somebody wants a key frame
}

func publish(o options, log *journal.Journal) error {
	connection, err := peer.New(false)
	if err != nil {
		return err
	}
	defer connection.Close()
	voice, err := webrtc.NewTrackLocalStaticRTP(peer.Opus, "audio", "camera")
	if err != nil {
		return err
	}
	audioSender, err := connection.AddTrack(voice)
	if err != nil {
		return err
	}
	layers, videoSender, err := addLayers(connection, o.video)
	if err != nil {
		return err
	}
	connected := make(chan struct{})
	connection.OnConnectionStateChange(func(state webrtc.PeerConnectionState) {
		if state == webrtc.PeerConnectionStateConnected {
			close(connected)
		}
	})
	if err := connect(connection, o.server+"/publish?rates="+o.rates); err != nil {
		return err
	}
	<-connected
	for i := range layers {
		go answerRequests(videoSender, layers[i])
	}
	end := time.Now().Add(time.Duration(o.seconds * float64(time.Second)))
	go sendVideo(layers, extensions(videoSender), mid(connection, videoSender), end)
	return sendAudio(voice, o, extensions(audioSender)[peer.AudioLevel], end, log)
}

func addLayers(connection *webrtc.PeerConnection, folder string) ([]*layer, *webrtc.RTPSender, error) {
	var layers []*layer
	var sender *webrtc.RTPSender
	for _, rid := range []string{"q", "h", "f"} {
		frames, err := readFrames(filepath.Join(folder, rid+".ivf"))
		if err != nil {
			return nil, nil, err
		}
		track, err := webrtc.NewTrackLocalStaticRTP(peer.VP8, "video", "camera", webrtc.WithRTPStreamID(rid))
		if err != nil {
			return nil, nil, err
		}
		if sender == nil {
			sender, err = connection.AddTrack(track)
		} else {
			err = sender.AddEncoding(track)
		}
		if err != nil {
			return nil, nil, err
		}
		layers = append(layers, &layer{track: track, frames: frames,
			packetizer: rtp.NewPacketizer(mtu, 0, 0, &codecs.VP8Payloader{}, rtp.NewRandomSequencer(), 90000)})
	}
	return layers, sender, nil
}

func readFrames(path string) ([][]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader, _, err := ivfreader.NewWith(file)
	if err != nil {
		return nil, err
	}
	var frames [][]byte
	for {
		frame, _, err := reader.ParseNextFrame()
		if errors.Is(err, io.EOF) {
			return frames, nil
		}
		if err != nil {
			return nil, err
		}
		frames = append(frames, frame)
	}
}

// answerRequests notes when the server asks for a key frame of a layer.
func answerRequests(sender *webrtc.RTPSender, layer *layer) {
	for {
		packets, _, err := sender.ReadSimulcastRTCP(layer.track.RID())
		if err != nil {
			return
		}
		for _, packet := range packets {
			if _, isPLI := packet.(*rtcp.PictureLossIndication); isPLI {
				atomic.StoreInt32(&layer.isAsked, 1)
			}
		}
	}
}

// nextFrame returns the next frame, or the next key frame if one is wanted: a file cannot encode one on demand.
func (l *layer) nextFrame() []byte {
	if atomic.CompareAndSwapInt32(&l.isAsked, 1, 0) {
		for l.frames[l.next][0]&1 != 0 {
			l.next = (l.next + 1) % len(l.frames)
		}
	}
	frame := l.frames[l.next]
	l.next = (l.next + 1) % len(l.frames)
	return frame
}

func sendVideo(layers []*layer, ids map[string]uint8, mid string, end time.Time) {
	ticker := time.NewTicker(frameTime)
	defer ticker.Stop()
	for time.Now().Before(end) {
		<-ticker.C
		for _, layer := range layers {
			for _, packet := range layer.packetizer.Packetize(layer.nextFrame(), frameClock) {
				_ = packet.SetExtension(ids[peer.MID], []byte(mid))
				_ = packet.SetExtension(ids[peer.RID], []byte(layer.track.RID()))
				_ = layer.track.WriteRTP(packet)
			}
		}
	}
}

// sendAudio sends the packets of a file with the levels that libvoiceactivity finds in its sound.
func sendAudio(track *webrtc.TrackLocalStaticRTP, o options, level uint8, end time.Time, log *journal.Journal) error {
	file, err := os.Open(o.audio + ".ogg")
	if err != nil {
		return err
	}
	defer file.Close()
	reader, _, err := oggreader.NewWith(file)
	if err != nil {
		return err
	}
	sound, err := os.ReadFile(o.audio + ".s16")
	if err != nil {
		return err
	}
	detector, err := voiceactivity.New(voiceactivity.Options{SampleRate: 48000})
	if err != nil {
		return err
	}
	defer detector.Close()
	ticker := time.NewTicker(packetTime)
	defer ticker.Stop()
	for sequence := uint16(0); time.Now().Before(end); {
		page, _, err := reader.ParseNextPage()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if strings.HasPrefix(string(page), "OpusTags") {
			continue
		}
		<-ticker.C
		var samples []int16
		samples, sound = split(sound)
		if _, err := detector.Process(samples); err != nil {
			return err
		}
		packet := &rtp.Packet{Header: rtp.Header{Version: 2, SequenceNumber: sequence, Timestamp: uint32(sequence) * packetClock}, Payload: page}
		_ = packet.SetExtension(level, []byte{detector.RFC6464()})
		log.Write("audio", journal.Record{"participant": o.participant, "sequence": sequence})
		_ = track.WriteRTP(packet)
		sequence++
	}
	return nil
}

// split takes the samples of a packet from PCM.
func split(pcm []byte) ([]int16, []byte) {
	count := packetClock
	if len(pcm)/2 < count {
		count = len(pcm) / 2
	}
	samples := make([]int16, count)
	for i := range samples {
		samples[i] = int16(uint16(pcm[2*i]) | uint16(pcm[2*i+1])<<8)
	}
	return samples, pcm[2*count:]
}

func extensions(sender *webrtc.RTPSender) map[string]uint8 {
	ids := map[string]uint8{}
	for _, e := range sender.GetParameters().HeaderExtensions {
		ids[e.URI] = uint8(e.ID)
	}
	return ids
}

func mid(connection *webrtc.PeerConnection, sender *webrtc.RTPSender) string {
	for _, transceiver := range connection.GetTransceivers() {
		if transceiver.Sender() == sender {
			return transceiver.Mid()
		}
	}
	return ""
}
