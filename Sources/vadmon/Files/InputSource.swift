import RealTime
import SystemPackage

/// The inputs of a run in order, each taken when a worker is free to analyse it.
///
/// Names on standard input are read no earlier than that. A program can therefore write a name, wait for its result and
/// then write the next, and a list of any length takes constant memory.
final class InputSource: Sendable {
  private struct State {
    var left: ArraySlice<Input>
    var names: NameList?
  }

  private let state: Guarded<State>
  private let ended = Guarded(false)
  private let failed = Guarded<RunError?>(nil)
  /// The number of inputs; `nil` while names are still to be read.
  let count: Int?
  /// The inputs that are known from the start. Those whose names are still to be read follow them.
  let known: [Input]

  /// Creates a source that returns all of `inputs`, then the inputs in the list `names`.
  init(_ inputs: [Input], then names: sending NameList?) {
    known = inputs
    count = names == nil ? inputs.count : nil
    state = Guarded(State(left: inputs[...], names: names))
  }

  /// Returns the next input, waiting for its name if necessary, or `nil` after the last. Other callers wait meanwhile.
  func next() -> Input? {
    state.change { state in
      do throws(RunError) {
        if let input = state.left.popFirst() { return input }
        if let input = try state.names?.next() { return input }
      } catch {
        failed.change { $0 = error }
      }
      ended.change { $0 = true }
      return nil
    }
  }

  /// Whether names may follow that were not read, because ``next()`` has not returned `nil` yet.
  var mayNameMore: Bool { count == nil && !ended.change { $0 } }

  /// The error that ended the inputs early, if there was one. Read this after ``next()`` has returned `nil`.
  var failure: RunError? { failed.change { $0 } }
}
