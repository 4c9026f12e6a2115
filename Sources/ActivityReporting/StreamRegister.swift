internal import Synchronization
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
    var ended = ActivityReading()
    var added: UInt64 = 0
  }

  private let state = Guarded(State())
  private let overruns = Atomic<UInt64>(0)

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
      state.ended.add(control)
    }
  }

  /// Says that a queue of the host's own was full. What did not fit is told to the detector, as a gap; only who has the
  /// queue knows that it was an overrun. One atomic addition, from any thread.
  public func countOverrun() { overruns.wrappingAdd(1, ordering: .relaxed) }

  /// All streams together.
  public var reading: ActivityReading {
    state.change { state in
      var reading = state.controls.values.reduce(into: state.ended) { $0.add($1) }
      reading.totals.overruns = overruns.load(ordering: .relaxed)
      reading.streams = state.controls.count
      return reading
    }
  }
}

extension ActivityReading {
  fileprivate mutating func add(_ control: VoiceActivityControl) {
    totals += control.totals
    times += control.times
  }
}
