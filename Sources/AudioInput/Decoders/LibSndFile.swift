internal import CSndFile
internal import RealTime

/// A decoder by libsndfile of a file: Ogg, VOC, coded sound in WAV and others, and rare formats.
final class LibSndFile: SoundDecoder {
  let stream: ByteStream
  /// Where the recording ends in the stream.
  private let end: Int64
  private let file: VirtualFile
  let info: SoundInfo
  private let isOgg: Bool
  /// libsndfile's handle. Valid until `deinit` closes it, and no copy leaves this class.
  private let handle: OpaquePointer
  /// The number of frames read.
  private var position: Int64 = 0
  /// Whether the file is cut off, or decoding has failed anywhere.
  private var hasFailed = false

  init(_ region: Region, _ flaws: AudioFormat.Flaws = .init()) throws(Refusal) {
    var found = SF_INFO()
    (stream, end) = (region.stream, region.start + region.count)
    hasFailed = flaws.isCutOff || flaws.isDamaged
    file = VirtualFile(region)
    handle = try Self.open(file, &found)
    let container = Int(found.format) & SF_FORMAT_TYPEMASK
    let encoding = Self.name(of: Int(found.format) & SF_FORMAT_SUBMASK)
    isOgg = container == SF_FORMAT_OGG
    var info = SoundInfo(
      [Self.name(of: container), encoding].compactMap(\.self).joined(separator: ", "),
      SoundFormat(sampleRate: Int(found.samplerate), channelCount: Int(found.channels)),
      RawSampleFormat.allCases.first { $0.encoding == encoding })
    // SF_COUNT_MAX is an unknown number.
    info.frameCount = found.frames == .max ? nil : found.frames
    self.info = info
  }

  deinit { sf_close(handle) }

  /// Whether libsndfile would print what it thinks of the bytes as MP3, also of a text in UTF-16.
  static func takesForMP3(_ region: Region) -> Bool { region.upTo(1, at: 0) == [0xFF] }

  func next(_ wanted: Int) -> SoundBlock? {
    let room = min(Int64(wanted), info.frameCount.map { $0 - position } ?? .max)
    guard room > 0, !stream.isStopped else { return nil }
    let (handle, channelCount) = (handle, info.format.channelCount)
    let samples = [Float](unsafeUninitializedCapacity: Int(room) * channelCount) {
      $1 = Int(sf_readf_float(handle, $0.baseAddress, room)) * channelCount
    }
    // libsndfile forgets the error at the next read.
    if sf_error(handle) != SF_ERR_NO_ERROR { hasFailed = true }
    position += Int64(samples.count / channelCount)
    return samples.isEmpty ? nil : SoundBlock(format: info.format, samples: samples)
  }

  func finish() -> [AudioInputWarning] {
    stream.move(to: end)
    // The last page of an Ogg states a time, which may be late, and coded sound is rounded to whole blocks. Of MP3 in
    // WAV, libsndfile counts what is there.
    let missing = isOgg ? 0 : (info.frameCount ?? 0) - position
    let isStated = missing > Int64(info.format.sampleRate / 10)
    guard isStated || hasFailed, !stream.isStopped else { return [] }
    return [.endedEarly(missingSeconds: isStated ? info.format.seconds(missing) : nil)]
  }

  /// Returns the name of a container or an encoding.
  private static func name(of format: Int) -> String? {
    var query = SF_FORMAT_INFO()
    query.format = Int32(format)
    let size = Int32(MemoryLayout<SF_FORMAT_INFO>.size)
    guard sf_command(nil, Int32(SFC_GET_FORMAT_INFO), &query, size) == 0 else { return nil }
    return query.name.map { String(cString: $0) }
  }

  // MARK: Opening

  /// A lock that allows one open at a time, because libsndfile keeps the reason of a failed open in a global variable.
  private static let opening = Guarded(())

  private static func open(
    _ file: VirtualFile, _ info: inout SF_INFO
  ) throws(Refusal) -> OpaquePointer {
    var callbacks = callbacks
    var handle: OpaquePointer?
    let code = opening.change { _ in
      // The pointer outlives this call: it is valid as long as the handle, because `LibSndFile` holds `file` and closes
      // the handle in its deinit, before it releases `file`.
      handle = sf_open_virtual(
        &callbacks, Int32(SFM_READ), &info, Unmanaged.passUnretained(file).toOpaque())
      return sf_error(nil)
    }
    if let handle { return handle }
    throw code == Int32(SF_ERR_UNRECOGNISED_FORMAT)
      ? Refusal(reason: "libsndfile does not know its format")
      : .says("libsndfile", String(cString: sf_error_number(code)))
  }
}

extension RawSampleFormat {
  /// The name of the encoding, which is libsndfile's.
  var encoding: String {
    switch self {
    case .f32le, .f32be, .f64le, .f64be: "\(8 * byteCount) bit float"
    case .mulaw: "U-Law"
    case .alaw: "A-Law"
    default: "\(self == .u8 ? "Unsigned" : "Signed") \(8 * byteCount) bit PCM"
    }
  }
}

// MARK: Virtual I/O

/// A region of a file, as libsndfile reads it.
private final class VirtualFile {
  let region: Region
  /// Where the next read begins. It may lie beyond the end.
  var offset: Int64 = 0

  init(_ region: Region) { self.region = region }
}

/// libsndfile's callbacks. In read mode it writes nothing.
private let callbacks = SF_VIRTUAL_IO(
  get_filelen: { virtualFile($0).region.count },
  seek: { distance, whence, file in
    // As `lseek` does, even beyond the end, with libsndfile's constants.
    let file = virtualFile(file)
    let base =
      whence == Int32(SF_SEEK_CUR)
      ? file.offset : whence == Int32(SF_SEEK_END) ? file.region.count : 0
    let (target, overflow) = base.addingReportingOverflow(distance)
    guard !overflow, target >= 0 else { return -1 }
    file.offset = target
    return target
  },
  read: { target, count, file in
    let file = virtualFile(file)
    let bytes = file.region.upTo(Int(max(count, 0)), at: file.offset)
    UnsafeMutableRawBufferPointer(start: target, count: bytes.count).copyBytes(from: bytes)
    file.offset += Int64(bytes.count)
    return sf_count_t(bytes.count)
  },
  write: { _, _, _ in 0 },
  tell: { virtualFile($0).offset })

private func virtualFile(_ pointer: UnsafeMutableRawPointer?) -> VirtualFile {
  Unmanaged<VirtualFile>.fromOpaque(pointer!).takeUnretainedValue()
}
