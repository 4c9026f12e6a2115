import Annotations
import Glibc
import SystemPackage

/// The single consumer of records: writes them in the order of the inputs, reports errors and warnings, and determines
/// the exit code.
struct ResultCollector {
  private let options: AnalyzeOptions
  private let files: ResultFiles
  private let configuration: RunConfiguration
  private let interruption: Interruption
  private let messages: Messages
  private let progress: ProgressBar?
  private var pictures: PictureOutputs
  /// The open document: the only one, or the current input's where each input gets its own file.
  private var document: Document?
  private var total: RunTotal
  /// Whether the current input has any record. One that ends without is a video without sound, which was found in a
  /// folder.
  private var hasRecords = false
  /// Whether the newest input was analysed to its end, and its programs have succeeded.
  private var isComplete = false
  private var foundSpeech = false
  /// Whether the results have a reader. Without one, the files of the run are still completed.
  private var hasReader = true
  /// Whether any input could be opened.
  private var hasResults = false
  private var firstFailure: Int32?
  /// The number of inputs that an interruption left out, and below it the name of the first.
  private var leftCount = 0
  private var firstLeft: String?

  init(
    options: AnalyzeOptions, files: ResultFiles, interruption: Interruption, messages: Messages,
    progress: ProgressBar?, pictures: PictureOutputs
  ) {
    (self.options, self.files) = (options, files)
    self.interruption = interruption
    configuration = RunConfiguration(options)
    total = RunTotal(isInverted: options.isInverted)
    self.messages = messages
    self.progress = progress
    self.pictures = pictures
  }

  var exitCode: Int32 {
    firstFailure ?? (options.reportsNoSpeech && !foundSpeech ? ExitStatus.noSpeech : 0)
  }

  mutating func take(_ batch: OrderedResults.Batch) throws(OutputError) {
    for record in batch.records { note(record) }
    hasRecords = hasRecords || !batch.records.isEmpty
    if batch.isLast {
      if !hasRecords { total.addSilentVideo() }
      hasRecords = false
    }
    do throws(OutputError) {
      try write(batch)
    } catch {
      document = nil
      if EndingSignals.requestEnd(ifReaderHasGone: error) {
        hasReader = false
      } else if case .taken = error, options.outputFolder != nil {
        // With one file for each input, the other inputs can still be written.
        if options.skipsExisting {
          let name = RecordingName.shown(batch.input.name)
          messages.note("left out \(name), which has a result by now")
        } else {
          note(.error(ErrorRecord(file: batch.input.name, error)))
        }
      } else {
        throw error
      }
    }
    if batch.isLast { try pictures.writeNext() }
  }

  private mutating func write(_ batch: OrderedResults.Batch) throws(OutputError) {
    guard hasReader else { return }
    if document == nil { document = try open(for: batch) }
    try document?.write(batch.records)
    guard batch.isLast, options.outputFolder != nil else { return }
    // The next run would take what is not complete for done.
    let isKept = isComplete || !options.skipsExisting
    TemporaryFiles.finish(batch.input, isComplete: isKept)
    if isKept { try document?.finish() }
    document = nil
  }

  /// Completes the output.
  ///
  /// - Parameters:
  ///   - notBegun: The inputs that no worker has taken because of an interruption.
  ///   - mayNameMore: Whether an interruption left names unread.
  mutating func finish(notBegun: ArraySlice<Input>, mayNameMore: Bool) throws(OutputError) {
    for input in notBegun {
      let record = Record.error(ErrorRecord(interrupted: input))
      try take(OrderedResults.Batch(input: input, records: [record], isLast: true))
    }
    warnOfInterruption(mayNameMore: mayNameMore)
    try pictures.finish(hasFailed: firstFailure != nil || leftCount > 0)
    let sentence = total.sentence.map { "total: \($0)" }
    let isText = options.format == .text && options.template == nil && options.outputFolder == nil
    // Other formats have no place for it.
    if !isText, progress != nil, let sentence { messages.note(sentence) }
    guard options.outputFolder == nil, hasReader else { return }
    if keepsOldFile {
      document = nil
    } else {
      if document == nil { document = try open() }
      let gap = hasResults ? "\n" : ""
      try document?.finish(isText ? sentence.map { "\(gap)\($0)\n" } ?? "" : "")
    }
  }

