internal import CALSA
internal import Glibc
internal import RealTime
internal import Synchronization

/// The capture thread of an ``ALSASource``: waits for a device, and writes what it delivers into the ring, with a gap
/// for every lost frame.
///
/// While the device runs or is being restarted, this thread does not allocate, lock, log or wait for anything but the
/// device, and one wake event ends that wait. The exception is libasound itself, whose per-period calls may do what
/// they do in every capture program. Only when the device has disappeared, and nothing can be late, does this thread
/// close and open it, which does allocate.
///
/// Every frame has a position: `position` counts the frames that the device made since capture began, whether they
/// arrived or were lost. Frames are lost in five ways, and each is counted from the most precise source:
///
/// | frames lost | counted from |
/// |---|---|
/// | overwritten in the device's buffer, because this thread was late | the device's counter |
/// | dropped by a restart of the device, or not made while it was gone | ``DeviceClock`` |
/// | not made while the device stood still, though it claims to run | ``DeviceClock`` |
/// | not stored, because the ring was full | the ring |
/// | left in the buffer of a device that is gone for good | the device's counter |
///
/// `@unchecked Sendable` is safe because the capture thread alone uses the mutable state, except for the atomics and
/// for `failure`, which it writes before it drops the writer, and others read after the ring has reported the end.
final class CaptureThread: @unchecked Sendable {
  /// Why the capture ended by itself.
  private(set) var failure: CaptureError?
  let status: SharedStatus

  private let name: String
  private let parameters: NegotiatedParameters
  private let reopenRequest: RequestedParameters?
  private let realTimePriority: Int32?
  private let conversion: ChannelConversion
  private let signal: SignalCheck?
  private let wake: WakeEvent
  private let ended = Wakeup()
  /// The reader of the ring, which learns here when the device is gone and when it is back.
  private let reader: BlockReader
  /// Whether a stop was requested. Relaxed: the flag carries no other data, and the wake event ends a wait.
  private let stopped = Atomic(false)

  // The capture thread alone uses what follows.
  private var pcm: CapturePCM?
  /// What the frames come from; `nil` if that cannot be told.
  private var microphone: Microphone?
  private var writer: SampleRing.Writer?
  /// The decoded frames of one read. Freed in `deinit`, which the running thread's reference to self holds off.
  private let decoded: UnsafeMutableBufferPointer<Float>
  private var clock: DeviceClock
  private var recovery = Recovery()
  private var pace: Pace
  /// The position of the next frame to be read.
  private var position: Int64 = 0
  private var openGap = OpenGap.none
  /// Whether the device has disappeared, or was restarted and has delivered nothing yet.
  private var isInOutage: Bool { pcm == nil && reopenRequest != nil || openGap == .here }
  /// When the device was last opened. CLOCK_MONOTONIC, ns.
  private var openedAt: Int64
  private var isOverrun = false

  /// Creates the state of a capture thread.
  ///
  /// - Parameters:
  ///   - pcm: An open PCM, started at the time that `clock` holds.
  ///   - reopenRequest: How to open the device again after it disappeared; nil to end the source then.
  init(
    _ name: String, _ pcm: CapturePCM, _ clock: DeviceClock, _ writer: consuming SampleRing.Writer,
    _ conversion: ChannelConversion, _ signal: SignalCheck?, reopenRequest: RequestedParameters?,
    realTimePriority: Int?, wake: WakeEvent, reader: BlockReader
  ) {
    self.name = name
    self.pcm = pcm
    microphone = pcm.microphone
    self.clock = clock
    parameters = pcm.parameters
    self.writer = consume writer
    self.conversion = conversion
    self.signal = signal
    self.reopenRequest = reopenRequest
    self.realTimePriority = realTimePriority.map { Int32(clamping: $0) }
    (self.wake, self.reader) = (wake, reader)
    status = SharedStatus(reader.losses, sampleRate: parameters.sampleRate)
    decoded = .allocate(capacity: parameters.bufferFrames * parameters.channelCount)
    decoded.initialize(repeating: 0)
    pace = Pace(
      period: Int64(parameters.periodFrames) * 1_000_000_000 / Int64(parameters.sampleRate),
      buffer: Int64(parameters.bufferFrames) * 1_000_000_000 / Int64(parameters.sampleRate))
    openedAt = monotonicTime()
    status.noteFrames(at: openedAt)
  }

