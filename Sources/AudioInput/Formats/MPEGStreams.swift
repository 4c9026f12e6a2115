/// MPEG program and transport streams.
///
/// Source: ISO/IEC 13818-1.
extension AudioFormat {
  /// The time of a pack of MPEG-1 or MPEG-2 has fixed bits, and another start code follows the pack.
  static let programStream = AudioFormat(
    name: "MPEG-PS", endings: ["mpg", "mpeg", "vob"],
    certainHeads: [
      Head("\0\0\u{1}\u{BA}??????????????????????") { head in
        let isFirst = head[4] & 0xF1 == 0x21 && head[6] & head[8] & 1 == 1
        let isSecond = head[4] & 0xC4 == 0x44 && head[6] & head[8] & 4 == 4 && head[9] & 1 == 1
        return (isFirst || isSecond)
          && head.has("\0\0\u{1}", at: isFirst ? 12 : 14 + Int(head[13] & 7))
      }
    ],
    demuxers: ["mpeg"])

  /// Its packets have a head of only one byte, so that ``packetForm(_:at:)`` recognises it.
  static let transportStream = AudioFormat(
    name: "MPEG-TS", endings: ["ts", "m2ts", "mts"], demuxers: ["mpegts"], unit: packets,
    isTornSilently: true)

  /// How packets of 188 bytes may lie: alone, behind 4 bytes, or before 16 of a checksum.
  private static let packetForms: [(gap: Int64, length: Int64)] = [(0, 188), (4, 192), (0, 204)]

  /// Returns how packets lie if the first five begin as packets do, without an error. Only those of padding are all
  /// alike.
  static func packetForm(_ region: Region, at offset: Int64) -> (gap: Int64, length: Int64)? {
    packetForms.first { form in
      guard region.upTo(1, at: offset + form.gap) == [0x47] else { return false }
      let heads = (0..<5).map { region.upTo(4, at: offset + form.gap + $0 * form.length) }
      let areAlike = Set(heads).count == 1 && !heads[0].starts(with: [0x47, 0x1F, 0xFF])
      return !areAlike
        && heads.allSatisfy { $0.count == 4 && $0[0] == 0x47 && $0[1] < 0x80 && $0[3] & 0x30 != 0 }
    }
  }

  /// Searches for the first of such packets among the first bytes of a region.
  static func searchTransportStream(_ bytes: [UInt8], in region: Region) -> Int? {
    bytes.indices.first { place in
      bytes[place] == 0x47 && packetForm(region, at: Int64(place)) != nil
        && !isPeriodic((0..<5).map { region.upTo(188, at: Int64(place + $0 * 188)) })
    }
  }

  /// Packets count as one unit: what follows cannot be distinguished from more packets. A part of one may be the last.
  @Sendable private static func packets(_ file: Region, _ offset: Int64) -> Int64? {
    let (gap, length) = packetForm(file, at: 0) ?? packetForms[0]
    let last = file.count / length * length
    let isPart = file.count - last > gap ? file.upTo(1, at: last + gap) == [0x47] : true
    return last < file.count && isPart ? last + length : file.count
  }
}
