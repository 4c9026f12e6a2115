internal import RealTime
internal import Synchronization

/// A fault that interrupted a capture. `description` is a sentence for users.
public enum CaptureFault: UInt8, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// The device kept running while its buffer was full.
  case overrun = 1
  /// The device's driver or sound server stopped it.
  case stopped = 2
  /// The device was suspended.
  case suspended = 3
  /// The device reported an error.
  case error = 4
  /// The device was running but delivered nothing.
  case silent = 5
  /// The device disappeared.
  case gone = 6
  /// The source was read too slowly, so that the ring was full. Successive blocks without room count once.
  case slowReader = 7

  public var description: String {
    switch self {
    case .overrun:
      "sound was lost: the device stood still, or the computer is overloaded"
    case .stopped: "the device stopped and was restarted"
    case .suspended: "the device was suspended, as when the computer sleeps, and is back"
    case .error: "the device reported an error"
    case .silent:
      "the device delivered nothing for 5 s and was opened again; check its sound server"
    case .gone: "the device was gone and is back"
    case .slowReader: "sound was lost because its analysis was too slow"
    }
  }
}

/// The status of a capture.
public struct CaptureStatus: Sendable, Hashable {
  /// What a source is doing.
  public enum State: UInt8, Sendable, Hashable, CaseIterable {
    /// The device delivers frames.
    case capturing
    /// The device was stopped or suspended, and is being restarted.
    case recovering
    /// The device disappeared; the source opens it as soon as it is back.
    case waitingForDevice
    /// The capture was stopped or failed.
    case ended
  }

  /// What the source is doing.
  public var state: State
  /// The number of frames captured.
  public var capturedFrames: UInt64
  /// The number of frames lost, each of which `read` reports as missing.
  public var lostFrames: UInt64
  /// How often each fault has occurred.
  public var counts: [CaptureFault: UInt64]
  /// The latest fault.
  public var lastFault: CaptureFault?
  /// Whether the capture thread runs under the real-time scheduler.
  public var isRealTime: Bool
  /// How often the capture thread has woken up and looked at its device.
  ///
  /// This is about once a batch. With periods of 10 ms or more it is at most 200 times a second on average, whatever
  /// the device does.
  public var wakeUps: UInt64 = 0
}

/// The status as the capture thread maintains it. That thread alone writes it, and any thread reads it.
///
/// All accesses are relaxed: each number stands for itself, and no other memory is published through it.
final class SharedStatus: Sendable {
  let state = Atomic(CaptureStatus.State.capturing.rawValue)
  private let capturedFrames = Atomic<UInt64>(0)
  private let lostFrames = Atomic<UInt64>(0)
  let isRealTime = Atomic(false)
  private let wakeUps = Atomic<UInt64>(0)
  private let framesCameAt = Atomic<Int64>(0)
  private let lastFault = Atomic<UInt8>(0)
  /// How often each fault has occurred, by its raw value.
  private let counts = InlineArray<8, Atomic<UInt64>> { _ in Atomic(0) }
  /// What the ring has lost. It counts a slow reader's overruns.
  private let losses: SampleRing.Losses

  let startTime: StartTime

  init(_ losses: SampleRing.Losses, sampleRate: Int) {
    self.losses = losses
    startTime = StartTime(sampleRate: sampleRate)
  }

  func set(_ state: CaptureStatus.State) { self.state.store(state.rawValue, ordering: .relaxed) }

  func add(_ frames: Int, areLost: Bool) {
    if areLost {
      lostFrames.wrappingAdd(UInt64(frames), ordering: .relaxed)
    } else {
      capturedFrames.wrappingAdd(UInt64(frames), ordering: .relaxed)
    }
  }

  /// When frames last arrived, or when capture began if none have. CLOCK_MONOTONIC, ns.
  var lastFramesAt: Int64 { framesCameAt.load(ordering: .relaxed) }

  func noteFrames(at time: Int64) { framesCameAt.store(time, ordering: .relaxed) }

  func countWakeUp() { wakeUps.wrappingAdd(1, ordering: .relaxed) }

  /// Counts a fault and makes it the latest.
  func count(_ fault: CaptureFault) {
    lastFault.store(fault.rawValue, ordering: .relaxed)
    counts[Int(fault.rawValue)].wrappingAdd(1, ordering: .relaxed)
  }

  func count(of fault: CaptureFault) -> UInt64 {
    fault == .slowReader
      ? losses.overruns : counts[Int(fault.rawValue)].load(ordering: .relaxed)
  }

  /// The present status. Each number is up to date, but they are not all of the same instant.
  var snapshot: CaptureStatus {
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
}
