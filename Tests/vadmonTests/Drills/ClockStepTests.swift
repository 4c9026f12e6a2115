import TestSupport
import Testing

/// The wall clock is set again and again while vadmon runs.
@Suite(.timeLimit(.minutes(5))) struct ClockStepTests {
  private let folder = TemporaryFolder()

  /// Builds a library to load before others, whose wall clock is an hour behind and an hour ahead of the real one by
  /// turns, for half a second each. The kernel's is right: a wait until a time on the wall clock would end at once or
  /// last for an hour.
  private func clock() throws -> String {
    try folder.write(
      """
      #define _GNU_SOURCE
      #include <sys/syscall.h>
      #include <time.h>
      #include <unistd.h>
      int clock_gettime(clockid_t clock, struct timespec *now) {
        struct timespec steady;
        syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &steady);
        const long result = syscall(SYS_clock_gettime, clock, now);
        if (clock == CLOCK_REALTIME) now->tv_sec += steady.tv_nsec < 500000000 ? -3600 : 3600;
        return (int)result;
      }
      """, to: "clock.c")
    let library = folder / "clock.so"
    let built = try Program.run(["cc", "-shared", "-fPIC", "-o", library, folder / "clock.c"])
    #expect(built.status == 0, "\(built.errors)")
    return library
  }

  /// The records that say what was decided, and when.
  private func decisions(_ output: String) -> [Substring] {
    output.lines(ofTypes: ["onset", "offset", "segment"])
  }

  /// Every step is reported, and no wait depends on it: those for sound, for a program of `--on-event` and for the end.
  @Test func stepsAreReportedAndAffectNothingElse() throws {
    let recording = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "a.wav")
    func outcome(_ environment: [String: String] = [:]) throws -> String {
      let program = try RunningProgram(
        command: [
          "live", "--input", recording, "--json", "--on-event", "sleep", "--on-event-argument",
          ".1",
        ],
        environment: environment)
      let (status, errors) = (program.wait(), try program.errors)
      #expect(status == 0, "\(errors)")
      return try program.output
    }
    let plain = try outcome()
    let stepped = try outcome(["LD_PRELOAD": clock()])
    #expect(decisions(plain).count > 1 && decisions(stepped) == decisions(plain))
    let shifts = try stepped.matches(
      of: #/"type": "clock".*"wall_clock": (-?[0-9.]+), "asleep": 0.000/#
    ).map { abs(try #require(Double($0.output.1))) }
    #expect(!shifts.isEmpty && shifts.allSatisfy { abs($0 - 7200) < 10 }, "\(shifts)")
  }
}
