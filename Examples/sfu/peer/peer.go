// Package peer makes the peer connections of the server and of its clients: Opus, VP8, simulcast, audio levels and
// transport-wide congestion control.
package peer

import (
	"github.com/pion/ice/v2"
	"github.com/pion/interceptor"
	"github.com/pion/interceptor/pkg/cc"
	"github.com/pion/interceptor/pkg/nack"
	"github.com/pion/webrtc/v3"
)

// Header extensions that packets carry.
const (
	AudioLevel = "urn:ietf:params:rtp-hdrext:ssrc-audio-level"
	MID        = "urn:ietf:params:rtp-hdrext:sdes:mid"
	RID        = "urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id"
)

// Padding is the ID of the stream that carries no camera, but the padding of probes.
const Padding = "padding"

var feedback = []webrtc.RTCPFeedback{{Type: "nack"}, {Type: "nack", Parameter: "pli"}}

// Codecs.
var (
	Opus = webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2}
	VP8  = webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeVP8, ClockRate: 90000, RTCPFeedback: feedback}
)

// New makes a peer connection that reports what it receives, for its peer's estimator. A receiver also asks for packets
// that are missing; who answers is not a matter of this package: on a full path, answers that nothing limits would fill it.
func New(isReceiver bool) (*webrtc.PeerConnection, error) {
	return connection(func(media *webrtc.MediaEngine, registry *interceptor.Registry) error {
		if !isReceiver {
			return nil
		}
		generator, err := nack.NewGeneratorInterceptor()
		if err == nil {
			registry.Add(generator)
		}
		return err
	})
}

// NewEstimating makes a peer connection whose packets and their feedback an estimator sees.
func NewEstimating(estimator cc.BandwidthEstimator) (*webrtc.PeerConnection, error) {
	return connection(func(media *webrtc.MediaEngine, registry *interceptor.Registry) error {
		estimating, err := cc.NewInterceptor(func() (cc.BandwidthEstimator, error) { return estimator, nil })
		if err != nil {
			return err
		}
		registry.Add(estimating)
		return webrtc.ConfigureTWCCHeaderExtensionSender(media, registry)
	})
}

func connection(add func(*webrtc.MediaEngine, *interceptor.Registry) error) (*webrtc.PeerConnection, error) {
	media, registry := &webrtc.MediaEngine{}, &interceptor.Registry{}
	if err := register(media); err != nil {
		return nil, err
	}
	if err := add(media, registry); err != nil {
		return nil, err
	}
	if err := webrtc.ConfigureRTCPReports(registry); err != nil {
		return nil, err
	}
	if err := webrtc.ConfigureTWCCSender(media, registry); err != nil {
		return nil, err
	}
	settings := webrtc.SettingEngine{}
	settings.SetICEMulticastDNSMode(ice.MulticastDNSModeDisabled)
	settings.SetIncludeLoopbackCandidate(true)
	api := webrtc.NewAPI(webrtc.WithMediaEngine(media), webrtc.WithInterceptorRegistry(registry), webrtc.WithSettingEngine(settings))
	return api.NewPeerConnection(webrtc.Configuration{})
}

func register(media *webrtc.MediaEngine) error {
	for _, codec := range []webrtc.RTPCodecParameters{
		{RTPCodecCapability: Opus, PayloadType: 111},
		{RTPCodecCapability: VP8, PayloadType: 96},
	} {
		kind := webrtc.RTPCodecTypeAudio
		if codec.MimeType == webrtc.MimeTypeVP8 {
			kind = webrtc.RTPCodecTypeVideo
		}
		if err := media.RegisterCodec(codec, kind); err != nil {
			return err
		}
	}
	for uri, kind := range map[string]webrtc.RTPCodecType{
		AudioLevel: webrtc.RTPCodecTypeAudio, MID: webrtc.RTPCodecTypeVideo, RID: webrtc.RTPCodecTypeVideo,
	} {
		if err := media.RegisterHeaderExtension(webrtc.RTPHeaderExtensionCapability{URI: uri}, kind); err != nil {
			return err
		}
	}
	return nil
}
