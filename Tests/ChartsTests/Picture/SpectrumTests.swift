import Foundation
import TestSupport
import Testing

@testable import Charts

/// The spectrogram against the formulas that define it.
@Suite struct SpectrumTests {
  private func noise(_ count: Int, seed: UInt64) -> [Float] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
  }

  private func naivePower(_ frame: [Float], bin: Int) -> Double {
    var (re, im) = (0.0, 0.0)
    for (index, sample) in frame.enumerated() {
      let angle = -2 * Double.pi * Double(bin * index) / Double(frame.count)
      re += Double(sample) * cos(angle)
      im += Double(sample) * sin(angle)
    }
    return re * re + im * im
  }

  @Test(arguments: [4, 8, 16, 64, 512])
  func thePowerIsThatOfTheNaiveTransform(length: Int) {
    var fft = RealFFT(length: length)
    var power = [Float](repeating: .nan, count: length / 2 + 1)
    for seed in 0..<3 {
      let frame = noise(length, seed: UInt64(seed))
      fft.powerSpectrum(of: frame, into: &power)
      for bin in power.indices {
        let wanted = naivePower(frame, bin: bin)
        #expect(abs(Double(power[bin]) - wanted) <= 1e-4 * max(1, wanted), "bin \(bin)")
      }
    }
  }

  /// A bin between the middles of two bands is shared by them in full.
  @Test(arguments: [(16_000, 512), (48_000, 1024), (8000, 256)])
  func bandsShareEachBin(rate: Int, length: Int) {
    let bands = MelBands(rate: rate, length: length)
    let top = MelBands.mel(bands.highest)
    func middle(_ band: Int) -> Double {
      MelBands.hertz(top * Double(band + 1) / Double(MelBands.count + 1))
    }
    for bin in 0...length / 2 {
      let hertz = Double(bin * rate) / Double(length)
      // Low bands are narrower than bins, and have the nearest one instead.
      guard hertz > 600, hertz < middle(MelBands.count - 1) else { continue }
      var (power, sums) = (
        [Float](repeating: 0, count: length / 2 + 1), [Float](repeating: 0, count: MelBands.count)
      )
      power[bin] = 1
      bands.add(power, to: &sums)
      #expect(sums.filter { $0 > 0 }.count <= 2, "at \(hertz) Hz")
      // Equally spaced in mel, not in Hz: the two slopes add up to nearly 1.
      #expect(abs(sums.reduce(0, +) - 1) < 0.02, "at \(hertz) Hz")
    }
  }

  @Test func thereIsNoBandWithoutABin() {
    for (rate, length) in [(8000, 256), (11_025, 256), (44_100, 1024), (192_000, 4096)] {
      let bands = MelBands(rate: rate, length: length)
      var sums = [Float](repeating: 0, count: MelBands.count)
      bands.add([Float](repeating: 1, count: length / 2 + 1), to: &sums)
      #expect(sums.allSatisfy { $0 > 0 })
    }
  }

  /// A full-scale sine is 0 dB in its band. In others it is below −30 dB, except in neighbours.
  @Test(arguments: [8000, 16_000, 44_100, 48_000])
  func aSineIsInItsBand(rate: Int) {
    for hertz in [500.0, 1000, 3000] {
      var track = SpectrogramTrack(rate: rate)
      let sine = (0..<rate).map { Float(sin(2 * Double.pi * hertz * Double($0) / Double(rate))) }
      track.add(sine.span)
      track.finish()
      let column = track.levels[(25 * MelBands.count)..<(26 * MelBands.count)].map {
        DecibelScale.dBFS($0)
      }
      let band = MelBands.mel(hertz) / MelBands.mel(track.highest) * Double(MelBands.count + 1) - 1
      for (index, level) in column.enumerated() {
        if abs(Double(index) - band) > 6 { #expect(level < -30, "band \(index) at \(hertz) Hz") }
      }
      #expect(
        column.max()! > -5 && column.max()! <= 1.5, "\(column.max()!) dB at \(hertz) Hz, \(rate)")
    }
  }

  /// A click is in the step whose time it is at.
  @Test func stepsAreAtTheirTimes() {
    for place in [0, 161, 3200, 7999] {
      var track = SpectrogramTrack(rate: 16_000)
      var click = [Float](repeating: 0, count: 8000)
      click[place] = 1
      track.add(click.span)
      track.finish()
      let columns = track.levels.count / MelBands.count
      #expect(columns == 25)
      let sums = (0..<columns).map { column in
        track.levels[(column * MelBands.count)..<((column + 1) * MelBands.count)].reduce(0) {
          $0 + Int($1)
        }
      }
      let loudest = sums.indices.max { sums[$0] < sums[$1] }!
      #expect(abs(loudest - place / 320) <= 1, "a click at \(place) is in step \(loudest)")
    }
  }

  @Test func longRecordingsGetLongerSteps() {
    var track = SpectrogramTrack(rate: 8000)
    let seconds = 2100
    let second = [Float](repeating: 0.1, count: 8000)
    for _ in 0..<seconds { track.add(second.span) }
    track.finish()
    let columns = track.levels.count / MelBands.count
    #expect(columns < SpectrogramTrack.limit)
    #expect(track.step == 320)
    #expect(columns == seconds * 25)
  }
}
