import ALSAInput
import Foundation
import VirtualDevice
import VoiceActivity

struct Gap: Hashable, CustomStringConvertible {
  /// The first frame that is missing.
  var position: UInt64
  var length: UInt64

  var description: String { "\(position) + \(length)" }
}

/// What came out of a source whose device plays the ramp.
struct Recording {
  var captured: UInt64 = 0
  var gaps: [Gap] = []
  var overruns: UInt64 = 0
  /// Samples that are not what the device made at their position: the first few.
  var wrong: [String] = []

  var lost: UInt64 { gaps.reduce(0) { $0 + $1.length } }
  var position: UInt64 { captured + lost }
  private(set) var hasEnded = false

  /// Reads until the source has come to `position`, has ended or has said nothing for too long.
  ///
  /// - Parameter expected: What channel c of the source holds at a position.
  init(
    _ source: ALSASource, until position: UInt64,
    expected: (_ position: UInt64, _ channel: Int) -> Float
  ) throws {
    let watchdog = Watchdog(source, until: position)
    defer { watchdog.end() }
    var block = PCMBlock(channelCount: source.channelCount, capacity: 1000)
    while self.position < position {
      guard try source.read(into: &block) else {
        hasEnded = true
        return
      }
      add(block, expected)
    }
  }

  init(_ source: ALSASource, until position: UInt64) throws {
    let format = source.sampleFormat
    try self.init(source, until: position) { ramp($0, $1, format) }
  }

  private mutating func add(
    _ block: borrowing PCMBlock, _ expected: (UInt64, Int) -> Float
  ) {
    if block.missingFrames > 0 {
      if let last = gaps.last, last.position + last.length == position {
        gaps[gaps.count - 1].length += block.missingFrames
      } else {
        gaps.append(Gap(position: position, length: block.missingFrames))
      }
    }
    for channel in 0..<block.channelCount {
      block.withSamples(ofChannel: channel) { samples in
        for frame in samples.indices {
          let place = position + UInt64(frame)
          let (sample, right) = (samples[frame], expected(place, channel))
          if sample != right && wrong.count < 3 {
            wrong.append("\(sample) and not \(right) at \(place) of channel \(channel)")
          }
        }
      }
    }
    captured += UInt64(block.frameCount)
    overruns += block.overruns
  }
}

/// The ramp as the device's header describes it, computed on its own: channel c at a position.
func ramp(_ position: UInt64, _ channel: Int, _ format: CaptureFormat) -> Float {
  let count = position + 4099 * UInt64(channel)
  if format == .s16 { return Float(Int16(truncatingIfNeeded: count)) / 32768 }
  // 24 bits with their sign.
  let value = Int64(count & 0xFF_FFFF)
  return Float(value < 0x80_0000 ? value : value - 0x100_0000) / 8_388_608
}

/// Stops a source that has hung, so that its test fails instead: half a minute after it should have come to its end.
private final class Watchdog: @unchecked Sendable {
  private let work: DispatchWorkItem

  init(_ source: ALSASource, until position: UInt64) {
    work = DispatchWorkItem { [weak source] in source?.stop() }
    let seconds = position == .max ? 10 : Double(position) / Double(source.sampleRate)
    DispatchQueue.global().asyncAfter(deadline: .now() + 30 + seconds, execute: work)
  }

  func end() { work.cancel() }
}
