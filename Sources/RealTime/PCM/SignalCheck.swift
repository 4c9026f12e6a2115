internal import Glibc
internal import Synchronization

/// A look at interleaved frames before their channels are mixed, for what nobody can tell afterwards: channels that
/// cancel each other, and samples far beyond full scale, which only floats can be.
///
/// It judges windows of one second that have sound: the loudest channel's level, without its mean, is at least
/// −70 dBFS. Fainter speech is not found, and a fainter line counts as dead. A mean of all channels that is digital
/// silence is lost at any level, as long as the loudest channel exceeds the least bit of 16-bit samples.
///
/// A window is lost if the mean is more than 12 dB below the loudest channel. Two channels of which one is silent are
/// 6 dB below, and independent ones 3 dB. Four or more of which one speaks alone are 12 dB below and further without
/// cancelling: their mean buries a voice under the noise of the others, so that this counts as well.
///
/// Powers are compared of the same samples, so that a part of them suffices: of two channels, 8 frames of each 512. All
/// would cost a tenth of the analysis. Peaks come from a quarter of the samples.
///
/// Threads: one at a time looks; any thread may ask what was found. `@unchecked Sendable` is safe because only the
/// looking thread touches the window, and everything else is atomic. Relaxed order is enough, because no other memory
/// depends on the atomics.
package final class SignalCheck: @unchecked Sendable {
  /// What is wrong with a signal.
  package enum Fault: Sendable, Hashable {
    /// The mean of the channels lost them in so many of the seconds with sound, by so many dB at most; infinite if
    /// nothing remained.
    case cancelled(channels: Int, seconds: Int, of: Int, decibels: Float)
    /// The mean of the seconds' peaks, and the highest. Full scale is 1.
    case beyondFullScale(peak: Float, highest: Float)
  }

  /// The least power of a window with sound: −70 dBFS.
  private static let leastSound = 1e-7
  /// The power of the least bit of 16-bit samples, −90 dBFS, and of digital silence, −127 dBFS.
  private static let (leastBit, digitalSilence) = (1e-9, 2e-13)
  /// 12 dB.
  private static let lost = 15.85
  /// The largest mean of peaks that is plausible: the detector limits samples to it.
  private static let largestPeak = 4.0
  /// A second of squares of this does not exceed a float.
  private static let largestRoot: Float = 1e16

  private let channelCount: Int
  private let mixes: Bool
  private let secondsWithSound = Atomic(0)
  private let secondsLost = Atomic(0)
  /// The largest ratio of the loudest channel's power to that of the mean, as the bits of a Double.
  private let largestLoss = Atomic<UInt64>(0)
  /// The sum of the windows' peaks, as the bits of a Double.
  private let peakSum = Atomic<UInt64>(0)
  /// As the bits of a Float.
  private let highestPeak = Atomic<UInt32>(0)
  private let newestIsLost = Atomic(false)

  /// The looking thread alone uses it.
  private var window: SignalWindow

  /// Creates a check, or `nil` if there is nothing to check: integers of which no channels are mixed.
  package init?(
    _ selection: ChannelSelection, channelCount: Int, sampleRate: Int, hasFloats: Bool
  ) {
    mixes = selection == .mix && channelCount > 1
    guard mixes || hasFloats else { return nil }
    self.channelCount = channelCount
    window = SignalWindow(
      channelCount: channelCount, frameCount: sampleRate, mixes: mixes, hasPeaks: hasFloats)
  }

  /// Looks at the next frames. Neither allocates nor locks.
  package func look(_ frames: Span<Float>) { window.look(frames, onWhole: judge) }

  /// Ends the signal. One that is shorter than a second is one window, if there is enough of it to judge, 0.1 s.
  package func finish() {
    guard secondsWithSound.load(ordering: .relaxed) == 0, window.isTenthFull else { return }
    judge(window.reading)
    window.clear()
  }

  /// Whether the mean lost the newest second with sound. Any thread may ask.
  package var cancels: Bool { newestIsLost.load(ordering: .relaxed) }

  /// What was found so far. Any thread may ask.
  package var faults: [Fault] {
    var faults: [Fault] = []
    let (seconds, lost) = (
      secondsWithSound.load(ordering: .relaxed), secondsLost.load(ordering: .relaxed)
    )
    if lost > 0 {
      let loss = Double(bitPattern: largestLoss.load(ordering: .relaxed))
      faults.append(
        .cancelled(channels: channelCount, seconds: lost, of: seconds, decibels: decibels(loss)))
    }
    let peak = Double(bitPattern: peakSum.load(ordering: .relaxed)) / Double(max(1, seconds))
    if peak > Self.largestPeak {
      let highest = Float(bitPattern: highestPeak.load(ordering: .relaxed))
      faults.append(.beyondFullScale(peak: Float(peak), highest: highest))
    }
    return faults
  }
}

