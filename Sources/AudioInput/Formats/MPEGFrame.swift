/// The header of a frame of MPEG audio (MP3), of AAC in ADTS or of AC-3, which determines where the next frame begins.
///
/// Two bytes of a header soon occur in any noise; three consecutive frames of one kind do not.
///
/// Sources: ISO/IEC 11172-3, 2.4.2.3; ISO/IEC 13818-3, 2.4.2.3; ISO/IEC 14496-3, 1.A.3.2; ETSI TS 102 366, 4.3 and
/// E.1.2 (AC-3, E-AC-3).
struct MPEGFrame {
  enum Kind: Hashable { case mpeg, aac, ac3 }

  let kind: Kind
  /// The length in bytes, including the header.
  let length: Int
  /// The bits that all frames of a stream share.
  private let shared: [UInt8]

  /// The number of bytes in a header.
  static let headerLength = 6
  static let longest = 1 << 13

  init?(_ header: some Collection<UInt8>) {
    let bytes = Array(header)
    guard bytes.count >= Self.headerLength else { return nil }
    if bytes[0] == 0x0B, bytes[1] == 0x77 {
      guard let length = Self.ac3Length(bytes) else { return nil }
      (kind, self.length, shared) = (.ac3, length, [bytes[4] >> 6, bytes[5] >> 3])
      return
    }
    guard bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return nil }
    if bytes[1] & 0xF6 == 0xF0 {
      kind = .aac
      length = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5]) >> 5
      shared = [bytes[1], bytes[2] & 0x3C]
      guard length > 7, bytes[2] & 0x3C < 13 << 2 else { return nil }
    } else {
      guard let length = Self.length(bytes) else { return nil }
      (kind, self.length) = (.mpeg, length)
      shared = [bytes[1] & 0xFE, bytes[2] & 0x0C]
    }
  }

  /// Returns whether another frame may follow this one in the same stream.
  func isLike(_ other: MPEGFrame) -> Bool { kind == other.kind && shared == other.shared }

  /// Returns the format of the frames that begin at an offset, or `nil` unless there are three.
  ///
  /// - Parameter mayBeFree: Whether the bit rate may be free, which is less certain.
  static func format(
    in region: Region, at start: Int64, mayBeFree: Bool = false
  ) -> AudioFormat? {
    var offset = start
    var first: MPEGFrame?
    // The header of layer I begins with the bytes of the sample −1, of which quiet PCM is full.
    let needed = region.upTo(2, at: start) == [0xFF, 0xFF] ? 10 : 3
    for _ in 0..<needed {
      let header = region.upTo(headerLength, at: offset)
      guard let frame = MPEGFrame(header) else {
        return mayBeFree && first == nil && isFree(header, in: region, at: start) ? .mpeg : nil
      }
      guard first?.isLike(frame) ?? true else { return nil }
      first = first ?? frame
      offset += Int64(frame.length)
    }
    switch first?.kind {
    case .mpeg: return .mpeg
    case .aac: return .aac
    case .ac3: return .ac3
    case nil: return nil
    }
  }

  /// Returns whether six frames of a free bit rate begin here: only the distance of their headers tells their length,
  /// which padding changes by one slot of up to 4 bytes.
  private static func isFree(_ header: [UInt8], in region: Region, at start: Int64) -> Bool {
    guard header.count >= 4, header[0] == 0xFF, header[1] & 0xE0 == 0xE0, header[1] & 0x18 != 8,
      header[1] & 6 != 0, header[2] & 0xF0 == 0, header[2] & 0x0C != 0x0C
    else { return false }
    let bytes = region.upTo(6 * longest, at: start)
    func next(_ distances: Range<Int>, _ place: Int) -> Int? {
      distances.lazy.map { place + $0 }.first { next in
        next + 2 < bytes.count && bytes[next] == 0xFF && bytes[next + 1] == header[1]
          && bytes[next + 2] & 0xFC == header[2] & 0xFC
      }
    }
    guard let length = next(48..<longest, 0) else { return false }
    var place: Int? = length
    for _ in 0..<4 { place = place.flatMap { next(length - 4..<length + 5, $0) } }
    return place != nil
  }

  /// Searches for three frames among bytes that begin at an offset of `region`.
  ///
  /// - Parameter mayBePeriodic: Whether frames with equal contents count. Any periodic signal may have them.
  static func search(
    _ bytes: [UInt8], in region: Region, mayBePeriodic: Bool
  ) -> (format: AudioFormat, place: Int)? {
    for place in bytes.indices where bytes[place] == 0xFF || bytes[place] == 0x0B {
      let offset = Int64(place)
      guard let frame = MPEGFrame(bytes[place...].prefix(headerLength)),
        let format = format(in: region, at: offset),
        mayBePeriodic
          || region.upTo(frame.length, at: offset)
            != region.upTo(frame.length, at: offset + Int64(frame.length))
      else { continue }
      return (format, place)
    }
    return nil
  }

  private static func length(_ bytes: [UInt8]) -> Int? {
    let (version, layer) = (bytes[1] >> 3 & 3, bytes[1] >> 1 & 3)
    let (rateIndex, bitRateIndex) = (Int(bytes[2] >> 2 & 3), Int(bytes[2] >> 4))
    guard version != 1, layer != 0, rateIndex < 3, 1...14 ~= bitRateIndex else { return nil }
    let isFirst = version == 3
    let rate = [44_100, 48_000, 32_000][rateIndex] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    let bitRate = bitRates(isFirst: isFirst, layer: layer)[bitRateIndex - 1] * 1000
    let padding = Int(bytes[2] >> 1 & 1)
    switch layer {
    case 3: return (12 * bitRate / rate + padding) * 4
    case 2: return 144 * bitRate / rate + padding
    default: return (isFirst ? 144 : 72) * bitRate / rate + padding
    }
  }

  /// Returns the length of a frame of AC-3 (`bsid` up to 10), from its rate and bit rate, or of E-AC-3 (up to 16), which
  /// states it.
  private static func ac3Length(_ bytes: [UInt8]) -> Int? {
    let (rateIndex, code, version) = (Int(bytes[4] >> 6), Int(bytes[4] & 0x3F), bytes[5] >> 3)
    if 11...16 ~= version { return 2 * ((Int(bytes[2] & 7) << 8 | Int(bytes[3])) + 1) }
    guard version <= 10, rateIndex < 3, code / 2 < ac3BitRates.count else { return nil }
    let rate = [48_000, 44_100, 32_000][rateIndex]
    let words = ac3BitRates[code / 2] * 96_000 / rate
    return 2 * (words + (rate == 44_100 ? code & 1 : 0))
  }

  /// In kbit/s.
  private static let ac3BitRates = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]

  /// Returns the bit rates in kbit/s. Layers are numbered as in the header, where 3 is layer I.
  private static func bitRates(isFirst: Bool, layer: UInt8) -> [Int] {
    switch (isFirst, layer) {
    case (true, 3): (1...14).map { $0 * 32 }
    case (true, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    case (true, _): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    case (false, 3): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
    case (false, _): [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    }
  }
}
