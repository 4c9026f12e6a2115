internal import CSndFile
internal import RealTime

/// An open libsndfile handle on bytes that libsndfile takes for a file.
///
/// Threads: one at a time.
final class SoundFile {
  /// libsndfile's reason for rejecting a file; `nil` when it does not know the format.
  struct Refusal: Error { var reason: String? }

  var bytes: any SoundBytes { box.bytes }
  private let box: SoundBytesBox
  private let info: SF_INFO
  /// libsndfile's handle. Valid until `deinit` closes it, and no copy leaves this class.
  private let handle: OpaquePointer
  /// The number of frames read.
  private var position: Int64 = 0
  private var hasEnded = false
  /// Whether decoding has failed anywhere.
  private(set) var hasFailed = false

  init(_ bytes: any SoundBytes) throws(Refusal) {
    var info = SF_INFO()
    box = SoundBytesBox(bytes)
    handle = try Self.open(box, &info)
    self.info = info
  }

  deinit { sf_close(handle) }

  /// Reads up to `frameCount` interleaved frames, full scale ±1. Returns the number of frames read, 0 at the end. The
  /// frames do not depend on `frameCount`, even where decoding fails.
  func read(into frames: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    let wanted = min(Int64(frameCount), info.frames - position)
    guard wanted > 0, !hasEnded else { return 0 }
    let samples = UnsafeMutableBufferPointer(start: frames, count: Int(wanted) * channelCount)
    if isMPEG { samples.update(repeating: Self.untouched) }
    var count = Int(sf_readf_float(handle, frames, wanted))
    // libsndfile forgets the error at the next read.
    if sf_error(handle) != SF_ERR_NO_ERROR {
      hasFailed = true
      if isMPEG, count == 0 { count = Self.decodedCount(samples) / channelCount }
    }
    hasEnded = count < wanted && (count == 0 || isMPEG)
    position += Int64(count)
    return count
  }

  /// A NaN that no decoder produces, to mark memory that was not written.
  ///
  /// When libmpg123 fails during a read, libsndfile 1.2 returns nothing, although libmpg123 has written what it decoded
  /// before the failure to the caller's memory. Samples that still hold this value were not decoded.
  private static let untouched = Float(bitPattern: 0x7FED_CBA9)

  private static func decodedCount(_ samples: UnsafeMutableBufferPointer<Float>) -> Int {
    samples.lastIndex { $0.bitPattern != untouched.bitPattern }.map { $0 + 1 } ?? 0
  }

  private var isMPEG: Bool { info.format & Int32(SF_FORMAT_TYPEMASK) == Int32(SF_FORMAT_MPEG) }

  var sampleRate: Int { Int(info.samplerate) }
  var channelCount: Int { Int(info.channels) }

  /// The total number of frames; `nil` where libsndfile does not know it (its SF_COUNT_MAX).
  var frameCount: Int64? { info.frames == .max ? nil : info.frames }

  /// The bits of each sample, if they are integers or companded to integers; otherwise `nil`.
  var bitsPerSample: Int? {
    switch Int(info.format) & SF_FORMAT_SUBMASK {
    case SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8: 8
    case SF_FORMAT_PCM_16, SF_FORMAT_ULAW, SF_FORMAT_ALAW: 16
    case SF_FORMAT_PCM_24: 24
    case SF_FORMAT_PCM_32: 32
    default: nil
    }
  }

  /// Whether samples may have more bits than the floats that are read hold.
  var exceedsFloats: Bool {
    [SF_FORMAT_PCM_32, SF_FORMAT_DOUBLE].contains(Int(info.format) & SF_FORMAT_SUBMASK)
  }

  /// The real container, where libsndfile was shown a different one.
  enum Container { case wave, wave64 }

  /// Returns "container, encoding" in libsndfile's words.
  func formatName(in real: Container? = nil) -> String {
    let container =
      switch real {
      case .wave?: Self.name(of: Int32(SF_FORMAT_WAV))
      case .wave64?: Self.name(of: Int32(SF_FORMAT_W64))
      case nil: Self.name(of: info.format & Int32(SF_FORMAT_TYPEMASK))
      }
    let encoding = Self.name(of: info.format & Int32(SF_FORMAT_SUBMASK))
    return [container, encoding].compactMap(\.self).joined(separator: ", ")
  }

  private static func name(of format: Int32) -> String? {
    var query = SF_FORMAT_INFO()
    query.format = format
    let size = Int32(MemoryLayout<SF_FORMAT_INFO>.size)
    guard sf_command(nil, Int32(SFC_GET_FORMAT_INFO), &query, size) == 0, let name = query.name
    else {
      return nil
    }
    return String(cString: name)
  }

  // MARK: Opening

  /// A lock that allows one open at a time, because libsndfile keeps the reason of a failed open in a global variable.
  private static let opening = Guarded(())

  private static func open(
    _ box: SoundBytesBox, _ info: inout SF_INFO
  ) throws(Refusal) -> OpaquePointer {
    var callbacks = soundBytesCallbacks
    _ = box.bytes.seek(0, from: .start)
    var handle: OpaquePointer?
    let refusal: Refusal = opening.change { _ in
      // The pointer outlives this call: it is valid as long as the handle, because `SoundFile` holds `box` and closes
      // the handle in its deinit, before it releases `box`.
      let file = Unmanaged.passUnretained(box).toOpaque()
      handle = sf_open_virtual(&callbacks, Int32(SFM_READ), &info, file)
      return Refusal(code: sf_error(nil))
    }
    guard let handle else { throw refusal }
    return handle
  }
}

extension SoundFile.Refusal {
  fileprivate init(code: Int32) {
    guard code != Int32(SF_ERR_UNRECOGNISED_FORMAT) else { return }
    let words = String(cString: sf_error_number(code))
    reason = "it is damaged or in an encoding that libsndfile does not read (\"\(words)\")"
  }
}

// MARK: Virtual I/O

/// An object for C to point to, because a pointer cannot hold an existential.
private final class SoundBytesBox {
  let bytes: any SoundBytes
  init(_ bytes: any SoundBytes) { self.bytes = bytes }
}

/// libsndfile's callbacks for `SoundBytes`. In read mode it writes nothing.
private let soundBytesCallbacks = SF_VIRTUAL_IO(
  get_filelen: { soundBytes($0).length },
  seek: { offset, whence, file in soundBytes(file).seek(offset, whence) },
  read: { target, count, file in
    let buffer = UnsafeMutableRawBufferPointer(start: target, count: Int(max(count, 0)))
    return sf_count_t(soundBytes(file).read(into: buffer))
  },
  write: { _, _, _ in 0 },
  tell: { soundBytes($0).offset })

private func soundBytes(_ pointer: UnsafeMutableRawPointer?) -> any SoundBytes {
  Unmanaged<SoundBytesBox>.fromOpaque(pointer!).takeUnretainedValue().bytes
}

extension SoundBytes {
  /// Moves as `lseek` does, with libsndfile's constants. Returns −1 if the target lies before the start.
  fileprivate func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    switch whence {
    case Int32(SF_SEEK_CUR): seek(offset, from: .current) ?? -1
    case Int32(SF_SEEK_END): seek(offset, from: .end) ?? -1
    default: seek(offset, from: .start) ?? -1
    }
  }
}
