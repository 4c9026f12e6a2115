internal import AudioInput
internal import CALSA
internal import Glibc
internal import RealTime
internal import SystemPackage

/// An open capture PCM with the memory for reading it.
///
/// After opening, nothing here allocates. Only one thread at a time may use it: closing a PCM on which another thread
/// waits crashes libasound.
final class CapturePCM {
  let agreement: Agreement

  /// libasound's handle. Valid until `deinit` closes it, and no copy leaves this class.
  private let handle: OpaquePointer
  /// The frames read, as the device stores them. Freed in `deinit`, and no pointer to it leaves this class.
  private let bytes: UnsafeMutableRawBufferPointer
  /// The descriptors to poll: the wake event first, then the PCM's. Freed in `deinit` as well.
  private let polled: UnsafeMutableBufferPointer<pollfd>

  /// Opens and configures a device, but does not start it.
  convenience init(_ name: String, _ wish: Wish) throws(CaptureError) {
    try self.init(handle: Self.open(name), name, wish)
  }

  private init(handle: OpaquePointer, _ name: String, _ wish: Wish) throws(CaptureError) {
    do {
      agreement = try HardwareParameters(handle).agree(wish)
      try Self.setSoftwareParameters(handle, agreement)
    } catch let refusal {
      snd_pcm_close(handle)
      throw .unsuitable(name: name, reason: refusal.reason)
    }
    let frameByteCount = agreement.channelCount * agreement.sampleFormat.byteCount
    self.handle = handle
    bytes = .allocate(byteCount: agreement.bufferFrames * frameByteCount, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    polled = .allocate(capacity: 1 + max(0, Int(snd_pcm_poll_descriptors_count(handle))))
    polled.initialize(repeating: pollfd())
  }

  /// Returns what a device offers if it agrees to `wish`. A sound server's plugin offers anything, and only checks for
  /// a microphone when asked to agree.
  static func capabilities(
    of name: String, agreeingTo wish: Wish
  ) throws(CaptureError) -> CaptureCapabilities {
    let handle = try open(name)
    defer { snd_pcm_close(handle) }
    do {
      let parameters = try HardwareParameters(handle)
      let capabilities = try parameters.capabilities()
      _ = try parameters.agree(wish)
      return capabilities
    } catch let refusal {
      throw .unsuitable(name: name, reason: refusal.reason)
    }
  }

  deinit {
    snd_pcm_close(handle)
    bytes.deallocate()
    polled.deallocate()
  }

  private static func open(_ name: String) throws(CaptureError) -> OpaquePointer {
    try ALSAMessages.collected { lastMessage throws(CaptureError) in
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
  }

  /// Configures the PCM to wake the thread once a period, to start on demand only, and never to stop for a slow reader.
  /// It overwrites the oldest frames and keeps counting, so that the number of lost frames is known exactly.
  private static func setSoftwareParameters(
    _ handle: OpaquePointer, _ agreement: Agreement
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
        handle, params, snd_pcm_uframes_t(agreement.periodFrames)),
      snd_pcm_sw_params_set_start_threshold(handle, params, boundary),
      snd_pcm_sw_params_set_stop_threshold(handle, params, boundary),
      snd_pcm_sw_params(handle, params),
    ]
    guard codes.min()! >= 0 else {
      throw .init(what: "it does not take software parameters", code: codes.min()!)
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

  /// Reads the PCM's counter; `position` is the position of the next frame to be read.
  ///
  /// - Returns: The sighting, or a negative errno.
  func look(from position: Int64) -> Result<Sighting, CaptureCode> {
    let before = snd_pcm_avail(handle)
    guard before >= 0 else { return .failure(CaptureCode(before)) }
    let time = monotonicTime()
    let after = snd_pcm_avail(handle)
    guard after >= 0 else { return .failure(CaptureCode(after)) }
    let low = position + Int64(before)
    return .success(Sighting(time: time, position: low...max(low, position + Int64(after))))
  }
}

/// A negative errno from libasound.
struct CaptureCode: Error {
  let value: Int32

  init(_ value: snd_pcm_sframes_t) { self.value = Int32(truncatingIfNeeded: value) }
}

// MARK: - Waiting and reading

extension CapturePCM {
  /// Waits until the device is ready, the wake event is signalled, or the time is up.
  ///
  /// - Returns: 1 if the device is to be looked at, 0 if not, otherwise a negative errno.
  func wait(orFor wake: WakeEvent, atMost milliseconds: Int32) -> Int32 {
    polled[0] = pollfd(fd: wake.descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    let (own, count) = (polled.baseAddress! + 1, UInt32(polled.count - 1))
    // Repeated for every wait, because some plugins set their alarm here.
    guard snd_pcm_poll_descriptors(handle, own, count) == Int32(count) else { return -EIO }
    let ready = poll(polled.baseAddress!, nfds_t(polled.count), milliseconds)
    if ready < 0 { return errno == EINTR ? 0 : -errno }
    if ready == 0 { return 1 }
    if polled[0].revents != 0 {
      wake.clear()
      return 0
    }
    var events: UInt16 = 0
    let code = snd_pcm_poll_descriptors_revents(handle, own, count, &events)
    if code < 0 { return code }
    return events == 0 ? 0 : 1
  }

  /// Reads at most `limit` frames and decodes them to the start of `samples`.
  ///
  /// - Returns: The number of frames, or a negative errno.
  func read(upTo limit: Int, into samples: inout MutableSpan<Float>) -> Int {
    let count = min(limit, agreement.bufferFrames)
    let read = snd_pcm_readi(handle, bytes.baseAddress, snd_pcm_uframes_t(count))
    if read > 0 {
      agreement.sampleFormat.decode(
        bytes.bytes, count: read * agreement.channelCount, into: &samples)
    }
    return read
  }
}

extension HardwareParameters.Refusal {
  fileprivate var reason: String { code == -EINVAL ? what : "\(what) (\(alsaText(code)))" }
}
