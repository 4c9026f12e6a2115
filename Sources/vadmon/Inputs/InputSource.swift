import RealTime
import SystemPackage

/// The inputs of a run in order, each taken when a worker is free to analyse it.
///
/// Names on standard input are read no earlier than that. A program can therefore write a name, wait for its result and
/// then write the next, and a list of any length takes constant memory.
final class InputSource: Sendable {
  private struct State {
    var known: ArraySlice<Input>
    var names: NameList?
  }

  private let state: Guarded<State>
  private let failed = Guarded<RunError?>(nil)
  /// The number of inputs; `nil` while names are still to be read.
  let count: Int?

  /// Creates a source that returns all of `inputs`, then the inputs in the list `names`.
  init(_ inputs: [Input], then names: sending NameList?) {
    count = names == nil ? inputs.count : nil
    state = Guarded(State(known: inputs[...], names: names))
  }

  /// Returns the next input, waiting for its name if necessary, or `nil` after the last. Other callers wait meanwhile.
  func next() -> Input? {
    state.change { state in
      do throws(RunError) {
        if let input = state.known.popFirst() { return input }
        return try state.names?.next()
      } catch {
        failed.change { $0 = error }
        return nil
      }
    }
  }

  /// The error that ended the inputs early, if there was one. Read this after ``next()`` has returned `nil`.
  var failure: RunError? { failed.change { $0 } }
}
