public import VoiceActivity

/// All detectors of a host, thousands of them, to be read as one.
///
/// ```swift
/// let register = StreamRegister()
/// let stream = register.add(detector.control)  // before the detector moves to its thread
/// …
/// register.remove(stream)                      // when it ends
/// ```
/// The analysis neither knows nor waits: a reading goes through the controls, a fraction of a microsecond each.
/// What a removed stream has counted stays in the totals.
///
/// Threads: any.
public final class StreamRegister: ActivityReadable {
  /// A stream of a register.
  public struct Stream: Sendable, Hashable {
    fileprivate let number: UInt64
  }

  private struct State {
    var controls: [Stream: VoiceActivityControl] = [:]
    var ended = VoiceActivityTotals()
    var added: UInt64 = 0
  }

  private let state = Guarded(State())

  /// Without streams.
  public init() {}

  /// A stream from now on. It counts with all that its detector has counted.
  public func add(_ control: VoiceActivityControl) -> Stream {
    state.change { state in
      state.added += 1
      let stream = Stream(number: state.added)
      state.controls[stream] = control
      return stream
    }
  }

  /// Ends a stream; nothing if it has ended. To be called when its detector has done its last.
  public func remove(_ stream: Stream) {
    state.change { state in
      guard let control = state.controls.removeValue(forKey: stream) else { return }
      state.ended += control.totals
    }
  }

  /// All streams together.
  public var reading: ActivityReading {
    state.change { state in
      ActivityReading(
        totals: state.controls.values.reduce(into: state.ended) { $0 += $1.totals },
        streams: state.controls.count)
    }
  }
}