  /// Takes what went wrong with the programs for segments, and how many were not run to their end.
  mutating func note(failedCommands failure: String?, _ missedCount: Int) {
    if missedCount > 0 {
      let segments = counted(missedCount, "segment")
      messages.warning("interrupted: the program of --exec was not run to its end for \(segments)")
    }
    guard let failure else { return }
    messages.error(failure)
    firstFailure = firstFailure ?? ExitStatus.commandFailed
  }

  private func warnOfInterruption(mayNameMore: Bool) {
    // A reader that closes a pipe wants no more.
    guard hasReader else { return }
    if let firstLeft {
      let name = RecordingName.shown(firstLeft)
      messages.warning(
        leftCount == 1
          ? "interrupted: \(name) was not analysed"
          : "interrupted: \(leftCount) inputs were not analysed, the first of them \(name)")
    }
    if mayNameMore {
      messages.warning("interrupted: the names on standard input were not read to their end")
    }
  }

  private var keepsOldFile: Bool {
    ResultOutput.isKept(
      options.outputFile, hasFailed: firstFailure != nil || leftCount > 0, hasResults: hasResults)
  }

  private mutating func note(_ record: Record) {
    total.add(record)
    switch record {
    case .input: (hasResults, isComplete) = (true, false)
    case .error(let error) where error.isInterruption:
      leftCount += 1
      firstLeft = firstLeft ?? error.file
    case .error(let error):
      messages.error(error.message)
      if firstFailure == nil, !accepts(error) { firstFailure = error.exitCode }
    case .file(let file):
      if file.speech > .zero { foundSpeech = true }
      isComplete = file.isWhole && !file.isInterrupted
      // Also the reader of --trim - may have gone.
      guard hasReader, EndingSignals.request != SIGPIPE else { break }
      let name = RecordingName.shown(file.file)
      for warning in file.warnings { messages.warning("\(name): \(warning)") }
    case .segment, .mutedSpeech, .gap: break
    }
  }
}

extension ResultCollector {
  /// Returns whether `--accept-bad` covers the error: the input is bad, not the disk or the network.
  private func accepts(_ error: ErrorRecord) -> Bool {
    options.acceptsBad && [ExitStatus.badData, ExitStatus.noInput].contains(error.exitCode)
  }

  /// Opens the document for a batch, or returns `nil` if its input could not be opened: such an input gets no file.
  private func open(for batch: OrderedResults.Batch) throws(OutputError) -> Document? {
    guard options.outputFolder != nil else { return try open() }
    guard case .input? = batch.records.first, let path = files.result(of: batch.input) else {
      return nil
    }
    return try makeDocument(.file(files.make(path, interruption: interruption)))
  }

  private func open() throws(OutputError) -> Document {
    guard let file = options.outputFile else { return try makeDocument(.standardOutput(progress)) }
    return try makeDocument(.file(OutputFile(path: file, interruption: interruption)))
  }

  private func makeDocument(_ output: ResultOutput) throws(OutputError) -> Document {
    var (isColored, isOnTerminal) = (options.color == .always, false)
    if case .standardOutput = output {
      let descriptor = FileDescriptor.standardOutput.rawValue
      isColored = Terminal.wantsColor(options.color, descriptor: descriptor)
      isOnTerminal = isatty(descriptor) == 1
    }
    let style = TextStyle(isColored: isColored, isASCII: !Terminal.isUTF8)
    let format: any RecordFormat =
      options.showsWaveform
      ? TextFormat(style: style, pictures: pictures.shelf) : options.makeFormat(style: style)
    // Text and templates escape names themselves, and may have commands of their own.
    let isForPrograms = options.format != .text && options.template == nil
    return try Document(
      format, to: output, escapingCommands: isOnTerminal && isForPrograms, run: configuration)
  }
}
