import Annotations

/// The recordings that files mean whose names the label editor of a report made: `a_x` is `a/x` where the page had
/// another `x`, and `10_55` is `10:55`, because browsers do not save a colon.
///
/// ``RecordingName/saved(_:)`` is the rule. A file means a recording of another side if that recording's name, with
/// none, some or all of its folders before it, gives the name of the file. A recording that already has labels under
/// its own name is not a candidate.
struct SavedNames {
  /// What the recordings of a side may be called.
  private struct Side {
    /// The ends of the recordings' locations, by the names under which the editor saves them.
    var ends: [String: Set<[String]>] = [:]
    /// How many recordings have each name.
    var counts: [String: Int] = [:]

    init(_ set: RecordingSet) {
      for recording in set.recordings {
        counts[recording.name, default: 0] += 1
        for end in SavedNames.ends(of: recording.location) {
          ends[RecordingName.saved(end), default: []].insert(end)
        }
      }
    }
  }

  private let sets: [RecordingSet]
  private let sides: [Side]

  init(_ sets: [RecordingSet]) {
    self.sets = sets
    sides = sets.map(Side.init)
  }

  /// Returns the names under which the editor may save the labels of a recording.
  static func names(of name: String, in folder: String) -> [String] {
    ends(of: folder.split(separator: "/").map(String.init) + [name]).map { RecordingName.saved($0) }
  }

  /// The name alone, and with more and more of its folders.
  private static func ends(of location: [String]) -> [[String]] {
    location.indices.map { Array(location[$0...]) }
  }

  /// Returns the sides with the recordings' own names and folders.
  func restored() throws(RunError) -> [RecordingSet] {
    var restored = sets
    for (side, set) in sets.enumerated() {
      for (index, recording) in set.recordings.enumerated() {
        guard let end = try meaning(of: recording, on: side) else { continue }
        restored[side].move(index, to: recording.folders + end)
      }
    }
    return restored
  }

  /// Returns the end of the location that the recording has on another side; `nil` if it has its own name there, or
  /// none.
  private func meaning(
    of recording: RecordingSet.Recording, on side: Int
  ) throws(RunError) -> [String]? {
    var found: Set<[String]> = []
    for other in sides.indices where other != side {
      let here = sides[other].ends[recording.name, default: []].filter { end in
        end.last == recording.name || lacks(end.last ?? "", side, of: other)
      }
      // Its own name may be one of them.
      guard here.count < 2 else { throw MirroredNames.unclear(recording, here) }
      found.formUnion(here)
    }
    found.remove([recording.name])
    guard found.count < 2 else { throw MirroredNames.unclear(recording, found) }
    return found.first
  }

  /// Whether a side has fewer recordings of a name than another one.
  private func lacks(_ name: String, _ side: Int, of other: Int) -> Bool {
    sides[side].counts[name, default: 0] < sides[other].counts[name, default: 0]
  }
}
