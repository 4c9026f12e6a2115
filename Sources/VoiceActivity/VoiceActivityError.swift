internal import CVoiceActivity

/// The reason why a detector or an echo reference could not be made, restored or fed.
public enum VoiceActivityError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The sample rate is outside 8000 … 192000 Hz.
  case sampleRate
  /// The thresholds are not 0 < offset ≤ onset < 1.
  case threshold
  /// A duration is negative or above one hour, or the longest cut is less than a second longer than its padding.
  case duration
  /// The speaker margin is not 0 … 40 dB or infinite.
  case margin
  /// The bytes are not those of a saved detector: foreign, truncated or changed.
  case savedData
  /// Another version of the library saved the bytes, with another format or network. Begin a new stream.
  case savedVersion
  /// The samples of an ``EchoReference`` reach more than 100 ms beyond those of the microphone.
  case referenceEarly
  /// The C core returned an unexpected code: a fault of this library.
  case `internal`(code: UInt32)

  public var description: String {
    if case .margin = self { return "the speaker margin is not from 0 to 40 dB, or infinite" }
    return String(cString: va_status_text(va_status_code(rawValue: code)))
  }

  private var code: UInt32 {
    switch self {
    case .sampleRate: VA_ERROR_SAMPLE_RATE.rawValue
    case .threshold: VA_ERROR_THRESHOLD.rawValue
    case .duration: VA_ERROR_DURATION.rawValue
    case .margin: VA_ERROR_ARGUMENT.rawValue
    case .savedData: VA_ERROR_SAVED_DATA.rawValue
    case .savedVersion: VA_ERROR_SAVED_VERSION.rawValue
    case .referenceEarly: VA_ERROR_REFERENCE_EARLY.rawValue
    case .internal(let code): code
    }
  }

  /// Throws what a code of C stands for, unless it is success.
  static func check(_ code: va_status_code) throws(Self) {
    guard code == VA_OK else { throw Self(code) }
  }

  init(_ code: va_status_code) {
    switch code {
    case VA_ERROR_SAMPLE_RATE: self = .sampleRate
    case VA_ERROR_THRESHOLD: self = .threshold
    case VA_ERROR_DURATION: self = .duration
    case VA_ERROR_SAVED_DATA: self = .savedData
    case VA_ERROR_SAVED_VERSION: self = .savedVersion
    case VA_ERROR_REFERENCE_EARLY: self = .referenceEarly
    default: self = .internal(code: code.rawValue)
    }
  }
}
