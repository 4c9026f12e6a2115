import Annotations
import Logging
import RealTime
import SystemPackage

/// A run of `vadmon analyze`, from checked options to an exit code.
struct AnalyzeRun: CommandRun {
  let options: AnalyzeOptions

  func run() -> Int32 {
    EndingSignals.begin()
    let messages = Messages(isQuiet: options.isQuiet)
    do {
      return try options.showsConfiguration ? showConfiguration() : analyse()
    } catch {
      // Workers may still be running: they end with the process.
      messages.report(error)
      TemporaryFiles.removeAllAndExit(error.exitCode)
    }
  }

  private func analyse() throws(RunError) -> Int32 {
    let commands = try startCommands()
    let (inputs, files) = try listInputs()
    warnOfRawFlags()
    let progress = inputs.count == nil ? nil : makeProgress(inputs.known)
    defer { progress?.remove() }
    let messages = Messages(isQuiet: options.isQuiet, progress: progress)
    let results = OrderedResults(readAhead: 4 * options.jobs, nextInput: inputs.next)
    let shelf = PictureShelf()
    let interruption = Interruption {
      results.close()
      warnIfNobodyReads()
    }
    interruption.begin()
    commands.map { interruption.watch($0, stop: $0.stop) }
    let pictures = try RunError.writing { () throws(OutputError) in
      // Before the analysis, so that it does not end with an error that was there before.
      try PictureOutputs(options, shelf, interruption)
    }
    try startWorkers(
      results, inputs.count,
      InputAnalysis(
        options: options, files: files, shelf: shelf, commands: commands,
        interruption: interruption,
        messages: messages, progress: progress, logger: makeLogger()))
    var collector = ResultCollector(
      options: options, files: files, interruption: interruption, messages: messages,
      progress: progress, pictures: pictures)
    try RunError.writing { () throws(OutputError) in
      while let batch = results.collect() { try collector.take(batch) }
      try collector.finish(
        notBegun: inputs.known.dropFirst(results.begunCount), mayNameMore: inputs.mayNameMore)
    }
    if let (failure, missedCount) = commands?.finish() {
      collector.note(failedCommands: failure, missedCount)
    }
    if let failure = inputs.failure { throw failure }
    return collector.exitCode
  }

  private func startCommands() throws(RunError) -> SegmentCommands? {
    guard let command = options.command else { return nil }
    try ProgramSearch.check(command.program, of: "--exec")
    return try SegmentCommands(
      command, kind: RunConfiguration(options).segmentType, jobs: options.jobs,
      isQuiet: options.isQuiet)
  }

  /// Warns that flags for raw PCM have no effect when no input is standard input.
  ///
  /// Whether standard input itself is raw PCM is known only after it has been opened.
  private func warnOfRawFlags() {
    guard !options.inputs.contains(where: \.isStandardStream),
      let warning = options.raw.warning("raw PCM on standard input")
    else { return }
    Messages(isQuiet: options.isQuiet).warning(
      "\(warning): recordings say it themselves; \(RawPCMOptions.remedy)")
  }

  /// Warns after an interruption that the results wait for the reader of standard output, for example `less`.
  ///
  /// It runs on the signals' thread, which must not wait for the reader of the messages either.
  private func warnIfNobodyReads() {
    guard !FileDescriptor.standardOutput.takesBytes(), FileDescriptor.standardError.takesBytes()
    else { return }
    Messages(isQuiet: options.isQuiet).warning(
      "interrupted: the results wait for the reader of standard output; Ctrl-C drops them")
  }

  private func listInputs() throws(RunError) -> (InputSource, ResultFiles) {
    let list = try InputList(options)
    for note in list.notes { makeLogger()?.info("\(note)") }
    let plan = OutputPlan(options: options, inputs: list.inputs)
    try plan.check()
    if let note = plan.note { Messages(isQuiet: options.isQuiet).note(note) }
    return (try list.makeSource(of: plan.inputs), plan.files)
  }

  /// Starts one thread for each job, or as many as the system allows. Each ends when no input is left.
  private func startWorkers(
    _ results: OrderedResults, _ inputCount: Int?, _ analysis: InputAnalysis
  ) throws(RunError) {
    // Start at least one worker: it discovers that there is nothing to do.
    let count = min(options.jobs, max(1, inputCount ?? options.jobs))
    let started = (0..<count).filter { _ in
      JoinableThread.startDetached {
        while let next = results.take() {
          analysis.run(next.input, index: next.index) { results.add($0, of: next.index) }
          results.finish(next.index)
        }
      }
    }
    if started.isEmpty { throw RunError(noThread: "for the analysis") }
  }

  /// Returns a progress bar, or `nil` if none is shown. While names are still arriving, the total is unknown.
  private func makeProgress(_ inputs: [Input]) -> ProgressBar? {
    // What programs write would be mixed with it.
    guard !options.isQuiet, options.logLevel == nil, options.command == nil,
      Terminal.canMoveCursor(FileDescriptor.standardError.rawValue)
    else { return nil }
    return ProgressBar(sizes: inputs.map { $0.path?.size ?? 0 })
  }

  private func makeLogger() -> Logger? {
    guard let level = options.logLevel else { return nil }
    var logger = Logger(label: "vadmon", factory: { StreamLogHandler.standardError(label: $0) })
    logger.logLevel = level
    return logger
  }
}

extension AnalyzeRun {
  /// Writes the configuration.
  private func showConfiguration() throws(RunError) -> Int32 {
    let text = options.format.text(of: RunConfiguration(options).sourced(by: options.settings))
    try ResultOutput.deliver(text, to: options.outputFile, beside: options.settings.given)
    return 0
  }
}
