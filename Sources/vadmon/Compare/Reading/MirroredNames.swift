import Annotations
import AudioInput

/// Unique names for recordings with equal base names, derived from their folders as `vadmon analyze` mirrors them under
/// `--frames` and `--output-dir`.
///
/// A base name that is unique on every side remains the recording's name. Other names are preceded by their folders:
/// those on the side that has the most recordings of that name. On the other sides, the same recording may lie below
/// more or fewer folders.
///
/// Where `vadmon analyze` keeps extensions because `x.wav` and `x.flac` are in one folder, the labels of `x` count for
/// both, unless there are labels for each. Labels in the same folder come before those of other folders.
struct MirroredNames {
  private var sides: [RecordingSet]

  /// Returns the sides with unique names on each of them.
  static func resolved(_ sides: [RecordingSet]) throws(RunError) -> [RecordingSet] {
    var names = MirroredNames(sides: try SavedNames(sides).restored())
    names.shareLabels()
    for name in names.ambiguous { try names.resolve(name) }
    return names.sides
  }

  /// Gives the labels of `x` to `x.wav` and `x.flac` on the other sides, and leaves them out where each has its own.
  private mutating func shareLabels() {
    let labels = sides[0].recordings
    let others = sides.dropFirst().flatMap(\.recordings)
    var names = labels.map { _ in Set<String>() }
    for other in others {
      for index in Self.labels(of: other, among: labels) { names[index].insert(other.name) }
    }
    let used = labels.indices.filter { !names[$0].isEmpty }.map { labels[$0] }
    sides[0].replace { index, label in
      guard names[index].isEmpty else { return names[index].sorted() }
      return used.contains { $0.isFormat(of: label) && $0.folder == label.folder }
        ? [] : [label.name]
    }
  }

  /// Returns the indices of the labels that have a recording's name or, if there are none, its name without extension.
  /// Those in the same folder count first.
  private static func labels(
    of recording: RecordingSet.Recording, among labels: [RecordingSet.Recording]
  ) -> [Int] {
    var found = labels.indices.filter { labels[$0].name == recording.name }
    if found.isEmpty {
      found = labels.indices.filter { recording.isFormat(of: labels[$0]) }
    }
    let beside = found.filter { labels[$0].folder == recording.folder }
    return beside.isEmpty ? found : beside
  }

  private var ambiguous: Set<String> {
    var ambiguous: Set<String> = []
    for side in sides {
      var known: Set<String> = []
      for recording in side.recordings where !known.insert(recording.name).inserted {
        ambiguous.insert(recording.name)
      }
    }
    return ambiguous
  }

  private mutating func resolve(_ name: String) throws(RunError) {
    let groups = sides.map { side in
      side.recordings.indices.filter { side.recordings[$0].name == name }
    }
    guard let most = groups.map(\.count).max(),
      let owner = groups.firstIndex(where: { $0.count == most })
    else { return }
    let known = groups[owner].map { sides[owner].recordings[$0].location }
    for (side, group) in groups.enumerated() {
      var taken: Set<[String]> = []
      for index in group {
        let recording = sides[side].recordings[index]
        let location = try Self.match(recording, among: known)
        guard taken.insert(location).inserted else { throw Self.unclear(recording, [location]) }
        sides[side].rename(index, to: location.joined(separator: "/"))
      }
    }
  }

  /// Returns the location in `known` that is the same recording, or the recording's own location if there is none.
  private static func match(
    _ recording: RecordingSet.Recording, among known: [[String]]
  ) throws(RunError) -> [String] {
    let location = recording.location
    if known.contains(location) { return location }
    let candidates = known.filter { $0.ends(with: location) || location.ends(with: $0) }
    guard candidates.count <= 1 else { throw unclear(recording, candidates) }
    return candidates.first ?? location
  }

  /// The error that a file may be of several recordings.
  static func unclear(
    _ recording: RecordingSet.Recording, _ candidates: some Collection<[String]>
  ) -> RunError {
    let names = candidates.map { $0.joined(separator: "/") }.sorted().joined(separator: " or ")
    return RunError(
      """
      \(printable(recording.file)) may belong to \(names): put it into a folder of the same name, \
      or keep one of those files
      """, exitCode: ExitStatus.badData)
  }
}

extension RecordingSet.Recording {
  /// The folders below the side's own folder, and the base name.
  var location: [String] { folders + [name] }

  var folders: [String] { folder.split(separator: "/").map(String.init) }

  /// Whether the name ends with the extension of an audio file.
  fileprivate var hasExtension: Bool {
    let ending = name.dropFirst(RecordingName.stem(name).count + 1)
    return MediaName.isRecording(ending: String(ending))
  }

  /// Returns whether the name is the other's with an extension, in a folder that may be the same.
  fileprivate func isFormat(of other: Self) -> Bool {
    hasExtension && RecordingName.stem(name) == other.name
      && (folders.ends(with: other.folders) || other.folders.ends(with: folders))
  }
}

extension [String] {
  fileprivate func ends(with other: [String]) -> Bool { suffix(other.count) == other[...] }
}
