/// The media of an annotation file of ELAN, of which one is the recording that the labels are for.
///
/// ELAN's time line begins at TIME_ORIGIN of each medium: the first milliseconds of a medium are skipped so that
/// several play in step (ELAN manual, "Synchronizing media files"). So a time in the medium is the annotation's plus
/// TIME_ORIGIN. The schema (EAFv3.0.xsd) has no other attribute that moves times.
struct EAFMedia {
  private struct Medium {
    var name: String
    var isAudio: Bool
    /// Where ELAN's time line begins in the medium, in seconds.
    var origin: Double
  }

  /// The name of the recording.
  private let recording: String
  private var media: [Medium] = []

  init(recording: String) { self.recording = recording }

  /// Returns a URL without its percent signs (RFC 3986, 2.1).
  private static func decoded(_ url: String) -> String {
    let parts = url.split(separator: "%", omittingEmptySubsequences: false)
    let bytes = parts.dropFirst().flatMap { part in
      UInt8(part.prefix(2), radix: 16).map { [$0] + part.utf8.dropFirst(2) }
        ?? Array("%\(part)".utf8)
    }
    return String(decoding: parts[0].utf8 + bytes, as: UTF8.self)
  }

  /// Adds the medium of a MEDIA_DESCRIPTOR.
  mutating func add(_ attributes: [String: String]) throws(LineFault) {
    let origin = attributes["TIME_ORIGIN"] ?? "0"
    guard let milliseconds = Int64(origin),
      (-Self.latestOrigin...Self.latestOrigin).contains(milliseconds)
    else {
      throw LineFault("the TIME_ORIGIN \(printable(origin)) is not in milliseconds: correct it")
    }
    let url = attributes["RELATIVE_MEDIA_URL"] ?? attributes["MEDIA_URL"] ?? ""
    media.append(
      Medium(
        name: RecordingName.fileID(Self.decoded(url)),
        isAudio: attributes["MIME_TYPE"]?.hasPrefix("audio/") == true,
        origin: Double(milliseconds) / 1000))
  }

  /// Returns a span of ELAN's time line as one of the recording; `nil` if it lies before the recording begins.
  func span(_ span: LabelledSpan) throws(LineFault) -> LabelledSpan? {
    guard let origin = chosen?.origin, origin != 0 else { return span }
    guard span.end + origin >= 0 else { return nil }
    return try LabelledSpan(start: max(0, span.start + origin), end: span.end + origin)
  }

  /// A clause if the media begin at different times, so that the choice matters.
  var remarks: [String] {
    guard let chosen, media.contains(where: { $0.origin != chosen.origin }) else { return [] }
    return [
      "its media begin at different times (TIME_ORIGIN), and the labels are read as those of \(printable(chosen.name)): "
        + "give the labels the name of the recording that they are for"
    ]
  }

  /// The medium with the name of the labels; without one the first with sound alone, which comes from the recorder, or
  /// else the first, which is ELAN's master.
  private var chosen: Medium? {
    let named = media.filter { $0.name == recording }
    let candidates = named.isEmpty ? media : named
    return candidates.first(where: \.isAudio) ?? candidates.first
  }

  /// The greatest TIME_ORIGIN in ms, that of the latest time.
  private static let latestOrigin: Int64 = 1_000_000_000
}
