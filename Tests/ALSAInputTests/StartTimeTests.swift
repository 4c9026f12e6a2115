import RealTime
import Testing
import VirtualDevice
import VirtualDeviceSupport

@testable import ALSAInput

/// When the first frame of a capture was captured.
@Suite struct StartTimeTests {
  /// A thread that was interrupted reads late. The least reading of the last one or two seconds counts.
  @Test func lateReadingsDoNotCount() {
    let start = StartTime(sampleRate: 1000)
    #expect(start.value == nil)
    // A frame a millisecond, from 5 s on.
    func note(_ frame: Int64, late: Int64) {
      start.note(frame, delay: 0, at: 5_000_000_000 + (frame + late) * 1_000_000)
    }
    note(100, late: 300)
    #expect(start.value == 5_300_000_000)
    note(200, late: 0)
    for frame in stride(from: 300, to: 1000, by: 100) { note(Int64(frame), late: Int64(frame)) }
    #expect(start.value == 5_000_000_000)
  }

  /// A clock that falls behind by 0.1 % is followed within two seconds.
  @Test func driftIsFollowed() {
    let start = StartTime(sampleRate: 48_000)
    for step in 0..<1000 {
      let time = Int64(step) * 50_000_000
      start.note(Int64(Double(time) * 48_000 / 1e9 * 0.999), delay: 0, at: time)
      let late = Double(time) * 0.001
      #expect(late - 2_100_000...late + 30_000 ~= Double(start.value!))
    }
  }

  /// Readings from the monitor of a new PulseAudio output: the time since the start, the position and the delay, in ms.
  /// The first sound came after 1.92 s, and was captured as it was played.
  private static let newOutput: [(Int64, Int64, Int64)] = [
    (1932, 10, 648), (1942, 20, 648), (2034, 110, 651), (2525, 600, 652), (2576, 650, 627),
    (2632, 710, 567), (2693, 770, 507), (2754, 830, 447), (2823, 900, 377), (2894, 970, 307),
    (3006, 1080, 197), (3102, 1180, 97), (3192, 1270, 7), (3726, 1800, 0), (3960, 2040, 0),
    (4326, 2400, 0), (4924, 3000, 0),
  ]

  @Test func framesThatHaveNotComeDoNotCount() {
    let start = StartTime(sampleRate: 1000)
    for (time, position, delay) in Self.newOutput {
      start.note(position, delay: delay, at: time * 1_000_000)
      #expect(1_910...1_927 ~= start.value! / 1_000_000, "at \(time)")
    }
  }

  /// Frames that are on their way for long, as from a wireless microphone, count after two seconds. What is told too
  /// much while nothing comes does not.
  @Test func aLongWayIsBelieved() {
    let start = StartTime(sampleRate: 1000)
    func value(at time: Int64, delay: Int64) -> Int64 {
      start.note(time - 300, delay: delay, at: time * 1_000_000)
      return start.value! / 1_000_000
    }
    for time in stride(from: Int64(400), to: 2400, by: 50) {
      #expect(value(at: time, delay: 200 + time / 50 % 2 * 10) == 300)
    }
    #expect(value(at: 2400, delay: 200) == 100)
    for time in stride(from: Int64(2500), to: 4000, by: 50) {
      #expect(value(at: time, delay: 800 - time / 50 % 2 * 10) == 100)
    }
    #expect(value(at: 4050, delay: 200) == 100)
  }

  /// The device knows when its world began.
  @Test func aDeviceTellsWhenItBegan() throws {
    let device = try TestDevice("keep")
    let source = try ALSASource(device.name, configuration: configuration)
    defer { source.stop() }
    var block = PCMBlock(channelCount: 1)
    let limit = 60 * source.sampleRate
    var heard = 0
    var (start, began) = (Int64.max, Int64(0))
    while heard < limit, abs(start - began) > 2_000_000, try source.read(into: &block) {
      heard += block.frameCount
      (start, began) = (source.startTime ?? .max, device.state.start_ns)
    }
    #expect(heard < limit, "no reading of 60 s was on time")
    // A counter may show a frame that has just begun.
    #expect(start >= began - 1_000_000_000 / 16_000)
  }

  @Test func aDeviceMayNotTell() throws {
    let source = try ALSASource(
      try TestDevice("keep\nno-delay").name, configuration: configuration)
    defer { source.stop() }
    var block = PCMBlock(channelCount: 1)
    for _ in 0..<10 { #expect(try source.read(into: &block)) }
    #expect(source.startTime == nil)
  }

  private var configuration: ALSASource.Configuration {
    get throws {
      _ = try VirtualDriver.environment
      var configuration = ALSASource.Configuration()
      configuration.sampleRate = 16_000
      return configuration
    }
  }
}
