import AudioInput
import RealTime
import TestSupport
import Testing

/// AIFF, AU, Wave64, CAF and SPH, written by sox and ffmpeg.
@Suite struct OtherContainerTests {
  let folder = try! TemporaryFolder()
  let samples: [Int16] = noise(2000)

  init() throws {
    try folder.write(
      WaveWriter(channelCount: 2, data: int16Bytes(samples)).bytes(), to: "plain.wav")
  }

  private var left: [Float] {
    stride(from: 0, to: samples.count, by: 2).map { Float(samples[$0]) / 32768 }
  }

  @Test(arguments: ["aiff", "aifc", "au", "w64", "caf", "sph"])
  func wholeFilesAreDecoded(ending: String) throws {
    try Tool.run("sox -D plain.wav -t \(ending) whole", in: folder)
    let decoded = try decode(folder.file("whole"))
    #expect(decoded.channels[0] == left)
    #expect(decoded.warnings == [])
  }

  /// The last 1000 bytes, or 250 frames, are cut off.
  @Test(arguments: ["aiff", "aifc", "au", "w64", "caf", "sph"])
  func tornFilesAreDecodedAsFarAsTheyGo(ending: String) throws {
    try Tool.run("sox -D plain.wav -t \(ending) torn && truncate -s -1000 torn", in: folder)
    let decoded = try decode(folder.file("torn"))
    #expect(decoded.channels[0] == Array(left.prefix(750)))
    guard case .torn(let bytes, let seconds?) = decoded.warnings.first else {
      Issue.record("no warning: \(decoded.warnings)")
      return
    }
    // Some formats count a few bytes of their own as samples.
    #expect(1000...1008 ~= bytes)
    #expect(abs(seconds - 250.0 / 16_000) < 0.0005)
  }

  @Test(arguments: ["w64", "au", "caf -c:a pcm_s16le", "aiff"])
  func streamedFilesAreDecoded(format: String) throws {
    try Tool.run("ffmpeg -v error -i plain.wav -f \(format) - | cat > streamed", in: folder)
    let decoded = try decode(folder.file("streamed"))
    #expect(decoded.channels[0] == left)
    #expect(decoded.warnings == [])
  }

  @Test func aiffStreamedBySoxIsRead() throws {
    try Tool.run("sox -D plain.wav -t aiff - | cat > streamed", in: folder)
    let decoded = try decode(folder.file("streamed"))
    #expect(decoded.channels[0] == left)
    #expect(decoded.warnings == [])
  }
}
