import AudioInput
import RealTime
import SystemPackage
import TestSupport
import Testing

/// Sound that begins later than the picture. Times are those of a player, from the beginning of the earliest stream.
@Suite struct LateSoundTests {
  private let folder = TemporaryFolder()

  /// Half a second of silence, and then a tone.
  init() throws {
    let signal = Array(repeating: 0, count: 24_000) + tone(440, count: 96_000, rate: 48_000)
    let wave = WaveWriter(sampleRate: 48_000, data: int16Bytes(int16(signal)))
    try folder.write(wave.bytes(), to: "a.wav")
  }

  private func make(delay: Double, _ codecs: String) throws {
    try Tool.run(
      """
      ffmpeg -y -f lavfi -i color=size=64x64:duration=5:rate=25 -itsoffset \(delay) -i a.wav \
      -map 0 -map 1 \(codecs) coded
      """, in: folder)
  }

  /// Returns when the tone begins, in seconds.
  private func onset(_ path: FilePath) throws -> Double? {
    let source = try AudioFileSource(path: path, channels: .each)
    let decoded = try readAll(source)
    #expect(decoded.warnings.isEmpty)
    return decoded.channels[0].firstIndex { abs($0) > 0.1 }
      .map { Double($0) / Double(source.sampleRate) }
  }

  static let formats = [
    "-c:v mpeg4 -c:a aac -f mp4", "-c:v libx264 -bf 2 -c:a aac -f mp4", "-c:v mpeg4 -f mov",
    "-c:v mpeg4 -c:a aac -f matroska", "-c:v libvpx -c:a libopus -f webm",
    "-c:v mpeg2video -c:a mp2 -f mpegts", "-c:v libx264 -bf 2 -c:a aac -f mpegts",
    "-c:v mpeg2video -c:a mp2 -f vob", "-c:v flv -c:a aac -f flv", "-c:v wmv2 -c:a wmav2 -f asf",
    "-c:v mpeg4 -c:a aac -f nut",
  ]

  @Test(.tags(.slow), arguments: formats, [0, 0.4, 2]) func theTimesAreThoseOfAPlayer(
    codecs: String, delay: Double
  ) throws {
    try make(delay: delay, codecs)
    let fromFile = try #require(try onset(folder.file("coded")))
    // Encoders and containers move the sound by up to 50 ms.
    #expect(abs(fromFile - delay - 0.5) < 0.06, "\(fromFile)")
    let pipe = try TestPipe()
    pipe.feed([try folder.read("coded")])
    #expect(try onset(FilePath("/dev/fd/\(pipe.reading.rawValue)")) == fromFile)
  }

  /// The first of two sound tracks begins later than the second.
  @Test(arguments: ["libvorbis", "libopus", "flac"]) func aLateTrackInOggKeepsItsTime(
    codec: String
  ) throws {
    try Tool.run(
      "ffmpeg -itsoffset 3 -i a.wav -i a.wav -map 0 -map 1 -c:a \(codec) -f ogg coded", in: folder)
    let decoded = try readAll(try AudioFileSource(path: folder.file("coded"), channels: .each))
    let onset = try #require(decoded.channels[0].firstIndex { abs($0) > 0.1 })
    #expect(abs(Double(onset) / 48_000 - 3.5) < 0.06)
    #expect(decoded.warnings == [.otherTracks(count: 2)])
  }

  /// More than a day is not believed: a damaged time would otherwise become years of silence.
  @Test func aTimeBeyondADayIsReportedAndIgnored() throws {
    try make(delay: 90_000, "-c:v mpeg4 -c:a aac -f matroska")
    let decoded = try readAll(try AudioFileSource(path: folder.file("coded"), channels: .each))
    let onset = try #require(decoded.channels[0].firstIndex { abs($0) > 0.1 })
    #expect(abs(Double(onset) / 48_000 - 0.5) < 0.06)
    guard case .implausibleStart(let seconds)? = decoded.warnings.first else {
      Issue.record("no warning: \(decoded.warnings)")
      return
    }
    #expect(decoded.warnings.count == 1 && abs(seconds - 90_000) < 1)
    #expect(decoded.warnings[0].description.contains("more than a day and was ignored"))
  }

  /// The tone begins at 3 s. The packets between 1 and 2.9 s are missing.
  @Test(arguments: formats) func aGapInTheMiddleIsSilence(codecs: String) throws {
    try Tool.run(
      """
      ffmpeg -f lavfi -i color=size=64x64:duration=5:rate=25 -i a.wav -map 0 -map 1 \
      -af "adelay=2500:all=1,aselect='not(between(t,1,2.9))'" \(codecs) coded
      """, in: folder)
    let onset = try #require(try onset(folder.file("coded")))
    #expect(abs(onset - 3) < 0.1, "\(onset)")
  }

  /// Encoders put up to 128 ms in front of the sound, which decoders drop. Nothing may be added for that.
  @Test(
    arguments: [8000, 44_100], ["-c:a aac -f ipod", "-c:a wmav2 -f asf", "-c:a aac -f mpegts"])
  func soundAloneHasNoSilenceBeforeIt(rate: Int, codec: String) throws {
    try Tool.run(
      """
      ffmpeg -i a.wav -ar \(rate) \(codec) coded && ffmpeg -i coded -f f32le -c:a pcm_f32le oracle
      """,
      in: folder)
    let oracle = try folder.read("oracle").withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let decoded = try readAll(try AudioFileSource(path: folder.file("coded"), channels: .each))
    #expect(decoded.channels == [oracle] && decoded.warnings.isEmpty)
  }
}
