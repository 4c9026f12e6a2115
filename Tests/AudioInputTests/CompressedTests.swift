import AudioInput
import TestSupport
import Testing

/// FLAC exactly; Ogg Vorbis, Opus and MP3 by correlation and level; whole, truncated, streamed and joined.
@Suite struct CompressedTests {
  let folder = TemporaryFolder()
  let signal = glide(rate: 48_000, seconds: 2)

  init() throws {
    let wave = WaveWriter(sampleRate: 48_000, data: int16Bytes(int16(signal)))
    try folder.write(wave.bytes(), to: "plain.wav")
  }

  // MARK: FLAC

  @Test func flacIsExact() throws {
    try Tool.run("flac -s -o coded plain.wav", in: folder)
    let decoded = try decode(folder.file("coded"))
    #expect(decoded.channels == [scaled(int16(signal))])
    #expect(decoded.warnings == [])
  }

  @Test func flacOf24BitsIsExact() throws {
    try Tool.run(
      "sox -D plain.wav -b 24 plain24.wav vol 0.3 && flac -s -o coded plain24.wav", in: folder)
    #expect(
      try decode(folder.file("coded")).channels == decode(folder.file("plain24.wav")).channels)
  }

  @Test func tornFlacGivesWhatCanBeDecoded() throws {
    try Tool.run("flac -s -o whole plain.wav", in: folder)
    let size = try folder.read("whole").count
    try folder.write(Array(try folder.read("whole").prefix(size / 2)), to: "torn")
    let decoded = try decode(folder.file("torn"))
    let expected = scaled(int16(signal))
    #expect(decoded.channels[0] == Array(expected.prefix(decoded.frameCount)))
    #expect(expected.count / 3..<expected.count ~= decoded.frameCount)
    let missing = Double(expected.count - decoded.frameCount) / 48_000
    #expect(decoded.warnings == [.endedEarly(missingSeconds: missing)])
  }

  @Test func flacMayHaveAnUnknownLength() throws {
    try Tool.run("ffmpeg -v error -i plain.wav -f flac - | cat > streamed", in: folder)
    let source = try AudioFileSource(path: folder.file("streamed"))
    #expect(source.expectedFrameCount == nil)
    let decoded = try readAll(source)
    #expect(decoded.channels == [scaled(int16(signal))])
    #expect(decoded.warnings == [])
  }

  // MARK: Lossy

  /// Expects the test signal. `lag` is the delay that a decoder may leave, in frames.
  private func expectSignal(
    _ decoded: Decoded, lag: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let best = bestCorrelation(decoded.channels[0], signal, lag: max(lag, 1))
    #expect(best.value > 0.99, "at \(best.lag)", sourceLocation: sourceLocation)
    #expect(abs(best.lag) <= lag, sourceLocation: sourceLocation)
    let level = rms(decoded.channels[0].prefix(signal.count)) / rms(signal)
    // LAME lowers the level by 5 % at some bit rates.
    #expect(abs(level - 1) < 0.06, sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    "oggenc --quiet -q 5 -o coded plain.wav", "opusenc --quiet --bitrate 96 plain.wav coded",
    "lame --quiet -b 128 plain.wav coded", "lame --quiet -V 4 plain.wav coded",
    "ffmpeg -v error -i plain.wav -f mp3 coded",
  ])
  func lossyFormatsAreDecoded(command: String) throws {
    try Tool.run(command, in: folder)
    let decoded = try decode(folder.file("coded"))
    #expect(decoded.frameCount == signal.count)
    #expect(decoded.warnings == [])
    expectSignal(decoded)
  }

  /// libmpg123 inside libsndfile estimates the length from the first frame, which can be far too short.
  @Test(arguments: ["-q:a 4", "-b:a 128k"])
  func mp3MayLackItsLength(quality: String) throws {
    try Tool.run("ffmpeg -v error -i plain.wav \(quality) -f mp3 - | cat > streamed", in: folder)
    let source = try AudioFileSource(path: folder.file("streamed"))
    #expect(source.expectedFrameCount == nil)
    let decoded = try readAll(source)
    // Nothing states how much of the encoder's delay and of the last frame to cut off.
    #expect(signal.count..<signal.count + 4 * 1152 ~= decoded.frameCount)
    #expect(decoded.warnings == [])
    expectSignal(decoded, lag: 1200)
  }

  @Test func taggedMP3MayLackItsLength() throws {
    try Tool.run("ffmpeg -v error -i plain.wav -q:a 4 -f mp3 - | cat > streamed", in: folder)
    let whole = try decode(folder.file("streamed"))
    let tag = Array("TAG".utf8) + Array(repeating: UInt8(ascii: "x"), count: 125)
    let tagged = try decode(try folder.write(try folder.read("streamed") + tag))
    #expect(tagged.channels == whole.channels)
    #expect(tagged.warnings == [])
  }

  @Test func joinedMP3sAreReadAsOne() throws {
    try Tool.run("lame --quiet -b 128 plain.wav one && cat one one > two", in: folder)
    let decoded = try decode(folder.file("two"))
    #expect(2 * signal.count..<2 * signal.count + 6 * 1152 ~= decoded.frameCount)
    #expect(decoded.warnings == [])
  }

  @Test func aTornMP3IsReadAsFarAsItGoes() throws {
    try Tool.run("lame --quiet -b 128 plain.wav whole", in: folder)
    let bytes = try folder.read("whole")
    let decoded = try decode(try folder.write(Array(bytes.prefix(bytes.count / 2))))
    #expect(abs(Double(decoded.frameCount) / Double(signal.count) - 0.5) < 0.05)
    let missing = Double(signal.count - decoded.frameCount) / 48_000
    #expect(decoded.warnings == [.endedEarly(missingSeconds: missing)])
  }

  @Test(arguments: ["oggenc --quiet -q 10 -o whole plain.wav", "opusenc --quiet plain.wav whole"])
  func aTornOggIsReadAsFarAsItGoes(command: String) throws {
    try Tool.run(command, in: folder)
    let (bytes, whole) = (try folder.read("whole"), try decode(folder.file("whole")))
    let decoded = try decode(try folder.write(Array(bytes.prefix(bytes.count * 4 / 5))))
    #expect(decoded.frameCount > 0)
    #expect(decoded.channels[0] == Array(whole.channels[0].prefix(decoded.frameCount)))
    #expect(decoded.warnings == [.endedEarly(missingSeconds: nil)])
  }

  /// libsndfile counts the frames that are there, so the difference from its count is not what is missing.
  @Test func aTornMP3InWAVDoesNotSayHowMuchIsMissing() throws {
    try Tool.run("ffmpeg -i plain.wav -c:a libmp3lame -b:a 64k whole.wav", in: folder)
    let bytes = try folder.read("whole.wav")
    let decoded = try decode(try folder.write(Array(bytes.prefix(bytes.count * 3 / 5))))
    #expect(decoded.frameCount > signal.count / 2)
    #expect(decoded.warnings == [.endedEarly(missingSeconds: nil)])
  }

  /// The cut lies between two pages, so that only the missing end mark shows it.
  @Test func anOggWithoutItsLastPageIsReported() throws {
    try Tool.run("opusenc --quiet plain.wav whole", in: folder)
    let bytes = try folder.read("whole")
    let lastPage = bytes.indices.last { bytes[$0...].starts(with: "OggS".utf8) }!
    let decoded = try decode(try folder.write(Array(bytes.prefix(lastPage))))
    #expect(decoded.frameCount > 0)
    #expect(decoded.warnings == [.endedEarly(missingSeconds: nil)])
  }

  @Test func theNameDoesNotMatter() throws {
    try Tool.run(
      "flac -s -o x.wav plain.wav; cp plain.wav y.mp3; cp plain.wav z; cp plain.wav .w", in: folder)
    let expected = [scaled(int16(signal))]
    for name in ["x.wav", "y.mp3", "z", ".w"] {
      #expect(try decode(folder.file(name)).channels == expected, "\(name)")
      #expect(AudioFileSource.recognises(folder.file(name)))
    }
  }
}
