import Annotations
import SpeechScoring
import SystemPackage

/// The pairing of recordings on two or three sides by base name. If each side is a single file with one recording, they
/// are paired whatever their names.
struct Pairing {
  let reference: RecordingSet
  let detected: RecordingSet
  let against: RecordingSet?
  /// Whether a recording missing on one side has no speech there.
  let missingIsSilence: Bool
  /// The sound of the recordings, among which others may be.
  var sound: RecordingSet?

  func recordings() throws(RunError) -> [PairedRecording] {
    let pairing = try resolved()
    var recordings: [PairedRecording] = []
    try RunError.collect(try pairing.matchedNames()) { (name) throws(RunError) in
      recordings.append(
        PairedRecording(
          compared: try pairing.recording(name), sound: try pairing.soundFile(name)))
    }
    return recordings
  }

  /// Returns the labels of each recording, whose sound is the detected side.
  func labelledSound() throws(RunError) -> [LabelledRecordings.Item] {
    let pairing = try resolved()
    var items: [LabelledRecordings.Item] = []
    for name in try pairing.matchedNames() {
      // None of these names lacks its sound.
      guard let sound = pairing.find(name, in: pairing.detected) else { continue }
      let labels = try pairing.spans(pairing.find(name, in: pairing.reference))
      items.append(LabelledRecordings.Item(name: name, file: sound.file, labels: labels))
    }
    return items
  }

  /// One sentence for each of two files that may not belong together, or that a failed run may have left. Folders pair
  /// their files by name.
  var warnings: [String] {
    guard isSinglePair else { return [] }
    let labels = reference.recordings[0]
    return sides.dropFirst().map { $0.recordings[0] }.flatMap { found in
      [labels.warning(besides: found), found.emptinessWarning].compactMap(\.self)
    }
  }

  /// Returns the pairing with unique names on each side.
  private func resolved() throws(RunError) -> Pairing {
    let sets = try MirroredNames.resolved(sides + (sound.map { [$0] } ?? []))
    return Pairing(
      reference: sets[0], detected: sets[1], against: against.map { _ in sets[2] },
      missingIsSilence: missingIsSilence, sound: sound.flatMap { _ in sets.last })
  }

  /// Returns the names of the recordings that all sides have, or that may be missing, which no sound may.
  private func matchedNames() throws(RunError) -> [String] {
    try checkKinds(detected)
    if let against { try checkKinds(against) }
    let names = names
    // Report why labels cannot be read rather than that they are missing.
    try RunError.collect(unreadable(among: names)) { (error) throws(RunError) in throw error }
    let missing = names.flatMap(missingPartners)
    guard missing.isEmpty else {
      throw RunError(missing, exitCode: ExitStatus.noInput)
    }
    return names
  }

  private var sides: [RecordingSet] { [reference, detected] + (against.map { [$0] } ?? []) }

  /// Whether each side is a file with one recording.
  private var isSinglePair: Bool {
    sides.allSatisfy { !$0.isFolder && $0.recordings.count == 1 }
  }

  private var names: [String] {
    if isSinglePair { return reference.recordings.map(\.name) }
    var known: Set<String> = []
    return sides.flatMap(\.recordings).map(\.name).filter { known.insert($0).inserted }
  }

  private func find(_ name: String, in side: RecordingSet) -> RecordingSet.Recording? {
    isSinglePair ? side.recordings[0] : side[name]
  }

  private func recording(_ name: String) throws(RunError) -> ComparedRecording {
    let labels = find(name, in: reference)
    let lengths = sides.compactMap { find(name, in: $0)?.content.length }
    return ComparedRecording(
      name: name, folder: labels?.folder ?? "", reference: try spans(labels),
      detected: try track(name, in: detected),
      against: try against.map { (side) throws(RunError) in try track(name, in: side) },
      statedLength: lengths.max())
  }

  private func soundFile(_ name: String) throws(RunError) -> FilePath? {
    guard let sound else { return nil }
    if !sound.isFolder, isSinglePair { return sound.recordings[0].file }
    if let recording = sound[name] { return recording.file }
    throw RunError(
      "\(name) is not in \(printable(sound.path)): add the recording, or leave --recordings out",
      exitCode: ExitStatus.noInput)
  }

