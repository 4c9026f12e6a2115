import SystemPackage
import VoiceActivity

/// The inputs of a run in their order, each when somebody is free to analyse it.
///
/// Names on standard input are read no sooner than that. So whoever writes one, waits for its result and writes the
/// next is answered, and a list of any length takes no memory.
final class InputSource: Sendable {
  private struct State {
    var known: ArraySlice<Input>
    var names: NameList?
  }

  private let state: Guarded<State>
  private let failed = Guarded<RunError?>(nil)
  /// `nil`: names are still coming.
  let count: Int?

  /// All of `inputs`, then what the list `names` has.
  init(_ inputs: [Input], then names: sending NameList?) {
    count = names == nil ? inputs.count : nil
    state = Guarded(State(known: inputs[...], names: names))
  }

  /// Waits for the next name; `nil` after the last. Nobody else is served meanwhile.
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

  /// Why there were no more, if not because all are done. Ask when ``next()`` has given `nil`.
  var failure: RunError? { failed.change { $0 } }
}
