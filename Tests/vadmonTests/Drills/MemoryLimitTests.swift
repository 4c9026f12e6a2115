import Foundation
import TestSupport
import Testing

/// The limit on address space (`ulimit -v`): a run has its results, or says which limit to raise, or is ended by
/// Swift's runtime, which finds no memory for an object. In each case files are whole.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Program.startsUnderALimit)) struct MemoryLimitTests {
  private let folder = TemporaryFolder()

  init() throws {
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: "in/a.wav")
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: "in/b.wav")
    try folder.write(TestAudio.pcm16(TestAudio.utterance()), to: "raw")
    try FileManager.default.copyItem(
      atPath: TestAudio.samples + "/traces/falling-line.jsonl", toPath: folder / "trace.jsonl")
    for name in ["out", "plot.svg", "saved/a-0001.wav"] {
      try folder.write("of an earlier run\n", to: "old/\(name)")
    }
  }

  /// From the least that the loader and Swift's runtime take, to where ten steps more change nothing. They are of so
  /// many KiB; a thread takes 8 MiB.
  @Test(
    .tags(.slow),
    arguments: [
      ("analyze ../in/a.wav --format csv --output out", 1024),
      ("analyze ../in -j2 --format csv", 1024),
      ("analyze ../in/a.wav --save-segments saved --force", 1024),
      ("live - --json --rate 16000 --record record.wav", 3072),
      ("pause ../trace.jsonl --output out --plot plot.svg", 1024),
      ("pause ../trace.jsonl --summary", 1024),
    ])
  func littleMemoryIsEnoughOrNamed(command: String, step: Int) throws {
    let run = try Program.shell(
      """
      v() { timeout 60 "$vadmon" "$@"; }
      attempt() { rm -rf new; cp -r old new; (cd new || exit; ulimit -c 0; ulimit -v $1; eval "v $2") < raw > found 2> errors; }
      attempt unlimited "$1" || echo "it never works"
      grep -v '"config"' found > expected; mv new all
      right=0 n=16384
      while [ $right -lt 10 ] && [ $n -lt 1000000 ]; do
        n=$((n + $2))
        (ulimit -c 0; ulimit -v $n; exec "$vadmon" --version) > version 2> errors || continue
        attempt $n "$1"; code=$?
        case $code in
          0) right=$((right + 1)); grep -v '"config"' found | diff - expected || echo "$n: other results" ;;
          69|70|74)
            right=0
            grep -q 'ulimit -v' errors || echo "$n: $code without a remedy"
            grep -v 'ulimit -v\\|heard, \\|recording to' errors && echo "$n: $code" ;;
          132|133|134|139) right=0 ;; # a signal of Swift's runtime
          *) echo "$n: $code $(cat errors)" ;;
        esac
        # Each file is the former one or complete. What SIGKILL would leave too is hidden, and the next run removes it.
        (cd new; find . -type f ! -name '.*') > files
        while read -r file; do
          cmp -s "new/$file" "old/$file" || cmp -s "new/$file" "all/$file" && continue
          # A recording is complete up to where it ends.
          [ "$file" = ./record.wav ] && "$vadmon" analyze "new/$file" > /dev/null 2> errors && ! grep 'cut off' errors \\
            || echo "$n: $code leaves $file"
        done < files
        [ $code = 0 ] && diff -rq new all
      done
      [ $right = 10 ] || echo "it never works under a limit"
      """, command, String(step), in: folder)
    #expect(run.status == 0 && run.output.isEmpty, "\(run.output)\(run.errors)")
  }
}

extension Program {
  /// Sanitizers reserve more than any limit.
  fileprivate static let startsUnderALimit =
    (try? shell("ulimit -v 4000000; exec \"$vadmon\" --version").status) == 0
}
