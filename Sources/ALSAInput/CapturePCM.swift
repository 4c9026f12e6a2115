internal import CALSA
internal import Glibc
internal import RealTime
internal import SystemPackage

/// An open capture PCM with the memory for reading it.
///
/// After opening, nothing here allocates. Only one thread at a time may use it: closing a PCM on which another thread
/// waits crashes libasound.
final class CapturePCM {
  let parameters: NegotiatedParameters
  /// What it delivers from; `nil` if that cannot be told.
  let microphone: Microphone?

  /// libasound's handle. Valid until `deinit` closes it, and no copy leaves this class.
  private let handle: OpaquePointer
  /// The frames read, as the device stores them. Freed in `deinit`, and no pointer to it leaves this class.
  private let bytes: UnsafeMutableRawBufferPointer
  /// The descriptors to poll: the wake event first, then the PCM's. Freed in `deinit` as well.
  private let polled: UnsafeMutableBufferPointer<pollfd>

  /// Opens and configures a device, but does not start it.
  static func opened(
    _ name: String, _ request: RequestedParameters
  ) throws(CaptureError) -> CapturePCM {
    try ALSAMessages.collected { lastMessage throws(CaptureError) in
      try CapturePCM(handle: open(name, lastMessage), name, request)
    }
  }

  private init(
    handle: OpaquePointer, _ name: String, _ request: RequestedParameters
  ) throws(CaptureError) {
    do {
      parameters = try HardwareParameters(handle).negotiate(request)
      try Self.setSoftwareParameters(handle, parameters)
    } catch let refusal {
      snd_pcm_close(handle)
      throw .unsuitable(name: name, reason: refusal.reason)
    }
    let frameByteCount = parameters.channelCount * parameters.sampleFormat.byteCount
    self.handle = handle
    microphone = Microphone(handle, name: name)
    bytes = .allocate(byteCount: parameters.bufferFrames * frameByteCount, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    polled = .allocate(capacity: 1 + max(0, Int(snd_pcm_poll_descriptors_count(handle))))
    polled.initialize(repeating: pollfd())
  }

  /// Returns what a device offers if a request succeeds. A sound server's plugin offers anything, and checks for a
  /// microphone only when it is configured.
  static func capabilities(
    of name: String, accepting request: RequestedParameters
  ) throws(CaptureError) -> CaptureCapabilities {
    try ALSAMessages.collected { lastMessage throws(CaptureError) in
      let handle = try open(name, lastMessage)
      defer { snd_pcm_close(handle) }
      do throws(HardwareParameters.Refusal) {
        let hardware = try HardwareParameters(handle)
        let capabilities = try hardware.capabilities()
        _ = try hardware.negotiate(request)
        return capabilities
      } catch let refusal {
        throw .unsuitable(name: name, reason: refusal.reason)
      }
    }
  }

  deinit {
    snd_pcm_close(handle)
    bytes.deallocate()
    polled.deallocate()
  }

  private static func open(
    _ name: String, _ lastMessage: () -> String?
  ) throws(CaptureError) -> OpaquePointer {
    var handle: OpaquePointer?
    let code = snd_pcm_open(&handle, name, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK))
    guard code >= 0, let handle else {
      throw CaptureError(opening: name, code: code, detail: lastMessage())
    }
    guard snd_pcm_type(handle) != SND_PCM_TYPE_NULL else {
      snd_pcm_close(handle)
      throw .unsuitable(name: name, reason: "it is not a microphone: it only delivers silence")
    }
    return handle
  }

  /// Configures the PCM to wake the thread once a batch, to start on demand only, and never to stop for a slow reader.
  /// It overwrites the oldest frames and keeps counting, so that the number of lost frames is known exactly.
  private static func setSoftwareParameters(
    _ handle: OpaquePointer, _ parameters: NegotiatedParameters
  ) throws(HardwareParameters.Refusal) {
    var params: OpaquePointer?
    guard snd_pcm_sw_params_malloc(&params) == 0, let params else {
      throw .init(what: "there is no memory for it", code: -ENOMEM)
    }
    defer { snd_pcm_sw_params_free(params) }
    var boundary = snd_pcm_uframes_t(0)
    let codes = [
      snd_pcm_sw_params_current(handle, params),
      snd_pcm_sw_params_get_boundary(params, &boundary),
      snd_pcm_sw_params_set_avail_min(
        handle, params, snd_pcm_uframes_t(parameters.batchFrames)),
      snd_pcm_sw_params_set_start_threshold(handle, params, boundary),
      snd_pcm_sw_params_set_stop_threshold(handle, params, boundary),
      snd_pcm_sw_params(handle, params),
    ]
    guard codes.min()! >= 0 else {
      throw .init(what: "it rejected the software parameters", code: codes.min()!)
    }
  }
}

