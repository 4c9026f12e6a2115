import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import vadmon

/// Labels, traces and the recordings of `vadmon compare` that other programs change while they are read.
/// `AudioInputTests` changes the recordings of each decoder.
@Suite(.timeLimit(.minutes(5))) struct ChangedInputTests {
  private let folder = TemporaryFolder()

  /// What other programs do to the file `$1` in the folder.
  enum Change: String, CaseIterable {
    case replaced = "echo something else > new; mv new \"$1\""
    case appended = "cp \"$1\" copy; cat copy >> \"$1\""
    case halved = "truncate -s $(($(stat -c %s \"$1\") / 2)) \"$1\""
    case emptied = ": > \"$1\""

    /// Whether the file has lost what it had when it was opened.
    var isLoss: Bool { self == .halved || self == .emptied }
  }

  private func apply(_ change: Change, to name: String) throws {
    let result = try Program.shell(change.rawValue, name, in: folder)
    #expect(result.status == 0, "\(result.errors)")
  }

  // MARK: labels

  /// Before anything is counted, a file is read whole, as long as it was when it was opened. `skipped` bytes come
  /// before it: standard input may be a file that another program has begun to read.
  @Test(arguments: Change.allCases, [0, 100])
  func halfAFileIsNotTakenForAWhole(change: Change, skipped: Int) throws {
    let text = Data((0..<20_000).map { "\($0).0\t\($0).5\tspeech\n" }.joined().utf8)
    let path = FilePath(try folder.write(text, to: "labels.txt"))
    let descriptor = try path.open()
    defer { try? descriptor.close() }
    try descriptor.seek(offset: Int64(skipped), from: .start)
    var file = OpenedFile(descriptor)
    var bytes: [UInt8] = []
    #expect(try file.read(onto: &bytes) && bytes.count < text.count / 4)
    try apply(change, to: "labels.txt")
    guard change.isLoss else {
      while try file.read(onto: &bytes) {}
      #expect(bytes == Array(text[skipped...]))
      return
    }
    #expect(throws: Errno.staleNFSFileHandle) { while try file.read(onto: &bytes) {} }
    let error = RunError(cannotRead: path, .staleNFSFileHandle)
    #expect(error.exitCode == ExitStatus.inputOutput)
    expectMessage(error.messages.joined(separator: "\n"), path.string, "shorter", "try again")
  }

  /// Nothing states the length of these.
  @Test func pipesAndTheKernelsFilesAreReadToTheirEnd() throws {
    let size = 200_000
    let pipe = Pipe()
    let writing = Thread {
      try? pipe.fileHandleForWriting.write(contentsOf: Data(repeating: 10, count: size))
      try? pipe.fileHandleForWriting.close()
    }
    writing.start()
    var file = OpenedFile(
      FileDescriptor(rawValue: pipe.fileHandleForReading.fileDescriptor))
    var bytes: [UInt8] = []
    while try file.read(onto: &bytes) {}
    #expect(bytes.count == size)
    #expect(try !FilePath("/proc/self/status").readAll().isEmpty)
  }

  // MARK: traces

  /// Vadmon waits for the reader of its results, and has not read all of the trace yet.
  @Test(.tags(.slow), arguments: Change.allCases) func aTraceIsReplayedAsItWasOpened(change: Change)
    throws
  {
    var lines = [
      #"{"at": 0, "type": "stream", "participant": "alice", "layers": [{"spatial": 0, "width": 320, "height": 180, "bps": 150000}]}"#
    ]
    lines += (0..<2500).map {
      "{\"at\": \($0), \"type\": \"demand\", \"participant\": \"alice\", \"visible\": \($0 % 2 == 0)}"
    }
    let trace = try folder.write(lines.joined(separator: "\n") + "\n", to: "trace.jsonl")
    let whole = try Program.vadmon("pause", trace)
    #expect(whole.status == 0 && whole.bytes.count > 1_000_000)

    let pipe = Pipe()
    let program = try RunningProgram(command: ["pause", trace], output: pipe)
    try pipe.fileHandleForWriting.close()
    try program.waitUntil {
      var count: Int32 = 0
      return ioctl(pipe.fileHandleForReading.fileDescriptor, UInt(FIONREAD), &count) == 0
        && count > 0
    }
    try apply(change, to: "trace.jsonl")
    let printed = try pipe.fileHandleForReading.readToEnd() ?? Data()
    let status = program.wait()
    let errors = try program.errors
    guard change.isLoss else {
      #expect(status == 0 && errors == whole.errors && printed == whole.bytes, "\(errors)")
      return
    }
    #expect(status == 74)
    expectMessage(errors, trace, "shorter", "try again")
    #expect(whole.bytes.starts(with: printed) && printed.count < whole.bytes.count)
  }

  // MARK: recordings

  /// What `--embed-audio` takes for ffmpeg changes the recording before it takes any sound. Meanwhile vadmon has opened
  /// the recording, and waits behind a full pipe.
  @Test(.tags(.slow), arguments: Change.allCases) func theSoundIsThatWhichWasOpened(change: Change)
    throws
  {
    try folder.write("0.5\t1.5\tspeech\n", to: "a.txt")
    try folder.write("a 1 0 30\n", to: "lengths.uem")
    let sound = TestAudio.wav(TestAudio.voice(seconds: 30))
    func compare(_ changing: String) throws -> (Program.Result, JSONObject) {
      try folder.write(sound, to: "a.wav")
      try folder.script(
        """
        cd '\(folder.path)' && set -- a.wav "$@" && { \(changing); } && shift
        PATH=${PATH#*:}
        exec ffmpeg "$@"
        """, to: "bin/ffmpeg")
      let result = try Program.vadmon(
        "compare", "a.txt", "a.txt", "--uem", "lengths.uem", "--report", "page.html",
        "--recordings", "a.wav", "--embed-audio", in: folder, environment: folder.programsFirst)
      var shown = try folder.pageData("recording-1")
      // Each Ogg stream has a random number.
      #expect(shown.removeValue(forKey: "audio") is String)
      return (result, shown)
    }
    let (result, whole) = try compare("true")
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let (changed, shown) = try compare(change.rawValue)
    #expect(changed.status == 0)
    #expect(NSDictionary(dictionary: whole).isEqual(to: shown) == !change.isLoss)
    if change.isLoss {
      expectMessage(changed.errors, "a", "cut off")
    } else {
      #expect(changed.errors.isEmpty, "\(changed.errors)")
    }
  }
}
