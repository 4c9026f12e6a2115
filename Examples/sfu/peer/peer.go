// Package peer makes the peer connections of the server and of its clients: Opus, VP8, simulcast, audio levels and
// transport-wide congestion control.
package peer

import (
	"github.com/pion/interceptor"
	"github.com/pion/interceptor/pkg/cc"
	"github.com/pion/webrtc/v3"
)

// Header extensions that packets carry.
const (
	AudioLevel = "urn:ietf:params:rtp-hdrext:ssrc-audio-level"
	MID        = "urn:ietf:params:rtp-hdrext:sdes:mid"
	RID        = "urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id"
)

var feedback = []webrtc.RTCPFeedback{{Type: "nack"}, {Type: "nack", Parameter: "pli"}}

// Codecs.
var (
	Opus = webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2}
	VP8  = webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeVP8, ClockRate: 90000, RTCPFeedback: feedback}
)

// New makes a peer connection. With onEstimator, the connection estimates what its path carries from the feedback of
// its peer, and the estimator is passed to it.
func New(onEstimator func(cc.BandwidthEstimator), newEstimator cc.BandwidthEstimatorFactory) (*webrtc.PeerConnection, error) {
	media, registry := &webrtc.MediaEngine{}, &interceptor.Registry{}
	if err := register(media); err != nil {
		return nil, err
	}
	if newEstimator != nil {
		factory, err := cc.NewInterceptor(newEstimator)
		if err != nil {
			return nil, err
		}
		factory.OnNewPeerConnection(func(_ string, estimator cc.BandwidthEstimator) { onEstimator(estimator) })
		registry.Add(factory)
		if err := webrtc.ConfigureTWCCHeaderExtensionSender(media, registry); err != nil {
			return nil, err
		}
	}
	if err := webrtc.RegisterDefaultInterceptors(media, registry); err != nil {
		return nil, err
	}
	settings := webrtc.SettingEngine{}
	settings.SetICEMulticastDNSMode(0)
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
