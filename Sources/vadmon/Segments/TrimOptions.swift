import Annotations
import ArgumentParser
import Glibc
import RealTime
import SystemPackage

/// The flag that saves a recording without its silence.
struct TrimOptions: ParsableArguments {
  @Option(
    """
    Save the recording without the silence to FILE, which is replaced once it is complete, as FLAC if its name ends \
    in .flac. FILE.csv states where each part was in the recording. With -, the sound goes to standard output, as a WAV \
    of floats for pipes, and the results only to --output or --output-dir.
    """, value: "FILE")
  var trim: PathArgument?

  func validated(_ given: GivenSettings, fade: MediaTime?) throws(RunError) -> Trimming? {
    guard let trim else { return nil }
    if given[.channel] == .each {
      throw RunError(
        "--trim writes all channels of a recording, but \(given.phrase(.channel)) analyses each apart: choose one channel, mix or any"
      )
    }
    let fade = fade ?? MediaTime(milliseconds: 5)
    if trim.path.isStandardStream { return try Self.stream(fade) }
    let file = try trim.file(for: "--trim", ending: ".wav or .flac")
    guard let container = Trimming.container(file) else {
      throw RunError("--trim \(file.nameAsInput): end the name with .wav or .flac")
    }
    return Trimming(file: file, container: container, fade: fade)
  }

  private static func stream(_ fade: MediaTime) throws(RunError) -> Trimming {
    if isatty(STDOUT_FILENO) == 1 {
      throw RunError(
        "--trim - writes sound, which no terminal shows: pipe it to a program, or name a file")
    }
    return Trimming(file: "-", container: .rf64, fade: fade)
  }
}
