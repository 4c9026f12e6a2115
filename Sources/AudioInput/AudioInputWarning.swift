internal import Glibc
package import RealTime

/// A fault in a recording that could be read nevertheless.
///
/// `description` is one sentence without the recording's name.
public enum AudioInputWarning: Sendable, Hashable, CustomStringConvertible {
  /// The recording lacks `missingBytes` of those that its header states. `missingSeconds` is `nil` if it has no audio.
  case torn(missingBytes: UInt64, missingSeconds: Double?)
  /// Less sound was decoded than the recording states, by this much; `nil` if it states no length.
  case endedEarly(missingSeconds: Double?)
  /// Sound within the recording could not be decoded and counts as silence.
  case gaps(seconds: Double)
  /// Another recording, in the format of that name, begins after this one and cannot be read.
  case followed(by: String)
  /// The recording has bytes, within its sound or after it, that nobody could decode.
  case unread(bytes: UInt64)
  /// The header states `statedBytes` of sound, and `bytes` more were read as sound.
  case exceeded(statedBytes: UInt64, bytes: UInt64)
  /// The recording has a head and no samples.
  case noSamples
  /// The recording has several audio tracks; only the first was read.
  case otherTracks(count: Int)
  /// The audio begins more than a day after the recording. The delay was ignored: times count from the audio.
  case implausibleStart(seconds: Double)
  /// The last message that ffmpeg wrote while it decoded.
  case decoder(message: String)
  /// The input ends in an incomplete frame, whose bytes were ignored.
  case tornFrame(bytes: Int)
  /// The mean of the channels was more than 12 dB quieter than the loudest of them in `seconds` of the seconds with
  /// sound, and at most `decibels` quieter; infinite if nothing remained.
  case cancelledMix(channels: Int, seconds: Int, of: Int, decibels: Float)
  /// The samples' peaks, each of a second with sound, have this mean, and `highest` is the highest. Full scale is 1.
  case beyondFullScale(peak: Float, highest: Float)

  public var description: String {
    switch self {
    case .torn(let bytes, let seconds?):
      seconds < 0.0005
        ? "the recording is cut off: \(bytes.inBytes) \(bytes == 1 ? "is" : "are") missing at its end"
        : "the recording is cut off: \(seconds.inSeconds) s (\(bytes.inBytes)) are missing at its end"
    case .torn(let bytes, nil):
      "the recording is cut off: all of its audio (\(bytes.inBytes)) is missing"
    case .endedEarly(let seconds?):
      """
      the recording is damaged or cut off: \(seconds.inSeconds) s of what it states are missing; if that is not at its \
      end, later times are early
      """
    case .endedEarly(nil):
      """
      the recording is damaged or cut off; how much is missing is unknown, and times after the damage may be wrong
      """
    case .followed(let format):
      "another recording (\(format)) follows it and could not be read; save it to a file of its own"
    case .gaps(let seconds):
      "\(seconds.inSeconds) s of it could not be decoded and count as silence"
    case .unread(let bytes):
      "\(bytes.inBytes) of it could not be decoded and were left out; if sound is missing, export it again"
    case .exceeded(let stated, let bytes):
      """
      its header states \(stated.inBytes) of sound, and the \(bytes.inBytes) that follow were read as sound too; if they are \
      something else, remove them
      """
    case .noSamples:
      "it contains a header and no audio; check the program that writes it"
    case .otherTracks(let count):
      """
      it has \(count) audio tracks, and only the first was read; extract each of the others, e.g. with ffmpeg -i \
      IN -map 0:a:1 OUT.flac
      """
    case .implausibleStart(let seconds):
      """
      its audio begins after \(seconds.inSeconds) s, which is more than a day and was ignored; times count from the \
      audio
      """
    case .decoder(let message):
      "ffmpeg found faults, and some of the audio may be missing: \(message)"
    case .tornFrame(let bytes):
      """
      the input ends in an incomplete frame; its last \(bytes == 1 ? "byte was" : "\(bytes) bytes were") ignored
      """
    case .cancelledMix(let channels, let seconds, let all, let decibels):
      """
      its \(channels) channels \(decibels.asCancelling(channels)) when they are mixed, in \(seconds) of \
      \(all) s with sound: add --channel any, or --channel with the number of one
      """
    case .beyondFullScale(let peak, let highest):
      """
      its samples peak at \(peak < 1e6 ? "\(Int(peak))" : "\(peak)") on average, and full scale is 1: scale them, e.g. with ffmpeg -i IN \
      -af volume=\(highest.decibelsToFullScale)dB OUT.wav
      """
    }
  }
}

extension AudioInputWarning {
  package init(_ fault: SignalCheck.Fault) {
    switch fault {
    case .cancelled(let channels, let seconds, let all, let decibels):
      self = .cancelledMix(channels: channels, seconds: seconds, of: all, decibels: decibels)
    case .beyondFullScale(let peak, let highest):
      self = .beyondFullScale(peak: peak, highest: highest)
    }
  }
}

extension Float {
  /// What a loss of this many dB means. It is no more than that of one channel among silent ones, 20·log10 of their
  /// number, if nothing cancels.
  fileprivate func asCancelling(_ channels: Int) -> String {
    guard isFinite else { return "cancel each other" }
    let loss = "lose up to \(Int(rounded())) dB"
    return self > 20 * log10(Float(channels)) + 1 ? "cancel each other and \(loss)" : loss
  }

  /// The gain in whole dB that brings a peak below full scale. The highest peak may be one that was not looked at, so
  /// there is 1 dB to spare.
  fileprivate var decibelsToFullScale: Int { -Int((20 * log10(self)).rounded(.up)) - 1 }
}

extension UInt64 {
  fileprivate var inBytes: String { self == 1 ? "1 byte" : "\(self) bytes" }
}

extension Double {
  /// The value with three decimals, without Foundation.
  var inSeconds: String {
    guard self < 1e12 else { return "\(self)" }
    let thousandths = Int64((self * 1000).rounded())
    return "\(thousandths / 1000)." + "\(1000 + thousandths % 1000)".dropFirst()
  }
}
