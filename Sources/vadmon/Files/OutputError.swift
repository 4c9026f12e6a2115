import Annotations
import AudioInput
import Glibc
import RealTime
import SystemPackage

/// Why results could not be written.
enum OutputError: Error, Hashable, CustomStringConvertible {
  /// The reader of a pipe has closed it, or the terminal has gone. There is no message, and the exit code is that of a
  /// process that SIGPIPE or SIGHUP ended.
  case closedPipe, closedTerminal
  /// The name was not in use before the run, but now is.
  case taken(name: String)
  /// The name is that of a recording that is read, or of another result of the same run.
  case claimed(name: String)
  case failed(name: String, Errno)
  /// A format of sound that cannot hold this many channels, or a file that cannot be sought in.
  case cannotHold(name: String, String, channels: Int)
  /// A folder for results could not be created.
  case noFolder(name: String, Errno)

  /// A file in the folder for temporary ones, of which it is made, could not be.
  case noTemporaryFile(name: String, Errno)
  /// PNG needs rsvg-convert, which is not installed.
  case noConverter(name: String)
  /// It failed, as a clause says.
  case converterFailed(name: String, String)

  init(name: String, _ errno: Errno) {
    self =
      switch errno {
      case .brokenPipe: .closedPipe
      case .fileExists: .taken(name: name)
      default: .failed(name: name, errno)
      }
  }

  init(folder: FilePath, _ errno: Errno) {
    self = .noFolder(name: printable(folder), errno)
  }

  var description: String {
    switch self {
    case .closedPipe, .closedTerminal: "the reader of the results has gone away"
    case .taken(let name):
      "cannot write \(name): a file of that name has appeared meanwhile; rename it, or add --force"
    case .claimed(let name):
      "cannot write \(name): a recording, a result or another segment of this run has that name; choose another "
        + "--segment-name or folder"
    case .failed(let name, let errno): "cannot write \(name): \(errno.reasonForWriting)"
    case .noTemporaryFile(let name, let errno):
      "cannot write \(name): it is made in \(Spool.folder) first: \(errno); \(Spool.remedy(errno))"
    case .noConverter(let name):
      "cannot write \(name): PNG needs rsvg-convert, which is not on PATH; install librsvg2-bin, "
        + "or end the name with .svg"
    case .converterFailed(let name, let complaint):
      "cannot write \(name): rsvg-convert \(complaint); see that \(Spool.folder) has room, or end the name with .svg"
    case .cannotHold(let name, let format, let channels):
      "cannot write \(name): \(format) needs a file that can be sought in, and no more channels than it has room for "
        + "(\(channels) here); write WAV instead: --segment-format wav, or a name ending in .wav"
    case .noFolder(let name, .notDirectory):
      "cannot make the folder \(name): a file has its name, or that of a folder above it; "
        + "name another folder"
    case .noFolder(let name, let errno):
      "cannot make the folder \(name): \(errno.reasonForWriting)"
    }
  }

  /// The signal that stands for a reader who has gone; `nil` if something else is wrong.
  var missingReader: Int32? {
    switch self {
    case .closedPipe: SIGPIPE
    case .closedTerminal: SIGHUP
    default: nil
    }
  }

  var exitCode: Int32 {
    switch self {
    case .closedPipe: ExitStatus.ended(by: SIGPIPE)
    case .closedTerminal: ExitStatus.ended(by: SIGHUP)
    case .noConverter, .converterFailed: ExitStatus.unavailable
    case .taken, .claimed, .failed, .cannotHold, .noFolder, .noTemporaryFile: ExitStatus.inputOutput
    }
  }
}

extension FileDescriptor {
  /// Returns whether the descriptor accepts bytes now or within some milliseconds. A regular file always does.
  ///
  /// It is async-signal-safe (signal-safety(7)).
  func takesBytes(within milliseconds: Int32 = 0) -> Bool {
    var polled = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
    return poll(&polled, 1, milliseconds) == 1
  }

  /// Writes all bytes, or throws.
  func write(all bytes: some Sequence<UInt8>, name: String) throws(OutputError) {
    do throws(Errno) {
      try writeAllWaiting(Array(bytes))
    } catch {
      throw error == .ioError && isDevice ? .closedTerminal : OutputError(name: name, error)
    }
  }

  /// Writes all bytes. It waits for the reader also if another process has made the pipe or terminal non-blocking.
  func writeAllWaiting(_ bytes: [UInt8]) throws(Errno) {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(Errno) in try writeAllWaiting(bytes) }
    }.get()
  }

  func writeAllWaiting(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
    var rest = bytes
    while !rest.isEmpty {
      do {
        rest = .init(rebasing: rest[try write(rest)...])
      } catch Errno.resourceTemporarilyUnavailable {
        _ = takesBytes(within: -1)
      } catch {
        throw error as? Errno ?? .ioError
      }
    }
  }

  /// The error of writing, now that poll(2) has reported one.
  var readerHasGone: OutputError { isDevice ? .closedTerminal : .closedPipe }

  /// Whether this is a terminal or another device. isatty(3) denies it of a terminal that has gone.
  private var isDevice: Bool { (try? stat().type) == .characterSpecial }
}

extension Errno {
  /// What is wrong, and what to do about it.
  var reasonForWriting: String {
    switch self {
    case .isDirectory: "it is a folder; name a file in it"
    case .noSuchFileOrDirectory: "its folder does not exist; make it, or name another one"
    case .notDirectory: "what should be its folder is a file; name another folder"
    case .notSupported: "nothing can be made there; name another folder"
    case .permissionDenied, .notPermitted: "\(self); check your permission to write there"
    case .readOnlyFileSystem: "the file system is read-only; name a file elsewhere"
    case .noSpace: "the disk is full; make room, or write it elsewhere"
    case .diskQuotaExceeded: "your quota is used up; make room, or write it elsewhere"
    case .fileTooLarge:
      "it has grown to the limit for files; raise the limit (ulimit -f)"
    case .noSuchAddressOrDevice: "it is a pipe that nobody reads; start its reader first"
    case .badFileDescriptor: "it is closed; open it, or send it to /dev/null"
    case .fileNameTooLong: "the name is too long; choose a shorter one"
    default: "\(self); \(remedyForStarting ?? "check the disk, or write it elsewhere")"
    }
  }
}
