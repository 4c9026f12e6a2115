/// What a decision makes of a layer, and why another one is forwarded, or none.
public enum LayerOutcome: CaseIterable, Hashable, Sendable {
  /// The layer is forwarded.
  case forwarded
  /// A better one is forwarded.
  case surpassed
  /// The bandwidth does not carry it beside what the other streams get.
  case bandwidth
  /// Its stream is paused, and the bandwidth would carry it, but the stream was paused only just, was resumed as often
  /// as is allowed, or waits for another one to be resumed.
  case heldBack
  /// It is larger or faster than the demand.
  case aboveDemand
  /// It is less than ``VideoDemand/minimumQuality``.
  case belowMinimumQuality
  /// Another one within the demand costs no more and is better.
  case dominated
  /// The publisher does not send it.
  case notSent
  /// Nothing of its stream is wanted, or can be had; the reason is in the row.
  case notWanted
}

/// A layer of a stream, and what the decision in force makes of it.
public struct LayerVerdict: Hashable, Sendable {
  /// The layer as it was published, with its cost.
  public var layer: VideoLayer
  /// What is made of it.
  public var outcome: LayerOutcome

  /// Creates a verdict.
  public init(layer: VideoLayer, outcome: LayerOutcome) {
    self.layer = layer
    self.outcome = outcome
  }
}
