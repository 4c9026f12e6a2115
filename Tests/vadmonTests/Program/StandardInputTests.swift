import Foundation
import TestSupport
import Testing

/// The first bytes of standard input determine its format.
@Suite struct StandardInputTests {
  private let folder = TemporaryFolder()
  private let wav: String

  init() throws {
    wav = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "a.wav")
  }

  /// The same recording as a file, through a pipe, and as a file opened as standard input.
  @Test(
    arguments: [
      ("wav", "cp a.wav x"), ("flac", "sox a.wav x.flac"), ("w64", "sox a.wav x.w64"),
      ("rf64", "ffmpeg -i a.wav -f wav -rf64 always x"), ("aiff", "sox a.wav x.aiff"),
      ("wav without sizes", "ffmpeg -i a.wav -f wav - > x"), ("au", "sox a.wav x.au"),
      ("flac without a length", "ffmpeg -i a.wav -f flac - > x"), ("caf", "sox a.wav x.caf"),
      ("w64 without sizes", "ffmpeg -i a.wav -f w64 - > x"), ("mp3", "lame --quiet a.wav x.mp3"),
      ("mp3 without a tag", "lame --quiet -t --noreplaygain --id3v2-only a.wav x.mp3"),
      ("ogg", "oggenc -Q -o x.ogg a.wav"), ("opus", "opusenc --quiet a.wav x.opus"),
      ("a-law", "sox a.wav -e a-law x.wav"), ("adpcm", "sox a.wav -e ima-adpcm x.wav"),
      ("m4a", "ffmpeg -i a.wav -c:a aac x.m4a"), ("webm", "ffmpeg -i a.wav -c:a libopus x.webm"),
      ("aac", "ffmpeg -i a.wav -c:a aac -f adts x"), ("wma", "ffmpeg -i a.wav -f asf x"),
      ("amr", "sox a.wav -r 8000 -C 7 x.amr-nb"), ("voc", "sox a.wav x.voc"),
      ("ac3", "ffmpeg -i a.wav x.ac3"), ("sph", "sox a.wav x.sph"), ("ircam", "sox a.wav x.ircam"),
      ("paf", "sox a.wav x.paf"), ("avr", "sox a.wav x.avr"), ("wve", "sox a.wav -r 8000 x.wve"),
      ("sds", "sox a.wav x.sds"), ("pvf", "sox a.wav x.pvf"), ("8svx", "sox a.wav x.8svx"),
      ("mat4", "sox a.wav x.mat4"), ("mat5", "sox a.wav x.mat5"), ("xi", "sox a.wav x.xi"),
      ("ts", "ffmpeg -i a.wav x.ts"), ("m2ts", "ffmpeg -i a.wav -mpegts_m2ts_mode 1 x.m2ts"),
      ("mpg", "ffmpeg -i a.wav x.mpg"), ("vob", "ffmpeg -i a.wav x.vob"),
      ("dts", "ffmpeg -i a.wav -strict -2 x.dts"), ("rm", "ffmpeg -i a.wav x.rm"),
      ("nut", "ffmpeg -i a.wav x.nut"), ("flac in ogg", "ffmpeg -i a.wav -c:a flac -f ogg x.oga"),
      ("speex", "ffmpeg -i a.wav -c:a libspeex x.spx"),
    ])
  func aRecordingIsReadAsWhatItIs(name: String, command: String) throws {
    let result = try Program.shell(
      """
      { \(command); } 2> /dev/null < /dev/null && file=$(ls x*) || exit 99
      for way in 'vadmon "$file"' 'cat "$file" | vadmon -' 'vadmon - < "$file"'; do
        eval "$(echo "$way" | sed 's/vadmon/"$vadmon" analyze --format audacity --quiet/')" || exit 98
        echo ===
      done
      """, in: folder)
    #expect(result.status == 0, "\(name): \(result.errors)")
    let parts = result.output.components(separatedBy: "===\n")
    #expect(parts.count == 4 && parts[0].hasSuffix("\tspeech\n"), "\(name): \(result.output)")
    #expect(parts[1] == parts[0] && parts[2] == parts[0], "\(name): \(result.output)")
  }

  /// 112,044 bytes, because the header is read as samples.
  @Test func aSampleFormatMeansRawPCM() throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: wav))
    let raw = try Program.analyze(
      "-", "--sample-format", "s8", "--rate", "8000", "--format", "file-jsonl", input: data)
    #expect(raw.status == 0)
    #expect(raw.output.contains("\"duration\": 14.006"), "\(raw.output)")
  }

  @Test func unrecognisedInputIsRawPCM() throws {
    for head in [Data([0xFF, 0xFB, 0x90, 0x64]), Data("RIFF".utf8), Data("ID3".utf8), Data([1])] {
      let result = try Program.analyze("-", "--format", "file-jsonl", input: head)
      #expect(result.status == 0, "\(Array(head)): \(result.errors)")
    }
  }

  /// Bytes without a known head are raw PCM. A note reports the format that is assumed, unless the user gave one.
  @Test func rawPCMByDefaultIsReported() throws {
    let data = TestAudio.pcm16(TestAudio.utterance())
    let names = ["standard input", "s16le", "16000 Hz", "1 channel", "--sample-format", "--rate"]
    expectMessage(try Program.analyze("-", input: data).errors, names: names)
    for flags in [
      ["--quiet"], ["--rate", "16000"], ["--sample-format", "s16"], ["--channels", "1"],
    ] {
      let result = try Program.analyze(["-"] + flags, input: data)
      #expect(result.status == 0 && result.errors.isEmpty, "\(flags): \(result.errors)")
    }
    let live = try Program.vadmon("live", "-", "--json", input: data)
    let first = try #require(live.messages.first)
    expectMessage(String(first), names: names)
  }

  @Test(arguments: [
    "ffconcat version 1.0\nfile a.wav\n", "#EXTM3U\na.wav\n", "[playlist]\nFile1=a.wav\n",
  ])
  func aPlaylistIsRefused(text: String) throws {
    let file = try folder.write(text, to: "list")
    for (name, result) in [
      ("standard input", try Program.analyze("-", input: Data(text.utf8))),
      (file, try Program.analyze(file)),
    ] {
      #expect(result.status == 65)
      #expect(result.errors.hasPrefix("vadmon: cannot read \(name): it is a playlist"))
    }
    try FileManager.default.moveItem(atPath: folder / "a.wav", toPath: folder / "list.wav")
    let found = try Program.analyze(folder.path, "--format", "file-jsonl")
    #expect(found.status == 0 && found.errors.isEmpty && found.lines.count == 1, "\(found.errors)")
  }

  @Test func aRateThatHasNoEffectIsAWarning() throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: wav))
    let piped = try Program.analyze("-", "--rate", "8000", "--format", "file-jsonl", input: data)
    #expect(piped.status == 0)
    #expect(
      piped.errors.contains(
        "standard input: --rate 8000 is for raw PCM and has no effect: this is WAV"))
    #expect(piped.output.contains("\"duration\": 3.500"))
    let named = try Program.analyze(wav, "--rate", "8000", "--channels", "2")
    #expect(named.status == 0)
    #expect(
      named.errors.contains("warning: --rate 8000 and --channels 2 are for raw PCM on standard"))
    let quiet = try Program.analyze(wav, "--rate", "8000", "--quiet")
    #expect(quiet.errors.isEmpty)
  }

  @Test(arguments: [[], ["--sample-format", "s16le"]])
  func emptyInputSaysSo(flags: [String]) throws {
    for script in [": | \"$vadmon\" analyze - \"$@\"", "\"$vadmon\" analyze - \"$@\" < /dev/null"] {
      let result = try Program.run(
        ["sh", "-c", script, "sh"] + flags, environment: ["vadmon": Program.path])
      #expect(result.status == 65)
      expectMessage(result.errors, "standard input", "empty")
    }
  }

  /// Two files of one format, one after the other, are one recording.
  @Test(
    arguments: [
      ("WAV", "cat a.wav"), ("FLAC", "flac -s -c a.wav"), ("Ogg", "oggenc -Q -o - a.wav"),
      ("Ogg", "opusenc --quiet a.wav -"), ("W64", "cat a.w64"), ("CAF", "cat a.caf"),
      ("AU", "cat a.au"), ("AIFF", "cat a.aiff"), ("MP4", "cat a.m4a"),
      ("Matroska or WebM", "cat a.webm"),
    ])
  func aSecondRecordingIsHeard(format: String, command: String) throws {
    let result = try Program.shell(
      """
      for end in w64 caf au aiff; do sox a.wav a.$end; done &&
      for end in m4a webm; do ffmpeg -v error -i a.wav a.$end < /dev/null; done && { \(command); \(command); } > two < /dev/null
      cat two | "$vadmon" analyze - --format file-jsonl && "$vadmon" analyze two --format file-jsonl
      """, in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.lines.count == 2)
    for record in try result.records {
      let seconds = try #require(record["duration"] as? Double)
      // Encoders add up to 60 ms to each.
      #expect((7...7.15).contains(seconds), "\(record)")
      #expect((record["warnings"] as? [String])?.isEmpty == true, "\(record)")
    }
  }

  @Test func otherTrailingDataAreNotARecording() throws {
    let result = try Program.shell(
      """
      { cat a.wav; echo RIFF fLaC OggS caff and more of that kind, but no head of any; } > x
      cat x | "$vadmon" analyze - && "$vadmon" analyze x
      """, in: folder)
    #expect(result.status == 0)
    // It is neither a chunk, nor a tag, nor padding, and so more sound; too little for a warning.
    #expect(result.errors == "" && result.output.contains("0:03.50"), "\(result.output)")
  }

  /// A head without samples is a recording of no length, and a warning says so.
  @Test(arguments: ["wav", "flac", "aiff"]) func aHeaderAloneIsARecordingOfNoLength(format: String)
    throws
  {
    let result = try Program.shell(
      """
      sox -n -r 16000 -c 1 x.$1 trim 0 0 && "$vadmon" analyze x.$1 --format file-jsonl
      cat x.$1 | "$vadmon" analyze - --format file-jsonl
      """, format, in: folder)
    #expect(result.status == 0 && result.lines.count == 2)
    for line in result.lines {
      #expect(line.contains("\"duration\": 0.000"))
      #expect(line.contains("it contains a header and no audio; check the program that writes it"))
    }
  }

  /// Bytes that another process has read from the file are not analysed.
  @Test func aFileIsReadFromWhereItStands() throws {
    let pcm = try folder.write(TestAudio.pcm16(TestAudio.utterance()), to: "raw")
    let result = try Program.shell(
      #"{ head -c 32000 > /dev/null; "$vadmon" analyze - --format file-jsonl; } < "$1""#, pcm)
    #expect(result.output.contains("\"duration\": 2.500"), "\(result.output)")
  }

  /// The header, then sound in real time: segments are printed before the end.
  @Test func aHeaderDoesNotKeepResultsWaiting() throws {
    let program = try RunningProgram("--format", "jsonl")
    let header = TestAudio.wav(Data()).prefix(40) + Data(repeating: 0xFF, count: 4)
    try program.write(Data(header))
    try program.write(TestAudio.utterance() + TestAudio.silence(seconds: 1))
    try program.waitUntil { try program.output.contains("\"type\": \"segment\"") }
    try program.closeInput()
    #expect(program.wait() == 0)
  }

  @Test func anInterruptionEndsAnInputThatGivesNothing() throws {
    let program = try RunningProgram("--format", "file-jsonl")
    try program.waitUntilAnalysing()
    program.interrupt()
    #expect(program.wait() == -SIGINT)
  }
}

