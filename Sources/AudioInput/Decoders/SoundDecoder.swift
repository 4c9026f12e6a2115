internal import RealTime
internal import SystemPackage

/// What turns the bytes of one recording into frames, from front to back.
///
/// Threads: one at a time, except for ``stopper``.
protocol SoundDecoder: AnyObject {
  /// What it decodes.
  var stream: ByteStream { get }
  /// What the recording says about itself; valid as soon as the decoder exists.
  var info: SoundInfo { get }

  /// Decodes the next frames, all in one format, if possible no more than `wanted`. Returns `nil` at the end.
  func next(_ wanted: Int) -> SoundBlock?

  /// Passes over frames without decoding them, `count` of them or fewer. Returns how many; 0 where that is not
  /// possible.
  func pass(_ count: Int64) -> Int64

  /// Ends the decoding. Leaves the stream behind what belongs to the recording, and returns what was wrong with it.
  /// Call it once, after the end.
  func finish() -> [AudioInputWarning]

  /// Ends a read that waits. Any thread may call it.
  var stopper: @Sendable () -> Void { get }
}

extension SoundDecoder {
  func pass(_ count: Int64) -> Int64 { 0 }

  var stopper: @Sendable () -> Void { stream.stop }
}

/// The rate and the number of channels of frames.
struct SoundFormat: Hashable {
  var sampleRate = 0
  var channelCount = 0

  func seconds(_ frames: Int64) -> Double { Double(frames) / Double(sampleRate) }
}

/// Interleaved frames in one format, full scale ±1.
struct SoundBlock {
  var format: SoundFormat
  var samples: [Float]
  /// The number of frames of silence before them, which may last for hours.
  var silentFrames: Int64 = 0

  var frameCount: Int { samples.count / format.channelCount }
}

/// What a recording says about itself.
struct SoundInfo {
  /// The names of container and encoding, for example "WAV (Microsoft), Signed 16 bit PCM".
  var name: String
  /// The format with which it begins.
  var format: SoundFormat
  /// The bits of each sample, if they are integers or companded to integers; otherwise `nil`.
  var bitsPerSample: Int?
  /// Whether samples may have more bits than the floats that are read hold.
  var exceedsFloats: Bool
  /// The number of frames that it states; `nil` if it states none.
  var frameCount: Int64?
  /// The time in seconds that the container gives to its beginning.
  var containerStart = 0.0
  /// How chunks may follow it.
  var chunks: ChunkForm?

  /// - Parameter samples: How the samples are stored, if they are PCM.
  init(_ name: String, _ format: SoundFormat = SoundFormat(), _ samples: RawSampleFormat? = nil) {
    (self.name, self.format) = (name, format)
    (bitsPerSample, exceedsFloats) = (samples?.bitsPerSample, samples?.exceedsFloats ?? false)
  }
}

/// A refusal of a recording.
struct Refusal: Error, Hashable {
  /// A clause that says who refuses it and why.
  var reason: String
  /// What this process lacks to ask a decoder: the recording is not at fault.
  var shortage: Errno?

  static let noSound = Refusal(reason: "there is no audio track")
  /// It names other files, or may do so.
  static let playlist = Refusal(
    reason: "it is a playlist, or in a format that ffmpeg may not read here")
  /// It is MP4 or MOV without the table that says where the sound is, which most programs write last.
  static let noIndex = Refusal(
    reason: "it is cut off: its index (moov), which comes last, is missing")
  static let noFFmpeg = Refusal(reason: "ffmpeg is not on PATH")

  static func says(_ decoder: String, _ words: String) -> Refusal {
    Refusal(reason: "\(decoder) says \"\(words)\"")
  }

  /// ffmpeg, its pipes or its thread could not be started.
  static func cannotStartFFmpeg(_ error: any Error) -> Refusal {
    let errno =
      switch error {
      case AudioInputError.readFailed(_, let errno): errno
      default: error as? Errno ?? .ioError
      }
    return Refusal(reason: "ffmpeg cannot be started: \(errno)", shortage: errno)
  }
}