  deinit { decoded.deallocate() }

  /// Requests the end of the capture. Any thread may call it.
  func stop() {
    stopped.store(true, ordering: .relaxed)
    wake.signal()
  }

  /// The number of frames that a device at its nominal rate has made since frames last arrived. Any thread may read it.
  var missedFrames: UInt64 {
    let time = max(0, monotonicTime() - status.lastFramesAt)
    return UInt64(Double(time) * Double(parameters.sampleRate) / 1e9)
  }

  private var isStopped: Bool { stopped.load(ordering: .relaxed) }

  // MARK: The loop

  /// Runs the capture to its end.
  func run() {
    captureAll()
    ended.signal()
  }

  /// Returns whether the thread has ended, or is about to end without another call of libasound. One thread may call
  /// it, once.
  ///
  /// The relaxed load is sufficient: the result only chooses between joining and detaching the thread.
  func waitForEnd(atMost limit: Duration) -> Bool {
    ended.wait(atMost: limit)
    return status.state.load(ordering: .relaxed) == CaptureStatus.State.ended.rawValue
  }

  private func captureAll() {
    guard var writer = writer.take() else { return }
    ALSAMessages.silence()
    becomeRealTime()
    setClock()
    repeat { capture(&writer) } while reopen(&writer)
    closeLastGap(&writer)
    // Closed here and not where the thread is joined, so that the device is free as soon as the capture has stopped.
    pcm = nil
    status.set(.ended)
  }

  /// Captures until the device is of no more use or a stop is requested.
  private func capture(_ writer: inout SampleRing.Writer) {
    guard let pcm else { return }
    while !isStopped {
      let before = position
      let code = waitAndFetch(pcm, &writer)
      let count = Int(position - before)
      if let code {
        guard recover(pcm, code) else { return }
      } else if isSilent {
        return status.count(.silent)
      }
      sleep(after: count)
    }
  }

  /// Waits for the device and reads what is available. Returns the error of a call that failed.
  private func waitAndFetch(
    _ pcm: CapturePCM, _ writer: inout SampleRing.Writer
  ) -> CaptureCode? {
    let outcome = pcm.wait(orFor: wake, atMost: longestWait)
    status.countWakeUp()
    switch outcome {
    case .look: return fetch(pcm, &writer)
    case .nothing: return nil
    case .failed(let code): return code
    }
  }

  /// Bounds the loop's rate, since a device may wake the thread for no reason, again and again.
  private func sleep(after count: Int) {
    let pause = pace.pause(after: count, at: monotonicTime())
    guard pause > 0, !isStopped else { return }
    wake.wait(atMost: pause)
  }

  private var isSilent: Bool {
    reopenRequest != nil
      && monotonicTime() - max(status.lastFramesAt, openedAt) > Recovery.silenceLimit
  }

  /// Reads what is available. Returns the error of a call that failed.
  private func fetch(_ pcm: CapturePCM, _ writer: inout SampleRing.Writer) -> CaptureCode? {
    guard pcm.state == SND_PCM_STATE_RUNNING else { return CaptureCode(-EBADFD) }
    switch pcm.readCounter(from: position) {
    case .failure(let code): return code
    case .success(let reading): return fetch(pcm, settled(reading, pcm), &writer)
    }
  }

