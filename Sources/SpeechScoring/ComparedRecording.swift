public import Annotations

/// The labels and detections of one recording.
public struct ComparedRecording {
  /// The name of the recording.
  public var name: String
  /// The sub-folder of the reference.
  public var folder: String
  /// The labels.
  public var reference: [LabelledSpan]
  /// The output of the detector.
  public var detected: LabelTrack
  /// The output of a second detector.
  public var against: LabelTrack?
  /// The length in seconds that the files of labels or detections state; the greatest if they differ, `nil` if none
  /// does.
  public var statedLength: Double?

  /// Creates a recording.
  public init(
    name: String, folder: String = "", reference: [LabelledSpan], detected: LabelTrack,
    against: LabelTrack? = nil, statedLength: Double? = nil
  ) {
    (self.name, self.folder, self.statedLength) = (name, folder, statedLength)
    (self.reference, self.detected, self.against) = (reference, detected, against)
  }
}

/// The error that a recording is not in the evaluation map.
public struct MissingLength: Error, Hashable {
  /// The name of the recording.
  public var recording: String
}
