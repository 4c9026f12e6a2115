/// How the first recording in a file ends, if it does not simply end with the file.
///
/// A file is a row of units (boxes, elements, objects, tags, chunks, blocks or pages) that know their lengths. Another
/// recording begins where a unit should begin and the head of a recording stands instead. This is certain, unlike a
/// search for a head among the samples. A unit that is damaged or of unknown length ends the search without a result.
///
/// ffmpeg drops what follows the first recording, or mixes it into the first (Matroska, MP4 in fragments), without a
/// message. It reads several AVI files or a chained Ogg as one, as libsndfile does several VOC files; libsndfile rejects
/// two AIFF files. Several AAC, AC-3 and AMR files in a row remain one recording, and ffmpeg reports a second WavPack
/// file.
///
/// Sources: as in ``AudioContainer``; "True Audio (TTA) format description"; "APEv2 specification"; "Adobe Flash Video
/// File Format" 10.1; "OpenDML AVI File Format Extensions" 1.02.
enum RecordingEnd: Hashable {
  /// A recording in this format begins at this offset.
  case before(AudioContainer, at: Int64)
  /// The file is cut off within a unit, which the decoder does not report.
  case torn

  /// A function that returns the length of the unit at an offset: the file's head at 0, or `nil` if it is unknown.
  private typealias Unit = @Sendable (any HeaderBytes, Int64) -> Int64?

  private static let units: [AudioContainer: Unit] = [
    .foreign("MP4"): box, .foreign("Matroska or WebM"): element, .foreign("WMA"): object,
    .foreign("Flash video"): tag, .foreign("True Audio"): trueAudio, .foreign("AVI"): form,
    .wave: form, .wave64: wave64, .aiff: chunk, .voc: block, .caf: coreAudioChunk,
    .au: soundAndHead, .ogg: page, .foreign("MPEG-TS"): packets,
  ]

  /// The formats whose decoders do not always report that a file is cut off.
  private static let tornSilently: Set<AudioContainer> = [
    .wave, .wave64, .voc, .caf, .au, .ogg, .foreign("AVI"), .foreign("Flash video"),
    .foreign("MPEG-TS"),
  ]

  /// More than a day of the shortest units, tags of 20 ms. The search must end soon in a file of tiny units.
  private static let mostUnits = 1 << 23

  /// Returns `nil` if the recording ends with the file, or if its end cannot be found.
  init?(of container: AudioContainer, in file: some HeaderBytes) {
    let isTornOgg = container == .ogg && !OggPage.endsFile(file)
    guard let end = Self.walk(container, file) ?? (isTornOgg ? .torn : nil) else { return nil }
    self = end
  }

  /// Walks from unit to unit.
  private static func walk(_ container: AudioContainer, _ file: some HeaderBytes) -> RecordingEnd? {
    guard let unit = units[container] else { return nil }
    var offset: Int64 = 0
    for _ in 0..<mostUnits {
      guard let length = unit(file, offset), length > 0 else { return nil }
      let rest = file.sizeOnDisk - offset
      guard length < rest else {
        return length > rest && tornSilently.contains(container) ? .torn : nil
      }
      offset += length
      if let next = recording(in: file, at: offset) { return .before(next, at: offset) }
    }
    return nil
  }

  /// Returns the format of the recording that begins at an offset. Each page of Ogg has the same head, and only those
  /// marked as the first of a stream begin a recording.
  private static func recording(in file: some HeaderBytes, at offset: Int64) -> AudioContainer? {
    let container = AudioContainer(file, at: offset)
    return container == .ogg && !OggPage.isFirst(in: file, at: offset) ? nil : container
  }
}

// MARK: - Units

