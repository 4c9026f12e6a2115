import Annotations
import AudioInput
import Charts
import RealTime
import SpeechScoring
import SystemPackage

/// The page of `vadmon compare --report`.
struct ComparisonReport {
  let path: FilePath
  let options: CompareOptions
  let comparison: Comparison
  let evaluation: Evaluation
  let recordings: [PairedRecording]

  /// Writes the page. A recording whose sound cannot be read is shown without it, and is an error in the end.
  func write(_ messages: Messages) throws(RunError) {
    var failures: [ErrorRecord] = []
    do {
      let file = try OutputFile(path: path)
      var page = page
      try file.write(page.opening.utf8)
      for (recording, figures) in worstFirst {
        var shown = try shown(recording.compared, figures)
        if let sound = recording.sound {
          do {
            try show(sound, in: &shown)
            for warning in shown.warnings { messages.warning("\(shown.title): \(warning)") }
          } catch {
            failures.append(ErrorRecord(file: printable(sound), error))
            shown.warnings = [failures[failures.count - 1].message]
          }
        }
        try file.write(page.add(shown).utf8)
      }
      try file.write(page.closing.utf8)
      try file.commit()
    } catch let error as OutputError {
      throw RunError(error)
    } catch {
      throw RunError("\(error)", exitCode: ExitStatus.badData)
    }
    if let first = failures.first {
      throw RunError(failures.map(\.message), exitCode: first.exitCode)
    }
  }

  private var page: ReportPage {
    let sides = [options.reference, options.detected, options.against].map { side in
      side.map { JSONValue.string($0.string) } ?? .null
    }
    let text = ComparisonText(comparison: comparison)
    return ReportPage(
      title: "\(printable(options.detected)) against \(printable(options.reference))",
      generator: Vadmon.generator,
      configuration: ["reference": sides[0], "detected": sides[1], "against": sides[2]]
        + ComparisonJSON(comparison: comparison, options: options).configuration,
      figures: text.figures, note: text.note,
      curves: ComparisonPlot(comparison, options).text)
  }

  /// The recordings with their figures, those with the most errors first.
  private var worstFirst: [(PairedRecording, Comparison.Section)] {
    let errors = { (section: Comparison.Section) in section.sum { $0.misses + $0.falseAlarms } }
    return zip(recordings, comparison.files).sorted { errors($0.1) > errors($1.1) }
  }

  private func shown(
    _ recording: ComparedRecording, _ section: Comparison.Section
  ) throws(MissingLength) -> ReportRecording {
    let f1 = section.detected.values[.f1].map { fixed($0, places: Figure.f1.places) }
    return ReportRecording(
      recording.name, ReportComparison(try evaluation.counted(recording), f1: f1))
  }

  private func show(_ sound: FilePath, in recording: inout ReportRecording) throws {
    let source = try AudioFileSource(path: sound, channels: .mix, logger: nil)
    let track = PictureTrack(
      rate: source.sampleRate, scale: .plain, hasSpectrogram: true,
      encoder: options.embedsAudio
        ? try OpusEncoder(name: printable(sound), rate: source.sampleRate) : nil)
    var block = PCMBlock(channelCount: source.channelCount)
    var count: UInt64 = 0
    while try source.read(into: &block) {
      block.withSamples(ofChannel: 0) { track.add($0) }
      count += UInt64(block.frameCount)
    }
    recording.audio = try track.finish()
    recording.show(track.picture, sampleCount: count)
    recording.warnings = source.warnings.map(\.description)
    recording.address = PageAddress.of(sound, from: path)
  }
}
