module example.com/sfu

go 1.19

require (
	example.com/voiceactivity v0.0.0
	github.com/pion/interceptor v0.1.12
	github.com/pion/rtcp v1.2.10
	github.com/pion/rtp v1.7.13
	github.com/pion/webrtc/v3 v3.1.56
)

replace example.com/voiceactivity => ../../Bindings/go
