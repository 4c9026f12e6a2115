/// Ogg, and what its pages tell.
///
/// Source: RFC 3533, section 6.
extension AudioFormat {
  /// Anywhere, the page must be the first of a stream, at time 0.
  static let ogg = AudioFormat(
    name: "Ogg", endings: ["ogg", "oga", "opus", "spx"], heads: ["OggS"],
    certainHeads: ["OggS\0\u{2}\0\0\0\0\0\0\0\0"], decoder: .libsndfile,
    flaws: OggPages.flaws, demuxers: ["ogg"], unit: OggPages.next)
}

/// What the pages of the first recording in an Ogg file tell together: the streams that run side by side begin with a
/// page each, and another recording begins where such a page follows others.
struct OggPages {
  /// Where the pages end before the file does.
  private var next: Int64?
  /// Whether a page is damaged or missing.
  private var isDamaged = false
  /// Whether the time of the last page lies before that of an earlier one. It trims the end of the sound, but never
  /// more than what the page itself holds.
  private var endsBeforeItself = false
  private var streams: [UInt32: Stream] = [:]

  private struct Stream {
    var lastNumber: UInt32
    var latest: Int64 = 0
    var isSound: Bool
    var hasEnded = false
  }

  init(_ file: Region) {
    var (offset, units, failures, isPastHeads) = (Int64(0), 0, 0, false)
    while offset < file.count, units < RecordingEnd.mostUnits, failures < Self.mostFailures {
      units += 1
      if let page = Page(file, offset) {
        if page.isFirst, isPastHeads {
          next = offset
          break
        }
        isPastHeads = !page.isFirst
        take(page)
        offset += page.length
      } else if isPastHeads,
        Tag.length(file, at: offset) != nil
          || AudioFormat(of: file, at: offset, behind: .ogg) != nil
      {
        next = offset
        break
      } else {
        // Foreign bytes and damaged pages are passed over; the numbers of the pages tell whether one is missing.
        failures += 1
        let page = file.search("OggS", from: offset + 1)
        if isPastHeads, let head = Self.head(file, offset + 1..<(page ?? file.count)) {
          next = head
          break
        }
        guard let page else {
          if hasEnded { next = offset }
          break
        }
        offset = page
      }
    }
  }

  /// The search must end soon in a file of nothing but damaged pages.
  private static let mostFailures = 1 << 10

  /// Returns where another recording begins within a page that was cut off.
  private static func head(_ file: Region, _ place: Range<Int64>) -> Int64? {
    let length = min(place.count, RecordingEnd.blockLength) + AudioFormat.headLength - 1
    let found = AudioFormat.search(file.upTo(length, at: place.lowerBound))
    return found.map { place.lowerBound + Int64($0.place) }
  }

  /// Whether every stream has its last page.
  private var hasEnded: Bool { streams.values.allSatisfy(\.hasEnded) && !streams.isEmpty }

  private mutating func take(_ page: Page) {
    if page.isFirst {
      streams[page.stream] = Stream(lastNumber: page.number, isSound: page.isSound)
      return
    }
    guard var stream = streams[page.stream] else { return }
    if page.number != stream.lastNumber &+ 1 { isDamaged = true }
    if page.isLast, stream.isSound, 0..<stream.latest ~= page.time { endsBeforeItself = true }
    (stream.lastNumber, stream.hasEnded) = (page.number, page.isLast)
    stream.latest = max(stream.latest, page.time)
    streams[page.stream] = stream
  }

  /// A page whose checksum is right.
  private struct Page {
    let length: Int64
    let isFirst, isLast: Bool
    /// −1 if no packet ends on the page.
    let time: Int64
    let stream, number: UInt32
    /// Whether it begins a stream of Vorbis, Opus, FLAC or Speex.
    let isSound: Bool

    init?(_ file: Region, _ offset: Int64) {
      let head = file.upTo(27 + 255, at: offset)
      guard head.count >= 27, head.has("OggS\0", at: 0), head.count >= 27 + Int(head[26]) else {
        return nil
      }
      let start = 27 + Int(head[26])
      length = head[27..<start].reduce(Int64(start)) { $0 + Int64($1) }
      let bytes = file.upTo(Int(length), at: offset)
      guard bytes.count == length, Self.checksum(bytes) == bytes.integer(at: 22) else { return nil }
      (isFirst, isLast) = (bytes[5] & 2 != 0, bytes[5] & 4 != 0)
      time = Int64(bitPattern: bytes.integer(at: 6))
      (stream, number) = (bytes.integer(at: 14), bytes.integer(at: 18))
      isSound =
        isFirst
        && ["\u{1}vorbis", "OpusHead", "\u{7F}FLAC", "Speex   "]
          .contains { bytes[start...].starts(with: $0.utf8) }
    }

    /// The CRC of a page, with its own four bytes as zeros.
    private static func checksum(_ page: [UInt8]) -> UInt32 {
      let rest = page[22...].dropFirst(4)
      let head = page[..<22].reduce(0, byte)
      return rest.reduce((0..<4).reduce(head) { crc, _ in byte(crc, 0) }, byte)
    }

    private static func byte(_ crc: UInt32, _ next: UInt8) -> UInt32 {
      crc << 8 ^ table[Int(crc >> 24 ^ UInt32(next))]
    }

    private static let table = (0..<256).map { index in
      (0..<8).reduce(UInt32(index) << 24) { crc, _ in crc << 1 ^ (crc >> 31) * 0x04C1_1DB7 }
    }
  }

  /// libsndfile lets the times begin with the first track, and end with the last page's time. It leaves out damaged
  /// pages, so that later times are early; ffmpeg puts silence in their place.
  @Sendable fileprivate static func flaws(_ file: Region) -> AudioFormat.Flaws {
    let pages = OggPages(file)
    let tracks = pages.streams.values.count(where: \.isSound)
    return AudioFormat.Flaws(
      isCutOff: !pages.hasEnded, isDamaged: pages.isDamaged,
      isForFFmpeg: tracks > 1 || pages.endsBeforeItself || pages.isDamaged)
  }

  /// The whole recording is one unit.
  @Sendable fileprivate static func next(_ file: Region, _ offset: Int64) -> Int64? {
    offset == 0 ? OggPages(file).next : nil
  }
}
