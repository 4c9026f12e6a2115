import Annotations
import SpeechScoring
import SystemPackage

/// A run of `vadmon tune`, from checked options to an exit code.
struct TuneRun: ReportingRun {
  let options: TuneOptions

  func finish() throws(RunError) -> Int32 {
    if options.showsConfiguration {
      let run = RunConfiguration(options).sourced(by: options.settings)
      let text = options.format == .json ? run.json.text + "\n" : run.table
      try ResultOutput.deliver(text, to: options.output, beside: options.settings.given)
      return 0
    }
    let result = try tune()
    let results = options.format.results(
      text: TuneText(result: result).text, json: TuneJSON(result: result).text)
    try ResultOutput.deliver(results, to: options.output)
    if let file = options.writtenConfiguration {
      try ResultOutput.deliver(result.configuration, to: file)
    }
    return 0
  }

  private func tune() throws(RunError) -> TuneResult {
    let (items, files, warnings) = try LabelledRecordings.read(
      options.recordings, options.labels, SilenceMarks(adding: options.silence),
      missingIsSilence: options.missingIsSilence)
    try checkResults(beside: files)
    let folds = try foldCount(items.count)
    let tracks = try read(items, warnings)
    try checkLabels(tracks)
    let coverage = coverageWarnings(items, tracks)
    let (view, jobs, gap) = (options.view, options.jobs, Evaluation().minGap)
    let tuning = Tuning(
      from: options.start, options.objective, recordings: tracks.count, folds: folds,
      options.bootstrap
    ) { settings in
      Parallel.map(settings.count, jobs: jobs) { index in
        tracks.map { $0.tally(settings[index], view, minGap: gap) }
      }
    }
    return TuneResult(
      options: options, names: items.map(\.name), tuning: tuning, warnings: warnings + coverage)
  }

  private func read(
    _ items: [LabelledRecordings.Item], _ warnings: [String]
  ) throws(RunError) -> [PosteriorTrack] {
    let isShown = !options.isQuiet && Terminal.canMoveCursor(FileDescriptor.standardError.rawValue)
    let progress = isShown ? ProgressBar(sizes: items.map { $0.file.size }) : nil
    defer { progress?.remove() }
    let messages = Messages(isQuiet: options.isQuiet, progress: progress)
    if progress != nil {
      // The message must not stand in the line of the bar.
      EndingSignals.catchRequest {
        messages.error("interrupted: nothing was tuned")
        TemporaryFiles.removeAllAndExit(ExitStatus.interrupted)
      }
    }
    for warning in warnings { messages.warning(warning) }
    return try PosteriorReading(
      channel: options.channel, view: options.view, jobs: options.jobs, messages: messages,
      progress: progress
    ).tracks(items)
  }

  private func coverageWarnings(
    _ items: [LabelledRecordings.Item], _ tracks: [PosteriorTrack]
  ) -> [String] {
    var coverage = LabelCoverage()
    for (item, track) in zip(items, tracks) {
      coverage.add(
        item.name, labelled: track.labelled.count { $0 }, of: track.labelled.count)
    }
    guard let warning = coverage.warning else { return [] }
    Messages(isQuiet: options.isQuiet).warning(warning)
    return [warning]
  }

  private func foldCount(_ count: Int) throws(RunError) -> Int {
    guard count > 1 else {
      throw RunError(
        "\(printable(options.recordings)) has only one recording: tune on two or more, so that each can be held out",
        exitCode: ExitStatus.badData)
    }
    guard let folds = options.folds else { return min(TuneOptions.folds, count) }
    guard folds <= count else {
      throw RunError(
        "--folds \(folds) is more than the \(count) recordings: write at most \(count)")
    }
    return folds
  }

  private func checkLabels(_ tracks: [PosteriorTrack]) throws(RunError) {
    let withSpeech = tracks.count { $0.labelled.contains(true) }
    guard withSpeech < 2 else { return }
    let fault =
      withSpeech == 0 ? "no speech is labelled" : "speech is labelled in one recording only"
    throw RunError(
      "\(fault): label speech in two recordings or more, so that each can be held out",
      exitCode: ExitStatus.badData)
  }

  /// Checks that the results replace nothing that is read, and that there is a place for them, before a long search.
  private func checkResults(beside files: [FilePath]) throws(RunError) {
    let results = [options.output, options.writtenConfiguration].compactMap(\.self)
    try FileIdentity.check(results, replacing: files)
    try options.settings.given.check(results)
    try RunError.writing { () throws(OutputError) in
      for file in results { _ = try OutputFile(path: file) }
    }
  }
}