/// Formats that libsndfile does not read are decoded by ffmpeg.
@Suite struct ForeignFormatTests {
  private let folder = TemporaryFolder()

  init() throws {
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: "a.wav")
    let made = try Program.shell(
      #"ffmpeg -v error -i a.wav -c:a aac "./-it's a.m4a" < /dev/null"#, in: folder)
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test func namesAreNoOptionsAndNoProtocols() throws {
    let result = try Program.shell(
      """
      cp -- "-it's a.m4a" http:x.m4a &&
      "$vadmon" analyze --format csv -- "-it's a.m4a" http:x.m4a ./http:x.m4a
      """, in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.split(whereSeparator: \.isNewline).count == 4, "\(result.output)")
  }

  @Test func withoutFFmpegOneSentenceSaysSo() throws {
    let result = try Program.analyze(
      folder / "a.wav", folder / "-it's a.m4a", "--format", "csv", environment: ["PATH": "/nowhere"]
    )
    #expect(result.status == 69)
    expectMessage(result.errors, folder / "-it's a.m4a", "MP4", "ffmpeg", "PATH", "install")
    #expect(result.output.contains("a.wav"))
  }

  /// What execvp(3) does: a file that cannot be run is passed over, and without another one ffmpeg is missing.
  @Test func aFileThatCannotBeRunIsNoFFmpeg() throws {
    try folder.write("no program", to: "bad/ffmpeg")
    let ffmpeg = try Program.shell("command -v ffmpeg").lines[0]
    try folder.link("good/ffmpeg", to: ffmpeg)
    for mode in [0o644, 0o755] {
      chmod(folder / "bad/ffmpeg", mode_t(mode))
      let missing = try Program.analyze(
        folder / "-it's a.m4a", environment: ["PATH": folder / "bad"])
      #expect(missing.status == 69)
      #expect(missing.errors.hasSuffix("MP4 needs ffmpeg, which is not on PATH; install it\n"))
    }
    chmod(folder / "bad/ffmpeg", 0o644)
    let found = try Program.analyze(
      folder / "-it's a.m4a", environment: ["PATH": "\(folder / "bad"):\(folder / "good")"])
    #expect(found.status == 0, "\(found.errors)")
  }

  /// An input must not make ffmpeg read another file, whatever its name and content.
  @Test(
    arguments: [
      "ffconcat version 1.0\nfile other.aac\n",
      "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nother.aac\n#EXT-X-ENDLIST\n",
    ])
  func playlistsAreRefused(list: String) throws {
    let made = try Program.shell(
      #"ffmpeg -v error -i a.wav other.aac < /dev/null && ffmpeg -v error -i "file:$1" -f null -"#,
      try folder.write(list, to: "list.m4a"), in: folder)
    #expect(made.status == 0, "ffmpeg alone reads the other file: \(made.errors)")
    let result = try Program.analyze(folder / "list.m4a", "--format", "csv")
    #expect(result.status == 65)
    #expect(result.lines.count == 1)
    #expect(
      result.errors.hasPrefix(
        "vadmon: cannot read \(folder / "list.m4a"): it is a playlist, or in a format that ffmpeg may not"
      ), "\(result.errors)")
  }

