import Charts
import RealTime

/// Where workers leave the pictures of an input, and where the collector finds them in its turn.
///
/// As many inputs as ``OrderedResults`` lets workers be ahead may lie here.
final class PictureShelf: Sendable {
  private struct State {
    var pictures: [Int: [ReportRecording]] = [:]
    /// The position of the input whose pictures are taken next.
    var next = 0
  }

  private let state = Guarded(State())

  /// Leaves the pictures of the input at `index`.
  func put(_ recordings: [ReportRecording], of index: Int) {
    state.change { $0.pictures[index] = recordings }
  }

  /// The pictures of the input that is next in the order of inputs; none if it has none.
  var next: [ReportRecording] { state.change { $0.pictures[$0.next] ?? [] } }

  /// Removes and returns the same.
  func takeNext() -> [ReportRecording] {
    state.change { state in
      defer { state.next += 1 }
      return state.pictures.removeValue(forKey: state.next) ?? []
    }
  }
}
