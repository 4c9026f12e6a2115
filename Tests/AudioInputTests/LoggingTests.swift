import AudioInput
import Logging
import RealTime
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// What a host's logger receives: corrections at info, everything else at debug, nothing higher.
@Suite struct LoggingTests {
  let folder = TemporaryFolder()

  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private struct Handler: LogHandler {
    let lines: Lines
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) { lines.add("\(event.level): \(event.message)") }
  }

  private func logged(_ body: (Logger) throws -> any RecordedSource) throws -> [String] {
    let lines = Lines()
    _ = try readAll(try body(Logger(label: "test") { _ in Handler(lines: lines) }))
    return lines.all
  }

  @Test func whatPrecedesARecordingIsLogged() throws {
    let wave = WaveWriter(data: [1, 2, 3, 4]).bytes()
    let path = try folder.write(Array("foreign bytes, but no head of a recording".utf8) + wave)
    let lines = try logged { try AudioFileSource(path: path, logger: $0) }
    #expect(lines.count == 2 && lines.last?.hasPrefix("debug: opened \(path): WAV") == true)
    expectMessage(lines.first ?? "", "info", path.string, "41 bytes")
  }

  @Test func nothingElseIsLogged() throws {
    let path = try folder.write(WaveWriter(data: [1, 2, 3, 4]).bytes())
    let lines = try logged { try AudioFileSource(path: path, logger: $0) }
    #expect(lines.count == 1 && lines[0].hasPrefix("debug: "))
  }

  @Test func theFormatOfRawPCMIsLogged() throws {
    let pipe = try TestPipe()
    pipe.feed([Array(repeating: 1, count: 100_000)])
    let format = RawPCMFormat(sampleRate: 8000)
    let lines = try logged { try AudioFileSource(pipe.reading, format: format, logger: $0) }
    #expect(lines == ["debug: opened standard input: raw PCM, s16le, 8000 Hz, 1 channel"])
  }
}
