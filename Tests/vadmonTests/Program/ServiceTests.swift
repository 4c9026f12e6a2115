import Foundation
import TestSupport
import Testing

@testable import vadmon

/// The unit for systemd in Examples.
@Suite struct ServiceTests {
  private static let unit = URL(fileURLWithPath: TestAudio.samples)
    .appending(path: "../Examples/systemd/vadmon-live.service")

  /// Returns the values of a setting, as systemd.syntax(7) separates them.
  private func values(_ name: String) throws -> [String] {
    try String(contentsOf: Self.unit, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix(name + "=") }
      .flatMap { $0.dropFirst(name.count + 1).split(separator: " ").map(String.init) }
  }

  /// A restart mends neither a command line nor an input, but perhaps a device (69) and a disk (74).
  @Test func aRestartIsTriedWhereItMayHelp() throws {
    #expect(try values("Restart") == ["on-failure"])
    let prevented = try values("RestartPreventExitStatus").compactMap(Int32.init)
    #expect(prevented == [ExitStatus.usage, ExitStatus.badData, ExitStatus.noInput])
    #expect(try values("RestartForceExitStatus") == ["SIGPIPE"])
  }

  /// Its command line is understood: the device does not exist, and is waited for.
  @Test func theCommandListens() throws {
    let command = try values("ExecStart")
    #expect(command.first == "vadmon")
    let program = try RunningProgram(
      command: command.dropFirst() + ["--device", "nonesuch"])
    try program.waitUntil { try program.output.contains("waiting_for_device") }
    program.send(SIGTERM)
    #expect(program.wait() == -SIGTERM)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")))
  func systemdAcceptsIt() throws {
    let folder = TemporaryFolder()
    let text = try String(contentsOf: Self.unit, encoding: .utf8)
      .replacingOccurrences(of: "ExecStart=vadmon", with: "ExecStart=\(Program.path)")
      .replacingOccurrences(of: "Documentation=man:vadmon-live(1)\n", with: "")
    let copy = try folder.write(text, to: "vadmon-live.service")
    let result = try Program.run(
      ["/usr/bin/systemd-analyze", "--user", "verify", copy],
      environment: ["XDG_RUNTIME_DIR": folder.path])
    #expect(result.status == 0)
    #expect(result.errors.isEmpty && result.output.isEmpty, "\(result.errors)")
  }
}
