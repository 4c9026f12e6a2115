internal import CVoiceActivity

/// Moving a stream to another process or machine.
extension VoiceActivityDetector {
  /// Bytes that a saved detector has at most: a constant of the library, below 6 KiB.
  public static var savedSizeMax: Int { va_detector_saved_size() }

  /// All that the stream remembers, mute included. A detector restored by the same build goes on bit for bit, or within
  /// 1e-4 in the posterior where ``simdName`` or the build differs.
  ///
  /// The bytes are the same on every machine, and those of C.
  public func saved() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.savedSizeMax) { bytes, count in
      count = save(into: UnsafeMutableRawBufferPointer(bytes))
    }
  }

  /// The same without an array: returns how many bytes of ``savedSizeMax`` it took. There must be room for all.
  public func save(into bytes: inout MutableSpan<UInt8>) -> Int {
    precondition(bytes.count >= Self.savedSizeMax, "a saved detector needs savedSizeMax bytes")
    return bytes.withUnsafeMutableBytes { save(into: $0) }
  }

  /// A detector that goes on where the saved one was. The bytes may come from anywhere.
  ///
  /// ``VoiceActivityControl/totals`` begin at 0, for what was counted elsewhere is told there.
  ///
  /// `isTimed` is as in ``init(configuration:isTimed:)``.
  ///
  /// Throws ``VoiceActivityError/savedData`` or ``VoiceActivityError/savedVersion``.
  public init(restoring bytes: Span<UInt8>, isTimed: Bool = false) throws(VoiceActivityError) {
    let core = bytes.withUnsafeBytes { bytes in
      Result { () throws(VoiceActivityError) in
        try DetectorCore(restoring: bytes, isTimed: isTimed)
      }
    }
    self.init(try core.get())
  }

  private func save(into bytes: UnsafeMutableRawBufferPointer) -> Int {
    var size = 0
    let code = va_detector_save(core.detector, bytes.baseAddress, bytes.count, &size)
    precondition(code == VA_OK, "the detector's memory was damaged")
    return size
  }
}
