/// A WAV file built by hand from the RIFF specification, without the code under test.
struct WaveWriter {
  var form = "RIFF"
  var formatTag: UInt16 = 1
  var channelCount: UInt16 = 1
  var sampleRate: UInt32 = 16_000
  var bitsPerSample: UInt16 = 16
  /// The format chunk's content after the 16 bytes that all such chunks have.
  var formatExtension: [UInt8] = []
  /// Whole chunks between format and data, and after data.
  var before: [UInt8] = []
  var behind: [UInt8] = []
  var data: [UInt8] = []
  /// False values for the size fields.
  var claimedDataSize: UInt32?
  var claimedFormSize: UInt32?
  /// The sizes in RF64's ds64 chunk; `nil` for no chunk.
  var claimedLongSizes: (form: UInt64, data: UInt64)?

  private var isBigEndian: Bool { form == "RIFX" }
  private var bytesPerFrame: UInt16 { channelCount * ((bitsPerSample + 7) / 8) }

  func bytes() -> [UInt8] {
    var chunks: [UInt8] = []
    if let sizes = claimedLongSizes {
      chunks += chunk(
        "ds64", number(sizes.form) + number(sizes.data) + number(UInt64(0)) + number(UInt32(0)))
    }
    chunks += chunk("fmt ", format()) + before
    chunks += chunk("data", data, claimedSize: claimedDataSize) + behind
    let size = claimedFormSize ?? UInt32(4 + chunks.count)
    return Array(form.utf8) + number(size) + Array("WAVE".utf8) + chunks
  }

  func chunk(_ name: String, _ content: [UInt8], claimedSize: UInt32? = nil) -> [UInt8] {
    let padding: [UInt8] = content.count % 2 == 1 ? [0] : []
    return Array(name.utf8) + number(claimedSize ?? UInt32(content.count)) + content + padding
  }

  private func format() -> [UInt8] {
    let bytesPerSecond = sampleRate &* UInt32(bytesPerFrame)
    return number(formatTag) + number(channelCount) + number(sampleRate) + number(bytesPerSecond)
      + number(bytesPerFrame) + number(bitsPerSample) + formatExtension
  }

  private func number<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    littleEndian(value, reversed: isBigEndian)
  }

  /// Returns the 24 bytes that make a format EXTENSIBLE: valid bits, speakers, and the GUID that ends in the
  /// fixed part of KSDATAFORMAT_SUBTYPE.
  static func extensible(subformat: UInt16, validBits: UInt16, speakers: UInt32) -> [UInt8] {
    littleEndian(UInt16(22)) + littleEndian(validBits) + littleEndian(speakers)
      + littleEndian(subformat)
      + [0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71]
  }
}

func littleEndian<Value: FixedWidthInteger>(_ value: Value, reversed: Bool = false) -> [UInt8] {
  let bytes = withUnsafeBytes(of: value.littleEndian) { Array($0) }
  return reversed ? bytes.reversed() : bytes
}
