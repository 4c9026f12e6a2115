/// Ogg, and what its pages tell.
///
/// Source: RFC 3533, section 6.
extension AudioFormat {
  /// Anywhere, the page must be the first of a stream, at time 0.
  static let ogg = AudioFormat(
    name: "Ogg", endings: ["ogg", "oga", "opus", "spx"], heads: ["OggS"],
    certainHeads: ["OggS\0\u{2}\0\0\0\0\0\0\0\0"], decoder: .libsndfile,
    isForFFmpeg: OggPages.areForFFmpeg, demuxers: ["ogg"], unit: OggPages.unit,
    isTornSilently: true)
}

/// What the pages of the first recording in an Ogg file tell together: the streams that run side by side begin with a
/// page each, and another recording begins where such a page follows others.
struct OggPages {
  /// Where the pages end before the file does.
  private var next: Int64?
  /// Whether a stream lacks its last page, or a page is missing or cut off.
  private var isTorn = false
  /// Whether the time of the last page lies before that of an earlier one. It trims the end of the sound, but never more
  /// than what the page itself holds.
  private var endsBeforeItself = false
  private var streams: [UInt32: Stream] = [:]

  private struct Stream {
    var lastNumber: UInt32
    var latest: Int64 = 0
    var isSound: Bool
    var hasEnded = false
  }

  init(_ file: Region) {
    var offset: Int64 = 0
    var isPastHeads = false
    for _ in 0..<RecordingEnd.mostUnits {
      if let page = Page(file, offset) {
        if page.isFirst, isPastHeads {
          next = offset
          break
        }
        isPastHeads = !page.isFirst
        take(page)
        offset += page.length
      } else if offset < file.count,
        Tag.length(file, at: offset) != nil
          || AudioFormat(of: file, at: offset, behind: .ogg) != nil
      {
        next = offset
        break
      } else {
        // Foreign bytes are passed over; the numbers of the pages tell whether one is missing.
        guard let found = file.search("OggS", from: offset + 1) else {
          if offset < file.count, streams.values.allSatisfy(\.hasEnded) { next = offset }
          break
        }
        offset = found
      }
    }
    if offset > file.count || streams.values.contains(where: { !$0.hasEnded }) { isTorn = true }
  }

  private mutating func take(_ page: Page) {
    if page.isFirst {
      streams[page.stream] = Stream(lastNumber: page.number, isSound: page.isSound)
      return
    }
    guard var stream = streams[page.stream] else { return }
    if page.number != stream.lastNumber &+ 1 { isTorn = true }
    if page.isLast, stream.isSound, 0..<stream.latest ~= page.time { endsBeforeItself = true }
    (stream.lastNumber, stream.hasEnded) = (page.number, page.isLast)
    stream.latest = max(stream.latest, page.time)
    streams[page.stream] = stream
  }

  private struct Page {
    let length: Int64
    let isFirst, isLast: Bool
    /// −1 if no packet ends on the page.
    let time: Int64
    let stream, number: UInt32
    /// Whether it begins a stream of Vorbis, Opus, FLAC or Speex.
    let isSound: Bool

    init?(_ file: Region, _ offset: Int64) {
      let bytes = file.upTo(27 + 255 + 8, at: offset)
      guard bytes.count >= 27, bytes.has("OggS", at: 0), bytes.count >= 27 + Int(bytes[26]) else {
        return nil
      }
      let (head, content) = (bytes[..<(27 + Int(bytes[26]))], bytes[(27 + Int(bytes[26]))...])
      length = head[27...].reduce(Int64(head.count)) { $0 + Int64($1) }
      (isFirst, isLast) = (bytes[5] & 2 != 0, bytes[5] & 4 != 0)
      time = Int64(bitPattern: bytes.integer(at: 6))
      (stream, number) = (bytes.integer(at: 14), bytes.integer(at: 18))
      isSound =
        isFirst
        && ["\u{1}vorbis", "OpusHead", "\u{7F}FLAC", "Speex   "]
          .contains { content.starts(with: $0.utf8) }
    }
  }

  /// libsndfile would let the times begin with the first track, and end with the last page's time.
  @Sendable fileprivate static func areForFFmpeg(_ file: Region) -> Bool {
    let pages = OggPages(file)
    return pages.streams.values.count(where: \.isSound) > 1 || pages.endsBeforeItself
  }

  /// The whole recording is one unit; one that is torn reaches beyond the end.
  @Sendable fileprivate static func unit(_ file: Region, _ offset: Int64) -> Int64? {
    guard offset == 0 else { return nil }
    let pages = OggPages(file)
    return pages.next ?? (pages.isTorn ? .max : nil)
  }
}
