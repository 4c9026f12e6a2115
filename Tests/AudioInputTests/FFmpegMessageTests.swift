import SystemPackage
import Testing

@testable import AudioInput

/// What is understood of ffmpeg's messages. The wordings are those of several versions, of which only one is installed.
@Suite struct FFmpegMessageTests {
  private func evaluation(_ text: String) throws -> FFmpegMessages.Evaluation {
    let pipe = try FileDescriptor.pipe()
    try pipe.writeEnd.writeAll(text.utf8)
    try pipe.writeEnd.close()
    defer { try? pipe.readEnd.close() }
    let messages = FFmpegMessages()
    messages.read(pipe.readEnd)
    return messages.atEnd()
  }

  private static let description = """
    [info] Input #0, mpegts, from 'a.ts':
    [info]     title           : Stream #0:9: Audio: a title
    [info]   Program 1 
    [info]   Stream #0:0[0x100], 12, 1/90000: Video: h264
    [info]     Stream #0:2[0x102](deu): Audio: mp2, 48000 Hz
    [info]   Stream #0:1[0x101]: Audio: mp2, 48000 Hz
    [info] Stream mapping:
    [info]   Stream #0:1 -> #0:0 (mp2 (native) -> pcm_f32le (native))
    [info] Output #0, wav, to 'pipe:1':
    [info]   Stream #0:0: Audio: pcm_f32le, 48000 Hz

    """

  @Test func tracksAreThoseOfTheInput() throws {
    let evaluation = try evaluation(Self.description)
    #expect(evaluation.trackCount == 2)
    #expect(evaluation.start == 0 && evaluation.complaint == nil)
  }

  @Test(arguments: [
    "[mpegts @ 0x1f] [verbose] Correcting start time by 1500000\n",
    "[verbose] Correcting start time of Input #0 by 1500000us.\n",
  ])
  func theStartHasTwoParts(correction: String) throws {
    let frame = "[Parsed_ametadata_1 @ 0x1f] [info] frame:0    pts:12000   pts_time:0.25\n"
    let two = Self.description
    #expect(try evaluation(two + frame).start == 0.25)
    #expect(try evaluation(two + correction + frame).start == 1.75)
    #expect(try evaluation(two + frame.replacing("0.25", with: "-0.007")).start == -0.007)
    #expect(try evaluation(two + frame.replacing("0.25", with: "NOPTS")).start == 0)
    #expect(try evaluation(frame).start == 0, "a stream that is alone begins where it begins")
  }

  /// A duration counts if it can only be that of the sound.
  @Test(arguments: [
    ("", 3723.5), ("[info]   Stream #0:1: Video: mjpeg, 64x64 (attached pic)", 3723.5),
    ("[info]   Stream #0:1: Video: h264", nil), ("[info]   Stream #0:1: Audio: aac", nil),
    ("[mp3 @ 0x1f] [warning] Estimating duration from bitrate, this may be inaccurate", nil),
  ])
  func aStatedDuration(line: String, seconds: Double?) throws {
    let text = """
      [info] Input #0, flv, from 'a.flv':
      [info]   Duration: 01:02:05.50, start: 2.000000, bitrate: 48 kb/s
      [info]   Stream #0:0: Audio: aac, 16000 Hz, mono, fltp
      \(line)
      [info] Stream mapping:
      """
    #expect(try evaluation(text).statedDuration == seconds)
    #expect(try evaluation(text).containerStart == 2)
    let unknown = text.replacing("01:02:05.50, start: 2.000000", with: "N/A")
    #expect(try evaluation(unknown).statedDuration == nil)
    #expect(try evaluation(unknown).containerStart == 0)
  }

  /// Only damage in the first track, which is stream 1, counts.
  @Test(arguments: [
    ("[mpegts @ 0x1f] [warning] Packet corrupt (stream = 1, dts = 575280).", true),
    ("[mpegts @ 0x1f] [warning] Packet corrupt (stream = 0, dts = 1).", false),
    ("[mpegts @ 0x1f] [debug] Continuity check failed for pid 257 expected 14 got 4", true),
    ("[mpegts @ 0x1f] [debug] Continuity check failed for pid 258 expected 14 got 4", false),
    ("[mpegts @ 0x1f] [debug] Continuity check failed for pid 257 expected 14 got 0", true),
    (
      """
      [mpegts @ 0x1f] [debug] Continuity check failed for pid 0 expected 2 got 0
      [mpegts @ 0x1f] [debug] Continuity check failed for pid 257 expected 14 got 0
      """, false
    ),
    ("[mp3 @ 0x1f] [warning] Estimating duration from bitrate, this may be inaccurate", false),
    ("[info]     title           : Packet corrupt (stream = 1, dts = 1).", false),
    ("    Last message repeated 2 times", false),
  ])
  func damage(line: String, counts: Bool) throws {
    let complaint = try evaluation(Self.description + line).complaint
    #expect((complaint != nil) == counts, "\(complaint ?? "")")
  }

  /// While ffmpeg finds out the streams, it tries the decoders of all of them. What is wrong with the track, it reports
  /// again.
  @Test(arguments: [
    ("[png @ 0x1f] [error] Invalid PNG signature", nil),
    ("[h264 @ 0x1f] [error] error while decoding MB 10 2", nil),
    ("[mpegts @ 0x1f] [error] a fault of the file", "[mpegts] a fault of the file"),
  ])
  func errorsBeforeTheDecoding(line: String, complaint: String?) throws {
    let mapping = "[info] Stream mapping:"
    let text = Self.description.replacing(mapping, with: "\(line)\n\(mapping)")
    #expect(try evaluation(text).complaint == complaint)
    #expect(try evaluation(line).complaint != nil, "ffmpeg has ended")
    #expect(try evaluation(Self.description + line).complaint != nil)
  }

  /// No number in a message ends the process, however large.
  @Test(arguments: [
    "[info] Stream #0:N[0xN]: Audio: mp2", "[warning] Packet corrupt (stream = N, dts = 1).",
    "[verbose] Correcting start time by N",
    "[debug] Continuity check failed for pid N expected N got N", "[info] frame:0 pts:N pts_time:N",
  ])
  func aNumberOfAnySizeIsRead(line: String) throws {
    for number in ["99999999999999999999", String(repeating: "9", count: 400), "-", "", "1.5", "٣"]
    {
      let text = Self.description + line.replacing("N", with: number)
      #expect(try evaluation(text).trackCount == 2)
    }
  }

  @Test func theLastErrorIsTheComplaint() throws {
    let text = """
      [aac @ 0x1f] [error] first
      [aist#0:0/aac @ 0x1f] [dec:aac @ 0x2f] [error] second
      [aac @ 0x1f] [warning] Packet corrupt (stream = 1, dts = 1).
      \(String(repeating: "x", count: 40_000))
          Last message repeated 2 times
      """
    let evaluation = try evaluation(Self.description + text)
    #expect(evaluation.complaint == "[aist#0:0/aac] [dec:aac] second")
    #expect(evaluation.refusal == nil)
  }
}
