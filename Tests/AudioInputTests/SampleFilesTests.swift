import AudioInput
import Foundation
import RealTime
import SystemPackage
import TestSupport
import Testing

/// The recordings in samples/ match their README, and their labels lie on the speech.
@Suite struct SampleFilesTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    var name: String
    var rate: Int
    var channelCount = 1
    var seconds: Double
    var segments: Int
    /// The signal-to-noise ratio in dB, by construction.
    var snr: Double?
    var testDescription: String { name }
  }

  static let samples = [
    Sample(name: "speech.flac", rate: 16_000, seconds: 10, segments: 4, snr: 55),
    Sample(name: "speech-cafe-10db.flac", rate: 16_000, seconds: 9, segments: 3, snr: 10),
    Sample(name: "speech-fan-0db.flac", rate: 16_000, seconds: 8, segments: 2, snr: 0),
    Sample(name: "telephone-8k.wav", rate: 8000, seconds: 7, segments: 2, snr: 10),
    Sample(
      name: "stereo-48k.flac", rate: 48_000, channelCount: 2, seconds: 5, segments: 2, snr: 55),
    Sample(name: "muted-talk.flac", rate: 16_000, seconds: 12.5, segments: 3, snr: 55),
    Sample(name: "keyboard.flac", rate: 16_000, seconds: 8, segments: 0),
    Sample(name: "music.flac", rate: 16_000, seconds: 8, segments: 0),
  ]

  private static let folder = FilePath(#filePath).removingLastComponent()
    .appending("../../samples")

  private func labels(_ sample: Sample) throws -> [Range<Double>] {
    let stem = FilePath(sample.name).stem!
    let text = try String(contentsOfFile: "\(Self.folder)/\(stem).txt", encoding: .utf8)
    return try text.split(separator: "\n").map { line in
      let fields = line.split(separator: "\t")
      #expect(fields.count == 3 && fields[2] == "speech")
      return try #require(Double(fields[0]))..<(try #require(Double(fields[1])))
    }
  }

  @Test(arguments: samples) func samplesAreAsTheReadmeSays(sample: Sample) throws {
    let source = try AudioFileSource(path: Self.folder.appending(sample.name), channels: .each)
    #expect(source.sampleRate == sample.rate)
    #expect(source.channelCount == sample.channelCount)
    let decoded = try readAll(source)
    #expect(Double(decoded.frameCount) == sample.seconds * Double(sample.rate))
    #expect(decoded.warnings == [])
    let labels = try labels(sample)
    #expect(labels.count == sample.segments)
    #expect(labels == labels.sorted { $0.lowerBound < $1.lowerBound })
    #expect(labels.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= sample.seconds })
    #expect(!decoded.channels[0].contains { abs($0) >= 1 }, "clipped")
  }

  /// The power inside the labels less that outside, divided by that outside. Noise that swells, and at 8 kHz the
  /// band-pass, leave a dB or two. A room 55 dB below the speech is measured with few bits.
  @Test(arguments: samples.filter { $0.snr != nil }) func samplesHaveTheirStatedSNR(sample: Sample)
    throws
  {
    let decoded = try decode(Self.folder.appending(sample.name))
    var (inside, outside) = ([Float](), [Float]())
    var last = 0
    for label in try labels(sample) + [sample.seconds..<sample.seconds] {
      let bounds = [label.lowerBound, label.upperBound].map {
        Int(($0 * Double(sample.rate)).rounded())
      }
      outside += decoded.channels[0][last..<bounds[0]]
      inside += decoded.channels[0][bounds[0]..<bounds[1]]
      last = bounds[1]
    }
    let (signal, noise) = (rms(inside), rms(outside))
    let measured = 10 * log10((signal * signal - noise * noise) / (noise * noise))
    #expect(abs(measured - sample.snr!) < (sample.snr! > 50 ? 6 : 2), "\(measured) dB")
  }

  @Test func everyFileIsListed() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.string)
    let recordings = files.filter { AudioFileSource.recognises(Self.folder.appending($0)) }
    #expect(recordings.sorted() == Self.samples.map(\.name).sorted())
  }
}
