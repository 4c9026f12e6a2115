import Annotations
import ArgumentParser
import RealTime

/// The flag that saves a recording without its silence.
struct TrimOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Save the recording without the silence to FILE, which is replaced once it is complete, as FLAC if its name ends \
      in .flac. FILE.csv states where each part was in the recording.
      """, valueName: "FILE"))
  var trim: PathArgument?

  func validated(
    channel: ChannelSelection, fade: MediaTime?
  ) throws(UsageError) -> Trimming? {
    guard let trim else { return nil }
    if channel == .each {
      throw UsageError(
        "--trim writes all channels of a recording, but --channel each analyses them apart: choose one channel, mix or any"
      )
    }
    let file = try trim.file(for: "--trim", ending: ".wav or .flac")
    guard let container = Trimming.container(file) else {
      throw UsageError("--trim \(file.nameAsInput): end the name with .wav or .flac")
    }
    return Trimming(file: file, container: container, fade: fade ?? MediaTime(milliseconds: 5))
  }
}
