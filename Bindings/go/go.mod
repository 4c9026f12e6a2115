module example.com/voiceactivity

go 1.19
