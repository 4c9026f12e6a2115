import Foundation
import TestSupport
import Testing

/// The limit on open files: a run has its results, or says in each line which limit to raise.
@Suite(.timeLimit(.minutes(5))) struct LimitTests {
  private let folder = TemporaryFolder()

  init() throws {
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: "in/a.wav")
    try folder.write(TestAudio.pcm16(TestAudio.utterance()), to: "raw")
    try folder.write("1.0\t2.5\tspeech\n", to: "labels.txt")
    try folder.write("{\"at\": 0, \"type\": \"estimate\", \"bps\": 1}\n", to: "trace.jsonl")
    let made = try Program.shell(
      """
      cd in && for file in b.flac b.mp3 b.opus b.mka; do
        ffmpeg -nostdin -v error -i a.wav $file || exit
      done && mv b.flac b
      """, in: folder)
    #expect(made.status == 0, "\(made.errors)")
  }

  /// From 3 descriptors on, which the streams take, to 4 numbers that are enough.
  @Test(
    .tags(.slow),
    arguments: [
      ("analyze in/a.wav", "raw"), ("analyze in/b", "raw"), ("analyze in/b.mp3", "raw"),
      ("analyze in/b.opus", "raw"), ("analyze in/b.mka", "raw"), ("analyze -", "in/b.opus"),
      ("analyze - --rate 16000", "raw"), ("analyze in -j2", "raw"),
      ("analyze in/a.wav --save-segments saved --force", "raw"),
      ("analyze in/a.wav --report page$n.html --embed-audio", "raw"),
      ("analyze in/a.wav --plot plot$n.png", "raw"), ("analyze in/a.wav --exec true", "raw"),
      ("live - --json --rate 16000", "raw"),
      ("live - --json --rate 16000 --on-event true --record record$n.wav", "raw"),
      ("compare labels.txt labels.txt", "raw"), ("pause trace.jsonl", "raw"),
    ])
  func fewDescriptorsAreEnoughOrNamed(command: String, input: String) throws {
    let run = try Program.shell(
      """
      v() { "$vadmon" "$@"; }
      n=all; eval "v $1" < "$2" 2> errors | grep -v config > all; : > right
      for n in $(seq 3 40); do
        [ $(wc -l < right) = 4 ] && break
        (ulimit -n $n; eval "v $1") < "$2" > found 2> errors; code=$?
        # Nothing of ours has begun where the loader cannot open its libraries.
        [ $code = 127 ] && grep -q 'loading shared libraries' errors && continue
        if [ $code = 0 ]; then
          grep -v config found | cmp -s - all && echo $n >> right || echo "$n: other results"
        elif [ $code != 69 ] && [ $code != 70 ] && [ $code != 74 ] \\
          || grep -v 'ulimit -n\\|heard, \\|recording to' errors; then echo "$n: $code"; fi
      done
      [ $(wc -l < right) = 4 ] && [ -s all ] || echo "it never works"
      """, command, input, in: folder)
    #expect(run.status == 0 && run.output.isEmpty, "\(run.output)\(run.errors)")
  }

  /// Whether its only file is a recording cannot be found out.
  @Test func aFolderIsNotEmptyForWantOfDescriptors() throws {
    let run = try Program.shell("rm in/*.* && (ulimit -n 4; exec \"$vadmon\" in)", in: folder)
    #expect(run.status == 74)
    expectMessage(run.errors, "in/b", "ulimit -n")
  }
}
