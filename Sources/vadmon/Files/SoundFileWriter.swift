import CSndFile
import Glibc
import SystemPackage

/// A writer of a WAV or FLAC file.
///
/// The header of a WAV file is correct whenever ``saveHeader()`` has returned, so that a program that is killed leaves
/// a readable file. Plain WAV ends at 4 GiB. RF64 (EBU Tech 3306) does not, and is WAV up to 4 GiB, too, but with the
/// extensible header, which simple readers refuse. A pipe, or a file that begins with something else, cannot go back to
/// its header: it gets one header of unknown length, as ffmpeg and sox write it, and then 32-bit floats.
///
/// Threads: one at a time.
final class SoundFileWriter {
  /// The kinds of files.
  enum Container: String, Sendable, Hashable {
    case wav, rf64, flac
  }

  private let file: FileUnderWay
  /// libsndfile's handle, valid until `finish` or `deinit` closes it; `nil` for a pipe. No copy leaves this class.
  private var handle: OpaquePointer?
  /// The header of a pipe, until it is written with the first samples: sox tells the format from what it reads first.
  private var header: [UInt8] = []
  private let channelCount: Int
  /// The bits of an integer sample; `nil` for floats.
  private let bits: Int?
  private var integers: [Int32] = []
  /// How many samples were beyond full scale, where integers end.
  private(set) var clippedCount = 0
  /// How many samples still fit.
  private var room: Int

  /// Takes over `descriptor`, which must be of an empty file or, for floats in RF64, a pipe, and closes it at the end.
  ///
  /// - Parameter bits: The bits of each sample as integers, 16, 24 or 32; `nil` for 32-bit floats. FLAC has at most 24,
  ///   and no floats, for which it takes 24.
  init(
    _ descriptor: FileDescriptor, _ container: Container, bits: Int? = nil, sampleRate: Int,
    channelCount: Int
  ) throws(Errno) {
    file = FileUnderWay(descriptor)
    self.channelCount = channelCount
    self.bits = container == .flac ? min(bits ?? 24, 24) : bits
    // The sizes in a WAV header have 32 bits, and count some of the header.
    room = container == .wav ? (Int(UInt32.max) - 4096) / ((bits ?? 32) / 8) : .max
    guard file.canGoBack else {
      guard container == .rf64, bits == nil else { throw .illegalSeek }
      handle = nil
      header = Self.streamHeader(sampleRate, channelCount)
      return
    }
    var info = SF_INFO()
    info.samplerate = Int32(sampleRate)
    info.channels = Int32(channelCount)
    info.format = Self.format(container, self.bits)
    var callbacks = fileUnderWayCallbacks
    // The pointer outlives this call: it is valid as long as the handle, because this object holds `file` and closes
    // the handle in its deinit, before it releases `file`.
    let opened = sf_open_virtual(
      &callbacks, Int32(SFM_WRITE), &info, Unmanaged.passUnretained(file).toOpaque())
    guard let opened else { throw file.failure ?? .invalidArgument }
    handle = opened
    sf_command(opened, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE))
    if container != .flac { try saveHeader() }
  }

  private static func format(_ container: Container, _ bits: Int?) -> Int32 {
    let encoding =
      switch bits {
      case nil: SF_FORMAT_FLOAT
      case 16: SF_FORMAT_PCM_16
      case 24: SF_FORMAT_PCM_24
      default: SF_FORMAT_PCM_32
      }
    let kind =
      switch container {
      case .wav: SF_FORMAT_WAV
      case .rf64: SF_FORMAT_RF64
      case .flac: SF_FORMAT_FLAC
      }
    return Int32(kind) | Int32(encoding)
  }

  deinit { if let handle { sf_close(handle) } }

  /// Returns a WAV header whose lengths are the greatest there are, which means that they are unknown.
  private static func streamHeader(_ sampleRate: Int, _ channelCount: Int) -> [UInt8] {
    func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian, Array.init)
    }
    let frameSize = UInt16(channelCount * MemoryLayout<Float>.size)
    let ieeeFloat: UInt16 = 3
    return Array("RIFF".utf8) + bytes(UInt32.max) + Array("WAVEfmt ".utf8) + bytes(UInt32(18))
      + bytes(ieeeFloat) + bytes(UInt16(channelCount)) + bytes(UInt32(sampleRate))
      + bytes(UInt32(sampleRate) * UInt32(frameSize)) + bytes(frameSize) + bytes(UInt16(32))
      + bytes(UInt16(0))
      + Array("data".utf8) + bytes(UInt32.max)
  }

  /// Appends interleaved frames, full scale ±1.
  ///
  /// Integers are rounded to the nearest, so that what was read from integers of as many bits is written as it was.
  /// libsndfile would scale by one less.
  ///
  /// - Throws: The reason of the system, or `fileTooLarge` where WAV ends.
  func write(_ samples: Span<Float>) throws(Errno) {
    guard !samples.isEmpty else { return }
    guard samples.count <= room else { throw .fileTooLarge }
    room -= samples.count
    let written = samples.withUnsafeBufferPointer { samples in
      guard let handle else { return writeToPipe(UnsafeRawBufferPointer(samples)) }
      guard let bits else {
        return Int(sf_write_float(handle, samples.baseAddress, sf_count_t(samples.count)))
      }
      clippedCount += samples.count { $0.magnitude > 1 }
      integers.removeAll(keepingCapacity: true)
      integers.append(contentsOf: samples.lazy.map { Self.integer($0, bits: bits) })
      return Int(sf_write_int(handle, integers, sf_count_t(integers.count)))
    }
    if written < samples.count { throw file.failure ?? .ioError }
  }

  /// Returns how many samples were written. WAV is little endian, as is every machine that vadmon is built for.
  private func writeToPipe(_ samples: UnsafeRawBufferPointer) -> Int {
    guard header.isEmpty else {
      let first = header + samples
      header = []
      return (first.withUnsafeBytes(file.write) - (first.count - samples.count))
        / MemoryLayout<Float>.size
    }
    return file.write(samples) / MemoryLayout<Float>.size
  }

  /// Returns an integer of `bits` bits in the highest bits of 32, as libsndfile wants them. NaN becomes 0.
  private static func integer(_ sample: Float, bits: Int) -> Int32 {
    guard !sample.isNaN else { return 0 }
    let fullScale = Double(1 << (bits - 1))
    let limited = min(max((Double(sample) * fullScale).rounded(), -fullScale), fullScale - 1)
    return Int32(limited) << (32 - bits)
  }

  /// Completes the file, which FLAC does in its last block. Nothing may be written afterwards.
  func finish() throws(Errno) {
    if !header.isEmpty { _ = header.withUnsafeBytes(file.write) }
    if let handle { sf_close(handle) }
    handle = nil
    if let failure = file.failure { throw failure }
  }

  /// Updates the header to what the file holds now. A pipe keeps its first header.
  func saveHeader() throws(Errno) {
    guard let handle else { return }
    sf_command(handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
    if let failure = file.failure { throw failure }
  }
}

