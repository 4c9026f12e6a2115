/// What turns the bytes of one recording into frames, from front to back.
///
/// Threads: one at a time, except for ``stopper``.
protocol SoundDecoder: AnyObject {
  /// What it decodes.
  var stream: ByteStream { get }
  /// The format, for example "WAV (Microsoft), Signed 16 bit PCM".
  var formatName: String { get }
  /// The rate and the number of channels of the frames that were read last, and before the first read of those that come
  /// first.
  var sampleRate: Int { get }
  var channelCount: Int { get }
  /// The bits of each sample, if they are integers or companded to integers; otherwise `nil`.
  var bitsPerSample: Int? { get }
  /// Whether samples may have more bits than the floats that are read hold.
  var exceedsFloats: Bool { get }
  /// The number of frames that the recording states; `nil` if it states none.
  var frameCount: Int64? { get }
  /// How chunks may follow.
  var chunks: ChunkForm? { get }

  /// Reads interleaved frames, full scale ±1: at least one, at most as many as fit. Returns the number of frames, 0 at the
  /// end.
  func read(into samples: UnsafeMutableBufferPointer<Float>) -> Int

  /// Ends the decoding. Leaves the stream behind what belongs to the recording, and returns what was wrong with it. Call
  /// it once, after the end.
  func finish() -> [AudioInputWarning]

  /// Ends a read that waits. Any thread may call it.
  var stopper: @Sendable () -> Void { get }
}

extension SoundDecoder {
  var bitsPerSample: Int? { nil }
  var exceedsFloats: Bool { false }
  var chunks: ChunkForm? { nil }
  var stopper: @Sendable () -> Void { stream.stop }
}

/// A decoder's refusal of a recording.
struct Refusal: Error {
  /// The decoder's name.
  var decoder: String
  /// What it says; `nil` when it does not know the format.
  var reason: String?

  // Reasons that have a remedy of their own.
  static let isMissing = "it is not on PATH"
  static let noSound = "there is no audio track"
  static let isPlaylist = "it is a playlist, or in a format that ffmpeg may not read here"
}

/// Decoded samples that have not been read.
struct PendingSamples {
  private var samples: [Float] = []
  private var start = 0

  var count: Int { samples.count - start }

  mutating func append(_ more: UnsafeBufferPointer<Float>) { samples += more }

  /// Appends `count` samples, which `body` writes.
  mutating func append(_ count: Int, _ body: (UnsafeMutablePointer<Float>) -> Void) {
    let held = samples.count
    appendZeros(count)
    samples.withUnsafeMutableBufferPointer { if count > 0 { body($0.baseAddress! + held) } }
  }

  mutating func appendZeros(_ count: Int) {
    samples.append(contentsOf: repeatElement(0, count: count))
  }
  mutating func dropFirst(_ count: Int) { start += min(count, self.count) }
  mutating func dropLast(_ count: Int) { samples.removeLast(min(count, self.count)) }

  /// Moves as many samples as fit, but leaves the last `held`. Returns how many.
  mutating func move(to buffer: UnsafeMutableBufferPointer<Float>, holding held: Int = 0) -> Int {
    let moved = min(buffer.count, max(0, count - held))
    _ = buffer.update(fromContentsOf: samples[start..<start + moved])
    start += moved
    if start == samples.count || start > 1 << 16 {
      samples.removeFirst(start)
      start = 0
    }
    return moved
  }
}
