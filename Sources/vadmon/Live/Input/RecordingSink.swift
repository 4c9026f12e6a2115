import SystemPackage

/// What a ``Recorder`` writes to.
///
/// Threads: the recorder's.
protocol RecordingSink: AnyObject {
  /// Writes interleaved frames.
  func write(_ samples: Span<Float>) throws(RecordingFailure)
  /// Writes silence in place of lost frames. There may be hours of it.
  func writeSilence(_ count: UInt64) throws(RecordingFailure)
  /// Brings what is on the disk up to date. The recorder calls it twice a second.
  func save() throws(RecordingFailure)
  /// Completes what is on the disk. Nothing is written afterwards.
  func finish() throws(RecordingFailure)
}

/// Why a recording had to end.
struct RecordingFailure: Error, Hashable {
  /// What is wrong, and what to do about it.
  let reason: String
}
