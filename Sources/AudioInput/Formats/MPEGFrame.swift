/// The header of a frame of MPEG audio (MP3), of AAC in ADTS or LOAS, of AC-3 or of DTS, which determines where the
/// next frame begins.
///
/// Two bytes of a header soon occur in any noise; several consecutive frames of one kind do not.
///
/// Sources: ISO/IEC 11172-3, 2.4.2.3; ISO/IEC 13818-3, 2.4.2.3; ISO/IEC 14496-3, 1.A.3.2 and 1.7.2; ETSI
/// TS 102 366, 4.3 and E.1.2 (AC-3, E-AC-3); ETSI TS 102 114, 5.3 (DTS).
struct MPEGFrame {
  enum Kind: Int { case mpeg, aac, loas, ac3, dts }

  let kind: Kind
  var format: AudioFormat { [.mpeg, .aac, .loas, .ac3, .dts][kind.rawValue] }
  /// The length in bytes, including the header.
  let length: Int
  /// The bits that all frames of a stream share.
  private let shared: [UInt8]

  /// The number of bytes in a header.
  static let headerLength = 8
  private static let longest = 1 << 13
  private static let firstBytes: Set<UInt8> = [0xFF, 0x56, 0x0B, 0x7F]

  /// - Parameter freeLength: The length, without padding, of a frame whose bit rate is free. Its header does not state
  ///   it.
  init?(_ header: some Collection<UInt8>, freeLength: Int? = nil) {
    let bytes = Array(header)
    guard bytes.count >= Self.headerLength else { return nil }
    let found: Int?
    switch (bytes[0], bytes[1]) {
    case (0x0B, 0x77):
      found = Self.ac3Length(bytes)
      (kind, shared) = (.ac3, [bytes[4] >> 6, bytes[5] >> 3])
    case (0x56, 0xE0...):
      found = 3 + Int(bytes[1] & 0x1F) << 8 + Int(bytes[2])
      (kind, shared) = (.loas, [])
    case (0x7F, 0xFE) where bytes[2] == 0x80 && bytes[3] == 0x01:
      found = Int(bytes[5] & 3) << 12 + Int(bytes[6]) << 4 + Int(bytes[7]) >> 4 + 1
      (kind, shared) = (.dts, [])
    case (0xFF, 0xE0...) where bytes[1] & 0xF6 == 0xF0:
      let length = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5]) >> 5
      found = length > 7 && bytes[2] & 0x3C < 13 << 2 ? length : nil
      (kind, shared) = (.aac, [bytes[1], bytes[2] & 0x3C])
    case (0xFF, 0xE0...):
      found = Self.length(bytes, freeLength)
      (kind, shared) = (.mpeg, [bytes[1] & 0xFE, bytes[2] & 0x0C])
    default: return nil
    }
    guard let found else { return nil }
    length = found
  }

  init?(in region: Region, at offset: Int64 = 0, freeLength: Int? = nil) {
    self.init(region.upTo(Self.headerLength, at: offset), freeLength: freeLength)
  }

  /// Returns whether another frame may follow this one in the same stream.
  func isLike(_ other: MPEGFrame) -> Bool { kind == other.kind && shared == other.shared }

  /// Returns the format of the frames that begin at an offset, or `nil` unless there are enough; see
  /// ``frames(in:at:mayBeRaw:)``.
  static func format(in region: Region, at start: Int64) -> AudioFormat? {
    frames(in: region, at: start, mayBeRaw: false)?[0].frame.format
  }

  private typealias Place = (frame: MPEGFrame, offset: Int64)

  /// Returns the frames that begin at an offset, or `nil` unless there are enough.
  ///
  /// Three are enough where a recording should begin, and ten where the bytes may be PCM. Quiet PCM is full of some
  /// headers: the second byte of layer I and of LOAS may be that of a small negative sample, and that of a free bit
  /// rate goes on with another small sample.
  ///
  /// - Parameter mayBeRaw: Whether the bytes may be PCM. Then the bit rate is not free.
  private static func frames(in region: Region, at start: Int64, mayBeRaw: Bool) -> [Place]? {
    var places: [Place] = []
    let freeLength = mayBeRaw ? nil : freeLength(in: region, at: start)
    let mayBeQuiet = freeLength != nil || region.upTo(1, at: start + 1) == [0xFF]
    var offset = start
    for _ in 0..<(mayBeRaw || mayBeQuiet ? 10 : 3) {
      guard let frame = MPEGFrame(in: region, at: offset, freeLength: freeLength),
        places.first?.frame.isLike(frame) ?? true
      else { return nil }
      places.append((frame, offset))
      offset += Int64(frame.length)
    }
    return places
  }

  /// Returns the length of a frame whose bit rate is free, without padding: the distance to the next header like this.
  static func freeLength(in region: Region, at start: Int64 = 0) -> Int? {
    let header = region.upTo(headerLength, at: start)
    guard MPEGFrame(header) == nil, MPEGFrame(header, freeLength: longest) != nil else {
      return nil
    }
    let bytes = region.upTo(longest, at: start)
    let next = bytes.indices.dropFirst(48).dropLast(2).first { place in
      bytes[place] == 0xFF && bytes[place + 1] == header[1]
        && bytes[place + 2] & 0xFC == header[2] & 0xFC
    }
    return next.map { $0 - padding(header) }
  }

  /// Searches for frames among bytes that begin at an offset of `region`.
  ///
  /// - Parameter mayBeRaw: Whether the bytes may be PCM instead.
  static func search(
    _ bytes: [UInt8], in region: Region, mayBeRaw: Bool
  ) -> (format: AudioFormat, place: Int)? {
    for place in bytes.indices where firstBytes.contains(bytes[place]) {
      guard MPEGFrame(bytes[place...].prefix(headerLength), freeLength: longest) != nil,
        let frames = frames(in: region, at: Int64(place), mayBeRaw: mayBeRaw),
        !mayBeRaw
          || !isPeriodic(frames.map { region.upTo($0.frame.length, at: $0.offset) })
      else { continue }
      return (frames[0].frame.format, place)
    }
    return nil
  }

  private static func length(_ bytes: [UInt8], _ freeLength: Int?) -> Int? {
    let (version, layer) = (bytes[1] >> 3 & 3, bytes[1] >> 1 & 3)
    let (rateIndex, bitRateIndex) = (Int(bytes[2] >> 2 & 3), Int(bytes[2] >> 4))
    guard version != 1, layer != 0, rateIndex < 3, bitRateIndex < 15 else { return nil }
    if bitRateIndex == 0 { return freeLength.map { $0 + padding(bytes) } }
    let isFirst = version == 3
    let rate = [44_100, 48_000, 32_000][rateIndex] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    let bitRate = bitRates(isFirst: isFirst, layer: layer)[bitRateIndex - 1] * 1000
    switch layer {
    case 3: return 12 * bitRate / rate * 4 + padding(bytes)
    case 2: return 144 * bitRate / rate + padding(bytes)
    default: return (isFirst ? 144 : 72) * bitRate / rate + padding(bytes)
    }
  }

  /// Returns the length of the padding: one slot, which has 4 bytes in layer I.
  private static func padding(_ bytes: [UInt8]) -> Int {
    bytes[2] & 2 == 0 ? 0 : bytes[1] & 6 == 6 ? 4 : 1
  }

  /// Returns the length of a frame of AC-3 (`bsid` up to 10), from its rate and bit rate, or of E-AC-3 (up to 16),
  /// which states it.
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
