/// A gap whose length the first frame behind it will show.
enum OpenGap: Equatable {
  case none
  /// Frames from before the gap, at least one, are still to be read.
  case behind(frames: Int)
  /// The next frame to be read lies behind the gap.
  case here

  /// Opens a gap behind `frames` frames, or moves one that was open already nearer.
  mutating func open(behind frames: Int) {
    switch self {
    case .here: break
    case .none: self = frames > 0 ? .behind(frames: frames) : .here
    case .behind(let old): self = min(old, frames) > 0 ? .behind(frames: min(old, frames)) : .here
    }
  }

  /// Notes that frames from before the gap were read.
  mutating func approach(by count: Int) {
    guard case .behind(let frames) = self else { return }
    self = frames > count ? .behind(frames: frames - count) : .here
  }
}
