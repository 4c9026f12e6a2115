internal import CSndFile
internal import Synchronization

/// An open libsndfile handle over bytes that libsndfile takes for a file.
///
/// Threads: one at a time.
final class SoundFile {
  /// Why libsndfile refused: its words, or `nil` when it knows no such format.
  struct Refusal: Error { var reason: String? }

  var bytes: any SoundBytes { box.bytes }
  private let box: SoundBytesBox
  private let info: SF_INFO
  private let handle: OpaquePointer

  init(_ bytes: any SoundBytes) throws(Refusal) {
    var info = SF_INFO()
    box = SoundBytesBox(bytes)
    handle = try Self.open(box, &info)
    self.info = info
  }

  deinit { sf_close(handle) }

  /// Reads up to `frameCount` interleaved frames, full scale ±1; 0 at the end.
  func read(into frames: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    Int(sf_readf_float(handle, frames, sf_count_t(frameCount)))
  }

  var sampleRate: Int { Int(info.samplerate) }
  var channelCount: Int { Int(info.channels) }

  /// Frames in all; `nil` where libsndfile cannot tell (its SF_COUNT_MAX).
  var frameCount: Int64? { info.frames == .max ? nil : info.frames }

  /// Whether decoding has failed.
  var hasFailed: Bool { sf_error(handle) != SF_ERR_NO_ERROR }

  /// "container, encoding", in libsndfile's words.
  var formatName: String {
    let container = Self.name(of: info.format & Int32(SF_FORMAT_TYPEMASK))
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

  /// libsndfile keeps the reason of a failed open in a global variable: one open at a time.
  private static let opening = Mutex(())

  private static func open(
    _ box: SoundBytesBox, _ info: inout SF_INFO
  ) throws(Refusal) -> OpaquePointer {
    var callbacks = soundBytesCallbacks
    _ = box.bytes.seek(0, from: .start)
    var handle: OpaquePointer?
    let refusal: Refusal = opening.withLock { _ in
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

/// What C can point to.
private final class SoundBytesBox {
  let bytes: any SoundBytes
  init(_ bytes: any SoundBytes) { self.bytes = bytes }
}

/// libsndfile's view of `SoundBytes`. In read mode it writes nothing.
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
  /// `lseek` as libsndfile knows it; −1 if the target lies before the start.
  fileprivate func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    switch whence {
    case Int32(SF_SEEK_CUR): seek(offset, from: .current) ?? -1
    case Int32(SF_SEEK_END): seek(offset, from: .end) ?? -1
    default: seek(offset, from: .start) ?? -1
    }
  }
}
