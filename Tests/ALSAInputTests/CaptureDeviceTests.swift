import ALSAInput
import Testing
import VirtualDevice
import VirtualDeviceSupport

/// A device's answer to a query, compared with its device file.
@Suite struct CaptureDeviceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The lines of the device file.
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
    // Unusual rates are offered all the same.
    Case(lines: "rate 9000 10000", rates: 9000...10_000, usualRates: []),
    // Rates that detectors do not accept are not offered.
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

  @Test(arguments: cases) func aUsableDeviceReportsItsCapabilities(_ setting: Case) throws {
    let file = try TestDevice(setting.lines + "\n")
    let device = CaptureDevice(name: file.name, title: "A microphone")
    #expect(device.name == file.name && device.title == "A microphone")
    let capabilities = try device.capabilities.get()
    #expect(capabilities.sampleRates == setting.rates)
    #expect(capabilities.usualSampleRates == setting.usualRates)
    #expect(capabilities.channelCounts == setting.channels)
    #expect(capabilities.sampleFormats == setting.formats)
    // The device is free again, and was never started.
    #expect(file.state.opens == 1 && file.state.closes == 1 && file.state.starts == 0)
  }

  /// A converter offers the formats that it converts to, but only the device's own rates.
  @Test func aPluggedDeviceReportsItsOwnRates() throws {
    let file = try TestDevice("rate 32000\nformat S24_LE\n", isPlugged: true)
    let capabilities = try CaptureDevice(name: file.name).capabilities.get()
    #expect(capabilities.sampleRates == 32_000...32_000)
    #expect(capabilities.sampleFormats == CaptureFormat.allCases)
    #expect(capabilities.channelCounts.contains(2))
  }

  @Test(arguments: [
    ("refuse EBUSY", "another program is using it"),
    ("refuse EACCES", "you are not permitted to open it"),
    ("refuse ENODEV", "there is no such device"),
    // The errors of PulseAudio's plugin and of PipeWire's when no server is running.
    ("refuse ECONNREFUSED", "no sound server answers"),
    ("refuse EHOSTDOWN", "no sound server answers"),
    ("rate 4000", "it offers no rate from 8000 to 192000 Hz"),
    ("rate 200000 300000", "it offers no rate from 8000 to 192000 Hz"),
    (
      "format U8\nformat A_LAW",
      "it does not offer samples of the format 16, 24 or 32-bit integers or float"
    ),
    // The device opens and offers configurations, but there is nothing behind it.
    ("refuse-parameters EIO", "it rejected the parameters that it offered (Input/output error)"),
  ])
  func anUnusableDeviceReportsWhy(_ lines: String, reason: String) throws {
    let file = try TestDevice(lines + "\n")
    guard case .failure(let error) = CaptureDevice(name: file.name).capabilities else {
      Issue.record("\(lines) can be opened")
      return
    }
    #expect(error.reason == reason)
    #expect("\(error)".hasPrefix("cannot capture from \(file.name): \(reason); "))
    #expect(file.state.opens == file.state.closes)
  }

  /// A device that is listed as usable can be captured from, and one that is not cannot.
  @Test(arguments: ["", "refuse EBUSY", "rate 4000", "format U8", "refuse-parameters EIO"])
  func listedDevicesMatchWhatTheSourceCanOpen(_ lines: String) throws {
    let file = try TestDevice(lines + "\nat 100 end\n")
    switch CaptureDevice(name: file.name).capabilities {
    case .success: #expect(try Recording(try file.source(), until: 100).captured == 100)
    case .failure(let error): #expect(throws: error) { try file.source() }
    }
  }
}