// MARK: - State

extension CapturePCM {
  var state: snd_pcm_state_t { snd_pcm_state(handle) }

  /// Starts the PCM with an empty buffer. Returns a negative errno on failure.
  func restart() -> Int32 {
    snd_pcm_drop(handle)
    let code = snd_pcm_prepare(handle)
    return code < 0 ? code : snd_pcm_start(handle)
  }

  /// Resumes a suspended PCM. Returns a negative errno on failure; some plugins return 0 and stay suspended.
  func resume() -> Int32 { snd_pcm_resume(handle) }

  /// The number of frames in the buffer when the counter was last updated; 0 if the PCM does not report it.
  var unread: Int { max(0, snd_pcm_avail_update(handle)) }

  /// How many frames lie between the next one to be read and the one that the microphone hears now: those in the buffer
  /// and, as far as the PCM knows them, those on their way to it. `nil` if it does not tell.
  var delay: Int? {
    var delay = snd_pcm_sframes_t(0)
    return snd_pcm_delay(handle, &delay) == 0 ? max(0, delay) : nil
  }

  /// Reads the PCM's counter; `position` is the position of the next frame to be read.
  ///
  /// - Returns: The reading, or the error of a call that failed.
  func readCounter(from position: Int64) -> Result<CounterReading, CaptureCode> {
    let before = snd_pcm_avail(handle)
    guard before >= 0 else { return .failure(CaptureCode(before)) }
    let time = monotonicTime()
    let after = snd_pcm_avail(handle)
    guard after >= 0 else { return .failure(CaptureCode(after)) }
    let low = position + Int64(before)
    return .success(CounterReading(time: time, position: low...max(low, position + Int64(after))))
  }
}

/// A negative errno from libasound.
struct CaptureCode: Error {
  let value: Int32

  init(_ value: some BinaryInteger) { self.value = Int32(truncatingIfNeeded: value) }
}

// MARK: - Waiting and reading

extension CapturePCM {
  /// How a wait for the device ended.
  enum WaitOutcome {
    /// The device may have frames or an error to report. This includes the end of the time limit, because not every
    /// device wakes its reader.
    case look
    /// The thread was woken for another reason.
    case nothing
    /// A call failed.
    case failed(CaptureCode)
  }

  /// Waits until the device is ready, the wake event is signalled, or the time is up.
  func wait(orFor wake: WakeEvent, atMost milliseconds: Int32) -> WaitOutcome {
    polled[0] = pollfd(fd: wake.descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    let (own, count) = (polled.baseAddress! + 1, UInt32(polled.count - 1))
    // Repeated for every wait, because some plugins set their alarm here.
    guard snd_pcm_poll_descriptors(handle, own, count) == Int32(count) else {
      return .failed(CaptureCode(-EIO))
    }
    let ready = poll(polled.baseAddress!, nfds_t(polled.count), milliseconds)
    if ready < 0 { return errno == EINTR ? .nothing : .failed(CaptureCode(-errno)) }
    if ready == 0 { return .look }
    if polled[0].revents != 0 {
      wake.clear()
      return .nothing
    }
    var events: UInt16 = 0
    let code = snd_pcm_poll_descriptors_revents(handle, own, count, &events)
    if code < 0 { return .failed(CaptureCode(code)) }
    return events == 0 ? .nothing : .look
  }

  /// Reads at most `limit` frames and decodes them to the start of `samples`. Returns the number of frames, 0 if there
  /// are none yet.
  func read(
    upTo limit: Int, into samples: inout MutableSpan<Float>
  ) -> Result<Int, CaptureCode> {
    let count = min(limit, parameters.bufferFrames)
    let read = snd_pcm_readi(handle, bytes.baseAddress, snd_pcm_uframes_t(count))
    if read == -Int(EAGAIN) { return .success(0) }
    guard read >= 0 else { return .failure(CaptureCode(read)) }
    parameters.sampleFormat.decode(
      bytes.bytes, count: read * parameters.channelCount, into: &samples)
    return .success(read)
  }
}

extension HardwareParameters.Refusal {
  fileprivate var reason: String { code == -EINVAL ? what : "\(what) (\(alsaText(code)))" }
}