  /// ffmpeg does not decode the pauses of AMR, but they count in the times.
  @Test func timesBehindWhatCannotBeDecodedAreRight() throws {
    let result = try Program.shell(
      """
      sox "$1" -r 8000 x.wav && sox "$1" -r 8000 x.amr-nb &&
      for file in x.wav x.amr-nb; do "$vadmon" analyze $file --format audacity; echo; done
      """, TestAudio.samples + "/speech.flac", in: folder)
    #expect(result.status == 0)
    expectMessage(result.errors, "ffmpeg found faults")
    let starts = result.output.components(separatedBy: "\n\n").map { table in
      table.split(separator: "\n").compactMap { Double($0.split(separator: "\t")[0]) }
    }
    #expect(starts[0].count == 4 && starts[1].count == 4, "\(result.output)")
    for (plain, coded) in zip(starts[0], starts[1]) { #expect(abs(plain - coded) < 0.1) }
  }

  /// A video of two sound tracks, the first of which begins 2 s late.
  @Test func aLateTrackAmongSeveral() throws {
    let result = try Program.shell(
      """
      ffmpeg -v error -f lavfi -i color=size=64x64:duration=6:rate=5 -itsoffset 2 -i a.wav \
        -i a.wav -map 0 -map 1 -map 2 -c:a aac x.mp4 < /dev/null || exit 99
      for file in a.wav x.mp4; do "$vadmon" analyze "$file" --format jsonl; done
      cat x.mp4 | "$vadmon" analyze - --format jsonl
      """, in: folder)
    #expect(result.status == 0, "\(result.errors)")
    let sentence = "it has 2 audio tracks, and only the first was read; extract each of the "
    for name in ["x.mp4", "standard input"] {
      #expect(result.errors.contains("vadmon: warning: \(name): \(sentence)"), "\(result.errors)")
    }
    #expect(result.lines.count { $0.contains("\"warnings\": [\"\(sentence)") } == 2)
    let starts = try result.records.ofType("segment").compactMap { $0["start"] as? Double }
    #expect(starts.count == 3 && starts.dropFirst().allSatisfy { abs($0 - starts[0] - 2) < 0.05 })
  }

  /// The description of the samples is blank.
  @Test func itsLastMessageIsInOurs() throws {
    var bytes = try folder.data(of: "-it's a.m4a")
    let begin = try #require(bytes.range(of: Data("stsd".utf8))).upperBound + 8
    bytes.replaceSubrange(begin..<begin + 48, with: Data(count: 48))
    let blank = try folder.write(bytes, to: "blank.m4a")
    let result = try Program.analyze(blank)
    #expect(result.status == 65)
    #expect(result.errors.hasPrefix("vadmon: cannot read \(blank): ffmpeg says \""))
    #expect(result.messages.count == 1)
  }

  /// Two hours, so that ffmpeg is still decoding when the signal arrives. To make PCM takes no time.
  @Test(arguments: [SIGTERM, SIGKILL]) func noDecoderIsLeftBehind(signal: Int32) throws {
    let long = folder / "long.mka"
    let made = try Program.shell(
      #"ffmpeg -v error -f lavfi -i sine=d=7200:r=8000 -c:a pcm_u8 "$1" < /dev/null"#, long)
    #expect(made.status == 0, "\(made.errors)")
    let program = try RunningProgram(command: ["analyze", long, "--quiet"])
    let size = try folder.data(of: "long.mka").count
    let part = "subfile,,start,0,end,\(size),,"
    let running = { try Program.shell(#"pgrep -f -- "$1""#, part).lines.count }
    try program.waitUntil { try running() > 1 }
    program.send(signal)
    _ = program.wait()
    // The shell that runs the check has the name in its arguments too.
    try blockUntil("the decoders are over") { try running() == 1 }
  }
}
