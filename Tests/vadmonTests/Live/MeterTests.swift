import Annotations
import Charts
import Foundation
import Testing
import VoiceActivity
import VoiceMonitor

@testable import vadmon

/// What the meter draws from a given state.
@Suite struct MeterTests {
  private static let widths = [1, 8, 20, 40, 59, 80, 200]

  private func state(_ change: (inout MeterState) -> Void = { _ in }) -> MeterState {
    var state = MeterState(
      input: "default: 48000 Hz, 2 channels, S16_LE", onsetThreshold: 0.6, offsetThreshold: 0.4)
    state.elapsed = MediaTime(milliseconds: 83_400)
    state.reading = reading(.speech, 0.93)
    state.hasKeys = true
    change(&state)
    return state
  }

  private func reading(
    _ state: SpeechState, _ posterior: Float, hangoverLeft: UInt64 = 0
  ) -> MeterState.Reading {
    MeterState.Reading(
      state: state, posterior: posterior, levelDBFS: -32.44, peakDBFS: -20, noiseFloorDBFS: -60,
      hangoverLeft: MediaTime(milliseconds: hangoverLeft))
  }

  private func full(_ state: MeterState, _ columns: Int, colored: Bool = false) -> [String] {
    FullMeter(state: state, style: TextStyle(isColored: colored), columns: columns).lines
  }

  private func line(_ state: MeterState, _ columns: Int, colored: Bool = false) -> String {
    LineMeter(state: state, style: TextStyle(isColored: colored), columns: columns).line
  }

  /// Removes the sequences that set colours (ECMA-48, SGR), independently of the meter's own code.
  private func plain(_ text: String) -> String {
    text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
  }

  /// The longest form of everything that may be shown.
  private var crowded: MeterState {
    state { state in
      state.input = String(repeating: "a long name ", count: 30)
      state.reading = reading(.hangover, 0.12, hangoverLeft: 240)
      state.isMuted = true
      state.ownLevelDBFS = -127
      state.troubles = [SignalHealth.digitalSilence.description]
      state.isSpeakingWhileMuted = true
      state.recording = .failed
      state.gapCount = 123_456
      state.lost = MediaTime(milliseconds: 987_654_321)
      state.segmentCount = 98_765
      state.elapsed = MediaTime(milliseconds: 360_000_000)
      state.strip.add(from: .zero, to: MediaTime(milliseconds: 360_000_000))
    }
  }

  // MARK: Fitting

  @Test(arguments: widths, [false, true])
  func everyLineFits(columns: Int, colored: Bool) {
    for state in [state(), state { $0.reading = nil }, crowded] {
      for notice in [false, true] {
        var state = state
        state.showsNotice = notice
        let lines = full(state, columns, colored: colored)
        #expect(lines.count >= 11)
        for line in lines + [line(state, columns, colored: colored)] {
          #expect(plain(line).count <= columns, "\(line)")
        }
      }
    }
  }

  @Test(arguments: widths)
  func coloursChangeNothingElse(columns: Int) {
    for state in [state(), crowded] {
      #expect(full(state, columns, colored: true).map(plain) == full(state, columns))
      #expect(plain(line(state, columns, colored: true)) == line(state, columns))
      #expect(full(state, columns, colored: true) != full(state, columns))
    }
  }

