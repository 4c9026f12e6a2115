/// Something wrong with a recording that did not keep it from being read.
///
/// `description` is one sentence without the recording's name.
public enum AudioInputWarning: Sendable, Hashable, CustomStringConvertible {
  /// The header promises `missingBytes` more than the file holds.
  case torn(missingBytes: UInt64, missingSeconds: Double)
  /// Decoding ended early: `missingFrames` of what the header promised did not come.
  case endedEarly(missingFrames: Int64, missingSeconds: Double)
  /// The last bytes are less than a whole frame and were left out.
  case tornFrame(bytes: Int)

  public var description: String {
    switch self {
    case .torn(let bytes, let seconds):
      "the file is cut off: \(seconds.inMilliseconds) s (\(bytes) bytes) are missing at its end"
    case .endedEarly(let frames, let seconds):
      """
      the file is damaged or cut off: \(seconds.inMilliseconds) s (\(frames) frames) at its end \
      could not be decoded
      """
    case .tornFrame(let bytes):
      "the last \(bytes) \(bytes == 1 ? "byte is" : "bytes are") no whole frame and \(bytes == 1 ? "was" : "were") left out"
    }
  }
}

extension Double {
  /// Three decimals, without Foundation.
  fileprivate var inMilliseconds: String {
    guard self < 1e12 else { return "\(self)" }
    let thousandths = Int64((self * 1000).rounded())
    let fraction = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
