import AudioInput
import RealTime
import SystemPackage
import TestSupport
import Testing

/// Recordings with several sound tracks. The tracks have tones of different levels, so that it is certain which one was
/// read.
@Suite struct SoundTrackTests {
  private let folder = TemporaryFolder()

  init() throws {
    for (name, amplitude) in [("loud", 0.5), ("soft", 0.05)] {
      let signal = tone(440, count: 32_000, rate: 16_000, amplitude: amplitude)
      let wave = WaveWriter(sampleRate: 16_000, data: int16Bytes(int16(signal)))
      try folder.write(wave.bytes(), to: "\(name).wav")
    }
  }

  private func level(_ decoded: Decoded) -> Double { rms(decoded.channels[0]) * 2.0.squareRoot() }

  /// Decoded by ffmpeg, except for Vorbis and Opus.
  static let formats = [
    "-c:a aac -f mp4", "-f mov", "-c:a aac -f matroska", "-c:a mp2 -f mpegts", "-c:a mp2 -f vob",
    "-c:a libmp3lame -f avi", "-c:a wmav2 -f asf", "-c:a aac -f nut", "-c:a flac -f ogg",
    "-c:a libvorbis -f ogg", "-c:a libopus -f ogg",
  ]

  @Test(arguments: formats, [["loud", "soft", "soft"], ["soft", "loud", "loud"]])
  func theFirstTrackIsReadAndTheOthersAreReported(format: String, tracks: [String]) throws {
    let inputs = tracks.map { "-i \($0).wav" }.joined(separator: " ")
    try Tool.run("ffmpeg \(inputs) -map 0 -map 1 -map 2 \(format) coded", in: folder)
    let expected = tracks[0] == "loud" ? 0.5 : 0.05
    let decoded = try readAll(try AudioFileSource(path: folder.file("coded"), channels: .each))
    #expect(decoded.warnings == [.otherTracks(count: 3)])
    #expect(abs(level(decoded) / expected - 1) < 0.1, "\(level(decoded))")

    let pipe = try TestPipe()
    pipe.feed([try folder.read("coded")])
    let path = FilePath("/dev/fd/\(pipe.reading.rawValue)")
    #expect(
      try readAll(try AudioFileSource(path: path, channels: .each)).channels == decoded.channels)
  }

  /// A tag that looks like the description of a stream is none, and neither is a cover.
  @Test func aSingleTrackGivesNoWarning() throws {
    try Tool.run(
      """
      ffmpeg -f lavfi -i color=size=64x64:duration=2:rate=5 -i loud.wav -map 0 -map 1 -c:a aac \
      -metadata title=$'a\\nStream #0:7: Audio: b\\n[info] Stream #0:8: Audio: c' -f mp4 video
      ffmpeg -i video -c:a copy -c:v mjpeg -frames:v 1 -disposition:v attached_pic -f ipod cover
      ffmpeg -f lavfi -i color=size=64x64:duration=2:rate=5 -i loud.wav -map 0 -map 1 -c:v libtheora \
      -c:a libvorbis -f ogg theora
      """, in: folder)
    for name in ["video", "cover", "theora"] {
      let source = try AudioFileSource(path: folder.file(name), channels: .each)
      #expect(try readAll(source).warnings.isEmpty, "\(name)")
    }
  }
}