  /// A colour without an end would continue in the shell.
  @Test(arguments: widths)
  func coloursEndWhereTheyMust(columns: Int) {
    for line in full(crowded, columns, colored: true) + [line(crowded, columns, colored: true)] {
      let codes = line.matches(of: #/\u{1B}\[([0-9;]*)m/#).map { String($0.output.1) }
      #expect(codes.isEmpty || codes.last == "0", "\(line)")
    }
  }

  // MARK: Reasons

  @Test func theStateComesWithItsReason() {
    func reason(_ reading: MeterState.Reading) -> String { state { $0.reading = reading }.reason }
    #expect(reason(reading(.silence, 0.08)) == "silence: 0.08 < 0.60")
    #expect(
      reason(reading(.pendingOnset, 0.72)) == "speech perhaps: 0.72 ≥ 0.60, not for long enough yet"
    )
    #expect(reason(reading(.speech, 0.93)) == "speech: 0.93 ≥ 0.60")
    #expect(reason(reading(.speech, 0.5)) == "speech still: 0.50 ≥ 0.40")
    #expect(
      reason(reading(.hangover, 0.31, hangoverLeft: 240))
        == "hangover, 240 ms left: 0.31 < 0.40")
    #expect(state { $0.reading = nil }.reason == "no sound", "as while a device is gone")
    let begin = state {
      $0.reading = nil
      $0.elapsed = .zero
    }
    #expect(begin.reason == "no sound yet")
  }

  @Test(arguments: [20, 40, 80, 200])
  func theReasonIsThereInBothForms(columns: Int) {
    #expect(full(state(), columns).contains { $0.contains("speech: 0.93") })
    #expect(line(state(), columns).contains("speech: 0.93"))
  }

  // MARK: Bars

  /// 80 columns: the label takes 13, the value 11 and the space between one, which leaves 55 for the bar.
  @Test func barsAreDrawnToScale() throws {
    let lines = full(state(), 80)
    let level = Array(try #require(lines.first { $0.hasPrefix("level") }))
    // −72 … 0 dBFS over 55 cells.
    #expect(level[13 + Int(55 * (72 - 60) / 72.0)] == "┊", "the noise floor, -60")
    #expect(level[13 + Int(55 * (72 - 20) / 72.0)] == "│", "the peak, -20")
    #expect(level.filter { "█▏▎▍▌▋▊▉┊".contains($0) }.count == 31, "55 · (72 − 32.44) / 72 = 30.2")
    #expect(String(level).hasSuffix(" -32.4 dBFS"))
    let posterior = Array(try #require(lines.first { $0.hasPrefix("probability") }))
    #expect(posterior[13 + 33] == "┃", "the onset threshold, 0.6 · 55")
    #expect(posterior[13 + 22] == "╎", "the offset threshold, 0.4 · 55")
    #expect(String(posterior).hasSuffix("0.93"))
  }

  /// On 40 columns too, of which 39 are drawn on.
  @Test func theOwnLevelIsAMarkAndANumber() throws {
    let known = state { $0.ownLevelDBFS = -24.84 }
    let level = Array(try #require(full(known, 80).first { $0.hasPrefix("level") }))
    #expect(level[13 + Int(55 * (72 - 24.84) / 72)] == "┼")
    #expect(full(known, 80)[4].hasSuffix("│ peak -20.0   ┊ noise floor -60.0   ┼ your level -24.8"))
    #expect(full(known, 39)[4].hasSuffix("│ -20.0  ┊ -60.0  ┼ -24.8"))
    #expect(line(known, 80).contains("┼"))
    #expect(!(full(state(), 80) + [line(state(), 80)]).contains { $0.contains("┼") })
    let style = TextStyle(isColored: false, isASCII: true)
    let plain = FullMeter(state: known, style: style, columns: 39)
    let rows = try #require(plain.lines(atMost: 10))
    #expect(rows.contains { $0.hasSuffix("| -20.0  : -60.0  + -24.8") })
    let gone = state {
      $0.ownLevelDBFS = -24.84
      $0.reading = nil
    }
    #expect(!full(gone, 80).contains { $0.contains("┼") }, "the bar is dark")
  }

  @Test(arguments: [
    (0.0, "····"), (1.0, "████"), (0.5, "██··"), (0.375, "█▌··"), (0.03125, "▏···"), (-1, "····"),
    (7, "████"),
  ])
  func barsHaveEighths(value: Double, text: String) {
    let bar = MeterBar(value: value) { _ in .good }
    #expect(bar.text(width: 4, style: .plain) == text)
  }

  @Test func barsOfNoWidthAreEmpty() {
    let bar = MeterBar(value: 1, marks: [.init(place: 1, symbol: "|")]) { _ in .good }
    #expect(bar.text(width: 0, style: .plain).isEmpty)
    #expect(bar.text(width: -3, style: .plain).isEmpty)
    #expect(bar.text(width: 1, style: .plain) == "|", "a mark at the very end is still seen")
  }

  @Test func loudIsYellowAndTooLoudRed() {
    var loud = reading(.speech, 0.9)
    loud.levelDBFS = 0
    let line = full(state { $0.reading = loud }, 80, colored: true)[2]
    #expect(line.contains("\u{1B}[32m█"))
    #expect(line.contains("\u{1B}[33m█"))
    #expect(line.contains("\u{1B}[31m█"))
    let quiet = full(state(), 80, colored: true)[2]
    #expect(!quiet.contains("\u{1B}[31m") && !quiet.contains("\u{1B}[33m"))
  }

  // MARK: What must not be overlooked

  @Test(arguments: [40, 80, 200])
  func mutedAndTheNotice(columns: Int) {
    let muted = state { $0.isMuted = true }
    let notice = state {
      $0.isMuted = true
      $0.showsNotice = true
      $0.troubles = ["the device is gone or has failed; it is opened again as soon as it works"]
    }
    #expect(full(muted, columns).contains { $0.contains("MUTED") })
    #expect(line(muted, columns).contains("MUTED"))
    #expect(full(notice, columns).contains { $0.contains("You are muted. Unmute to speak.") })
    #expect(line(notice, columns).contains("You are muted. Unmute to speak."))
    #expect(!full(state(), columns).contains { $0.contains("MUTED") })
  }

  @Test func troubleIsShown() {
    let gone = "the device is gone or has failed; it is opened again as soon as it works"
    let troubled = state { $0.troubles = [gone, SignalHealth.noData.description] }
    #expect(full(troubled, 80).contains(gone))
    #expect(full(troubled, 40).joined(separator: " ").contains(gone), "wrapped, with its advice")
    #expect(line(troubled, 80).hasPrefix(gone))
  }

  @Test func gapsAreCounted() {
    let lossy = state {
      $0.gapCount = 2
      $0.lost = MediaTime(milliseconds: 30)
    }
    #expect(full(lossy, 80).contains { $0.contains("2 gaps, 0.030 s lost") })
    #expect(line(lossy, 80).contains("gaps 2"))
    #expect(full(lossy, 40).contains { $0.contains("0.030 s lost") })
    #expect(full(lossy, 20).contains { $0.contains("0.030 s lost") })
    #expect(full(state { $0.gapCount = 1 }, 80).contains { $0.contains("1 gap,") })
    #expect(!full(state(), 80).contains { $0.contains("gap") })
  }

  @Test(arguments: [40, 80, 200])
  func aRecordingIsRed(columns: Int) {
    let recording = state { $0.recording = .on }
    #expect(full(recording, columns, colored: true)[0].contains("\u{1B}[31m● REC"))
    #expect(line(recording, columns, colored: true).contains("\u{1B}[31m● REC"))
    let failed = state { $0.recording = .failed }
    #expect(full(failed, 80)[0].contains("recording ended"))
    #expect(!full(failed, 80)[0].contains("REC"))
  }

  @Test func theHeadKeepsTheClockAndCutsTheName() {
    #expect(full(state(), 80)[0].hasSuffix("  1:23"))
    #expect(full(state(), 80)[0].hasPrefix("default: 48000 Hz, 2 channels, S16_LE "))
    #expect(full(state(), 30)[0].hasSuffix("…  1:23"))
  }

  /// A terminal of 40 columns has 39 to draw on.
  @Test func labelsAreThereFrom40ColumnsOn() {
    #expect(full(state(), 39).contains { $0.hasPrefix("probability ") })
    #expect(full(state(), 39)[5].contains("┃") && full(state(), 39)[2].hasSuffix("dBFS"))
    #expect(full(state(), 18)[2] == "-32.4 dBFS", "a bar has 8 cells at least")
  }

  @Test func aFrozenMeterSaysSo() {
    #expect(full(state { $0.isFrozen = true }, 80).last!.hasPrefix("frozen"))
    let silent = state {
      $0.isFrozen = true
      $0.hasKeys = false
    }
    #expect(full(silent, 80).last == "frozen")
    #expect(line(state { $0.isFrozen = true }, 80).hasPrefix("frozen"))
  }

  @Test func keysAreNamedOnlyWhereThereAreAny() {
    #expect(full(state(), 80).last == "m mute   space freeze   q quit")
    #expect(full(state { $0.isMuted = true }, 80).last!.hasPrefix("m unmute"))
    #expect(full(state { $0.hasKeys = false }, 80).last == "")
  }

  // MARK: Layout

  /// The least important lines go first. Indispensable lines are not split.
  @Test func lowScreensGetWhatMattersMost() throws {
    let meter = FullMeter(state: state(), style: .plain, columns: 79)
    #expect(meter.lines(atMost: 11) == meter.lines)
    let blank = try #require(meter.lines.firstIndex(of: ""))
    #expect(meter.lines(atMost: 10) == Array(meter.lines[..<blank] + meter.lines[(blank + 1)...]))
    for rows in 3...11 {
      let lines = try #require(meter.lines(atMost: rows))
      #expect(lines.count <= rows)
      for text in ["level ", "probability ", "speech: 0.93 ≥ 0.60"] {
        #expect(lines.contains { $0.contains(text) })
      }
    }
    #expect(meter.lines(atMost: 2) == nil)
  }

  @Test func adviceIsWrappedAndNeverCut() {
    for health in [SignalHealth.digitalSilence, .deadLine, .clipping, .noData] {
      let troubled = state { $0.troubles = [health.description] }
      for columns in [40, 79, 200] {
        #expect(full(troubled, columns).joined(separator: " ").contains(health.description))
      }
    }
  }

  /// Below the bar, −60 is under the cell of −60 dBFS.
  @Test(arguments: [14, 30, 55, 120])
  func theScaleFitsTheBar(width: Int) throws {
    let scale = LevelScale.text(width: width)
    #expect(scale.count == width && scale.hasPrefix("-72") && scale.hasSuffix("0"))
    for label in scale.matches(of: #/-?\d+/#).dropFirst().dropLast() {
      let level = try #require(Double(label.output))
      let middle = scale.distance(from: scale.startIndex, to: label.startIndex) + 1
      #expect(middle == Int(((level + 72) * Double(width) / 72).rounded(.down)))
    }
  }

  @Test func gapsAreDrawnWhereTheyWere() throws {
    let lossy = state {
      $0.elapsed = MediaTime(milliseconds: 1000)
      $0.strip.addGap(from: MediaTime(milliseconds: 500), to: MediaTime(milliseconds: 1000))
    }
    let line = try #require(full(lossy, 63).first { $0.hasPrefix("speech ") })
    #expect(
      line.suffix(50) == String(repeating: "▁", count: 25) + String(repeating: "×", count: 25))
    #expect(full(lossy, 63, colored: true).contains { $0.contains("\u{1B}[31m×") })
  }

  @Test(arguments: [18, 39, 79, 200])
  func withoutUnicodeEverythingIsASCII(columns: Int) {
    let style = TextStyle(isColored: false, isASCII: true)
    for state in [state(), crowded, state { $0.input = "Größe ● 麦克风" }] {
      let lines = FullMeter(state: state, style: style, columns: columns).lines
      let line = LineMeter(state: state, style: style, columns: columns).line
      for line in lines + [line] {
        #expect(line.allSatisfy(\.isASCII) && line.count <= columns, "\(line)")
      }
    }
    let meter = FullMeter(state: state(), style: style, columns: 79).lines
    #expect(meter.contains { $0.hasSuffix("speech: 0.93 >= 0.60") })
    #expect(meter.contains { $0.contains("####") && $0.contains("....") && $0.contains("|") })
  }

  @Test func speechContinuesAfterTheNotice() {
    let muted = state {
      $0.isMuted = true
      $0.isSpeakingWhileMuted = true
    }
    #expect(full(muted, 40).contains(" MUTED  still speaking"))
    #expect(line(muted, 79).hasPrefix(" MUTED  still speaking"))
    var noticed = muted
    noticed.showsNotice = true
    #expect(!full(noticed, 40).contains { $0.contains("still") })
  }

  /// A tone is taken for a background whose mean lies above its minimum: 3 dB above full scale.
  @Test func theBackgroundIsNeverAboveThePeak() throws {
    var configuration = VoiceActivityDetector.Configuration()
    configuration.sampleRate = 16_000
    var detector = try VoiceActivityDetector(configuration: configuration)
    let tone = (0..<48_000).map { max(-1, min(1, 2 * sin(Float($0) * 0.17))) }
    var hops: [VoiceActivityHop] = []
    detector.process(tone.span, onHop: { hops.append($0) }, onEvent: { _ in })
    #expect(hops.contains { $0.noiseFloorDBFS > $0.peakDBFS }, "the detector's own figure")
    #expect(hops.allSatisfy { $0.backgroundDBFS <= $0.peakDBFS })
    #expect(MeterState.Reading(hops[200]).noiseFloorDBFS <= hops[200].peakDBFS)
  }

  // MARK: Text

  @Test func wrappingBreaksBetweenWords() {
    #expect(MeterText.wrapped("one two  three", columns: 7) == ["one two", "three"])
    #expect(MeterText.wrapped("one two", columns: 6) == ["one", "two"])
    #expect(MeterText.wrapped("unbreakable", columns: 3) == ["unbreakable"])
    #expect(MeterText.wrapped("", columns: 3) == [])
  }

  @Test func cuttingKeepsColoursWhole() {
    let text = "\u{1B}[32mgreen\u{1B}[0m and plain"
    #expect(MeterText.width(text) == 15)
    #expect(MeterText.cut(text, to: 15) == text)
    #expect(plain(MeterText.cut(text, to: 14)) == "green and pla…")
    #expect(MeterText.cut(text, to: 3) == "\u{1B}[32mgr…\u{1B}[0m")
    #expect(MeterText.cut("abc", to: 0) == "")
    #expect(MeterText.cut("abc", to: 1) == "…")
  }
}
