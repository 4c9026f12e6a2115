import SystemPackage

/// What is compared of one recording.
struct ComparedRecording {
  var name: String
  /// The sub-folder of the reference.
  var folder: String
  var reference: [LabelledSpan]
  var detected: LabelTrack
  /// What a second detector found.
  var against: LabelTrack?
}

/// Brings together what two or three sides tell of the same recordings: by base name, or, where a single
/// file stands against a single file and each tells of one recording, whatever they are called.
struct Pairing {
  let reference: RecordingSet
  let detected: RecordingSet
  let against: RecordingSet?
  /// A recording that one side does not know has no speech there.
  let missingIsSilence: Bool

  func recordings() throws(RunError) -> [ComparedRecording] {
    let sides = try MirroredNames.resolved(sides)
    return try Pairing(
      reference: sides[0], detected: sides[1], against: sides.count > 2 ? sides[2] : nil,
      missingIsSilence: missingIsSilence
    ).matched()
  }

  private func matched() throws(RunError) -> [ComparedRecording] {
    try checkKinds(detected)
    if let against { try checkKinds(against) }
    let names = names
    // Rather why the labels cannot be read than that there are none.
    try RunError.collect(unreadable(among: names)) { (error) throws(RunError) in throw error }
    let missing = missingIsSilence ? [] : names.flatMap(missingPartners)
    guard missing.isEmpty else {
      throw RunError(missing, exitCode: ExitStatus.noInput)
    }
    var recordings: [ComparedRecording] = []
    for name in names { recordings.append(try recording(name)) }
    return recordings
  }

  private var sides: [RecordingSet] { [reference, detected] + (against.map { [$0] } ?? []) }

  /// Each side is a file with one recording.
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
    return ComparedRecording(
      name: name, folder: labels?.folder ?? "", reference: try spans(labels),
      detected: try track(name, in: detected),
      against: try against.map { (side) throws(RunError) in try track(name, in: side) })
  }

  private func spans(
    _ labels: RecordingSet.Recording?
  ) throws(RunError) -> [LabelledSpan] {
    switch labels?.track {
    case nil: return []
    case .spans(let spans)?: return spans
    case .frames?:
      throw RunError(
        "the reference \(labels.map { FileNames.printable($0.file) } ?? "") is a frame table: "
          + "give labels", exitCode: ExitStatus.badData)
    }
  }

  private func track(
    _ name: String, in side: RecordingSet
  ) throws(RunError) -> LabelTrack {
    if let recording = find(name, in: side) { return recording.track }
    guard !side.hasFrames else {
      throw RunError(
        "\(name) has no frame table in \(FileNames.printable(side.path)): write one with "
          + "vadmon analyze --frames", exitCode: ExitStatus.noInput)
    }
    return .spans([])
  }

  /// Frames have scores and segments have none, so that they cannot be pooled.
  private func checkKinds(_ side: RecordingSet) throws(RunError) {
    guard let frames = side.recordings.first(where: { $0.track.isFrames }),
      let spans = side.recordings.first(where: { !$0.track.isFrames })
    else { return }
    throw RunError(
      """
      \(FileNames.printable(frames.file)) is a frame table and \(FileNames.printable(spans.file)) \
      is none: compare them apart
      """, exitCode: ExitStatus.badData)
  }

  private func unreadable(among names: [String]) -> [RunError] {
    sides.flatMap { side in
      side.passedOver.filter { names.contains($0.name) && find($0.name, in: side) == nil }
    }.compactMap(\.error)
  }

  private func missingPartners(_ name: String) -> [String] {
    guard let owner = sides.first(where: { $0[name] != nil }) else { return [] }
    return sides.filter { find(name, in: $0) == nil }.map { side in
      """
      \(name), of \(FileNames.printable(owner.path)), is not in \(FileNames.printable(side.path)): \
      add it, or say --missing-is-silence if it has no speech there
      """
    }
  }
}

extension LabelTrack {
  var isFrames: Bool { if case .frames = self { true } else { false } }
}

extension RecordingSet {
  /// One is enough: kinds are not mixed.
  var hasFrames: Bool { recordings.first?.track.isFrames == true }
}
