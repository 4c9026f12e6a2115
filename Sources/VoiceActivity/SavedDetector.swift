internal import CVoiceActivity

/// Moving a stream to another process or machine.
extension VoiceActivityDetector {
  /// The largest number of bytes that a saved detector takes: a constant of the library, below 6 KiB.
  public static var savedSizeMax: Int { va_detector_saved_size() }

  /// Returns everything that the stream remembers, the mute included.
  ///
  /// A detector restored by the same build continues bit for bit. Where ``simdName`` or the build differs, posteriors
  /// nearly always agree within 0.02. The bytes have the same format on every machine, and C reads and writes the same
  /// format.
  public func saved() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.savedSizeMax) { bytes, count in
      count = save(into: UnsafeMutableRawBufferPointer(bytes))
    }
  }

  /// Saves the detector without allocating, and returns how many bytes were written.
  ///
  /// - Precondition: `bytes` has room for at least ``savedSizeMax`` bytes.
  public func save(into bytes: inout MutableSpan<UInt8>) -> Int {
    precondition(bytes.count >= Self.savedSizeMax, "a saved detector needs savedSizeMax bytes")
    return bytes.withUnsafeMutableBytes { save(into: $0) }
  }

  /// Creates a detector that continues where the saved one was. The bytes may come from an untrusted source.
  ///
  /// ``VoiceActivityControl/totals`` begin at 0, because the process that counted before reports those counts.
  ///
  /// - Parameters:
  ///   - bytes: What ``saved()`` returned or ``save(into:)`` wrote.
  ///   - isTimed: Whether the calls are timed, as for a new detector.
  /// - Throws: ``VoiceActivityError/savedData`` or ``VoiceActivityError/savedVersion``.
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