  private func fetch(
    _ pcm: CapturePCM, _ reading: CounterReading, _ writer: inout SampleRing.Writer
  ) -> CaptureCode? {
    let available = reading.position.upperBound - position
    var limit = decoded.count / parameters.channelCount
    switch openGap {
    case .behind(let frames): limit = min(limit, frames)
    case .here:
      // Not before the first frame behind the gap is available: until then the gap still grows.
      guard reading.position.lowerBound > position else { return nil }
      closeGap(pcm, reading, &writer)
    case .none:
      switch clock.note(reading, unread: available) {
      case .whole: break
      case .undecided(let certain): limit = min(limit, Int(certain))
      case .missing: closeGap(pcm, reading, &writer)
      }
    }
    guard available > 0, limit > 0 else { return nil }
    var samples = decoded.mutableSpan
    switch pcm.read(upTo: limit, into: &samples) {
    case .failure(let code): return code
    case .success(0): return nil
    case .success(let count):
      openGap.approach(by: count)
      status.startTime.look(pcm, position + Int64(count))
      store(count, overwritten: overwritten(available, since: reading.time, pcm), &writer)
      return nil
    }
  }

  // MARK: Counting frames

  /// Looks again at a buffer that seems just full, until its counter has moved, for two frames' time at most.
  ///
  /// A sound card's counter keeps running when its buffer is full, and the newest frames overwrite the oldest. A sound
  /// server's counter stops at the full buffer, because the server keeps what arrives.
  private func settled(_ first: CounterReading, _ pcm: CapturePCM) -> CounterReading {
    var last = first
    while isFull(last.position.upperBound - position, pcm), last.time < first.time + twoFrames,
      case .success(let reading) = pcm.readCounter(from: position)
    {
      last = reading
    }
    return last
  }

  /// ALSA's plugin for PulseAudio never fills the last frame.
  private func isFull(_ available: Int64, _ pcm: CapturePCM) -> Bool {
    0...1 ~= Int64(pcm.parameters.bufferFrames) - available
  }

  /// Returns how many of the frames read may have been overwritten by newer ones, before or during the read. The
  /// device's counter covers the time before the reading, the clock the time since.
  private func overwritten(_ available: Int64, since time: Int64, _ pcm: CapturePCM) -> Int {
    if isFull(available, pcm) { return 0 }
    let made = (monotonicTime() - time) * Int64(parameters.sampleRate) / 1_000_000_000 + 1
    return max(0, Int(available + made) - pcm.parameters.bufferFrames)
  }

  /// Writes the frames read into the ring, except the first ones if they were overwritten.
  private func store(_ count: Int, overwritten: Int, _ writer: inout SampleRing.Writer) {
    let first = min(count, overwritten)
    if first > 0 && !isOverrun { status.count(.overrun) }
    isOverrun = first > 0
    lose(Int64(first), &writer)
    if first < count { write(first..<count, &writer) }
    recovery.framesCame()
    status.set(.capturing)
    status.noteFrames(at: monotonicTime())
  }

  private func write(_ frames: Range<Int>, _ writer: inout SampleRing.Writer) {
    let (inputs, outputs) = (parameters.channelCount, conversion.outputCount)
    signal?.look(
      decoded.span.extracting(frames.lowerBound * inputs..<frames.upperBound * inputs))
    var isUrgent = false
    let stored = writer.write(count: frames.count * outputs) { region, offset in
      let first = (frames.lowerBound + offset / outputs) * inputs
      let samples = decoded.span.extracting(first..<first + region.count / outputs * inputs)
      region.withUnsafeMutableBufferPointer { _ = conversion.reduce(samples, into: $0) }
      isUrgent = isUrgent || reader.isUrgent(region.span)
    }
    if isUrgent { writer.wake() }
    position += Int64(frames.count)
    status.add(frames.count, areLost: !stored)
    if !stored { status.count(.slowReader) }
  }

  private func lose(_ count: Int64, _ writer: inout SampleRing.Writer) {
    guard count > 0 else { return }
    writer.skip(UInt64(count) * UInt64(conversion.outputCount))
    position += count
    status.add(Int(count), areLost: true)
  }

  // MARK: The clock

  private var twoFrames: Int64 { 2_000_000_000 / Int64(parameters.sampleRate) }

  /// Watches the counter until it has moved by a frame, which reveals the device's phase to a small part of a frame.
  private func setClock() {
    let end = monotonicTime() + twoFrames
    while let pcm, case .success(let reading) = pcm.readCounter(from: position),
      reading.time < end
    {
      _ = clock.note(reading, unread: 0)
    }
  }

