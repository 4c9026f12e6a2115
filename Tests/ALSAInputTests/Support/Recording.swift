import ALSAInput
import Foundation
import RealTime
import VirtualDevice

struct Gap: Hashable, CustomStringConvertible {
  /// The first missing frame.
  var position: UInt64
  var length: UInt64

  var description: String { "\(position) + \(length)" }
}

/// What a source delivered while its device played the ramp.
struct Recording {
  var captured: UInt64 = 0
  var gaps: [Gap] = []
  /// The first few samples that differ from what the device made at their position.
  var wrong: [String] = []

  var lost: UInt64 { gaps.reduce(0) { $0 + $1.length } }
  var position: UInt64 { captured + lost }
  private(set) var hasEnded = false

  /// Reads until the source has reached `position`, has ended, or has been silent for too long.
  ///
  /// - Parameter expected: Returns the sample of a channel of the source at a position.
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
  }
}

/// Returns the ramp's sample of a channel at a position, computed independently from the description in the device's
/// header.
func ramp(_ position: UInt64, _ channel: Int, _ format: CaptureFormat) -> Float {
  let count = position + 4099 * UInt64(channel)
  if format == .s16 { return Float(Int16(truncatingIfNeeded: count)) / 32768 }
  // 24-bit values with sign.
  let value = Int64(count & 0xFF_FFFF)
  return Float(value < 0x80_0000 ? value : value - 0x100_0000) / 8_388_608
}

/// Stops a source that still runs half a minute after its expected end, so that its test fails instead of hanging.
///
/// `@unchecked Sendable` is safe because `work` is immutable, and Dispatch allows any thread to cancel it.
private final class Watchdog: @unchecked Sendable {
  private let work: DispatchWorkItem

  init(_ source: ALSASource, until position: UInt64) {
    work = DispatchWorkItem { [weak source] in source?.stop() }
    let seconds = position == .max ? 10 : Double(position) / Double(source.sampleRate)
    DispatchQueue.global().asyncAfter(deadline: .now() + 30 + seconds, execute: work)
  }

  func end() { work.cancel() }
}
