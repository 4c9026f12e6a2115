import Annotations
import Charts
import Testing

/// A waveform as text.
@Suite struct WaveformTextTests {
  private func picture(_ samples: [Float]) -> ChannelPicture {
    var picture = ChannelPicture(
      rate: 8000, scale: PosteriorScale(onset: 0.8, offset: 0.4), hasSpectrogram: false)
    picture.add(samples.span)
    picture.finish()
    return picture
  }

  private func span(_ start: UInt64, _ end: UInt64) -> SpanRecord {
    let (start, end) = (MediaTime(milliseconds: start), MediaTime(milliseconds: end))
    return SpanRecord(file: "", channel: nil, start: start, end: end, decidedAt: end)
  }

  /// Four columns of a quarter of a second each: silence, half, full, a quarter of the loudest.
  @Test func columnsAreAsHighAsTheirPeaks() {
    let quarter = { (level: Float) in [Float](repeating: level, count: 2000) }
    let drawing = picture(quarter(0) + quarter(-0.25) + quarter(0.5) + quarter(0.125))
    #expect(WaveformText(columns: 4).waveform(drawing) == ["  █", "  █", " ██", "▁███"])
  }

  @Test func silenceAndNothingAreALine() {
    for samples in [[], [0], [Float](repeating: 0, count: 8000)] {
      #expect(WaveformText(columns: 5).waveform(picture(samples)) == ["", "", "", "▁▁▁▁▁"])
    }
  }

  @Test func spansAreDrawnWhereTheyAre() {
    let second = MediaTime.zero..<MediaTime(milliseconds: 1000)
    let drawing = WaveformText(columns: 10)
    #expect(drawing.lane([], "━", in: second) == "")
    #expect(
      drawing.lane([span(0, 100), span(250, 260), span(900, 1000)], "━", in: second)
        == "━ ━      ━")
    #expect(drawing.lane([span(0, 2000)], "━", in: second) == "━━━━━━━━━━")
    #expect(drawing.lane([span(0, 0)], "━", in: .zero..<(.zero)) == "")
    let part = MediaTime(milliseconds: 5000)..<MediaTime(milliseconds: 6000)
    #expect(
      drawing.lane([span(5000, 5100), span(5250, 5260), span(5900, 6000)], "━", in: part)
        == "━ ━      ━")
  }

  @Test func timesAreThereAsFarAsThereIsRoom() {
    let minute = MediaTime.zero..<MediaTime(milliseconds: 60_000)
    #expect(WaveformText(columns: 24).times(of: minute) == "0:00.0   0:30.0   1:00.0")
    #expect(WaveformText(columns: 16).times(of: minute) == "0:00.0    1:00.0")
    #expect(WaveformText(columns: 3).times(of: minute) == "0:0")
    let part = MediaTime(milliseconds: 60_000)..<MediaTime(milliseconds: 80_000)
    #expect(WaveformText(columns: 24).times(of: part) == "1:00.0   1:10.0   1:20.0")
  }
}
