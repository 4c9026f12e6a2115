import AudioInput
import Glibc

// Groups of flags that become parts of AnalyzeOptions.

/// What the user said of raw PCM, rather than left to the defaults.
struct RawPCMOptions: Sendable, Hashable {
  /// Standard input is raw PCM, whatever it looks like.
  var isCertain: Bool
  /// The flags that mean nothing for recordings with a header; `nil` if none was given.
  var flags: String?

  init(rate: Int?, sampleFormat: RawSampleFormat?, channels: Int?) {
    isCertain = sampleFormat != nil
    let given = [
      rate.map { "--rate \($0)" }, sampleFormat.map { "--sample-format \($0)" },
      channels.map { "--channels \($0)" },
    ].compactMap(\.self)
    flags = given.isEmpty ? nil : given.joined(separator: ", ")
  }

  /// What to say where they were given for a recording with a header.
  func warning(for source: any RecordedSource) -> String? {
    guard let flags, !(source is RawPCMSource) else { return nil }
    return "\(flags) is for raw PCM and has no effect: this is \(source.formatName)"
  }
}

extension InputOptions {
  func rawFormat() throws(UsageError) -> RawPCMFormat {
    let (rate, channels) = (rate ?? 16_000, channels ?? 1)
    guard (8000...192_000).contains(rate) else {
      throw UsageError("--rate \(rate) is outside 8000 … 192000 Hz")
    }
    guard (1...1024).contains(channels) else {
      throw UsageError("--channels \(channels) is outside 1 … 1024")
    }
    return RawPCMFormat(
      sampleRate: rate, sampleFormat: sampleFormat ?? .s16le, channelCount: channels)
  }
}

extension MuteOptions {
  func timeline() throws(UsageError) -> MuteTimeline {
    guard let muteTimeline else { return muted ? .always : .never }
    if muted { throw UsageError("--muted and --mute-timeline contradict each other: choose one") }
    do {
      return try MuteTimeline(parsing: muteTimeline)
    } catch {
      throw UsageError(
        "--mute-timeline '\(muteTimeline)': \(error); write it like 0-3.5,10-")
    }
  }
}

extension OutputOptions {
  func framesHaveSegments() throws(UsageError) -> Bool {
    guard framesWith != nil else { return false }
    if frames == nil { throw UsageError("--frames-with is for --frames: add --frames DIR") }
    return true
  }

  func destination() throws(UsageError) -> AnalyzeOptions.Destination {
    guard let outputDir else {
      return results.file.map(AnalyzeOptions.Destination.file) ?? .standardOutput
    }
    if results.output != nil {
      throw UsageError("--output and --output-dir exclude each other: choose one")
    }
    return .folder(outputDir.path)
  }
}

extension RunOptions {
  func validatedJobs() throws(UsageError) -> Int {
    guard let jobs else { return max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
    guard (1...1024).contains(jobs) else { throw UsageError("--jobs \(jobs) is outside 1 … 1024") }
    return jobs
  }
}