/// libsndfile's view of a file that is being written. It remembers why a write failed, because libsndfile does not
/// report that.
private final class FileUnderWay {
  private let descriptor: FileDescriptor
  private(set) var failure: Errno?

  init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  deinit { try? descriptor.close() }

  /// Whether a later write may replace what is written first: in a file of which nothing stands yet.
  var canGoBack: Bool {
    lseek(descriptor.rawValue, 0, SEEK_CUR) == 0
      && fcntl(descriptor.rawValue, F_GETFL) & O_APPEND == 0
  }

  var length: Int64 {
    var status = stat()
    return fstat(descriptor.rawValue, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// Moves as lseek(2) does, whose constants libsndfile uses.
  func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    Int64(lseek(descriptor.rawValue, off_t(offset), whence))
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    do {
      try descriptor.writeAllWaiting(bytes)
      return bytes.count
    } catch {
      failure = failure ?? error
      return 0
    }
  }
}

private let fileUnderWayCallbacks = SF_VIRTUAL_IO(
  get_filelen: { fileUnderWay($0).length },
  seek: { offset, whence, file in fileUnderWay(file).seek(offset, whence) },
  read: { _, _, _ in 0 },
  write: { source, count, file in
    let bytes = UnsafeRawBufferPointer(start: source, count: Int(max(count, 0)))
    return sf_count_t(fileUnderWay(file).write(bytes))
  },
  tell: { fileUnderWay($0).seek(0, SEEK_CUR) })

private func fileUnderWay(_ pointer: UnsafeMutableRawPointer?) -> FileUnderWay {
  Unmanaged<FileUnderWay>.fromOpaque(pointer!).takeUnretainedValue()
}