  private func spans(
    _ labels: RecordingSet.Recording?
  ) throws(RunError) -> [LabelledSpan] {
    switch labels?.track {
    case nil: return []
    case .spans(let spans)?: return spans
    case .frames?:
      throw RunError(
        "the reference \(labels.map { printable($0.file) } ?? "") is a frame table: "
          + "give labels", exitCode: ExitStatus.badData)
    }
  }

  private func track(
    _ name: String, in side: RecordingSet
  ) throws(RunError) -> LabelTrack {
    if let recording = find(name, in: side), recording.content.failure == nil {
      return recording.track
    }
    guard !side.hasFrames else {
      throw RunError(
        "\(name) has no frame table in \(printable(side.path)): write one with "
          + "vadmon analyze --frames", exitCode: ExitStatus.noInput)
    }
    return .spans([])
  }

  /// Checks that the side does not mix frames and segments, which cannot be pooled: only frames have scores.
  private func checkKinds(_ side: RecordingSet) throws(RunError) {
    guard let frames = side.recordings.first(where: { $0.track.isFrames }),
      let spans = side.recordings.first(where: {
        !$0.track.isFrames && $0.content.failure == nil
      })
    else { return }
    throw RunError(
      """
      \(printable(frames.file)) is a frame table and \(printable(spans.file)) \
      is not: compare them separately
      """, exitCode: ExitStatus.badData)
  }

  private func unreadable(among names: [String]) -> [RunError] {
    sides.flatMap { side in
      side.passedOver.filter { names.contains($0.name) && find($0.name, in: side) == nil }
    }.compactMap(\.error)
  }

  private func missingPartners(_ name: String) -> [String] {
    guard let owner = sides.first(where: { $0[name] != nil }) else { return [] }
    return sides.compactMap { side -> String? in
      guard let recording = find(name, in: side) else {
        guard side.isSound || !missingIsSilence else { return nil }
        let remedy =
          side.isSound
          ? "add the recording, or leave its labels out"
          : "add it, or use --missing-is-silence if it has no speech there"
        return "\(name), of \(printable(owner.path)), is not in \(printable(side.path)): \(remedy)"
      }
      guard !missingIsSilence else { return nil }
      return recording.content.failure.map { failure in
        """
        \(printable(recording.name)) was not analysed, and has no result in \(printable(side.path)) \
        (\(failure)): analyse it again, or use --missing-is-silence if it has no speech there
        """
      }
    }
  }
}

/// The labels and detections of one recording, and the file of its sound.
struct PairedRecording {
  var compared: ComparedRecording
  var sound: FilePath?
}

extension LabelTrack {
  var isFrames: Bool { if case .frames = self { true } else { false } }
}

extension RecordingSet.Recording {
  /// The name that the file gives the recording, or else its own; `nil` if that is of a pipe or of standard input.
  private var knownName: String? {
    if content.isNamed { return name == RecordingName.stem("-") ? nil : name }
    return file.type == .regular ? name : nil
  }

  /// The warning that two files name different recordings. `x.wav` and `x.ch2` are names of `x`, and files of one name
  /// belong together, as in folders.
  fileprivate func warning(besides other: Self) -> String? {
    guard content.isNamed || other.content.isNamed, let one = knownName, let two = other.knownName,
      RecordingName.fileID(file.string) != RecordingName.fileID(other.file.string), one != two,
      !one.hasPrefix(two + "."), !two.hasPrefix(one + ".")
    else { return nil }
    return """
      \(printable(file)) is for \(printable(one)), and \(printable(other.file)) for \(printable(two)): \
      check that both are of one recording
      """
  }

  /// The warning about a file that is empty.
  fileprivate var emptinessWarning: String? {
    guard content.isOfEmptyFile else { return nil }
    return
      "\(printable(file)) is empty, and counts as without speech: check that its run did not fail"
  }
}

extension RecordingSet {
  /// Whether the side has frames. Kinds are not mixed.
  var hasFrames: Bool { recordings.contains(where: \.track.isFrames) }
}
