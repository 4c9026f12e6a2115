import ALSAInput
import Annotations
import AudioInput
import RealTime
import SystemPackage

/// The open input.
struct LiveInput {
  /// The input as described to people and in JSON, with the parameters that the device accepted.
  struct Description: Sendable, Hashable {
    enum Kind: String, Sendable {
      case device
      case file
      case standardInput = "stdin"
    }

    var kind: Kind
    var name: String
    /// The sample rate in Hz.
    var sampleRate: Int
    /// The number of channels before any mixing or selection.
    var channelCount: Int
    var format: String
    /// The device's period and buffer; `nil` for other inputs.
    var timing: Timing?
  }

  struct Timing: Sendable, Hashable {
    var period: MediaTime
    var buffer: MediaTime
  }

  let source: any PCMSource
  let description: Description
  /// The device, which reports the status of the capture.
  var device: ALSASource? { source as? ALSASource }
  /// What is wrong with the sound of a device so far.
  var deviceWarnings: [AudioInputWarning] { (device?.faults ?? []).map(AudioInputWarning.init) }
  /// The recording, which reports problems with its data.
  let recording: (any RecordedSource)?
}

extension LiveInput {
  /// Opens the input. Throws an error whose message says why it cannot be opened.
  ///
  /// - Parameter waiting: Called before opening waits for a pipe or for ffmpeg.
  static func open(
    _ options: LiveOptions, waiting: @escaping AudioFileSource.Waiting
  ) throws(RunError) -> LiveInput {
    do {
      switch options.input {
      case .device(let name, let configuration):
        return LiveInput(try ALSASource(name, configuration: configuration))
      case .file(let path):
        let file = try AudioFileSource(path: path, channels: options.channel, waiting: waiting)
        return LiveInput(PacedSource(file), playing: file, .file, name: path.nameAsInput)
      case .standardInput(let format):
        let pipe = try standardInput(format, options, waiting)
        return LiveInput(pipe, playing: pipe, .standardInput, name: "-")
      }
    } catch let error as CaptureError {
      let other =
        if case .noSuchDevice = error { ", or play a recording: --input FILE" } else { "" }
      throw RunError(error.sentence + other, exitCode: error.exitCode)
    } catch let error as AudioInputError {
      throw RunError(error.description, exitCode: error.exitCode)
    } catch {
      throw RunError("\(error)", exitCode: ExitStatus.inputOutput)
    }
  }

  /// Opens the device that delivers what the loudspeaker plays. Throws an error whose message says why it cannot be
  /// opened.
  static func openReference(
    _ reference: LiveOptions.Reference, _ inbox: LiveInbox
  ) throws(RunError) -> any PCMSource {
    do {
      return try NamedReference(
        reference, warn: { inbox.put(.warning($0)) }, onChange: { inbox.put(.reference($0)) })
    } catch let error as CaptureError {
      throw RunError("the reference cannot be used: \(error.sentence)", exitCode: error.exitCode)
    } catch {
      throw RunError(
        "the reference \(printable(reference.device)) cannot be used: \(error)",
        exitCode: ExitStatus.unavailable)
    }
  }

  /// Opens standard input. Waits for enough bytes to detect the format, unless the options state that it is raw PCM.
  private static func standardInput(
    _ format: RawPCMFormat, _ options: LiveOptions, _ waiting: @escaping AudioFileSource.Waiting
  ) throws(AudioInputError) -> any RecordedSource {
    let stream = try ByteStream(.standardInput, name: "standard input")
    guard options.raw.isCertain else {
      return try AudioFileSource(
        stream, rawFormat: format, isRaw: false, channels: options.channel, waiting: waiting)
    }
    return try AudioFileSource(stream, raw: format, options.channel, mayBeEmpty: false)
  }

  private init(_ device: ALSASource) {
    let rate = device.sampleRate
    source = device
    recording = nil
    description = Description(
      kind: .device, name: printable(device.name), sampleRate: rate,
      channelCount: device.inputChannelCount, format: "\(device.sampleFormat)",
      timing: Timing(
        period: MediaTime(samples: UInt64(device.periodFrames), rate: rate),
        buffer: MediaTime(samples: UInt64(device.bufferFrames), rate: rate)))
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
  var nameInMessages: String { RecordingName.shown(name) }

  /// A title such as "default: 48000 Hz, 2 channels, S16_LE". A file appears without its folders.
  var title: String {
    let end = kind == .file ? name.split(separator: "/").last.map(String.init) : nil
    let name = end ?? nameInMessages
    return "\(name): \(sampleRate) Hz, \(channelCount.inChannels), \(format)"
  }
}

extension RunError {
  /// Creates the error that ended listening.
  init(listening error: any Error) {
    switch error {
    case let error as CaptureError: self.init(error.sentence, exitCode: error.exitCode)
    case let error as AudioInputError: self.init(error.description, exitCode: error.exitCode)
    default: self.init("listening has failed: \(error)", exitCode: ExitStatus.unavailable)
    }
  }
}
