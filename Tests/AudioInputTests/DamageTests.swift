import AudioInput
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Files truncated or changed at random, from fixed seeds. A source either explains in one sentence why it cannot read,
/// or gives samples whose number is bounded by the file's size.
@Suite struct DamageTests {
  let folder = TemporaryFolder()

  /// Returns the frames read, 0 for a file that is rejected.
  @discardableResult
  private func survive(_ bytes: [UInt8]) throws -> Int {
    let path = try folder.write(bytes)
    do {
      let decoded = try decode(path)
      // Opus gives the most frames for a byte: 20 ms at 48 kHz for a packet of a few bytes.
      #expect(decoded.frameCount <= max(1 << 16, bytes.count * 960))
      return decoded.frameCount
    } catch let error as AudioInputError {
      let words = "\(error)"
      #expect(words.contains(path.string) && !words.contains("\n"))
      return 0
    }
  }

  /// Every length of a small WAV gives as many frames as are complete.
  @Test func everyTruncatedWaveIsHandled() throws {
    let samples: [Int16] = noise(120)
    let wave = WaveWriter(channelCount: 2, data: int16Bytes(samples))
    let whole = wave.bytes()
    for count in 0...whole.count {
      let frames = try survive(Array(whole.prefix(count)))
      #expect(frames == max(0, count - 44) / 4, "\(count) bytes")
    }
  }

  @Test(arguments: ["RF64", "RIFX"]) func everyTruncatedFileOfOtherFormsIsHandled(form: String)
    throws
  {
    var wave = WaveWriter(form: form, data: int16Bytes(noise(50)))
    if form == "RF64" { wave.claimedLongSizes = (0, 100) }
    wave.before = wave.chunk("LIST", [1, 2, 3])
    let whole = wave.bytes()
    for count in 0...whole.count { try survive(Array(whole.prefix(count))) }
  }

  @Test(.tags(.slow), arguments: ["flac", "ogg", "opus", "mp3", "aiff", "au", "w64", "caf"])
  func truncatedFilesOfOtherFormatsAreHandled(ending: String) throws {
    let whole = try encoded(ending)
    for count in stride(from: 0, to: whole.count, by: max(1, whole.count / 150)) {
      try survive(Array(whole.prefix(count)))
    }
  }

  /// What a telephone leaves whose battery is empty.
  @Test func anMP4WithoutItsIndexIsCutOff() throws {
    let whole = try encoded("m4a")
    let error = try #require(throws: AudioInputError.self) {
      try decode(folder.write(Array(whole.prefix(whole.count / 2))))
    }
    #expect(error.description.contains(": it is cut off: its index (moov)"), "\(error)")
  }

  /// `make asan` tries more.
  private static let rounds =
    ProcessInfo.processInfo.environment["DAMAGE_ROUNDS"].flatMap(Int.init) ?? 50

  /// A few bytes of the header are replaced by random or extreme ones.
  @Test(
    .tags(.slow),
    arguments: ["wav", "rf64", "ima", "flac", "ogg", "opus", "mp3", "aiff", "au", "w64", "caf"])
  func mutatedHeadersAreHandled(kind: String) throws {
    let whole = try encoded(kind)
    var generator = SeededGenerator(seed: UInt64(kind.utf8.reduce(0) { $0 * 31 + Int($1) }))
    for _ in 0..<Self.rounds {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<min(120, bytes.count), using: &generator)
        bytes[index] = [0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &generator)]
          .randomElement(using: &generator)!
      }
      try survive(bytes)
    }
  }

  /// Ten frames of silence in layer I, 384 samples each, 5000 bytes of noise, and ten more frames.
  @Test(arguments: [1, 98, 384, 4096])
  func blocksDoNotChangeWhatDamagedMPEGGives(capacity: Int) throws {
    let frame: [UInt8] = [0xFF, 0xFF, 0x18, 0xC0] + Array(repeating: 0, count: 44)
    let frames = Array((0..<10).map { _ in frame }.joined())
    let path = try folder.write(frames + Array(repeating: 0x55, count: 5000) + frames)
    let decoded = try decode(path, capacity: capacity)
    // The frame in front of the noise is not followed by another, and so doubtful.
    #expect(decoded.channels == [Array(repeating: 0, count: 19 * 384)])
    #expect(decoded.warnings == [.unread(bytes: 5000)])
  }

  /// What is damaged counts as silence, whatever the length of the blocks.
  @Test(arguments: [98, 4096]) func damageInTheMiddleOfFLACIsReported(capacity: Int) throws {
    var bytes = try encoded("flac")
    let whole = try decode(folder.write(bytes)).channels[0]
    bytes[bytes.count / 2] ^= 0x10
    let damaged = try decode(try folder.write(bytes), capacity: capacity)
    let differing = zip(damaged.channels[0], whole).enumerated().filter { $1.0 != $1.1 }
    let lost = try #require(differing.first).offset / 4096 * 4096
    // libFLAC may read beyond the damaged frame before it notices, and then loses the next one too.
    #expect(differing.allSatisfy { lost..<lost + 2 * 4096 ~= $0 && $1.0 == 0 })
    #expect(damaged.frameCount == 16_000 && damaged.warnings.count == 1)
    guard case .gaps(let seconds)? = damaged.warnings.first else { return }
    #expect([4096.0 / 16_000, 8192.0 / 16_000].contains(seconds))
  }

  /// Frames that are overwritten are silence of the same length, and the warning counts them.
  @Test func overwrittenFramesOfFLACAreCounted() throws {
    var bytes = try encoded("flac")
    let whole = try decode(folder.write(bytes)).channels[0]
    for place in bytes.count * 2 / 5..<bytes.count * 3 / 5 { bytes[place] = 0x55 }
    let damaged = try decode(try folder.write(bytes))
    let lost = zip(damaged.channels[0], whole).count { $0 == 0 && $1 != 0 }
    #expect(damaged.frameCount == 16_000 && damaged.warnings.count == 1)
    guard case .gaps(let seconds)? = damaged.warnings.first else {
      Issue.record("no gaps: \(damaged.warnings)")
      return
    }
    // The glide crosses zero here and there.
    #expect(abs(seconds * 16_000 - Double(lost)) < 100 && seconds > 0.2)
  }

  private func encoded(_ kind: String) throws -> [UInt8] {
    var wave = WaveWriter(data: int16Bytes(int16(glide(rate: 16_000, seconds: 1))))
    if kind == "rf64" { (wave.form, wave.claimedLongSizes) = ("RF64", (32_080, 32_000)) }
    let bytes = wave.bytes()
    let command: String
    switch kind {
    case "wav", "rf64": return bytes
    case "ima": command = "sox -D plain.wav -e ima-adpcm coded.wav && mv coded.wav coded"
    case "flac": command = "flac -s -o coded plain.wav"
    case "ogg": command = "oggenc --quiet -o coded plain.wav"
    case "opus": command = "opusenc --quiet plain.wav coded"
    case "mp3": command = "lame --quiet plain.wav coded"
    case "m4a": command = "ffmpeg -i plain.wav -c:a aac -f mp4 coded"
    default: command = "sox -D plain.wav -t \(kind) coded"
    }
    try folder.write(bytes, to: "plain.wav")
    try Tool.run(command, in: folder)
    return try folder.read("coded")
  }
}
