// Recordings on standard input: whatever comes, in pieces of any length, by way of a pipe. The first byte chooses how
// the channels are read, whether the reader stops early, and whether pages of Ogg have the right checksums, without
// which nobody looks into them; the next three choose the lengths of the pieces.
//
// What can be read from the pipe and from a file is the same. Nothing hangs, and no descriptor and no copy is left
// behind.

import Glibc
import Synchronization
import SystemPackage

@testable import AudioInput
@testable import RealTime

/// Compressed formats can make minutes of a few bytes.
private let enough = 200_000

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(start, count)
  guard input.count >= 4 else { return 0 }
  let content = input[0] & 4 == 0 ? Array(input[4...]) : withChecksums(Array(input[4...]))
  let channels: ChannelSelection = input[0] & 1 == 0 ? .mix : .each
  let stopsEarly = input[0] & 2 != 0
  let file = InputFile("input", holding: content)
  let before = openDescriptors()
  let streamed = throughPipe(content, pieces: input[1..<4].map(Int.init), channels, stopsEarly)
  require(openDescriptors() == before, "all descriptors are closed")
  require(names(in: InputFile.makeFolder("spool")).isEmpty, "no copy is left behind")
  guard let streamed, !stopsEarly, !streamed.isRaw else { return 0 }
  let whole = (try? AudioFileSource(path: file.path, channels: channels)).map(Sound.init)
  if let whole { compare(streamed, whole) }
  return 0
}

/// Puts the right checksum into each page of Ogg (RFC 3533).
private func withChecksums(_ content: [UInt8]) -> [UInt8] {
  var content = content
  for start in content.indices.dropLast(26) where content[start...].starts(with: "OggS".utf8) {
    let body = start + 27 + Int(content[start + 26])
    guard body <= content.count else { break }
    let end = content[(start + 27)..<body].reduce(body) { $0 + Int($1) }
    guard end <= content.count else { continue }
    for byte in 22..<26 { content[start + byte] = 0 }
    let checksum = content[start..<end].reduce(UInt32(0)) { checksum, byte in
      (0..<8).reduce(checksum ^ UInt32(byte) << 24) { sum, _ in
        sum << 1 ^ (sum >> 31) * 0x04C1_1DB7
      }
    }
    for byte in 0..<4 {
      content[start + 22 + byte] = UInt8(truncatingIfNeeded: checksum >> (8 * byte))
    }
  }
  return content
}

private func compare(_ streamed: Sound, _ whole: Sound) {
  require(streamed.rate == whole.rate, "\(streamed.rate) Hz from the pipe, \(whole.rate) otherwise")
  require(streamed.channels.count == whole.channels.count, "the number of channels is the same")
  // A stream is read before anybody knows how it ends: where that is not as it should be, the length may differ.
  let isDamaged = streamed.isDamaged || whole.isDamaged
  let counts = [streamed.channels[0].count, whole.channels[0].count]
  require(
    isDamaged || counts[0] == counts[1], "\(counts[0]) frames from the pipe, not \(counts[1])")
  require(
    zip(streamed.channels, whole.channels).allSatisfy { zip($0, $1).allSatisfy(==) },
    "the samples are the same")
}

/// What came out of a recording.
private struct Sound {
  let rate: Int
  let isRaw: Bool
  /// The bits of the samples.
  private(set) var channels: [[UInt32]]
  private(set) var isDamaged = false

  init(_ source: any RecordedSource) { self.init(source, stopsEarly: false) }

  init(_ source: any RecordedSource, stopsEarly: Bool) {
    rate = source.sampleRate
    isRaw = source.rawFormat != nil
    channels = Array(repeating: [], count: source.channelCount)
    var block = PCMBlock(channelCount: source.channelCount, capacity: 4096)
    do {
      while channels[0].count < enough, try source.read(into: &block) {
        for channel in channels.indices {
          block.withSamples(ofChannel: channel) { samples in
            for index in samples.indices { channels[channel].append(samples[index].bitPattern) }
          }
        }
        if stopsEarly {
          source.stop()
          require((try? source.read(into: &block)) == false, "what is stopped has ended")
        }
      }
    } catch {
      isDamaged = true
    }
    isDamaged = isDamaged || !source.warnings.isEmpty
  }
}

/// `nil` where it is refused.
private func throughPipe(
  _ content: [UInt8], pieces: [Int], _ channels: ChannelSelection, _ stopsEarly: Bool
) -> Sound? {
  guard let pipe = try? FileDescriptor.pipe(), let feeder = try? Feeder(pipe, content, pieces)
  else { fatalError("no pipe, or no thread") }
  defer { feeder.end() }
  return read(pipe.readEnd, channels, stopsEarly)
}

private func read(
  _ input: FileDescriptor, _ channels: ChannelSelection, _ stopsEarly: Bool
) -> Sound? {
  guard let stream = try? ByteStream(input, name: "the pipe") else { fatalError("no stream") }
  let source = try? AudioFileSource(
    stream, rawFormat: RawPCMFormat(sampleRate: 16_000), isRaw: false, channels: channels)
  return source.map { Sound($0, stopsEarly: stopsEarly) }
}

/// Writes the pieces into a pipe, each when the one before has been read.
private final class Feeder: Sendable {
  private let readEnd: FileDescriptor
  /// Relaxed order is enough: whoever sees it late writes one more piece, which nobody reads.
  private let isOver = Atomic(false)
  private let thread: Mutex<JoinableThread?>

  /// Smaller pieces take too long.
  private static let mostPieces = 100

  init(
    _ pipe: (readEnd: FileDescriptor, writeEnd: FileDescriptor), _ content: [UInt8],
    _ pieces: [Int]
  ) throws {
    readEnd = pipe.readEnd
    thread = Mutex(nil)
    let feed = try JoinableThread { [unowned self] in
      var rest = content[...]
      var lengths = (0..<Self.mostPieces).lazy.map { 1 + pieces[$0 % 3] * 4 }.makeIterator()
      while !rest.isEmpty, !isOver.load(ordering: .relaxed) {
        let piece = rest.prefix(lengths.next() ?? rest.count)
        guard (try? pipe.writeEnd.writeAll(piece)) != nil else { break }
        rest = rest.dropFirst(piece.count)
        waitUntilRead()
      }
      try? pipe.writeEnd.close()
    }
    thread.withLock { $0 = feed }
  }

  private func waitUntilRead() {
    var waiting: CInt = 1
    while waiting > 0, !isOver.load(ordering: .relaxed) {
      sched_yield()
      if ioctl(readEnd.rawValue, UInt(FIONREAD), &waiting) != 0 { return }
    }
  }

  /// Closes both ends. Nobody reads any more.
  func end() {
    isOver.store(true, ordering: .relaxed)
    // Ends a write that waits for room.
    try? readEnd.close()
    thread.withLock { $0?.join() }
  }
}

private func openDescriptors() -> [String] { names(in: "/proc/self/fd") }

private func names(in folder: String) -> [String] {
  guard let listing = opendir(folder) else { fatalError("cannot list \(folder)") }
  defer { closedir(listing) }
  var names: [String] = []
  while let entry = readdir(listing) {
    names.append(
      withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      })
  }
  return names.filter { $0 != "." && $0 != ".." }.sorted()
}
