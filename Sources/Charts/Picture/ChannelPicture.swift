/// What pictures show of one channel of a recording, collected while it is analysed.
///
/// Hops take four bytes each: 1.4 MB an hour. The rest has a limit, whatever the length of the recording is: 5 MB.
package struct ChannelPicture: Sendable {
  /// One hop of the analysis, 10 ms.
  package struct Hop: Sendable {
    package var posterior: Float
    package var levelDBFS: Float
    package var noiseFloorDBFS: Float
    package var isEcho: Bool

    package init(posterior: Float, levelDBFS: Float, noiseFloorDBFS: Float, isEcho: Bool) {
      (self.posterior, self.levelDBFS) = (posterior, levelDBFS)
      (self.noiseFloorDBFS, self.isEcho) = (noiseFloorDBFS, isEcho)
    }
  }

  package let rate: Int
  package let scale: PosteriorScale
  /// On ``scale``.
  package private(set) var posteriors: [UInt16] = []
  /// On ``DecibelScale``.
  package private(set) var levels: [UInt8] = []
  package private(set) var noiseFloors: [UInt8] = []
  /// The hops in which only echo was heard, in runs.
  package private(set) var echo: [Range<Int>] = []
  package private(set) var peaks: PeakTrack
  package private(set) var spectrogram: SpectrogramTrack?
  package private(set) var clipping: ClippingTrack

  /// Creates an empty picture; a spectrogram takes most of the time.
  package init(rate: Int, scale: PosteriorScale, hasSpectrogram: Bool = true) {
    (self.rate, self.scale) = (rate, scale)
    peaks = PeakTrack(rate: rate)
    if hasSpectrogram { spectrogram = SpectrogramTrack(rate: rate) }
    clipping = ClippingTrack(rate: rate)
  }

  package mutating func add(_ hop: Hop) {
    let number = posteriors.count
    posteriors.append(scale.index(hop.posterior))
    levels.append(DecibelScale.value(hop.levelDBFS))
    noiseFloors.append(DecibelScale.value(hop.noiseFloorDBFS))
    guard hop.isEcho else { return }
    if let last = echo.last, last.upperBound == number {
      echo[echo.count - 1] = last.lowerBound..<number + 1
    } else {
      echo.append(number..<number + 1)
    }
  }

  package mutating func add(_ samples: Span<Float>) {
    peaks.add(samples)
    spectrogram?.add(samples)
    clipping.add(samples)
  }

  /// Adds missing samples, which are drawn as silence.
  package mutating func addGap(_ count: UInt64) {
    clipping.skip(count)
    let silence = [Float](repeating: 0, count: 4096)
    var left = count
    while left > 0 {
      let portion = silence.span.extracting(first: Int(min(left, UInt64(silence.count))))
      peaks.add(portion)
      spectrogram?.add(portion)
      left -= UInt64(portion.count)
    }
  }

  package mutating func finish() {
    peaks.finish()
    spectrogram?.finish()
    clipping.finish()
  }
}
