import ALSAInput
import Testing
import VirtualDevice
import VirtualDeviceSupport

/// What a device answers when it is asked, against what its device file says.
@Suite struct CaptureDeviceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// Of the device file.
    var lines: String
    var rates: ClosedRange<Int> = 16_000...16_000
    var usualRates = [16_000]
    var channels = 1...1
    var formats: [CaptureFormat] = [.s16]

    var testDescription: String { lines }
  }

  static let cases = [
    Case(lines: ""),
    Case(
      lines: "rate 44100 48000", rates: 44_100...48_000, usualRates: [44_100, 48_000]),
    // Rates that nobody uses are offered all the same.
    Case(lines: "rate 9000 10000", rates: 9000...10_000, usualRates: []),
    // What detectors do not take is not.
    Case(lines: "rate 4000 8000", rates: 8000...8000, usualRates: [8000]),
    Case(lines: "rate 192000 768000", rates: 192_000...192_000, usualRates: [192_000]),
    Case(
      lines: "rate 1 4000000000", rates: 8000...192_000,
      usualRates: CaptureCapabilities.usualSampleRates),
    Case(lines: "channels 2 32", channels: 2...32),
    Case(lines: "format U8\nformat S24_3LE", formats: [.s24Packed]),
    Case(
      lines: CaptureFormat.allCases.map { "format \($0)" }.joined(separator: "\n"),
      formats: CaptureFormat.allCases),
  ]

  @Test(arguments: cases) func openable(_ setting: Case) throws {
    let file = try TestDevice(setting.lines + "\n")
    let device = CaptureDevice(name: file.name, title: "A microphone")
    #expect(device.name == file.name && device.title == "A microphone")
    let capabilities = try device.capabilities.get()
    #expect(capabilities.sampleRates == setting.rates)
    #expect(capabilities.usualSampleRates == setting.usualRates)
    #expect(capabilities.channelCounts == setting.channels)
    #expect(capabilities.sampleFormats == setting.formats)
    // It is free again, and was never started.
    #expect(file.state.opens == 1 && file.state.closes == 1 && file.state.starts == 0)
  }

  /// A converter offers what it converts to, but of rates only the device's own.
  @Test func behindAPlug() throws {
    let file = try TestDevice("rate 32000\nformat S24_LE\n", isPlugged: true)
    let capabilities = try CaptureDevice(name: file.name).capabilities.get()
    #expect(capabilities.sampleRates == 32_000...32_000)
    #expect(capabilities.sampleFormats == CaptureFormat.allCases)
    #expect(capabilities.channelCounts.contains(2))
  }

  @Test(arguments: [
    ("refuse EBUSY", "another program holds it"),
    ("refuse EACCES", "you are not permitted to open it"),
    ("refuse ENODEV", "there is no such device"),
    // What PulseAudio's plugin and PipeWire's say of a server that does not run.
    ("refuse ECONNREFUSED", "no sound server answers"),
    ("refuse EHOSTDOWN", "no sound server answers"),
    ("rate 4000", "it offers no rate from 8000 to 192000 Hz"),
    ("rate 200000 300000", "it offers no rate from 8000 to 192000 Hz"),
    (
      "format U8\nformat A_LAW",
      "it does not offer samples of the format 16, 24 or 32-bit integers or float"
    ),
    // It opens, and offers; but there is nothing behind it.
    ("refuse-parameters EIO", "it does not take its own parameters (Input/output error)"),
  ])
  func refused(_ lines: String, reason: String) throws {
    let file = try TestDevice(lines + "\n")
    guard case .failure(let error) = CaptureDevice(name: file.name).capabilities else {
      Issue.record("\(lines) can be opened")
      return
    }
    #expect(error.reason == reason)
    #expect("\(error)".hasPrefix("cannot capture from \(file.name): \(reason); "))
    #expect(file.state.opens == file.state.closes)
  }

  /// What is listed can be captured from, and what is not cannot.
  @Test(arguments: ["", "refuse EBUSY", "rate 4000", "format U8", "refuse-parameters EIO"])
  func asTheSourceFindsIt(_ lines: String) throws {
    let file = try TestDevice(lines + "\nat 100 end\n")
    switch CaptureDevice(name: file.name).capabilities {
    case .success: #expect(try Recording(try file.source(), until: 100).captured == 100)
    case .failure(let error): #expect(throws: error) { try file.source() }
    }
  }
}
