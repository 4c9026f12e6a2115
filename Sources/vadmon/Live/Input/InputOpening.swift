import ALSAInput
import Annotations
import AudioInput
import Glibc
import RealTime
import SystemPackage
import VoiceActivity

/// The opening of the input, and of the files to record to, on a separate thread: libasound waits up to half a minute
/// for a sound server that hangs, open(2) as long as a disk hangs, and neither can be interrupted.
struct InputOpening {
  enum Outcome {
    case opened(Opened)
    /// The user or `--duration` ended the run before the input was open. The input is not at fault.
    case interrupted
  }

  /// An open input, and what records it.
  struct Opened: Sendable {
    let input: LiveInput
    let startedAt: WallClock
    /// When to end after the device was waited for; `nil` if it was not, or may take any time.
    var end: Ticker.Instant?
    var hasWaited = false
    /// The source to listen to, which passes its samples on to the recorders.
    var source: any PCMSource
    var recorders: [Recorder] = []
    /// Where the segments to save go; `nil` if none are saved.
    var segments: LiveSegmentQueue?
    /// What the loudspeaker plays; `nil` if nobody named it.
    let reference: (any PCMSource)?
  }

  private let options: LiveOptions
  private let inbox: LiveInbox
  private let end: Ticker.Instant?

  init(_ options: LiveOptions, _ inbox: LiveInbox) throws(RunError) {
    (self.options, self.inbox) = (options, inbox)
    end = options.duration.map { .now + $0 }
    let isStarted = JoinableThread.startDetached {
      do throws(RunError) {
        inbox.put(.opened(.success(try Self.open(options, inbox))))
      } catch {
        inbox.put(.opened(.failure(error)))
      }
    }
    guard isStarted else {
      throw RunError(noThread: "to open the input")
    }
  }

  private static func open(_ options: LiveOptions, _ inbox: LiveInbox) throws(RunError) -> Opened {
    let (input, reference) = try openSources(options, inbox)
    var opened = Opened(
      input: input, startedAt: .now, source: input.source, reference: reference)
    let canWait = input.description.kind == .standardInput
    if let saving = options.segments?.saving {
      let queue = LiveSegmentQueue()
      opened.record(
        try LiveSegments.record(
          opened.source, canWait: canWait, saving,
          SegmentFiles.Input(input, options, saving, opened.startedAt),
          queue, onSaved: { inbox.put(.saved($0, $1)) },
          onFailure: { inbox.put(.recordingEnded($0)) }))
      opened.segments = queue
    }
    // Last, so that no file remains of what fails before.
    if let path = options.record {
      opened.record(
        try RecordedFile.record(
          opened.source, canWait: canWait, to: path, onFailure: { inbox.put(.recordingEnded($0)) }))
    }
    return opened
  }

  /// Opens the input and the reference. With `--wait`, both are tried again until they can be used.
  private static func openSources(
    _ options: LiveOptions, _ inbox: LiveInbox
  ) throws(RunError) -> (LiveInput, (any PCMSource)?) {
    var reported: [String] = []
    while true {
      do {
        let input = try LiveInput.open(options) { awaited, _, _ in
          if awaited == .decoder { inbox.put(.decoderStarted) }
        }
        return (
          input,
          try options.reference.map { reference throws(RunError) in
            try LiveInput.openReference(reference, inbox)
          }
        )
      } catch {
        guard options.waitsForDevice, error.exitCode == ExitStatus.unavailable else { throw error }
        if error.messages != reported {
          reported = error.messages
          inbox.put(.waiting(DeviceChange(waitingAfter: error)))
        }
      }
      usleep(retryInterval)
    }
  }

  /// The time between two attempts to open a device, µs.
  private static let retryInterval: UInt32 = 500_000

  /// Waits until the input is open or the user asks for the end. Throws if the input cannot be opened or the duration
  /// has passed, unless it is the device that was waited for.
  ///
  /// - Parameter show: Shows why the device is waited for, which is new or was removed from the screen.
  func wait(
    showing show: (_ wait: DeviceChange, _ isNew: Bool) -> Void
  ) throws(RunError) -> Outcome {
    var others: [LiveNews] = []
    var waitsForDecoder = false
    var waited: DeviceChange?
    defer { inbox.putBack(others) }
    while true {
      let left = end.map { ($0 - .now) / .milliseconds(1) }
      inbox.wake.wait(atMost: left.map { Int32(clamping: Int(max(0, $0.rounded(.up)))) } ?? -1)
      var news = inbox.take()[...]
      while let item = news.popFirst() {
        switch item {
        case .opened(.success(var opened)):
          if waited != nil { (opened.hasWaited, opened.end) = (true, end) }
          // What came after it is for the session.
          others += news
          return .opened(opened)
        case .opened(.failure(let error)): throw error
        case .decoderStarted: waitsForDecoder = true
        case .waiting(let change):
          waited = change
          show(change, true)
        case .resized, .resumed:
          others.append(item)
          if let waited { show(waited, false) }
        case .interrupted: return .interrupted
        case .unwritable(let error): throw RunError(error)
        default: others.append(item)
        }
      }
      if let end, .now >= end {
        if waited != nil { return .interrupted }
        throw noAnswer(fromDecoder: waitsForDecoder)
      }
    }
  }

  private func noAnswer(fromDecoder isDecoding: Bool) -> RunError {
    switch options.input {
    case .file(let path) where isDecoding: noSound(of: path.nameAsInput)
    case .standardInput where isDecoding: noSound(of: "standard input")
    case .device(let name, _):
      RunError(
        "\(printable(name)) has not answered: if it belongs to a sound server, restart that",
        exitCode: ExitStatus.unavailable)
    case .file(let path) where path.type == .fifo:
      RunError(
        "cannot open \(path.nameAsInput): nobody writes to the pipe yet; start what does",
        exitCode: ExitStatus.unavailable)
    case .file(let path):
      RunError(
        "cannot open \(path.nameAsInput): the system has not answered yet; check its disk",
        exitCode: ExitStatus.unavailable)
    case .standardInput:
      RunError(
        "too little has come on standard input to begin: check the program that writes it",
        exitCode: ExitStatus.unavailable)
    }
  }

  private func noSound(of name: String) -> RunError {
    RunError(
      "cannot open \(name): ffmpeg has decoded nothing yet; raise --duration, or check the ffmpeg on PATH",
      exitCode: ExitStatus.unavailable)
  }
}

extension DeviceChange {
  fileprivate init(waitingAfter error: RunError) {
    self.init(
      state: .waitingForDevice, sentence: "waiting: \(error.messages.joined(separator: "; "))")
  }
}

extension InputOpening.Opened {
  fileprivate mutating func record(_ recording: (recorder: Recorder, tap: RecordingTap)) {
    recorders.append(recording.recorder)
    source = recording.tap
  }
}

extension SegmentFiles.Input {
  fileprivate init(
    _ input: LiveInput, _ options: LiveOptions, _ saving: SegmentSaving, _ startedAt: WallClock
  ) {
    folder = saving.folder
    let description = input.description
    stem = if case .file(let path) = options.input { path.stemText } else { startedAt.fileName }
    channel = if case .channel(let number) = options.channel { number } else { nil }
    // The mean of several channels has more bits than each of them.
    let isMean = options.channel == .mix && description.channelCount > 1
    format = SoundFormat(
      rate: description.sampleRate, channelCount: input.source.channelCount,
      bits: isMean ? nil : input.recording?.bitsPerSample)
  }
}
