import Annotations
import Charts
import SpeechScoring
import SystemPackage

/// A run of `vadmon compare`, from checked options to an exit code.
struct CompareRun: ReportingRun {
  let options: CompareOptions

  func finish() throws(RunError) -> Int32 {
    let messages = Messages(isQuiet: options.isQuiet)
    let (comparison, page) = try compare()
    for warning in comparison.warnings { messages.warning(warning) }
    try write(comparison)
    try page?.write(messages)
    let complaints = options.bounds.compactMap { $0.complaint(comparison.pooled.detected.values) }
    for complaint in complaints { messages.error(complaint) }
    return complaints.isEmpty ? 0 : ExitStatus.missedBound
  }

  /// Returns the figures, and what to draw of them.
  private func compare() throws(RunError) -> (Comparison, ComparisonReport?) {
    let sets = try readSets()
    let against = sets.count > 2 ? sets[2] : nil
    let sound = try options.recordings.map { (path) throws(RunError) in
      try RecordingSet(soundIn: path)
    }
    let files = (sets + [sound].compactMap(\.self)).flatMap(\.files)
    try FileIdentity.check(
      [options.output, options.plot, options.report],
      replacing: files + [options.evaluationMap].compactMap(\.self))
    let pairing = Pairing(
      reference: sets[0], detected: sets[1], against: against,
      missingIsSilence: options.missingIsSilence, sound: sound)
    let recordings = try pairing.recordings()
    let evaluation = Evaluation(
      shift: Double(options.shift.milliseconds) / 1000, minGap: Int(options.minGap.milliseconds),
      bootstrap: options.bootstrap,
      map: try options.evaluationMap.map { (path) throws(RunError) in try EvaluationMap(path) },
      reportsReliability: options.reportsReliability,
      reportsCurves: options.plot != nil || options.report != nil)
    var comparison = try figures(evaluation, of: recordings.map(\.compared))
    comparison.warnings += sets.flatMap(\.warnings) + pairing.warnings
    let page = options.report.map { path in
      ComparisonReport(
        path: path, options: options, comparison: comparison, evaluation: evaluation,
        recordings: recordings)
    }
    return (comparison, page)
  }

  private func figures(
    _ evaluation: Evaluation, of recordings: [ComparedRecording]
  ) throws(RunError) -> Comparison {
    do throws(MissingLength) {
      return try evaluation.comparison(of: recordings)
    } catch {
      throw RunError(
        "\(error.recording) is not in the evaluation map: add a line for it",
        exitCode: ExitStatus.badData)
    }
  }

  /// Reads every side, so that all errors are reported at once.
  private func readSets() throws(RunError) -> [RecordingSet] {
    var sets: [RecordingSet] = []
    let paths = [options.reference, options.detected, options.against].compactMap(\.self)
    try RunError.collect(paths) { (path) throws(RunError) in
      sets.append(try RecordingSet(path, SilenceMarks(adding: options.silence)))
    }
    return sets
  }

  private func write(_ comparison: Comparison) throws(RunError) {
    let results = options.format.results(
      text: ComparisonText(comparison: comparison).text,
      json: ComparisonJSON(comparison: comparison, options: options).text)
    try ResultOutput.deliver(results, to: options.output)
    if let plot = options.plot {
      try PlotFile.deliver(ComparisonPlot(comparison, options).text, to: plot)
    }
  }
}
