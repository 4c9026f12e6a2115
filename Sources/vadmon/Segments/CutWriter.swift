import VoiceActivity

/// A writer of the sound of cuts, to one file each or to one for all.
///
/// A cut is written as soon as it is sure, so that a long one takes little memory: what is kept is the sound that the
/// cutter may still need.
struct CutWriter {
  /// Where the sound of a cut goes.
  protocol Destination: AnyObject {
    /// A cut begins at `start`.
    func begin(at start: UInt64) throws(OutputError)
    func write(_ frames: Span<Float>) throws(OutputError)
    /// The cut is complete.
    func end(_ cut: SpeechCut) throws(OutputError)
  }

  private let destination: any Destination
  private let fade: UInt64
  private var buffer: SoundBuffer
  /// How far the cut that is being written has come; `nil` if none is.
  private var written: UInt64?
  private var start: UInt64 = 0
  /// Whether the newest cut continues in the next one.
  private var follows = false
  private var newestEnd: UInt64 = 0

  /// - Parameter fade: In frames.
  init(_ destination: any Destination, channelCount: Int, fade: UInt64) {
    self.destination = destination
    self.fade = fade
    buffer = SoundBuffer(channelCount: channelCount)
  }

  /// The position up to which the stream was heard.
  var end: UInt64 { buffer.end }

  /// Takes the next interleaved frames of the stream.
  mutating func append(_ frames: Span<Float>) { buffer.append(frames) }

  /// Takes missing frames, which become silence.
  mutating func skip(_ count: UInt64) { buffer.append(silence: count) }

  /// Writes a complete cut, all of which was heard.
  mutating func save(_ cut: SpeechCut) throws(OutputError) {
    try write(upTo: cut.end, of: cut)
    try destination.end(cut)
    written = nil
    (follows, newestEnd) = (cut.continues, cut.end)
  }

  /// Writes what surely belongs to the next cut, and forgets what no cut needs (``SpeechCutter/beginning``).
  mutating func advance(_ beginning: Range<UInt64>) throws(OutputError) {
    // A range that was read before the newest cut was saved says nothing about the next.
    guard beginning.lowerBound >= newestEnd else { return }
    let sure = min(beginning.upperBound, buffer.end)
    // The fade at the end is not due yet, and a cut shorter than two fades has shorter ones.
    if !beginning.isEmpty, sure >= beginning.lowerBound + 2 * fade {
      try write(
        upTo: sure - fade,
        of: SpeechCut(start: beginning.lowerBound, end: .max, decidedAt: 0, continues: true))
    }
    buffer.drop(before: written ?? beginning.lowerBound)
  }

  private mutating func write(upTo end: UInt64, of cut: SpeechCut) throws(OutputError) {
    if written == nil {
      try destination.begin(at: cut.start)
      (start, written) = (cut.start, cut.start)
    }
    precondition(start == cut.start, "a cut begins where it was announced")
    while let position = written, position < end {
      let range = position..<min(end, position + 65_536)
      var frames = buffer.frames(range)
      if fade > 0 {
        SpeechCutter.fade(
          &frames, channelCount: buffer.channelCount, at: position, of: cut, follows: follows,
          length: fade)
      }
      try destination.write(frames.span)
      written = range.upperBound
    }
  }
}
