import Foundation
import TestSupport
import Testing
import VirtualDevice
import VirtualDeviceSupport

/// `--record`: the file holds what the detector receives, sample for sample, in all cases.
@Suite struct RecordTests {
  private let folder = TemporaryFolder()
  private let target: String

  init() throws {
    target = folder / "record.wav"
  }

  /// Returns the contents of a RIFF/WAVE file of floats, read independently (Microsoft, "Multimedia Programming
  /// Interface and Data Specifications 1.0"). Fails if the header does not match the file.
  private func recorded() throws -> (rate: Int, samples: [Float]) {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: target)))
    func number(_ offset: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    func name(_ offset: Int) -> String {
      String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
    }
    #expect(name(0) == "RIFF" && name(8) == "WAVE")
    #expect(number(4) == bytes.count - 8)
    var (offset, rate) = (12, 0)
    while name(offset) != "data" {
      if name(offset) == "fmt " { rate = number(offset + 12) }
      offset += 8 + number(offset + 4)
    }
    #expect(number(offset + 4) == bytes.count - offset - 8)
    let samples = stride(from: offset + 8, to: bytes.count, by: 4).map {
      Float(bitPattern: UInt32(number($0)))
    }
    return (rate, samples)
  }

  private func live(_ arguments: String...) throws -> Program.Result {
    try Program.vadmon(["live", "--record", target] + arguments)
  }

  @Test func aRecordingIsWhatTheDetectorHears() throws {
    let left = TestAudio.utterance(rate: 8000)
    let right = TestAudio.silence(seconds: 3.5, rate: 8000)
    let stereo = TestAudio.wav(TestAudio.pcm16(left, right), rate: 8000, channels: 2)
    let file = try folder.write(stereo, to: "talk.wav")
    let result = try live("--input", file)
    #expect(result.status == 0)
    #expect(result.errors.hasPrefix("vadmon: recording to \(target)\n"))
    let recorded = try recorded()
    #expect(recorded.rate == 8000)
    // The mean with silence is half the value, which floats represent exactly.
    let expected = left.map { Float(Int16(($0 * 32768).rounded())) / 65536 }
    #expect(recorded.samples == expected)
  }

  @Test func aRecordingIsAnalysedAsItWasHeard() throws {
    let file = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "talk.wav")
    _ = try live("--input", file)
    func segments(_ path: String) throws -> [String] {
      try Program.analyze(path, "--format", "audacity").lines
    }
    #expect(try segments(target) == segments(file))
    #expect(try !segments(target).isEmpty)
  }

  /// One header of unknown length, then the samples, as programs that read WAV from a pipe expect. Sox is the judge.
  @Test func aPipeGetsOneHeader() throws {
    let samples = TestAudio.silence(seconds: 1) + TestAudio.utterance()
    let file = try folder.write(TestAudio.wav(samples), to: "talk.wav")
    let pipe = try folder.pipe()
    let result = try Program.shell(
      """
      exec 3<>"$2" # a reader, until sox has read what the pipe does not hold
      sox -V1 -t wav "$2" -e floating-point -b 32 "$3" 3>&- &
      "$vadmon" live -q --input "$1" --record "$2" 3>&-
      status=$?; exec 3>&-; [ $status = 0 ] || kill $!; wait; exit $status
      """, file, pipe, target)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try recorded().samples == samples.map { Float(Int16(($0 * 32768).rounded())) / 32768 })
  }

  /// Every frame is in its place, and lost frames are silent.
  @Test func gapsAreSilence() throws {
    let device = try TestDevice("at 8000 overrun 1600\n")
    let result = try Program.vadmon(
      "live", "--device", device.name, "--rate", "16000", "--buffer", "4s", "--duration", "1s",
      "--record", target, environment: try VirtualDriver.environment)
    #expect(result.status == 0)
    let samples = try recorded().samples
    #expect(samples.count > 9600)
    for (frame, sample) in samples.enumerated() {
      let made = Float(Int16(truncatingIfNeeded: frame)) / 32768
      guard sample == (8000..<9600 ~= frame ? 0 : made) else {
        Issue.record("frame \(frame) is \(sample)")
        return
      }
    }
  }

  /// The device is gone, or stalls, and nothing more arrives: the file is as long as the stream.
  @Test(arguments: ["gone 0", "stand 16000000"]) func theLastGapIsSilence(_ fault: String) throws {
    let device = try TestDevice("at 8000 \(fault)\n")
    let result = try Program.vadmon(
      "live", "--device", device.name, "--rate", "16000", "--buffer", "4s", "--duration", "2s",
      "--record", target, "--json", environment: try VirtualDriver.environment)
    #expect(result.status == 0)
    let length = try #require(result.lines.last?.firstMatch(of: #/"duration": ([0-9.]+)/#))
    let samples = try recorded().samples
    #expect(Int((Double(length.output.1)! * 1000).rounded()) == (samples.count + 8) / 16)
    #expect(samples.count > 8000 && samples[8000...].allSatisfy { $0 == 0 })
    #expect(samples[..<8000].enumerated().allSatisfy { $1 == Float(Int16($0)) / 32768 })
  }

  @Test(arguments: [SIGKILL, SIGTERM, SIGINT])
  func aProgramThatIsEndedLeavesAFileThatCanBeRead(signal: Int32) throws {
    let file = try folder.write(TestAudio.wav(TestAudio.voice(seconds: 60)), to: "long.wav")
    let program = try RunningProgram(command: ["live", "--input", file, "--record", target])
    try program.waitUntil { (FileManager.default.contents(atPath: target)?.count ?? 0) > 20_000 }
    // While the file is being written, only the frames that its header counts are certain to be there.
    program.send(signal)
    _ = program.wait()
    let analysis = try Program.analyze(target, "--format", "file-jsonl")
    #expect(analysis.status == 0)
    let duration = try #require(analysis.output.firstMatch(of: #/"duration": ([0-9.]+)/#)?.output.1)
    #expect(try #require(Double(duration)) >= 0.1)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aSignalLosesNoSound(signal: Int32) throws {
    let file = try folder.write(TestAudio.wav(TestAudio.voice(seconds: 60)), to: "long.wav")
    let program = try RunningProgram(
      command: ["live", "--json", "--input", file, "--record", target])
    try program.waitUntil { try program.output.contains(#""type": "onset""#) }
    program.send(signal)
    _ = program.wait()
    let summary = try #require(try program.output.split(separator: "\n").last)
    let duration = try #require(summary.firstMatch(of: #/"duration": ([0-9.]+)/#)?.output.1)
    #expect(Int((Double(duration)! * 1000).rounded()) == (try recorded().samples.count + 8) / 16)
  }

  @Test func aRecordingIsNeverWrittenOver() throws {
    try folder.write("precious", to: "record.wav")
    let result = try live("--input", "whatever.wav")
    #expect(result.status == 66, "the input comes first")
    let file = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "talk.wav")
    let refused = try live("--input", file)
    #expect(refused.status == 64)
    #expect(
      refused.errors == """
        vadmon: cannot record to \(target): it exists already and would be written over; choose \
        another name

        """)
    #expect(try folder.text(of: "record.wav") == "precious")
  }

  @Test func whereNothingCanBeRecordedNothingIsListenedTo() throws {
    let file = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "talk.wav")
    func errors(_ path: String) throws -> String {
      let result = try Program.vadmon("live", "--input", file, "--record", path)
      #expect(result.status == 74)
      return result.errors
    }
    let lost = folder / "no/folder.wav"
    expectMessage(try errors(lost), lost, "folder")
    #expect(try errors(folder.path).hasPrefix("vadmon: cannot record to \(folder.path): "))
  }

  /// There is no room for the first byte. The next attempt must not find a file in its way.
  @Test func aRecordingThatCannotBeginLeavesNoFile() throws {
    let file = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "talk.wav")
    let result = try Program.shell(
      """
      { (ulimit -f 0; "$vadmon" live --input "$1" --record "$2"); echo "exit code $?"; } 2>&1 | cat
      """, file, target)
    #expect(
      result.output == """
        vadmon: cannot record to \(target): it has grown to the limit for files; raise the limit (ulimit -f)
        exit code 74

        """)
    #expect(try folder.names == ["talk.wav"])
  }

  @Test func aRecordingWithoutSoundLeavesNoFile() throws {
    let file = try folder.write(TestAudio.wav(Data()), to: "silent.wav")
    #expect(try live("--input", file).status == 0)
    #expect(try folder.names == ["silent.wav"])
    // What was there before stays.
    try folder.pipe("record.wav")
    let piped = try Program.shell(
      "exec 3<>\"$2\"; \"$vadmon\" live -q --input \"$1\" --record \"$2\" 3>&-", file, target)
    #expect(piped.status == 0, "\(piped.errors)")
    #expect(try folder.names == ["record.wav", "silent.wav"])
  }

  @Test func whatFailsBesideTheRecordingLeavesNoFile() throws {
    let file = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "talk.wav")
    let result = try live("--input", file, "--save-segments", file)
    #expect(result.status == 74, "\(result.errors)")
    #expect(try folder.names == ["talk.wav"])
  }

  /// A limit on the size of files stands in for a full disk: both are errors of write(2).
  @Test(.tags(.slow)) func aFullDiskEndsTheRecordingAndNothingElse() throws {
    let samples = TestAudio.silence(seconds: 2) + TestAudio.utterance()
    let file = try folder.write(TestAudio.wav(samples), to: "talk.wav")
    // 512 bytes each: 51,200 bytes are 0.8 s.
    let result = try Program.shell(
      "ulimit -f 100; \"$vadmon\" live --input \"$1\" --record \"$2\" --json", file, target)
    #expect(result.status == 74)
    let told = result.messages.filter { $0.contains("warning") }
    #expect(
      told == [
        """
        vadmon: warning: the recording to \(target) has ended: it has grown to the limit for files; \
        raise the limit (ulimit -f); what was written so far is intact
        """
      ])
    #expect(result.output.contains("\"onset\""), "it goes on listening")
    // The record is also written for users who want no warnings.
    let record = try #require(result.lines.first { $0.contains("\"type\": \"recording\"") })
    #expect(record.contains("\"state\": \"ended\", \"message\": \"the recording to "))
    let analysis = try Program.analyze(target, "--format", "file-jsonl")
    #expect(analysis.status == 0)
    #expect(analysis.output.contains("\"warnings\": []"))
    #expect(try recorded().samples.count > 10_000)
  }
}
