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

  /// Creates a recording.
  public init(
    name: String, folder: String = "", reference: [LabelledSpan], detected: LabelTrack,
    against: LabelTrack? = nil
  ) {
    (self.name, self.folder) = (name, folder)
    (self.reference, self.detected, self.against) = (reference, detected, against)
  }
}

/// The error that a recording is not in the evaluation map.
public struct MissingLength: Error, Hashable {
  /// The name of the recording.
  public var recording: String
}
