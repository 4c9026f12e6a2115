/// How the first recording in a file ends, if it does not simply end with the file.
///
/// A file is a row of units (boxes, elements, objects, tags, chunks, blocks or pages) that know their lengths. Another
/// recording begins where a unit should begin and the head of a recording stands instead. This is certain, unlike a
/// search for a head among the samples. Where no unit stands, a head that counts anywhere is searched for behind zeros
/// and in the next 64 KiB; without one the end stays unknown.
///
/// ffmpeg and libsndfile drop what follows the first recording, or mix it into the first (Matroska, MP4 in fragments),
/// without a message. ffmpeg reads several AVI files as one.
enum RecordingEnd: Hashable {
  /// Tags, zeros, or another recording follow this offset.
  case at(Int64)
  /// The file is cut off within a unit, which the decoder does not report.
  case torn

  /// More than a day of the shortest units, tags of 20 ms. The search must end soon in a file of tiny units.
  static let mostUnits = 1 << 23

  /// Returns `nil` if the recording ends with the file, or if its end cannot be found.
  init?(of format: AudioFormat, in file: Region) {
    guard let unit = format.unit ?? format.chunks?.unit else { return nil }
    var offset: Int64 = 0
    for _ in 0..<Self.mostUnits {
      let (length, rest) = (unit(file, offset) ?? 0, file.count - offset)
      guard length > 0, length < rest else {
        let isBeyond = length > rest
        // What follows may look like a unit.
        let next =
          offset == 0 || length == rest
          ? nil : Self.next(in: file, from: offset, hasHead: isBeyond)
        // ffmpeg itself finds the next frame of AAC and AC-3.
        if let next, isBeyond || next != format || !format.isFrames {
          self = .at(offset)
        } else if isBeyond, format.isTornSilently {
          self = .torn
        } else if offset > 0, length <= 0, format.decoder == .ffmpeg,
          Self.isZero(file, from: Self.behindTags(file, offset))
        {
          self = .at(offset)
        } else {
          return nil
        }
        return
      }
      offset += length
      let behind = Self.behindTags(file, offset)
      if AudioFormat(of: file, at: behind, behind: format) != nil {
        self = .at(offset)
        return
      }
    }
    return nil
  }

  private static func behindTags(_ file: Region, _ offset: Int64) -> Int64 {
    var behind = offset
    while let length = Tag.length(file, at: behind) { behind += length }
    return behind
  }
}

// MARK: - Behind a recording

extension RecordingEnd {
  /// Returns what stands behind a recording: the format of another one, or the length of a tag or chunk; `nil` for
  /// other bytes. A tag may look like a recording, and a recording like a chunk.
  private static func follower(
    _ rest: Region, _ chunks: ChunkForm?
  ) -> (recording: AudioFormat?, length: Int64)? {
    if let length = Tag.length(rest, at: 0) { return (nil, length) }
    if let format = AudioFormat(of: rest) { return (format, 0) }
    return chunks?.length(in: rest).map { (nil, $0) }
  }

  /// Returns how much padding stands between the sound and the end of the recording: the end of the file, or a chunk, a
  /// tag, another recording, also one behind foreign bytes, or nothing but zeros. Bytes of any other kind are more
  /// sound; then the result is `nil`.
  ///
  /// - Parameters:
  ///   - rest: What stands behind the sound.
  ///   - size: The size of the sound, behind which a chunk may be padded.
  static func distance(
    in rest: Region, _ chunks: ChunkForm?, behind size: UInt64 = 0
  ) -> Int64? {
    if let padding = chunks?.padding(behind: size), chunks?.length(in: rest, at: padding) != nil {
      return padding
    }
    return follower(rest, chunks) != nil || isZero(rest) || next(in: rest) != nil ? 0 : nil
  }

  /// How much is examined at once, and searched for a head or for frames.
  static let blockLength = 1 << 16

  /// Returns the first 64 KiB that are not zeros alone, or what is left at the end, and where they stand. Of a pipe,
  /// only the next 64 KiB are examined.
  private static func behindZeros(
    _ file: Region, from start: Int64 = 0
  ) -> (rest: Region, block: [UInt8]) {
    var rest = file
    rest.start += start
    while true {
      let block = rest.upTo(blockLength, at: 0)
      guard block.count == blockLength, rest.end != nil, block.allSatisfy({ $0 == 0 }) else {
        return (rest, block)
      }
      rest.start += Int64(blockLength)
    }
  }

