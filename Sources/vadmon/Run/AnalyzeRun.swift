import Logging
import SystemPackage

/// `vadmon analyze` from checked options to an exit code.
struct AnalyzeRun: CommandRun {
  let options: AnalyzeOptions

  func run() -> Int32 {
    let messages = Messages(isQuiet: options.isQuiet, progress: nil)
    do {
      return try options.showsConfiguration ? showConfiguration() : analyse()
    } catch {
      // Workers may still run: they end with the process.
      if !error.message.isEmpty { messages.error(error.message) }
      TemporaryFiles.removeAllAndExit(error.exitCode)
    }
  }

  private func analyse() throws(ErrorRecord) -> Int32 {
    let inputs = InputList(options).inputs
    try OutputPlan(options: options, inputs: inputs).check()
    let progress = makeProgress(inputCount: inputs.count)
    defer { progress?.remove() }
    let messages = Messages(isQuiet: options.isQuiet, progress: progress)
    let results = try startWorkers(inputs, progress)
    var collector = ResultCollector(options: options, messages: messages, progress: progress)
    do throws(OutputError) {
      while let batch = results.collect() { try collector.take(batch, of: inputs[batch.input]) }
      try collector.finish(leftOut: inputs.count - results.takenCount)
    } catch {
      throw ErrorRecord(error)
    }
    return collector.exitCode
  }

  /// One thread for each job, or as many as the system gives; they end when there is nothing left to take.
  private func startWorkers(
    _ inputs: [Input], _ progress: ProgressBar?
  ) throws(ErrorRecord) -> OrderedResults {
    let results = OrderedResults(count: inputs.count, readAhead: 4 * options.jobs)
    let interruption = Interruption { results.close() }
    interruption.begin()
    let analysis = InputAnalysis(
      options: options, interruption: interruption, progress: progress, logger: makeLogger())
    let started = (0..<min(options.jobs, inputs.count)).filter { _ in
      Thread.start {
        while let index = results.take() {
          analysis.run(inputs[index], index: index) { results.add($0, of: index) }
          results.finish(index)
        }
      }
    }
    guard !started.isEmpty else {
      throw ErrorRecord(
        file: "", message: "cannot start a thread: raise the limit on processes (ulimit -u)",
        exitCode: ExitStatus.unavailable)
    }
    return results
  }

  private func makeProgress(inputCount: Int) -> ProgressBar? {
    let isWanted = !options.isQuiet && options.logLevel == nil
    return isWanted && Terminal.canMoveCursor(FileDescriptor.standardError.rawValue)
      ? ProgressBar(inputCount: inputCount) : nil
  }

  private func makeLogger() -> Logger? {
    guard let level = options.logLevel else { return nil }
    var logger = Logger(label: "vadmon", factory: { StreamLogHandler.standardError(label: $0) })
    logger.logLevel = level
    return logger
  }
}

extension AnalyzeRun {
  /// JSON where JSON was asked for, else one setting a line.
  private func showConfiguration() throws(ErrorRecord) -> Int32 {
    let run = RunConfiguration(options)
    let text =
      switch options.format {
      case .json, .jsonl, .fileJSONL: run.json.text + "\n"
      default: run.table
      }
    do throws(OutputError) {
      try ResultOutput.standardOutput(nil).write(text)
    } catch {
      throw ErrorRecord(error)
    }
    return 0
  }
}

extension ErrorRecord {
  fileprivate init(_ error: OutputError) {
    self.init(
      file: "", message: error == .closedPipe ? "" : error.description, exitCode: error.exitCode)
  }
}