  /// Determines the length of the gap in front of the next frame, and reports it. Further readings within two frames'
  /// time settle what the first one leaves open.
  private func closeGap(
    _ pcm: CapturePCM, _ first: CounterReading, _ writer: inout SampleRing.Writer
  ) {
    var missing = clock.missing(at: first)
    while missing.lowerBound < missing.upperBound,
      case .success(let reading) = pcm.readCounter(from: position),
      reading.time < first.time + twoFrames
    {
      missing = missing.clamped(to: clock.missing(at: reading))
    }
    lose((missing.lowerBound + missing.upperBound) / 2, &writer)
    openGap = .none
  }

  /// Reports what was missed until the stop, as far as the clock can tell, if nothing arrived after it.
  private func closeLastGap(_ writer: inout SampleRing.Writer) {
    let now = monotonicTime()
    if isInOutage {
      lose(clock.position(at: now).lowerBound - position, &writer)
    } else if let pcm, failure == nil {
      lose(clock.lacking(at: now, from: position + Int64(pcm.unread)), &writer)
    }
  }

  // MARK: Recovering

  /// Carries out what ``Recovery`` decides; returns false if the device must be opened anew.
  private func recover(_ pcm: CapturePCM, _ code: CaptureCode) -> Bool {
    let state = pcm.state
    let step = recovery.step(state: state, error: code.value)
    if recovery.isFirstStep { status.count(CaptureFault(state)) }
    status.set(.recovering)
    wake.wait(atMost: recovery.pause)
    switch step {
    case .carryOn: break
    case .resume: resume(pcm)
    case .restart: if pcm.restart() >= 0 { openGap = .here }
    case .reopen: return false
    }
    return true
  }

  /// Resumes the PCM. The frames that were in the buffer at the suspension are available again, and precede the gap.
  private func resume(_ pcm: CapturePCM) {
    let unread = pcm.unread
    let result = pcm.resume()
    recovery.resumed(result, state: pcm.state)
    if pcm.state == SND_PCM_STATE_RUNNING {
      openGap.open(behind: unread)
    }
  }

  /// Waits for the device and opens it; returns false if the capture is over.
  private func reopen(_ writer: inout SampleRing.Writer) -> Bool {
    guard !isStopped else { return false }
    guard let reopenRequest else {
      lose(Int64(pcm?.unread ?? 0), &writer)
      failure = .gone(name: name)
      return false
    }
    // Closed first, because most devices can be opened only once.
    pcm = nil
    status.set(.waitingForDevice)
    reader.beginInterruption()
    defer { reader.endInterruption() }
    while true {
      wake.wait(atMost: recovery.reopenPause())
      guard !isStopped else { return false }
      guard let pcm = try? CapturePCM.opened(name, reopenRequest), pcm.restart() >= 0 else {
        continue
      }
      if pcm.microphone == nil || pcm.microphone != microphone {
        reader.beginOtherDevice(at: writer.position)
      }
      (self.pcm, microphone) = (pcm, pcm.microphone)
      openGap = .here
      openedAt = monotonicTime()
      return true
    }
  }

  // MARK: Waiting and scheduling

  /// The longest wait for a device that does not wake the thread, in ms: so that a stall is seen while it lasts.
  private var longestWait: Int32 {
    DeviceClock.longestWait(
      sampleRate: parameters.sampleRate, periodFrames: parameters.periodFrames)
  }

  /// Requests the real-time scheduler. Where that is not permitted (RLIMIT_RTPRIO), the capture continues without it.
  private func becomeRealTime() {
    guard let realTimePriority else { return }
    var schedule = sched_param()
    schedule.sched_priority = realTimePriority
    let resetOnFork: Int32 = 0x4000_0000  // SCHED_RESET_ON_FORK, which Swift's Glibc leaves out.
    let code = pthread_setschedparam(pthread_self(), SCHED_FIFO | resetOnFork, &schedule)
    status.isRealTime.store(code == 0, ordering: .relaxed)
  }
}
