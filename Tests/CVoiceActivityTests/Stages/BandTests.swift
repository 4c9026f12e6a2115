import CVoiceActivity
import CVoiceActivityInternals
import RealModule
import Testing

@Suite struct BandTests {
  @Test func bandsHoldTheMeanSquareOfTheirPart() {
    let x = whiteNoise(count: 512, rms: 0.1, seed: 6)
    let powers = naivePowers(zip(x, analysisWindow).map { Double($0) * Double($1) })
    var bands = [Float](repeating: .nan, count: Int(VA_BANDS))
    va_bands_db(powers.map { Float($0) }, &bands)
    for band in 0..<Int(VA_BANDS) {
      let sum = powers[bandEdges[band]..<bandEdges[band + 1]].reduce(0, +)
      #expect(abs(Double(bands[band]) - decibels(sum)) < 1e-3, "band \(band)")
    }
  }

  /// The window's scale: a tone's power, wherever it stands, adds up to its mean square.
  @Test func powerAddsUpToTheMeanSquare() {
    for hertz in stride(from: 200.0, through: 6000, by: 387) {
      let x = tone(hertz, count: 512, rate: 16_000, amplitude: 0.5)
      var bands = [Float](repeating: .nan, count: Int(VA_BANDS))
      va_bands_db(Body.portable.powers(x, window: analysisWindow), &bands)
      let total = bands.reduce(0.0) { $0 + Double.pow(10, Double($1) / 10) }
      #expect(abs(decibels(total) - decibels(0.125)) < 0.1, "\(hertz) Hz")
    }
  }

  @Test func edgesRise() {
    #expect(zip(bandEdges, bandEdges.dropFirst()).allSatisfy { $0 < $1 })
    #expect(bandEdges.last! < 257)
  }

  @Test func silenceIsTheFloor() {
    var bands = [Float](repeating: .nan, count: Int(VA_BANDS))
    va_bands_db([Float](repeating: 0, count: Int(VA_BINS)), &bands)
    #expect(bands.allSatisfy { $0 == -110 })
  }

  @Test(arguments: [(7000, 20), (6410, 20), (6400, 19), (3500, 16), (0, 1)])
  func usableBandsEndBelowThePassBand(hertz: Int, expected: Int) {
    #expect(va_bands_usable(Float(hertz)) == Int32(expected))
  }
}
