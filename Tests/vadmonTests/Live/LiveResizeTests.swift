import Foundation
import TestSupport
import Testing

/// The meter in a window that is resized, in tmux: a terminal that rewraps lines and keeps its scrollback.
@Suite struct LiveResizeTests {
  private struct Look: Decodable {
    var columns: Int
    var rows: Int
    /// The whole history, without empty lines.
    var lines: [String]
  }

  @Test func nothingIsLeftOfOtherSizes() throws {
    let folder = TemporaryFolder()
    let samples = TestAudio.silence(seconds: 1) + TestAudio.voice(seconds: 600)
    let recording = try folder.write(TestAudio.wav(samples), to: "talk.wav")
    let result = try Program.python(Self.script, folder / "socket", Program.path, recording)
    #expect(result.status == 0, "\(result.errors)")
    let looks = try JSONDecoder().decode([Look].self, from: result.bytes)
    #expect(looks.count == 8)
    for look in looks.dropLast() {
      let meters = look.lines.filter { $0.contains("speech: ") }
      #expect(meters.count == 1, "\(look.columns) × \(look.rows): \(look.lines)")
      #expect(look.lines.count { $0.hasPrefix("probability ") } == 1)
      #expect(look.lines.count <= 11)
    }
    // When the user quits, the terminal is as before, with the summary.
    let last = try #require(looks.last).lines
    #expect(last.first == "before" && last.last == "after" && last.count <= 6)
    #expect(!last.contains { $0.hasPrefix("level ") || $0.hasPrefix("probability ") }, "\(last)")
  }

  /// Resizes the window several times, and waits each time until the meter has its width.
  private static let script = #"""
    import json, signal, subprocess, sys, time
    # kill-server sends the server SIGTERM, which whoever runs the tests may have blocked.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    socket, vadmon, recording = sys.argv[1:]
    SIZES = [(100, 30), (50, 30), (120, 30), (40, 10), (80, 10), (60, 40), (100, 30)]

    def tmux(*arguments):
        command = ["tmux", "-u", "-S", socket, "-f", "/dev/null", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def lines():
        return [line for line in tmux("capture-pane", "-p", "-S", "-").splitlines() if line.strip()]

    def until(condition):
        end = time.monotonic() + 60
        while not condition(lines()):
            if time.monotonic() > end: raise SystemExit(f"not in a minute: {lines()}")
            time.sleep(0.02)

    # The meter is as wide as it can be.
    def fits(shown, columns):
        return any(line.startswith("level ") and line.endswith(" dBFS") and len(line) == columns - 1 for line in shown)

    try:
        tmux("new-session", "-d", "-x", "100", "-y", "30", "sh", "-c",
             'echo before; LC_ALL=C.UTF-8 "$@"; echo after; exec sleep 1000', "sh", vadmon, "live", "--input", recording,
             ";", "set", "-g", "status", "off")
        until(lambda shown: any("speech: " in line for line in shown))
        looks = []
        for columns, rows in SIZES:
            tmux("resize-window", "-x", str(columns), "-y", str(rows))
            until(lambda shown: shown and fits(shown, columns) and any("speech: " in line for line in shown))
            looks.append({"columns": columns, "rows": rows, "lines": lines()})
        tmux("send-keys", "q")
        until(lambda shown: "after" in shown)
        looks.append({"columns": columns, "rows": rows, "lines": lines()})
        print(json.dumps(looks))
    finally:
        tmux("kill-server")
    """#
}
