public import ArgumentParser
import AudioInput
import Logging
import SystemPackage
public import VoiceActivity

// What the values of options look like.

/// The name of a file or folder, byte for byte.
struct PathArgument: ExpressibleByArgument, Sendable {
  var path: FilePath
  /// As it was written: a path has no `//`.
  private let text: String

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    path = FilePath(bytes: ArgumentBytes.bytes(of: argument))
    text = argument
  }

  /// What is to be read: a file, a folder or `-`.
  func input() throws(UsageError) -> FilePath {
    guard URLText.isURL(text), path.type == nil else { return path }
    throw UsageError("\(text) is a URL: \(URLText.remedy)")
  }

  static var defaultCompletionKind: CompletionKind { .file() }
}

/// `mix`, `each`, or a channel's number from 1.
struct ChannelArgument: Sendable {
  var selection: ChannelSelection

  init(_ selection: ChannelSelection) { self.selection = selection }

  init(parsing text: String) throws(ValueError) {
    guard let selection = ChannelSelection(text) else {
      throw ValueError(description: "write mix, each or a channel's number from 1")
    }
    self.selection = selection
  }

  /// For `vadmon live`, which has one detector.
  init(parsingOne text: String) throws(ValueError) {
    guard let selection = ChannelSelection(text), selection != .each else {
      throw ValueError(description: "write mix or a channel's number from 1")
    }
    self.selection = selection
  }
}

extension FormatName: ExpressibleByArgument {}

extension VoiceActivityDetector.Configuration.Preset: ExpressibleByArgument {
  /// For the help text: what each is for, and its numbers.
  public static var allValueDescriptions: [String: String] {
    Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, "\($0.purpose): \($0.numbers)") })
  }

  private var purpose: String {
    switch self {
    case .conversation: "calls and meetings"
    case .notice: "rather late than wrong"
    case .transcription: "rather early than cut"
    }
  }

  /// In the order of the options.
  private var numbers: String {
    let preset = VoiceActivityDetector.Configuration(preset: self)
    let (debounce, hangover) = (
      LengthArgument(preset.onsetDebounce), LengthArgument(preset.hangover)
    )
    return "\(preset.onsetThreshold), \(preset.offsetThreshold), \(debounce), \(hangover)"
  }
}

enum ColorChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
  case auto, always, never
}

/// A level of swift-log.
struct LogLevelArgument: ExpressibleByArgument, Sendable {
  var level: Logger.Level

  init?(argument: String) {
    guard let level = Logger.Level(rawValue: argument) else { return nil }
    self.level = level
  }

  static var allValueStrings: [String] { Logger.Level.allCases.map(\.rawValue) }
}
