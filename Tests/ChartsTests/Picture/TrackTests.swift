import Foundation
import TestSupport
import Testing

@testable import Charts

/// What pictures show, against what it is made from.
@Suite struct TrackTests {
  private let plain = PosteriorScale(onset: 0.5, offset: 0.3)

  @Test func peaksAreTheExtremesOfTheirSteps() {
    var random = SeededGenerator(seed: 3)
    let samples = (0..<10_007).map { _ in Float.random(in: -1...1, using: &random) }
    var track = PeakTrack(rate: 16_000)
    for start in stride(from: 0, to: samples.count, by: 333) {
      let part = Array(samples[start..<min(samples.count, start + 333)])
      track.add(part.span)
    }
    track.finish()
    #expect(track.step == 40 && track.peaks.count == 251)
    for (index, peak) in track.peaks.enumerated() {
      let part = samples[(index * 40)..<min(samples.count, (index + 1) * 40)]
      #expect(abs(Float(peak.lowest) / 127 - part.min()!) <= 0.5 / 127)
      #expect(abs(Float(peak.highest) / 127 - part.max()!) <= 0.5 / 127)
    }
  }

  @Test func aLongRecordingHasFewerPeaksPerSecond() {
    var track = PeakTrack(rate: 8000)
    let count = PeakTrack.limit * 20 * 3
    let part = [Float](repeating: 0, count: count / 4)
    for _ in 0..<3 { track.add(part.span) }
    let last: [Float] = part.dropLast(7) + [1] + part.prefix(6)
    track.add(last.span)
    track.finish()
    #expect(track.peaks.count <= PeakTrack.limit)
    #expect(track.step == 80 && track.peaks.count == count / 80)
    #expect(track.peaks.map(\.highest).firstIndex(of: 127) == track.peaks.count - 1)
  }

  @Test func whatIsNotANumberIsSilence() {
    var picture = ChannelPicture(rate: 8000, scale: plain)
    let samples: [Float] = Array(repeating: .nan, count: 400) + [.infinity, -.infinity]
    picture.add(samples.span)
    picture.finish()
    #expect(picture.peaks.peaks.first == .init(lowest: 0, highest: 0))
    #expect(picture.spectrogram!.levels.allSatisfy { $0 == 0 })
  }

  @Test func nothingIsDrawnAsNothing() {
    var picture = ChannelPicture(rate: 16_000, scale: plain)
    picture.finish()
    #expect(picture.peaks.peaks.isEmpty && picture.spectrogram!.levels.isEmpty)
    #expect(picture.clipping.places.isEmpty)
    picture.add(([0.5] as [Float]).span)
    picture.finish()
    #expect(picture.peaks.peaks == [.init(lowest: 64, highest: 64)])
    #expect(picture.spectrogram!.levels.count == SpectrogramTrack.bandCount)
  }

  @Test func clippingIsThreeSamplesAtFullScale() {
    func places(_ samples: [Float]) -> [Range<UInt64>] {
      var track = ClippingTrack(rate: 8000)
      track.add(samples.span)
      track.finish()
      return track.places
    }
    let (top, bottom) = (Float(32_767) / 32_768, Float(-1))
    #expect(places([top, top, 0.999, top, top]).isEmpty)
    #expect(places([0, top, top, top, 0]) == [1..<4])
    #expect(places([top, top, bottom, bottom]).isEmpty)
    #expect(places([bottom, bottom, bottom]) == [0..<3])
    let far = [Float](repeating: 0, count: 400)
    #expect(places([1, 1, 1] + far.dropLast() + [1, 1, 1]) == [0..<405])
    #expect(places([1, 1, 1] + far + [1, 1, 1]) == [0..<3, 403..<406])
  }

  @Test func aGapEndsClippingAndMovesWhatFollows() {
    var picture = ChannelPicture(rate: 8000, scale: plain)
    picture.add(([1, 1] as [Float]).span)
    picture.addGap(4000)
    picture.add(([1, 1, 1] as [Float]).span)
    picture.finish()
    #expect(picture.clipping.places == [4002..<4005])
    #expect(picture.clipping.sampleCount == 3)
  }

  @Test func echoIsInRuns() {
    var picture = ChannelPicture(rate: 8000, scale: plain)
    for isEcho in [false, true, true, false, true] {
      picture.add(.init(posterior: 0, levelDBFS: -127, noiseFloorDBFS: 0, isEcho: isEcho))
    }
    #expect(picture.echo == [1..<3, 4..<5])
    #expect(picture.levels.allSatisfy { $0 == 0 } && picture.noiseFloors.allSatisfy { $0 == 63 })
  }
}

/// Numbers must decide as the posteriors do that they stand for.
@Suite struct PosteriorScaleTests {
  @Test(
    arguments: [
      (0.82, 0.4), (0.5, 0.5), (0.123457, 0.123456), (0.999_999, 0.000_05), (0.9, 0.3333333),
    ] as [(Float, Float)])
  func theRunsThresholdsDecideExactly(onset: Float, offset: Float) {
    let scale = PosteriorScale(onset: onset, offset: offset)
    var random = SeededGenerator(seed: 5)
    let close = [onset, onset.nextUp, onset.nextDown, offset, offset.nextUp, offset.nextDown, 0, 1]
    for posterior in close + (0..<20_000).map({ _ in Float.random(in: 0...1, using: &random) }) {
      let index = scale.index(posterior)
      #expect((index >= scale.onset.index) == (posterior >= onset), "\(posterior)")
      #expect((index >= scale.offset.index) == (posterior >= offset), "\(posterior)")
    }
  }

  /// A reader's thresholds have up to four decimals, and become floats as vadmon's options do.
  @Test func allThresholdsOfFourDecimalsDecideExactly() {
    let scale = PosteriorScale(onset: 0.82, offset: 0.4)
    for digits in 1..<10_000 {
      let threshold = Float(
        "0." + String(repeating: "0", count: 4 - "\(digits)".count) + "\(digits)")!
      let index = UInt16(digits * (PosteriorScale.steps / 10_000))
      for posterior in [threshold, threshold.nextUp, threshold.nextDown] {
        #expect((scale.index(posterior) >= index) == (posterior >= threshold), "\(threshold)")
      }
    }
  }
}

@Suite struct SampleTextTests {
  @Test func bytesAreBase64() {
    var random = SeededGenerator(seed: 9)
    for count in 0..<50 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(SampleText.base64(bytes) == Data(bytes).base64EncodedString())
    }
    #expect(
      SampleText.base64([0x0201, 0xFF03] as [UInt16]) == Data([1, 2, 3, 255]).base64EncodedString())
  }

  @Test func valuesAreCharactersOfBase64() {
    let values = (0..<64).map { UInt8($0) }
    let packed = Data(base64Encoded: SampleText.characters(values))!
    #expect(packed.prefix(3) == Data([0x00, 0x10, 0x83]))
    #expect(Set(SampleText.characters(values)).count == 64)
  }
}
