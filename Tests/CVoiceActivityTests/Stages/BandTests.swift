import CVoiceActivity
import CVoiceActivityInternals
import RealModule
import TestSupport
import Testing

@Suite struct BandTests {
  /// Returns the weight of a bin in the triangle of a band, from the definition.
  static func weight(_ bin: Int, of band: Int) -> Double {
    let (low, centre, high) = (bandEdges[band], bandEdges[band + 1], bandEdges[band + 2])
    return max(0, min((Double(bin) - low) / (centre - low), (high - Double(bin)) / (high - centre)))
  }

  @Test(arguments: Body.available)
  func bandsAreWeightedSums(of body: Body) {
    let x = whiteNoise(count: 512, rms: 0.1, seed: 6)
    let powers = naivePowers(zip(x, analysisWindow).map { Double($0) * Double($1) })
    let bands = body.bands(powers.map { Float($0) })
    var total = 0.0
    for band in 0..<Int(VA_BANDS) {
      let sum = powers.indices.reduce(0.0) { $0 + Self.weight($1, of: band) * powers[$1] }
      #expect(abs(Double(bands.db[band]) - decibels(sum)) < 1e-3, "band \(band)")
      total += sum
    }
    #expect(abs(Double(bands.total) / total - 1) < 1e-5)
  }

  /// The window's scale: wherever a tone lies between the first and the last centre, its powers add up to its mean
  /// square, because neighbouring triangles add up to one.
  @Test(arguments: Body.available)
  func powerAddsUpToTheMeanSquare(of body: Body) {
    for hertz in stride(from: 200.0, through: 6000, by: 387) {
      let x = tone(hertz, count: 512, rate: 16_000, amplitude: 0.5)
      let total = body.bands(body.powers(x, window: analysisWindow)).total
      #expect(abs(decibels(Double(total)) - decibels(0.125)) < 0.1, "\(hertz) Hz")
    }
  }

  @Test(arguments: Body.available)
  func silenceIsTheFloor(of body: Body) {
    let bands = body.bands([Float](repeating: 0, count: Int(VA_BINS)))
    #expect(bands.db.allSatisfy { $0 == VA_BAND_FLOOR_DB } && bands.total == 0)
  }

  @Test(arguments: Body.available)
  func totalAddsPowers(of body: Body) {
    let db = (0..<Int(VA_BANDS)).map { Float($0) - 60 }
    for count in 0...db.count {
      let expected = db.prefix(count).reduce(0.0) { $0 + Double.pow(10, Double($1) / 10) }
      #expect(abs(Double(body.kernels.pointee.total(db, count)) - expected) <= 1e-5 * expected)
    }
  }

  @Test(arguments: [7000.0, 6400, 3500, 2000, 0])
  func usableBandsHaveTheirCentreInThePassBand(hertz: Double) {
    let expected = max(1, bandEdges.dropFirst().dropLast().count { $0 * 31.25 <= hertz })
    #expect(va_bands_usable(Float(hertz)) == Int32(expected))
  }
}
