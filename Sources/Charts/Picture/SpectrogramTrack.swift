internal import Glibc

/// A log-mel spectrogram: for each step the levels of 40 bands up to 8 kHz, in dB of a full-scale sine.
///
/// Windows are Hann's, of the longest power of two within 32 ms. Steps begin at 20 ms and double whenever the track has
/// ``limit`` of them, so that its memory does not grow with the length of the recording: 4 MB at most.
package struct SpectrogramTrack: Sendable {
  package static let limit = 100_000
  package static let bandCount = MelBands.count

  /// In samples.
  package var step: Int { hop * merged }
  /// The upper edge of the highest band in Hz.
  package let highest: Double
  /// One step after the other, the lowest band first, on ``DecibelScale``.
  package private(set) var levels: [UInt8] = []

  private let hop: Int
  private let window: [Float]
  /// What brings the power of a full-scale sine to 1.
  private let scale: Float
  private let mel: MelBands
  private var fft: RealFFT
  /// The newest samples, as many as the window, in a ring.
  private var ring: [Float]
  private var place = 0
  /// How many more samples the next window needs.
  private var needed: Int
  private var total = 0
  /// How many windows make a step, and the power of those that there are of the next one.
  private var merged = 1
  private var windowCount = 0
  private var sums = [Float](repeating: 0, count: MelBands.count)
  private var power: [Float]
  private var frame: [Float]

  package init(rate: Int) {
    var length = 16
    while length * 2 <= rate * 32 / 1000 { length *= 2 }
    hop = max(1, rate / 50)
    let window = (0..<length).map {
      Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(length)))
    }
    self.window = window
    let sum = window.reduce(0, +)
    scale = 4 / (sum * sum)
    mel = MelBands(rate: rate, length: length)
    highest = mel.highest
    fft = RealFFT(length: length)
    ring = Array(repeating: 0, count: length)
    power = Array(repeating: 0, count: length / 2 + 1)
    frame = ring
    // The first window has its middle in the middle of the first step.
    needed = (length + hop) / 2
  }

  mutating func add(_ samples: Span<Float>) {
    var next = 0
    while next < samples.count {
      let count = min(samples.count - next, needed, ring.count - place)
      for offset in 0..<count {
        let sample = samples[next + offset]
        ring[place + offset] = sample.isFinite ? sample : 0
      }
      next += count
      place = (place + count) % ring.count
      total += count
      needed -= count
      if needed == 0 {
        needed = hop
        measure()
      }
    }
  }

  /// Adds the windows that reach beyond the end.
  mutating func finish() {
    let (whole, length) = (total, (total + hop - 1) / hop)
    let silence = [Float](repeating: 0, count: hop)
    while levels.count / MelBands.count * merged + windowCount < length { add(silence.span) }
    total = whole
    if windowCount > 0 { endStep() }
  }

  private mutating func measure() {
    // The oldest sample is where the next one goes.
    let old = ring.count - place
    for index in 0..<old { frame[index] = ring[place + index] * window[index] }
    for index in old..<ring.count { frame[index] = ring[index - old] * window[index] }
    fft.powerSpectrum(of: frame, into: &power)
    mel.add(power, to: &sums)
    windowCount += 1
    if windowCount == merged { endStep() }
  }

  private mutating func endStep() {
    for band in 0..<MelBands.count {
      let mean = sums[band] * scale / Float(windowCount)
      levels.append(DecibelScale.value(mean > 0 ? 10 * log10f(mean) : -.infinity))
      sums[band] = 0
    }
    windowCount = 0
    if levels.count == Self.limit * MelBands.count { halve() }
  }

  private mutating func halve() {
    merged *= 2
    let (count, pair) = (MelBands.count, 2 * MelBands.count)
    levels = stride(from: 0, to: levels.count, by: pair).flatMap { start in
      (start..<start + count).map { (levels[$0] + levels[$0 + count] + 1) / 2 }
    }
  }
}
