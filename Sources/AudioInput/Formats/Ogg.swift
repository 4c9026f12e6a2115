/// Ogg, and what its pages tell.
///
/// Source: RFC 3533, section 6.
extension AudioFormat {
  static let ogg = AudioFormat(
    name: "Ogg", endings: ["ogg", "oga", "opus", "spx"], recognise: isOgg, decoder: .libsndfile,
    demuxers: ["ogg"], unit: OggPages.unit, isTornSilently: true)

  /// Anywhere, the page must be the first of a stream, at time 0.
  @Sendable private static func isOgg(_ head: [UInt8]) -> Certainty {
    guard head.has("OggS", at: 0) else { return .no }
    return head.dropFirst(4).starts(with: [0, 2, 0, 0, 0, 0, 0, 0, 0, 0]) ? .anywhere : .atStart
  }
}

/// What the pages of the first recording in an Ogg file tell together: the streams that run side by side begin with a
/// page each, and another recording begins where such a page follows others.
struct OggPages {
  /// Where another recording begins.
  private(set) var next: Int64?
  /// The number of streams of sound.
  private(set) var soundStreamCount = 0
  /// Whether a stream lacks its last page, or a page is missing or cut off.
  private(set) var isTorn = false
  /// Whether the time of the last page lies before that of an earlier one. It trims the end of the sound, but never more
  /// than what the page itself holds.
  private(set) var endsBeforeItself = false

  /// More than a day of pages.
  private static let mostPages = 1 << 23

  private struct Stream {
    var lastNumber: UInt32
    var latest: Int64 = 0
    var isSound: Bool
    var hasEnded = false
  }

  init(_ file: Region) {
    var streams: [UInt32: Stream] = [:]
    var offset: Int64 = 0
    var isPastHeads = false
    for _ in 0..<Self.mostPages {
      guard let page = Self.page(file, offset) else {
        let isOver = Tag.length(file, at: offset) != nil || AudioFormat(of: file, at: offset) != nil
        if offset < file.count, isOver {
          next = offset
          break
        }
        // Foreign bytes are passed over; the numbers of the pages tell whether one is missing.
        guard let found = file.search("OggS", from: offset + 1) else { break }
        offset = found
        continue
      }
      if page.isFirst {
        guard !isPastHeads else {
          next = offset
          break
        }
        streams[page.stream] = Stream(lastNumber: page.number, isSound: page.isSound(file, offset))
      } else {
        isPastHeads = true
        take(page, &streams)
      }
      offset += page.length
      if offset > file.count { isTorn = true }
    }
    soundStreamCount = streams.values.count(where: \.isSound)
    if streams.values.contains(where: { !$0.hasEnded }) { isTorn = true }
  }

  private mutating func take(_ page: Page, _ streams: inout [UInt32: Stream]) {
    guard var stream = streams[page.stream] else { return }
    if page.number != stream.lastNumber &+ 1 { isTorn = true }
    (stream.lastNumber, stream.hasEnded) = (page.number, page.isLast)
    if page.time >= 0 {
      if page.isLast, stream.isSound, page.time < stream.latest { endsBeforeItself = true }
      stream.latest = max(stream.latest, page.time)
    }
    streams[page.stream] = stream
  }

  private struct Page {
    let length: Int64
    let flags: UInt8
    let time: Int64
    let stream: UInt32
    let number: UInt32
    var isFirst: Bool { flags & 2 != 0 }
    var isLast: Bool { flags & 4 != 0 }

    /// Returns whether the packet that begins here begins a stream of Vorbis, Opus, FLAC or Speex.
    func isSound(_ file: Region, _ offset: Int64) -> Bool {
      let page = file.upTo(27 + 255 + 8, at: offset)
      let packet = page.dropFirst(27 + Int(page[26]))
      return ["\u{1}vorbis", "OpusHead", "\u{7F}FLAC", "Speex   "]
        .contains { packet.starts(with: $0.utf8) }
    }
  }

  private static func page(_ file: Region, _ offset: Int64) -> Page? {
    guard let header = file.bytes(at: offset, count: 27), header.has("OggS", at: 0),
      let segments = file.bytes(at: offset + 27, count: Int(header[26]))
    else { return nil }
    return Page(
      length: 27 + Int64(segments.count) + segments.reduce(0) { $0 + Int64($1) },
      flags: header[5], time: Int64(bitPattern: header.integer(at: 6)),
      stream: header.integer(at: 14), number: header.integer(at: 18))
  }

  /// The whole recording is one unit; one that is torn reaches beyond the end.
  @Sendable fileprivate static func unit(_ file: Region, _ offset: Int64) -> Int64? {
    guard offset == 0 else { return nil }
    let pages = OggPages(file)
    return pages.next ?? (pages.isTorn ? .max : nil)
  }
}
