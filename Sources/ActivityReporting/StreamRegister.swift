internal import RealTime
internal import Synchronization
public import VoiceActivity

/// The detectors of a host, thousands of them, read as one.
///
/// ```swift
/// let register = StreamRegister()
/// let stream = register.add(detector.control)  // before the detector moves to its thread
/// …
/// register.remove(stream)                      // when it ends
/// ```
/// A reading does not involve or delay the analysis: it goes through the controls, a fraction of a microsecond each.
/// The counts of a removed stream stay in the totals.
///
/// Threads: any.
public final class StreamRegister: ActivityReadable {
  /// A stream in a register.
  public struct Stream: Sendable, Hashable {
    fileprivate let number: UInt64
  }

  private struct State {
    var controls: [Stream: VoiceActivityControl] = [:]
    var ended = ActivityReading()
    var added: UInt64 = 0
  }

  private let state = Guarded(State())
  /// Overruns of the host's own queues. Relaxed: no other memory depends on the count.
  private let overruns = Atomic<UInt64>(0)

  /// Creates a register without streams.
  public init() {}

  /// Adds a stream and returns its identifier. The totals include everything that its detector has counted so far.
  public func add(_ control: VoiceActivityControl) -> Stream {
    state.change { state in
      state.added += 1
      let stream = Stream(number: state.added)
      state.controls[stream] = control
      return stream
    }
  }

  /// Ends a stream. Does nothing if it has ended already. Call it after the detector's last call.
  public func remove(_ stream: Stream) {
    state.change { state in
      guard let control = state.controls.removeValue(forKey: stream) else { return }
      state.ended.add(control)
    }
  }

  /// Counts an overrun of one of the host's own queues. Any thread may call it; it costs one atomic addition.
  ///
  /// Report what did not fit to the detector as a gap. Only the owner of the queue knows that the cause was an overrun.
  public func countOverrun() { overruns.wrappingAdd(1, ordering: .relaxed) }

  /// The sum over all streams.
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