extension RecordingEnd {
  /// MP4: a size of 32 bits and a type. Size 1 announces 64 bits behind the type; size 0 means "to the end".
  @Sendable private static func box(_ file: any HeaderBytes, _ offset: Int64) -> Int64? {
    guard let head = file.bytesOnDisk(at: offset, count: 8),
      head[4...].allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0xA9 })
    else { return nil }
    let size: UInt32 = head.integer(at: 0, isBigEndian: true)
    guard size == 1 else { return size < 8 ? nil : Int64(size) }
    let long = file.bytesOnDisk(at: offset + 8, count: 8).map { bytes in
      bytes.integer(at: 0, as: UInt64.self, isBigEndian: true)
    }
    return long.flatMap { Int64(exactly: $0) }
  }

  /// Matroska: an ID and a size of variable lengths. A segment or cluster of unknown size is entered, so that its
  /// elements come next.
  @Sendable private static func element(_ file: any HeaderBytes, _ offset: Int64) -> Int64? {
    let room = Int(min(12, file.sizeOnDisk - offset))
    guard let head = file.bytesOnDisk(at: offset, count: room),
      let idLength = variableLength(head, at: 0, most: 4),
      let sizeLength = variableLength(head, at: idLength, most: 8)
    else { return nil }
    let value = head[idLength..<idLength + sizeLength].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let mask = UInt64(1) << (7 * sizeLength) - 1
    let headLength = Int64(idLength + sizeLength)
    guard value & mask == mask else { return headLength + Int64(value & mask) }
    let (segment, cluster): ([UInt8], [UInt8]) = (
      [0x18, 0x53, 0x80, 0x67], [0x1F, 0x43, 0xB6, 0x75]
    )
    return head.starts(with: segment) || head.starts(with: cluster) ? headLength : nil
  }

  /// Returns the number of bytes of an ID or size, which is the position of the highest bit of its first byte.
  private static func variableLength(_ bytes: [UInt8], at index: Int, most: Int) -> Int? {
    guard index < bytes.count else { return nil }
    let length = bytes[index].leadingZeroBitCount + 1
    return length <= most && index + length <= bytes.count ? length : nil
  }

  /// ASF: an ID of 16 bytes and a size of 8 bytes, which includes both. A live writer leaves the size of the data 0.
  @Sendable private static func object(_ file: any HeaderBytes, _ offset: Int64) -> Int64? {
    guard let head = file.bytesOnDisk(at: offset, count: 24) else { return nil }
    let size: UInt64 = head.integer(at: 16)
    return size < 24 ? nil : Int64(exactly: size)
  }

  /// Flash video: a head of 9 bytes, and tags of 11 bytes and their content, each followed by 4 bytes.
  @Sendable private static func tag(_ file: any HeaderBytes, _ offset: Int64) -> Int64? {
    if offset == 0 { return 13 }
    guard let head = file.bytesOnDisk(at: offset, count: 4) else { return 4 }
    guard [8, 9, 18].contains(head[0] & 0x1F) else { return nil }
    return 15 + Int64(head.integer(at: 0, as: UInt32.self, isBigEndian: true) & 0xFF_FFFF)
  }

  /// True Audio: a head of 22 bytes, a table of the frames' lengths with 4 bytes behind it, and the frames. A frame has
  /// 256/245 s. A tag may follow, as ffmpeg writes it: a head of 32 bytes, and what its size announces.
  @Sendable private static func trueAudio(_ file: any HeaderBytes, _ offset: Int64) -> Int64? {
    guard let head = file.bytesOnDisk(at: offset, count: 22) else { return nil }
    guard offset == 0 else {
      return head.starts(with: "APETAGEX".utf8)
        ? 32 + Int64(head.integer(at: 12, as: UInt32.self)) : nil
    }
    let (rate, count): (UInt32, UInt32) = (head.integer(at: 10), head.integer(at: 14))
    let frame = Int64(rate) * 256 / 245
    guard frame > 0 else { return nil }
    let tableLength = 4 * ((Int64(count) + frame - 1) / frame)
    guard tableLength <= 1 << 24, let table = file.bytesOnDisk(at: 22, count: Int(tableLength))
    else { return nil }
    return stride(from: 0, to: table.count, by: 4).reduce(26 + tableLength) { sum, index in
      sum + Int64(table.integer(at: index, as: UInt32.self))
    }
  }

  /// AIFF: a head of 12 bytes, and chunks padded to an even length.
  @Sendable private static func chunk(_ file: any HeaderBytes, _ offset: Int64) -> Int64? {
    if offset == 0 { return 12 }
    var chunks = WaveChunks(of: file, isBigEndian: true, from: offset)
    return chunks.next().map { _ in chunks.offset - offset }
  }

  /// AVI and WAV: a RIFF form, which further forms may follow. Its size is a placeholder if its writer could not go back.
  /// Some writers count its 8 bytes of head twice, or leave out the padding.
  @Sendable private static func form(_ file: any HeaderBytes, _ offset: Int64) -> Int64? {
    guard let head = file.bytesOnDisk(at: offset, count: 8), head.starts(with: "RIFF".utf8) else {
      return nil
    }
    let size: UInt32 = head.integer(at: 4)
    guard size > 0, !isPlaceholder(UInt64(size)) else { return nil }
    let length = 8 + Int64(size) + Int64(size % 2)
    let rest = file.sizeOnDisk - offset
    return 1...9 ~= length - rest ? rest : length
  }

  /// W64: a name of 16 bytes, and the size of the recording, which is a placeholder if its writer could not go back.
  @Sendable private static func wave64(_ file: any HeaderBytes, _ offset: Int64) -> Int64? {
    guard offset == 0, let head = file.bytesOnDisk(at: 16, count: 8) else { return nil }
    let size: UInt64 = head.integer(at: 0)
    return size < 40 || isPlaceholder(size) ? nil : Int64(size)
  }

  /// VOC: a head that states its own length, and blocks, each with a type and a size of 24 bits. Type 0 ends the
  /// recording, without a size.
  @Sendable private static func block(_ file: any HeaderBytes, _ offset: Int64) -> Int64? {
    if offset == 0 {
      return file.bytesOnDisk(at: 20, count: 2).map { Int64($0.integer(at: 0, as: UInt16.self)) }
    }
    if file.bytesOnDisk(at: offset, count: 1) == [0] {
      return AudioContainer(file, at: offset + 1) == nil ? nil : 1
    }
    guard let head = file.bytesOnDisk(at: offset, count: 4) else { return 4 }
    guard 1...9 ~= head[0] else { return nil }
    let length = 4 + Int64(head.integer(at: 0, as: UInt32.self) >> 8)
    let isBySox = head[0] == 9 && file.bytesOnDisk(at: 22, count: 2) == [10, 1]
    return isBySox ? lengthBySox(file, offset, stated: length) : length
  }

  /// sox writes all sound into one block of type 9, states 8 bytes too few, and drops what exceeds 24 bits. It claims
  /// version 1.10, which has no such type. The block ends where type 0 and the end of the file or a recording follow.
  private static func lengthBySox(
    _ file: any HeaderBytes, _ offset: Int64, stated: Int64
  ) -> Int64 {
    let rest = file.sizeOnDisk - offset
    let candidates = [stated] + stride(from: stated + 8, to: rest, by: 1 << 24)
    let end = candidates.first { length in
      file.bytesOnDisk(at: offset + length, count: 1) == [0]
        && (length + 1 == rest || AudioContainer(file, at: offset + length + 1) != nil)
    }
    return end ?? .max
  }

  /// CAF: a head of 8 bytes, and chunks with a name and a size of 64 bits, which is −1 if it is unknown.
  @Sendable private static func coreAudioChunk(_ file: any HeaderBytes, _ offset: Int64) -> Int64? {
    if offset == 0 { return 8 }
    guard let head = file.bytesOnDisk(at: offset, count: 12) else { return nil }
    let size: UInt64 = head.integer(at: 4, isBigEndian: true)
    return isPlaceholder(size) ? nil : 12 + Int64(size)
  }

  /// AU: a head that states its own length and that of the sound.
  @Sendable private static func soundAndHead(_ file: any HeaderBytes, _ offset: Int64) -> Int64? {
    guard offset == 0, let head = file.bytesOnDisk(at: 0, count: 12) else { return nil }
    let start: UInt32 = head.integer(at: 4, isBigEndian: true)
    let size: UInt32 = head.integer(at: 8, isBigEndian: true)
    return isPlaceholder(UInt64(size)) ? nil : Int64(start) + Int64(size)
  }

  /// MPEG transport streams: packets of 188 bytes, which may have 4 bytes before each. They count as one unit: what
  /// follows cannot be distinguished from more packets.
  @Sendable private static func packets(_ file: any HeaderBytes, _ offset: Int64) -> Int64? {
    let length: Int64 = file.bytesOnDisk(at: 0, count: 1) == [0x47] ? 188 : 192
    return (file.sizeOnDisk + length - 1) / length * length
  }

  /// Ogg: the first pages of all streams, and pages.
  @Sendable private static func page(_ file: any HeaderBytes, _ offset: Int64) -> Int64? {
    offset == 0 ? OggPage.lengthOfHeads(of: file) : OggPage.length(in: file, at: offset)
  }
}
