import ArgumentParser
import AudioInput
import RealTime

/// The names of sample formats in programs that write raw PCM. Upper and lower case are equivalent.
///
/// ffmpeg: `s16le`, `pcm_s16le`. sox: `s16`, `sw`. arecord: `S16_LE`. GStreamer: `S16LE`. parec: `float32le`. A name
/// without a byte order means little endian, the byte order of every machine that vadmon is built for.
extension RawSampleFormat {
  init(parsing text: String) throws(ValueError) {
    let name = text.lowercased()
    if let format = Self.allCases.first(where: { $0.names.contains(name) }) {
      self = format
      return
    }
    if ["s24_le", "s24_be", "s24_32le", "s24_32be"].contains(name) {
      throw ValueError(
        description: "it keeps 24 bits in 4 bytes; record S24_3LE or S32_LE instead")
    }
    let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValueError(
      description: "write \(names), or the same as ffmpeg, sox or arecord call it (S16_LE)")
  }

  /// The names for completion in shells.
  static var completion: CompletionKind { .list(allCases.map(\.rawValue)) }

  private var names: Set<String> {
    let order = String(rawValue.suffix(2))
    guard byteCount > 1 else { return Set([rawValue, "pcm_\(rawValue)"] + otherStems) }
    let kind = String(rawValue.dropLast(2))
    var stems = [kind] + otherStems
    // What arecord calls S24_LE has 4 bytes.
    if kind != "s24" { stems += stems.map { $0 + "_" } }
    let full = stems.map { $0 + order } + ["pcm_\(rawValue)"]
    return Set(full + (order == "le" ? stems : []))
  }

  /// The alternatives to the part of `rawValue` before the byte order.
  private var otherStems: [String] {
    switch self {
    case .s8: ["sb"]
    case .u8: ["ub"]
    case .mulaw: ["ulaw", "ul", "mu-law", "u-law", "mu_law"]
    case .alaw: ["al", "a-law", "a_law"]
    case .s16le, .s16be: ["sw"]
    case .s24le, .s24be: ["s24_3"]
    case .s32le, .s32be: ["sl"]
    case .f32le, .f32be: ["float", "float32"]
    case .f64le, .f64be: ["double", "float64"]
    }
  }
}
