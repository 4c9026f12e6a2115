module example.com/janus

go 1.19

require example.com/voiceactivity v0.0.0

replace example.com/voiceactivity => ../../Bindings/go
