import AudioInput
import Foundation
import SystemPackage
import TestSupport
import Testing

/// No decoder outlives the process that started it.
@Suite struct DecoderEndTests {
  /// An ffmpeg that hangs is still awaited when the process calls exit(3), as it does when main returns.
  @Test func exitEndsADecoderThatHangs() async throws {
    let folder = TemporaryFolder()
    try folder.write([0, 0, 0, 24] + Array("ftypM4A ".utf8), to: "a.m4a")
    let script = "#!/bin/sh\necho $$ > \"$0.new\"; mv \"$0.new\" \"$0.id\"; exec sleep 1000\n"
    try folder.write(Array(script.utf8), to: "ffmpeg")
    #expect(chmod(folder.file("ffmpeg").string, 0o755) == 0)
    await #expect(processExitsWith: .exitCode(7)) { [path = folder.path as String] in
      setenv("PATH", "\(path):\(String(cString: getenv("PATH")))", 1)
      Thread.detachNewThread { _ = try? AudioFileSource(path: FilePath("\(path)/a.m4a")) }
      try await waitUntil("ffmpeg runs") { access("\(path)/ffmpeg.id", F_OK) == 0 }
      exit(7)
    }
    let id = String(decoding: try folder.read("ffmpeg.id"), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    defer { if isRunning(id), let id = pid_t(id) { kill(id, SIGKILL) } }
    try await waitUntil("ffmpeg is over") { !isRunning(id) }
  }

  /// A dead process that nobody has waited for yet has no command line.
  private func isRunning(_ id: String) -> Bool {
    (try? String(contentsOfFile: "/proc/\(id)/cmdline", encoding: .utf8))?.isEmpty == false
  }
}
