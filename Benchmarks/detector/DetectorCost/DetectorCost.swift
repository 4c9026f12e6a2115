import CDetectorCost
import Glibc
import VoiceActivity

/// Analyses the beginning of a recording through one entry and prints what was detected; measure.py counts the
/// instructions. The recording is raw s16 of one channel on standard input.
///
///     DetectorCost RATE_HZ ENTRY CHUNK_MS events|hops SECONDS
@main enum DetectorCost {
  /// The entries, with the data that a host has: a part of a larger buffer, or one array for each packet.
  enum Entry: String {
    case c = "c"
    case span = "span"
    case timed = "timed"
    case pointer = "pointer"
    case array = "array"
    case c16 = "c-s16"
    case span16 = "span-s16"
  }

  /// The input, and the size of its chunks.
  struct Work {
    let rate: Int
    let chunk: Int
    let chunkCount: Int
    let wantsHops: Bool
    let integers: [Int16]
    let floats: [Float]

    /// Reads the arguments. Returns `nil` if they are invalid or the recording is too short for them.
    init?(_ arguments: some Collection<String>, _ recording: [Int16]) {
      let numbers = arguments.compactMap(Int.init)
      guard arguments.count == 4, numbers.count == 3, numbers.allSatisfy({ $0 > 0 }) else {
        return nil
      }
      (rate, chunk) = (numbers[0], numbers[0] * numbers[1] / 1000)
      chunkCount = numbers[2] * 1000 / numbers[1]
      wantsHops = arguments.contains("hops")
      // Convert the whole recording, however much is used, so that the difference of two runs is the analysis alone.
      integers = recording
      floats = recording.map { Float($0) / 32_768 }
      if chunkCount * chunk > recording.count { return nil }
    }
  }

  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 5, let entry = Entry(rawValue: arguments.remove(at: 2)),
      let work = Work(arguments, standardInput())
    else {
      fatalError("usage: DetectorCost RATE_HZ ENTRY CHUNK_MS events|hops SECONDS < RAW_S16")
    }
    let heard = try analyse(entry, work)
    print(heard.events, heard.speech_hops)
  }

  static func standardInput() -> [Int16] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(STDIN_FILENO, &block, block.count), count > 0 {
      bytes += block[..<count]
    }
    return bytes.withUnsafeBytes { raw in
      (0..<raw.count / 2).map { raw.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self) }
    }
  }

  static func analyse(_ entry: Entry, _ work: Work) throws -> detector_heard {
    let chunk = work.chunk
    let packets = (0..<work.chunkCount).map { n in Array(work.floats[n * chunk..<(n + 1) * chunk]) }
    var stream = try Stream(
      rate: work.rate, wantsHops: work.wantsHops, isTimed: entry == .timed)
    switch entry {
    case .c, .c16:
      return c_detector_run(
        UInt32(work.rate), entry == .c ? work.floats : nil, entry == .c ? nil : work.integers,
        work.chunkCount * chunk, chunk, work.wantsHops)
    case .span, .timed:
      let all = work.floats.span
      for n in 0..<work.chunkCount { stream.hear(all.extracting(n * chunk..<(n + 1) * chunk)) }
    case .span16:
      let all = work.integers.span
      for n in 0..<work.chunkCount { stream.hear(all.extracting(n * chunk..<(n + 1) * chunk)) }
    case .pointer:
      work.floats.withUnsafeBufferPointer { all in
        for n in 0..<work.chunkCount {
          stream.hear(UnsafeBufferPointer(rebasing: all[n * chunk..<(n + 1) * chunk]).span)
        }
      }
    case .array:
      for packet in packets { stream.hear(packet.span) }
    }
    return detector_heard(events: stream.events, speech_hops: stream.speechHops)
  }
}
