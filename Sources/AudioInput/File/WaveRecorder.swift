internal import CSndFile
internal import Glibc
package import SystemPackage

/// A writer of a WAV file whose header is correct at any time, so that a program that is killed leaves a readable file.
///
/// Samples are 32-bit floats, bit for bit what the detectors get. Up to 4 GiB the file is plain WAV. Beyond that it
/// becomes RF64 (EBU Tech 3306), whose header takes the same bytes. A pipe cannot go back to its header: it gets one
/// header of unknown length, as ffmpeg and sox write it, and then the samples.
///
/// Threads: one at a time.
package final class WaveRecorder {
  private let file: FileUnderWay
  /// libsndfile's handle, valid until `deinit` closes it; `nil` for a pipe. No copy leaves this class.
  private let handle: OpaquePointer?
  private let channelCount: Int

  /// Takes over `descriptor`, which must be of an empty file or a pipe, and closes it at the end.
  package init(
    _ descriptor: FileDescriptor, sampleRate: Int, channelCount: Int
  ) throws(Errno) {
    file = FileUnderWay(descriptor)
    self.channelCount = channelCount
    guard file.canSeek else {
      handle = nil
      let header = Self.streamHeader(sampleRate, channelCount)
      guard header.withUnsafeBytes(file.write) > 0 else { throw file.failure ?? .ioError }
      return
    }
    var info = SF_INFO()
    info.samplerate = Int32(sampleRate)
    info.channels = Int32(channelCount)
    info.format = Int32(SF_FORMAT_RF64 | SF_FORMAT_FLOAT)
    var callbacks = fileUnderWayCallbacks
    // The pointer outlives this call: it is valid as long as the handle, because this object holds `file` and closes
    // the handle in its deinit, before it releases `file`.
    let opened = sf_open_virtual(
      &callbacks, Int32(SFM_WRITE), &info, Unmanaged.passUnretained(file).toOpaque())
    guard let opened else { throw file.failure ?? .invalidArgument }
    handle = opened
    sf_command(opened, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE))
    try saveHeader()
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

  /// Appends interleaved frames.
  package func write(_ samples: Span<Float>) throws(Errno) {
    let written = samples.withUnsafeBufferPointer { samples in
      guard let handle else {
        // WAV is little endian, as is every machine that vadmon is built for.
        return file.write(UnsafeRawBufferPointer(samples)) / MemoryLayout<Float>.size
      }
      return Int(sf_write_float(handle, samples.baseAddress, sf_count_t(samples.count)))
    }
    if written < samples.count { throw file.failure ?? .ioError }
  }

  /// Updates the header to what the file holds now. A pipe keeps its first header.
  package func saveHeader() throws(Errno) {
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

  var canSeek: Bool { lseek(descriptor.rawValue, 0, SEEK_CUR) >= 0 }

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
      return try descriptor.writeAll(bytes)
    } catch {
      failure = failure ?? error as? Errno ?? .ioError
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
