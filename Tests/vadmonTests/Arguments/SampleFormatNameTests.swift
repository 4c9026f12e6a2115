import AudioInput
import RealTime
import Testing

@testable import vadmon

/// The names of formats in programs that write raw PCM: ffmpeg -formats and -codecs, soxformat(7), arecord --help,
/// GStreamer's audio/x-raw, parec(1).
@Suite struct SampleFormatNameTests {
  @Test(
    arguments: [
      (.s8, "s8 S8 pcm_s8 sb"), (.u8, "u8 U8 pcm_u8 ub"),
      (.s16le, "s16le s16 S16_LE S16LE pcm_s16le sw"), (.s16be, "s16be S16_BE S16BE pcm_s16be"),
      (.s24le, "s24le s24 S24_3LE S24LE pcm_s24le"), (.s24be, "s24be S24_3BE S24BE pcm_s24be"),
      (.s32le, "s32le s32 S32_LE S32LE pcm_s32le sl"), (.s32be, "s32be S32_BE S32BE pcm_s32be"),
      (.f32le, "f32le f32 FLOAT_LE F32LE pcm_f32le float32le float float32"),
      (.f32be, "f32be FLOAT_BE F32BE pcm_f32be float32be"),
      (.f64le, "f64le f64 FLOAT64_LE F64LE pcm_f64le double float64"),
      (.f64be, "f64be FLOAT64_BE F64BE pcm_f64be"),
      (.mulaw, "mulaw pcm_mulaw MU_LAW ulaw u-law ul"), (.alaw, "alaw pcm_alaw A_LAW a-law al"),
    ] as [(RawSampleFormat, String)])
  func formatNamesAreAccepted(format: RawSampleFormat, names: String) throws {
    for name in names.split(separator: " ") {
      #expect(try RawSampleFormat(parsing: String(name)) == format, "\(name)")
    }
  }

  /// These formats have four bytes a sample, but vadmon would read three.
  @Test(arguments: ["S24_LE", "s24_be", "S24_32LE"])
  func twentyFourBitsInFourBytesAreRefused(name: String) {
    #expect(throws: ValueError.self) { try RawSampleFormat(parsing: name) }
  }

  @Test(arguments: ["", "s16 le", "s12", "u16", "le", "pcm", "pcm_s16", "mulawle", "_le", "s16ne"])
  func unknownFormatNamesAreRefused(name: String) {
    #expect(throws: ValueError.self) { try RawSampleFormat(parsing: name) }
  }
}
