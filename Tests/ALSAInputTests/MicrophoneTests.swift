import Testing
import VirtualDeviceSupport

@testable import ALSAInput

/// Which microphone is behind a name, where that can be told.
@Suite struct MicrophoneTests {
  @Test(arguments: [
    ("pulse:DEVICE=alsa_input.usb-1", "alsa_input.usb-1"),
    ("pulse:SERVER=unix:/run/native,DEVICE=room", "room"),
    ("pulse:DEVICE='a room'", "'a room'"), ("pipewire:NODE=room", "room"),
  ])
  func aSoundServersSourceHasAName(name: String, source: String) {
    #expect(Microphone.serverSource(name) == .source(source))
  }

  @Test(arguments: [
    "default", "pulse", "pulse:", "pulse:DEVICE=", "pulse:DEVICE=''", "pulse:room",
    "pulse:DEVICE=@DEFAULT_SOURCE@", "pulse:DEVICE='@DEFAULT_MONITOR@'", "pulse:SERVER=a",
    "other:DEVICE=room", "hw:CARD=pulse,DEVICE=0",
  ])
  func otherNamesMayMeanAnother(name: String) { #expect(Microphone.serverSource(name) == nil) }

  /// What a server calls it, so that the server can be asked; a number is no name.
  @Test func aNamesQuotesAreNotTheSources() {
    #expect(CaptureDevice.serverSource(in: "pulse:DEVICE='a room'") == "a room")
    #expect(CaptureDevice.serverSource(in: "pipewire:SERVER=x,NODE=room") == "room")
    #expect(CaptureDevice.serverSource(in: "pipewire:NODE=42") == nil)
    #expect(CaptureDevice.serverSource(in: "hw:0") == nil)
  }

  /// A plugin without a sound card behind it.
  @Test func aPluginIsNoCard() throws {
    let device = try TestDevice("")
    _ = try VirtualDriver.environment
    let pcm = try CapturePCM.opened(device.name, RequestedParameters(.init()))
    #expect(pcm.microphone == nil)
  }
}
