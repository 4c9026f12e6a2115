import Foundation
import RealTime

/// 0, and positions just below the wrap of a 32-bit and a 64-bit counter.
let interestingStarts: [UInt64] = [0, (1 << 32) - 5, .max - 4]

extension SampleRing.Writer {
  /// Writes the integers in `range` as samples, which are exact below 2^24.
  @discardableResult
  mutating func write(_ range: Range<Int>) -> Bool {
    let block = range.map(Float.init)
    return write(block.span)
  }
}

extension SampleRing.Reader {
  /// Reads once and returns the samples as an array.
  mutating func take(upTo limit: Int = .max) -> (outcome: Outcome, samples: [Float]) {
    var samples: [Float] = []
    let outcome = read(upTo: limit) { region in
      for index in region.indices { samples.append(region[index]) }
    }
    return (outcome, samples)
  }

  /// Reads everything available and returns it as text: "0 1 [3 missing] 5".
  mutating func picture() -> String {
    var words: [String] = []
    while true {
      let (outcome, samples) = take()
      switch outcome {
      case .samples: words += samples.map { String(Int($0)) }
      case .gap(let missing): words.append("[\(missing) missing]")
      case .empty: return words.joined(separator: " ")
      case .endOfStream: return (words + ["end"]).joined(separator: " ")
      }
    }
  }
}

/// A box that carries a noncopyable value into a thread's closure. `@unchecked Sendable` is safe because only that
/// closure opens it, once.
final class Parcel<Content: ~Copyable>: @unchecked Sendable {
  private var content: Content?
  init(_ content: consuming Content) { self.content = consume content }
  func open() -> Content { content.take()! }
}

/// Runs `body` on a thread of its own, because it blocks.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}
