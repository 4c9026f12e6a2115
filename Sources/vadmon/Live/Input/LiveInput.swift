import ALSAInput
import AudioInput
import SystemPackage
import VoiceActivity

/// What is listened to, open.
struct LiveInput {
  /// What people and JSON call it, and what it agreed to.
  struct Description: Sendable, Hashable {
    enum Kind: String, Sendable {
      case device
      case file
      case standardInput = "stdin"
    }

    var kind: Kind
    var name: String
    /// In Hz.
    var sampleRate: Int
    /// Before any mixing or picking.
    var channelCount: Int
    var format: String
    /// How a device hands over its sound.
    var timing: Timing?
  }

  struct Timing: Sendable, Hashable {
    var period: Timestamp
    var buffer: Timestamp
  }

  let source: any PCMSource
  let description: Description
  /// What tells how a capture goes.
  var device: ALSASource? { source as? ALSASource }
  /// What tells what was wrong with a recording.
  let recording: (any RecordedSource)?
}

extension LiveInput {
  /// Throws sentences about what cannot be listened to.
  static func open(_ options: LiveOptions) throws(RunError) -> LiveInput {
    do {
      switch options.input {
      case .device(let name, let configuration):
        return LiveInput(try ALSASource(name, configuration: configuration))
      case .file(let path):
        let file = try Recording.open(path, channels: options.channel)
        return LiveInput(try PacedSource(file), playing: file, .file, name: path.nameAsInput)
      case .standardInput(let format):
        let pipe = try standardInput(format, options)
        return LiveInput(pipe, playing: pipe, .standardInput, name: "-")
      }
    } catch let error as CaptureError {
      throw RunError(error.description, exitCode: error.exitCode)
    } catch let error as AudioInputError {
      throw RunError(error.description, exitCode: error.exitCode)
    } catch {
      throw RunError("\(error)", exitCode: ExitStatus.inputOutput)
    }
  }

  /// Waits for as much as shows what it is. What is certainly raw PCM is not waited for.
  private static func standardInput(
    _ format: RawPCMFormat, _ options: LiveOptions
  ) throws(AudioInputError) -> any RecordedSource {
    let stream = try ByteStream(.standardInput, name: "standard input")
    guard options.raw.isCertain else {
      return try Recording.open(
        stream, rawFormat: format, isRaw: false, channels: options.channel)
    }
    return try RawPCMSource(stream, format: format, channels: options.channel, mayBeEmpty: false)
  }

  private init(_ device: ALSASource) {
    let rate = device.sampleRate
    source = device
    recording = nil
    description = Description(
      kind: .device, name: FileNames.printable(device.name), sampleRate: rate,
      channelCount: device.inputChannelCount, format: "\(device.sampleFormat)",
      timing: Timing(
        period: Timestamp(samples: UInt64(device.periodFrames), rate: rate),
        buffer: Timestamp(samples: UInt64(device.bufferFrames), rate: rate)))
  }

  private init(
    _ source: any PCMSource, playing recording: any RecordedSource, _ kind: Description.Kind,
    name: String
  ) {
    self.source = source
    self.recording = recording
    description = Description(
      kind: kind, name: name, sampleRate: recording.sampleRate,
      channelCount: recording.inputChannelCount, format: recording.formatName)
  }
}

extension LiveInput.Description {
  /// `name`, or "standard input".
  var nameInMessages: String { FileNames.asInput(name) }

  /// "default: 48000 Hz, 2 channels, S16_LE"; of a file's name its end.
  var title: String {
    let channels = channelCount == 1 ? "1 channel" : "\(channelCount) channels"
    let end = kind == .file ? name.split(separator: "/").last.map(String.init) : nil
    let name = end ?? nameInMessages
    return "\(name): \(sampleRate) Hz, \(channels), \(format)"
  }
}

extension RunError {
  /// What ended the listening.
  init(listening error: any Error) {
    switch error {
    case let error as CaptureError: self.init(error.description, exitCode: error.exitCode)
    case let error as AudioInputError: self.init(error.description, exitCode: error.exitCode)
    default: self.init("listening has failed: \(error)", exitCode: ExitStatus.unavailable)
    }
  }
}
