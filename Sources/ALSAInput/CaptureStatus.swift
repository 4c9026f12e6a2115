internal import Synchronization

/// Something that kept a device from being heard. `description` is a sentence for people.
public enum CaptureFault: UInt8, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// The device ran on while its buffer was full.
  case overrun = 1
  /// The device's driver or sound server stopped it.
  case stopped = 2
  /// The device was suspended.
  case suspended = 3
  /// The device reported an error.
  case error = 4
  /// The device ran and gave nothing.
  case silent = 5
  /// The device is gone, or was.
  case gone = 6
  /// Whoever reads the source was late.
  case slowReader = 7

  public var description: String {
    switch self {
    case .overrun:
      "sound was lost in the device's buffer: the device stood still, or the computer is overloaded"
    case .stopped: "the device stopped and was started anew"
    case .suspended: "the device was suspended, as by a computer that sleeps, and is back"
    case .error: "the device reported an error"
    case .silent: "the device gave nothing for 5 s and was opened anew; is its sound server asleep?"
    case .gone: "the device was gone and is back"
    case .slowReader: "sound was lost because its analysis was too slow"
    }
  }
}

/// How a capture goes.
public struct CaptureStatus: Sendable, Hashable {
  /// What a source is doing.
  public enum State: UInt8, Sendable, Hashable, CaseIterable {
    /// Frames come.
    case capturing
    /// The device was stopped or suspended; it is being started.
    case recovering
    /// The device is gone; it is opened as soon as it is back.
    case waitingForDevice
    /// Stopped, or failed.
    case ended
  }

  /// What it is doing.
  public var state: State
  /// Frames that were captured.
  public var capturedFrames: UInt64
  /// Frames that were lost, each of them reported as missing to whoever reads the source.
  public var lostFrames: UInt64
  /// How often each fault has happened.
  public var counts: [CaptureFault: UInt64]
  /// The one that happened last.
  public var lastFault: CaptureFault?
  /// The capture thread runs under the real-time scheduler.
  public var isRealTime: Bool
  /// How often the capture thread has woken up and looked at its device: about once a period, and with periods of
  /// 10 ms or more at most 200 times a second on average, whatever the device does.
  public var wakeUps: UInt64 = 0
}

/// The status as the capture thread keeps it: written by that thread alone, read by any.
final class StatusBoard: Sendable {
  let state = Atomic(CaptureStatus.State.capturing.rawValue)
  private let capturedFrames = Atomic<UInt64>(0)
  private let lostFrames = Atomic<UInt64>(0)
  let isRealTime = Atomic(false)
  private let wakeUps = Atomic<UInt64>(0)
  private let framesCameAt = Atomic<Int64>(0)
  private let lastFault = Atomic<UInt8>(0)
  private let overruns = Atomic<UInt64>(0)
  private let stops = Atomic<UInt64>(0)
  private let suspensions = Atomic<UInt64>(0)
  private let errors = Atomic<UInt64>(0)
  private let silences = Atomic<UInt64>(0)
  private let disappearances = Atomic<UInt64>(0)
  private let slowReads = Atomic<UInt64>(0)

  func set(_ state: CaptureStatus.State) { self.state.store(state.rawValue, ordering: .relaxed) }

  func add(_ frames: Int, areLost: Bool) {
    if areLost {
      lostFrames.wrappingAdd(UInt64(frames), ordering: .relaxed)
    } else {
      capturedFrames.wrappingAdd(UInt64(frames), ordering: .relaxed)
    }
  }

  /// When frames last came; before the first, when capture began. CLOCK_MONOTONIC, ns.
  var lastFramesAt: Int64 { framesCameAt.load(ordering: .relaxed) }

  func noteFrames(at time: Int64) { framesCameAt.store(time, ordering: .relaxed) }

  func countWakeUp() { wakeUps.wrappingAdd(1, ordering: .relaxed) }

  func count(_ fault: CaptureFault) {
    lastFault.store(fault.rawValue, ordering: .relaxed)
    _ = withCounter(of: fault) { $0.wrappingAdd(1, ordering: .relaxed) }
  }

  func count(of fault: CaptureFault) -> UInt64 {
    withCounter(of: fault) { $0.load(ordering: .relaxed) }
  }

  /// The numbers are each up to date; they are not of one instant.
  var status: CaptureStatus {
    var counts: [CaptureFault: UInt64] = [:]
    for fault in CaptureFault.allCases {
      let count = count(of: fault)
      if count > 0 { counts[fault] = count }
    }
    return CaptureStatus(
      state: CaptureStatus.State(rawValue: state.load(ordering: .relaxed))!,
      capturedFrames: capturedFrames.load(ordering: .relaxed),
      lostFrames: lostFrames.load(ordering: .relaxed), counts: counts,
      lastFault: CaptureFault(rawValue: lastFault.load(ordering: .relaxed)),
      isRealTime: isRealTime.load(ordering: .relaxed),
      wakeUps: wakeUps.load(ordering: .relaxed))
  }

  private func withCounter<Result>(
    of fault: CaptureFault, _ body: (borrowing Atomic<UInt64>) -> Result
  ) -> Result {
    switch fault {
    case .overrun: body(overruns)
    case .stopped: body(stops)
    case .suspended: body(suspensions)
    case .error: body(errors)
    case .silent: body(silences)
    case .gone: body(disappearances)
    case .slowReader: body(slowReads)
    }
  }
}