extension SignalCheck {
  private func judge(_ window: SignalWindow.Reading) {
    let (loudest, mean) = (window.loudest, window.mean)
    let isSilenced = mixes && mean <= Self.digitalSilence && loudest >= Self.leastBit
    // A window has no level if its samples are not numbers, or if their squares are too large for a float.
    let isBeyond = window.peak > Self.largestRoot && window.peak.isFinite
    let hasLevel = loudest.isFinite && (loudest >= Self.leastSound || isSilenced)
    guard hasLevel || isBeyond else { return }
    secondsWithSound.wrappingAdd(1, ordering: .relaxed)
    let sum = Double(bitPattern: peakSum.load(ordering: .relaxed)) + Double(window.peak)
    peakSum.store(sum.bitPattern, ordering: .relaxed)
    if window.peak > Float(bitPattern: highestPeak.load(ordering: .relaxed)) {
      highestPeak.store(window.peak.bitPattern, ordering: .relaxed)
    }
    guard mixes, !isBeyond else { return }
    let isLost = mean * Self.lost < loudest
    newestIsLost.store(isLost, ordering: .relaxed)
    guard isLost else { return }
    secondsLost.wrappingAdd(1, ordering: .relaxed)
    let loss = mean <= Self.digitalSilence ? Double.infinity : loudest / mean
    if loss > Double(bitPattern: largestLoss.load(ordering: .relaxed)) {
      largestLoss.store(loss.bitPattern, ordering: .relaxed)
    }
  }

  private func decibels(_ ratio: Double) -> Float { Float(10 * log10(ratio)) }
}

/// The sums of a second of frames, of which it looks at a part.
private struct SignalWindow {
  /// The powers of the loudest channel and of the mean of all, and the peak.
  struct Reading {
    var loudest: Double
    var mean: Double
    var peak: Float
  }

  /// Of each so many frames the first are looked at: until they have so many samples, and so many frames for peaks.
  private static let (periodFrames, samplesPerPeriod, peakFrames) = (512, 16, 128)

  private let channelCount: Int
  private let frameCount: Int
  private let (mixes, hasPeaks): (Bool, Bool)
  private let lookedFrames: Int
  /// At least `lookedFrames`.
  private let peakFrames: Int
  /// The position of the next frame in the window.
  private var position = 0
  /// The number of frames looked at.
  private var looked = 0
  /// The sums of each channel's samples and squares, and last those of their mean.
  private var sums: [Double]
  private var squares: [Double]
  private var peak: Float = 0

  init(channelCount: Int, frameCount: Int, mixes: Bool, hasPeaks: Bool) {
    (self.channelCount, self.frameCount, self.mixes) = (channelCount, frameCount, mixes)
    lookedFrames = max(1, Self.samplesPerPeriod / channelCount)
    peakFrames = hasPeaks ? Self.peakFrames : lookedFrames
    self.hasPeaks = hasPeaks
    sums = Array(repeating: 0, count: channelCount + 1)
    squares = sums
  }

  var isTenthFull: Bool { position >= frameCount / 10 }

  mutating func clear() {
    for channel in 0...channelCount { (sums[channel], squares[channel]) = (0, 0) }
    (position, looked, peak) = (0, 0, 0)
  }

  /// Takes interleaved frames. Calls `onWhole` whenever the window is full, and then clears it.
  mutating func look(_ frames: Span<Float>, onWhole: (Reading) -> Void) {
    frames.withUnsafeBufferPointer { samples in
      var (frame, left) = (0, samples.count / channelCount)
      while left > 0 {
        let phase = position % Self.periodFrames
        let (isLookedAt, hasPeak) = (phase < lookedFrames, phase < peakFrames)
        let end = isLookedAt ? lookedFrames : hasPeak ? peakFrames : Self.periodFrames
        let run = min(end - phase, frameCount - position, left)
        if isLookedAt { add(samples, from: frame, run) }
        if hasPeaks, hasPeak { addPeak(samples, from: frame, run) }
        (frame, left, position) = (frame + run, left - run, position + run)
        guard position == frameCount else { continue }
        onWhole(reading)
        clear()
      }
    }
  }

  /// Adds `count` frames. The buffer does not outlive the call, and its indices are those of whole frames in it.
  private mutating func add(_ samples: UnsafeBufferPointer<Float>, from frame: Int, _ count: Int) {
    let run = frame * channelCount..<(frame + count) * channelCount
    for channel in 0..<channelCount {
      var (sum, square) = (Float(0), Float(0))
      for index in stride(from: run.lowerBound + channel, to: run.upperBound, by: channelCount) {
        let sample = samples[index]
        sum += sample
        square += sample * sample
      }
      sums[channel] += Double(sum)
      squares[channel] += Double(square)
    }
    if mixes { addMean(samples, run) }
    looked += count
  }

  private mutating func addPeak(
    _ samples: UnsafeBufferPointer<Float>, from frame: Int, _ count: Int
  ) {
    var peak = peak
    for index in frame * channelCount..<(frame + count) * channelCount {
      peak = max(peak, samples[index].magnitude)
    }
    self.peak = peak
  }

  private mutating func addMean(_ samples: UnsafeBufferPointer<Float>, _ run: Range<Int>) {
    let scale = 1 / Float(channelCount)
    var (sum, square) = (Float(0), Float(0))
    for frame in stride(from: run.lowerBound, to: run.upperBound, by: channelCount) {
      var mean = samples[frame]
      for channel in 1..<channelCount { mean += samples[frame + channel] }
      mean *= scale
      sum += mean
      square += mean * mean
    }
    sums[channelCount] += Double(sum)
    squares[channelCount] += Double(square)
  }

  var reading: Reading {
    var loudest = 0.0
    for channel in 0..<channelCount { loudest = max(loudest, power(channel)) }
    return Reading(loudest: loudest, mean: power(channelCount), peak: peak)
  }

  /// The power of a channel, or after the last of their mean, without its offset: that of a converter is not sound.
  private func power(_ channel: Int) -> Double {
    let count = Double(max(1, looked))
    let offset = sums[channel] / count
    return max(0, squares[channel] / count - offset * offset)
  }
}
