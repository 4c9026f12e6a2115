import Annotations
import AudioInput
import SystemPackage
import VoiceActivity

/// One file for each segment of an input, or of one of its channels.
final class SegmentFiles: CutWriter.Destination {
  /// What makes the files of one input.
  struct Input {
    var folder: FilePath
    /// As ``FilePath/text`` writes it.
    var stem: String
    /// From 1; `nil` if the files have all channels.
    var channel: Int?
    var format: SoundFormat
  }

  typealias Make = (FilePath) throws(OutputError) -> OutputFile

  private let saving: SegmentSaving
  private let input: Input
  /// Whether numbers go on after those in the folder, and those that other processes take meanwhile are left out. Live
  /// sound cannot be saved again.
  private let goesOn: Bool
  private let make: Make
  /// The newest number.
  private var count = 0
  private var start = MediaTime.zero
  private var sound: SavedSound?
  /// The names of the complete files.
  private var names: Set<FilePath.Component> = []
  /// The newest file.
  private(set) var path: FilePath
  /// How many samples in the complete files are clipped.
  private(set) var clippedCount = 0

  init(_ saving: SegmentSaving, _ input: Input, goesOn: Bool = false, make: @escaping Make) {
    (self.saving, self.input, self.make) = (saving, input, make)
    self.goesOn = goesOn && saving.name.has(.index)
    path = input.folder
    if self.goesOn { count = present.map(\.facts.index).max() ?? 0 }
  }

  func begin(at start: UInt64) throws(OutputError) {
    self.start = MediaTime(samples: start, rate: input.format.rate)
    repeat {
      path = nextPath()
      sound = try unlessTaken { () throws(OutputError) in
        try SavedSound(make(path), saving.container, input.format)
      }
    } while sound == nil
  }

  func write(_ frames: Span<Float>) throws(OutputError) { try sound?.write(frames) }

  func end(_ cut: SpeechCut) throws(OutputError) {
    let next = { [unowned self] in
      path = nextPath()
      return path
    }
    try sound?.commit(orAs: goesOn ? next : nil)
    clippedCount += sound?.clippedCount ?? 0
    sound = nil
    if let name = path.lastComponent { names.insert(name) }
  }

  /// Returns the warning about clipped samples; `nil` if there are none.
  static func warning(clipped count: Int) -> String? {
    SavedSound.warning(
      clipped: count, of: "--save-segments", remedy: "choose --segment-format wav")
  }

  /// Checks that a file can be made, by the name of a segment that begins with the input. No file remains.
  func checkFirst() throws(OutputError) {
    _ = try unlessTaken { () throws(OutputError) in try make(path(ofNumber: count + 1)) }
  }

  /// Returns what `body` makes, or `nil` if numbers go on and another process has taken this one.
  private func unlessTaken<Made>(
    _ body: () throws(OutputError) -> Made
  ) throws(OutputError) -> Made? {
    do throws(OutputError) {
      return try body()
    } catch {
      guard case .taken = error, goesOn else { throw error }
      return nil
    }
  }

  private func nextPath() -> FilePath {
    count += 1
    return path(ofNumber: count)
  }

  private func path(ofNumber number: Int) -> FilePath {
    saving.file(
      SegmentName.Facts(stem: input.stem, index: number, start: start, channel: input.channel),
      in: input.folder)
  }
}

// MARK: - Files of earlier runs

extension SegmentFiles {
  /// The files in the folder that have names of segments of this input, and what the names say.
  private var present: [(path: FilePath, facts: SegmentName.Facts)] {
    let stems = SegmentStems([input.stem])
    return ((try? Folder.entries(of: input.folder)) ?? []).compactMap { path in
      guard path.extension == saving.container.rawValue,
        let facts = saving.name.facts(of: path.stemText, stems: stems),
        facts.channel == input.channel || !saving.name.has(.channel)
      else { return nil }
      return (path, facts)
    }
  }

  /// Returns the files that an earlier run may have saved of this input, and this one has not: those whose numbers this
  /// run has given as well, and those whose numbers follow without a gap. Without numbers, all that begin within
  /// `duration`.
  func surplus(within duration: MediaTime) -> [FilePath] {
    let others = present.filter { path, facts in
      facts.start <= duration && path.lastComponent.map(names.contains) == false
        && (try? path.stat(followTargetSymlink: false).type) == .regular
    }
    guard saving.name.has(.index) else { return others.map(\.path) }
    let numbers = Set(others.map(\.facts.index))
    var end = count + 1
    while numbers.contains(end) { end += 1 }
    return others.filter { $0.facts.index < end }.map(\.path)
  }
}