  /// Returns the format of a recording behind zeros and at most 64 KiB of foreign bytes, which may be PCM instead.
  ///
  /// - Parameter hasHead: Whether it must have a head that counts anywhere.
  static func next(
    in file: Region, from start: Int64 = 0, hasHead: Bool = false
  ) -> AudioFormat? {
    let (rest, block) = behindZeros(file, from: start)
    return hasHead
      ? AudioFormat.search(block)?.format : firstRecording(block, rest, mayBeRaw: true)?.format
  }

  /// Returns whether nothing or only zeros follow, in a pipe within the next 64 KiB.
  private static func isZero(_ rest: Region, from start: Int64 = 0) -> Bool {
    let block = behindZeros(rest, from: start).block
    return block.count < blockLength && block.allSatisfy { $0 == 0 }
  }

  /// Passes over zeros, in a pipe over 64 KiB at most, except the last three, which may be the first bytes of an MP4.
  /// Returns whether there were others.
  static func skipZeros(_ stream: ByteStream) -> Bool {
    let (rest, block) = behindZeros(Region(stream))
    let count = Int64(block.prefix { $0 == 0 }.count) + rest.start - stream.position - 3
    return count > 0 && stream.skip(count) > 0
  }

  /// Passes over what may stand behind a recording: chunks, tags and zeros. Returns the format of the recording that
  /// follows, if any, and the number of other bytes, which nobody can read.
  static func pass(
    _ stream: ByteStream, _ chunks: ChunkForm? = nil
  ) -> (next: AudioFormat?, unread: Int64) {
    var unread: Int64 = 0
    while case let rest = Region(stream), !rest.upTo(1, at: 0).isEmpty {
      // Behind foreign bytes only what is searched for counts.
      guard unread == 0, let (next, length) = follower(rest, chunks) else {
        if let next = passForeign(stream, &unread) { return (next, unread) }
        continue
      }
      if let next { return (next, 0) }
      let passed = stream.skip(length)
      // The last padding may be missing.
      if passed < length - (chunks?.alignment ?? 1) + 1 { unread += passed }
    }
    return (nil, unread)
  }

  /// Passes over zeros, or over other bytes up to a tag or a recording, of which it returns the format.
  private static func passForeign(_ stream: ByteStream, _ unread: inout Int64) -> AudioFormat? {
    if skipZeros(stream) { return nil }
    let rest = Region(stream)
    let block = rest.upTo(blockLength, at: 0)
    let zeros = block.prefix { $0 == 0 }.count
    if zeros == block.count {
      _ = stream.skip(Int64(zeros))
      return nil
    }
    let found = firstRecording(block, rest)
    let tag = Tag.search(block[..<(found?.place ?? block.count)])
    // A head may reach into the next block.
    let all = block.count < blockLength ? block.count : block.count - AudioFormat.headLength
    let passed = tag ?? found?.place ?? all
    var foreign = Region(stream, from: rest.start + Int64(min(zeros, passed)))
    foreign.end = rest.start + Int64(passed)
    unread += Tag.trailing(foreign)
    _ = stream.skip(Int64(passed))
    guard tag != nil else { return found?.format }
    _ = stream.skip(Tag.length(Region(stream), at: 0) ?? 1)
    return nil
  }

  /// Searches the first bytes of a region for a head that counts anywhere, or for frames or packets.
  ///
  /// - Parameters:
  ///   - mayBeRaw: Whether the bytes may be PCM instead.
  ///   - one: The format of a recording of which the bytes may be a part. Frames of that do not count.
  static func firstRecording(
    _ block: [UInt8], _ region: Region, mayBeRaw: Bool = false, behind one: AudioFormat? = nil
  ) -> (format: AudioFormat, place: Int)? {
    let head = AudioFormat.search(block)
    let before = Array(block.prefix(head?.place ?? block.count))
    let found = [
      head, MPEGFrame.search(before, in: region, mayBeRaw: mayBeRaw),
      one == .flac ? nil : FLACFrame.search(before).map { (.flac, $0) },
      AudioFormat.searchTransportStream(before, in: region).map { (.transportStream, $0) },
    ]
    return found.compactMap(\.self).min { $0.place < $1.place }
  }
}
