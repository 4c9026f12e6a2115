import ALSAInput
import AudioInput
import Foundation
import RealTime
import SystemPackage
import TestSupport
import Testing
import VirtualDevice
import VirtualDeviceSupport

/// Samples arrive as the device made them, whatever format the device offers.
@Suite struct FormatTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var format: CaptureFormat
    var rate: Int
    var channels: Int
    var testDescription: String { "\(format), \(rate) Hz, \(channels) channels" }
  }

  static let cases = CaptureFormat.allCases.flatMap { format in
    [(8000, 1), (11_025, 2), (16_000, 1), (44_100, 2), (48_000, 6), (96_000, 2), (192_000, 1)]
      .map { Case(format: format, rate: $0.0, channels: $0.1) }
  }

  @Test(.tags(.slow), arguments: cases) func everyFormatAndRateIsCaptured(_ setting: Case)
    async throws
  {
    let end = UInt64(setting.rate / 4 + 7)
    let description = """
      rate \(setting.rate)
      channels \(setting.channels)
      format \(setting.format)
      """
    let session = try await Session.captured(description, end: end) {
      $0.sampleRate = setting.rate
      $0.channels = .each
      $0.buffer = .seconds(1)
    }
    #expect(session.recording.wrong == [])
    #expect(session.recording.gaps == [])
    #expect(session.recording.captured == end)
    #expect(session.device.position == end && session.device.made == end)
  }

  /// The source uses and reports the device's own rate, channels and format.
  @Test func theSourceReportsTheDevicesOwnSettings() throws {
    let device = try TestDevice(
      """
      rate 32000 44100
      channels 4 8
      format S24_3LE
      format S32_LE
      at 3000 end
      """)
    let source = try device.source { $0.sampleRate = 48_000 }
    #expect(source.sampleRate == 44_100)
    #expect(source.inputChannelCount == 4 && source.channelCount == 1)
    #expect(source.sampleFormat == .s32)
    #expect(source.name == device.name)
    #expect(source.status.state == .capturing)
  }

  @Test func aDeviceIsOpenedWithTheDefaults() throws {
    let device = try TestDevice("rate 8000 192000\nchannels 1 32\n")
    let source = try ALSASource(device.name)
    #expect(source.sampleRate == 48_000)
    #expect(source.periodFrames == 480)
    #expect(source.bufferFrames == 9600)
    #expect(source.inputChannelCount == 1)
    #expect(source.sampleFormat == .s16)
  }

  @Test(arguments: CaptureFormat.allCases)
  func aRequestedFormatIsUsed(_ format: CaptureFormat) throws {
    let lines = CaptureFormat.allCases.map { "format \($0)" }.joined(separator: "\n")
    let device = try TestDevice(lines)
    #expect(try device.source { $0.sampleFormat = format }.sampleFormat == format)
  }

  @Test func channelsAreMixedToTheirMean() throws {
    let device = try TestDevice("channels 3\nformat FLOAT_LE\nat 2000 end\n")
    let source = try device.source()
    let recording = try Recording(source, until: 2000) { position, _ in
      let channels = (0..<3).map { ramp(position, $0, .float32) }
      return (channels[0] + channels[1] + channels[2]) * (1 / Float(3))
    }
    #expect(recording.wrong == [] && recording.captured == 2000)
  }

  @Test(arguments: 1...3) func oneChannelIsSelected(number: Int) throws {
    let device = try TestDevice("channels 3\nat 2000 end\n")
    let source = try device.source { $0.channels = .channel(number) }
    #expect(source.channelCount == 1)
    let recording = try Recording(source, until: 2000) { position, _ in
      ramp(position, number - 1, .s16)
    }
    #expect(recording.wrong == [] && recording.captured == 2000)
  }

  /// The source requests as many channels as the selected one needs.
  @Test func aHighChannelRequestsEnoughChannels() throws {
    let device = try TestDevice("channels 1 8\n")
    #expect(try device.source { $0.channels = .channel(5) }.inputChannelCount == 5)
    #expect(try device.source { $0.channelCount = 7 }.inputChannelCount == 7)
  }

  /// The device can play a recording: live capture and the file give the same samples.
  @Test func captureAndFileGiveTheSameSamples() throws {
    let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("samples")
    let path = samples.appendingPathComponent("telephone-8k.wav").path
    let file = try AudioFileSource(path: FilePath(path))
    var block = PCMBlock(channelCount: 1, capacity: 8000)
    var expected: [Float] = []
    while expected.count < 8000, try file.read(into: &block) {
      block.withSamples(ofChannel: 0) { samples in
        samples.withUnsafeBufferPointer { expected += $0 }
      }
    }
    let device = try TestDevice("rate \(file.sampleRate)\nsound \(path)\nat 8000 end\n")
    let recording = try Recording(try device.source(), until: 8000) { position, _ in
      expected[Int(position)]
    }
    #expect(recording.wrong == [] && recording.captured == 8000)
    #expect(expected.contains { $0 != 0 })
  }
}
