import Annotations
import ArgumentParser
import AudioInput
import Processes
import RealTime
import SystemPackage

/// Encodes one channel as Opus in Ogg with ffmpeg, while it is analysed. Its memory does not grow with the recording:
/// the result is in a file without a name until ``finish()`` reads it.
///
/// Threads: one at a time.
final class OpusEncoder {
  /// What speech needs, in bits per second: 11 MB an hour.
  static let bitrate = 24_000

  /// The help of `--embed-audio`.
  static let help: ArgumentHelp = """
    Put the sound into the --report, as Opus at \(bitrate / 1000) kbit/s a channel (with ffmpeg).
    """

  private let name: String
  private let child: ChildProcess
  private let input: FileDescriptor
  private let result: FileDescriptor
  private let interruption: Interruption?
  private var hasEnded = false
  /// Whether ffmpeg no longer takes samples. Its exit status says why.
  private var isBroken = false

  /// Starts ffmpeg for a recording, which `name` names in messages. `interruption` ends one that hangs.
  init(name: String, rate: Int, interruption: Interruption? = nil) throws(ErrorRecord) {
    (self.name, self.interruption) = (name, interruption)
    do throws(Errno) {
      result = try Spool.makeFile()
    } catch {
      throw Self.failure(name, error)
    }
    do throws(Errno) {
      let options = """
        -hide_banner -loglevel error -f f32le -ar \(rate) -ac 1 -i pipe:0 -c:a libopus \
        -b:a \(Self.bitrate) -f ogg pipe:1
        """
      var command = ChildProcess.Command(
        "ffmpeg", options.split(separator: " ").map { Array($0.utf8) })
      command.output = result
      do throws(Errno) {
        let (child, pipes) = try command.start(piping: \.input)
        (self.child, input) = (child, pipes[0])
      } catch {
        try? result.close()
        throw error
      }
    } catch {
      guard ChildProcess.notFound.contains(error) else { throw Self.failure(name, error) }
      throw ErrorRecord(file: name, message: Self.missing, exitCode: ExitStatus.unavailable)
    }
    interruption?.watch(self, ending: child)
  }

  deinit {
    interruption?.forget(self)
    if !hasEnded {
      try? input.close()
      child.kill()
      _ = child.wait(endingGroup: true)
    }
    try? result.close()
  }

  func add(_ samples: Span<Float>) {
    guard !isBroken, !samples.isEmpty else { return }
    // WAV and ffmpeg's f32le are little endian, as is every machine that vadmon is built for.
    let isWritten = samples.withUnsafeBufferPointer { samples in
      (try? input.writeAll(UnsafeRawBufferPointer(samples))) != nil
    }
    isBroken = !isWritten
  }

  func addGap(_ count: UInt64) {
    let silence = [Float](repeating: 0, count: 4096)
    var left = count
    while left > 0 {
      let portion = min(left, UInt64(silence.count))
      add(silence.span.extracting(first: Int(portion)))
      left -= portion
    }
  }

  /// Waits for ffmpeg and returns its result.
  func finish() throws(ErrorRecord) -> [UInt8] {
    try? input.close()
    hasEnded = true
    if let complaint = child.wait(endingGroup: true).complaint {
      throw ErrorRecord(
        file: name,
        message: """
          cannot encode \(name) for --embed-audio: ffmpeg \(complaint); install one with libopus, see \
          that \(Spool.folder) has room, or leave --embed-audio out
          """, exitCode: ExitStatus.unavailable)
    }
    do {
      return try result.readWhole()
    } catch {
      throw Self.failure(name, error)
    }
  }

  private static func failure(_ name: String, _ errno: Errno) -> ErrorRecord {
    ErrorRecord(
      file: name,
      message:
        "cannot encode \(name) for --embed-audio in \(Spool.folder): \(errno); \(errno.remedyForStarting ?? Spool.remedy(errno))",
      exitCode: ExitStatus.inputOutput)
  }

  private static let missing =
    "--embed-audio needs ffmpeg, which is not on PATH; install it, or leave --embed-audio out"

  /// Throws if there is no ffmpeg, before anything is analysed.
  static func checkIsInstalled() throws(RunError) {
    if !ProgramSearch.finds("ffmpeg") {
      throw RunError(missing, exitCode: ExitStatus.unavailable)
    }
  }
}
