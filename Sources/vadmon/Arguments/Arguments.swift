public import ArgumentParser
import AudioInput
import Logging
import RealTime
import SystemPackage
public import VoiceActivity

// The types of option values.

/// The name of a file or folder, byte for byte.
struct PathArgument: ExpressibleByArgument, Sendable {
  var path: FilePath
  /// The text as the user wrote it: a path cannot hold `//`.
  private let text: String

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    path = FilePath(bytes: ArgumentBytes.bytes(of: argument))
    text = argument
  }

  /// Returns the path of an input: a file, a folder or `-`.
  func input() throws(RunError) -> FilePath {
    guard URLText.isURL(text), path.type == nil else { return path }
    throw RunError("\(text) is a URL: \(URLText.remedy)")
  }

  /// Returns the path of a result.
  func file(for option: String) throws(RunError) -> FilePath {
    guard text.hasSuffix("/") else { return path }
    throw RunError(
      "\(option) needs a file, but \(path.nameAsInput)/ is a folder: name a file in it")
  }

  /// Returns the path of a result that needs a file, whose name has this ending.
  func file(for option: String, ending: String) throws(RunError) -> FilePath {
    if path.isStandardStream {
      throw RunError(
        "\(option) needs a file of its own, not '-': name one that ends with \(ending)")
    }
    return try file(for: option)
  }

  /// Returns the path of a folder for results.
  func folder(for option: String) throws(RunError) -> FilePath {
    if path.isStandardStream {
      throw RunError("\(option) writes files to a folder, not to standard output: name a folder")
    }
    return path
  }

  static var defaultCompletionKind: CompletionKind { .file() }
}

extension ChannelSelection {
  /// Returns a function that reads one of `words`, or a channel's number from 1.
  static func reader(_ words: String...) -> @Sendable (String) throws -> Self {
    { text in
      let word = text.lowercased()
      guard let selection = Self(word), words.contains(word) || selection.isNumber else {
        throw ValueError(
          description: "write \(words.joined(separator: ", ")) or a channel's number from 1")
      }
      return selection
    }
  }

  private var isNumber: Bool { if case .channel = self { true } else { false } }
}

/// One of several words, in upper or lower case.
protocol WordArgument: ExpressibleByArgument, RawRepresentable, CaseIterable, Sendable
where RawValue == String {}

extension WordArgument {
  init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}

/// The formats of commands whose results are figures.
enum FigureFormat: String, WordArgument {
  case text, json

  /// Returns the results in this format.
  func results(
    text: @autoclosure () -> String, json: @autoclosure () -> String
  ) -> String {
    self == .json ? json() : ASCII.results(text())
  }
}

extension VoiceActivityDetector.Configuration.Preset: ExpressibleByArgument {
  public init?(argument: String) { self.init(rawValue: argument.lowercased()) }

  /// What each preset is for, and its numbers, as shown in the help text.
  public static var allValueDescriptions: [String: String] {
    Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, "\($0.purpose): \($0.numbers)") })
  }

  private var purpose: String {
    switch self {
    // contract: preset
    case .conversation: "calls and meetings: false alarms and misses weigh the same"
    case .notice: "\"You are muted\": a late notice is better than a wrong one"
    case .transcription: "what to transcribe: extra sound is better than a lost word"
    // contract end
    }
  }

  /// The values of the four settings, in the order of the options.
  private var numbers: String {
    let preset = VoiceActivityDetector.Configuration(preset: self)
    let (debounce, hangover) = (
      LengthArgument(preset.onsetDebounce), LengthArgument(preset.hangover)
    )
    return "\(preset.onsetThreshold), \(preset.offsetThreshold), \(debounce), \(hangover)"
  }
}

/// Whether something is shown; `auto` decides by the terminal.
enum AutoChoice: String, WordArgument {
  case auto, always, never
}

/// A log level of swift-log.
struct LogLevelArgument: ExpressibleByArgument, Sendable {
  var level: Logger.Level

  init?(argument: String) {
    guard let level = Logger.Level(rawValue: argument.lowercased()) else { return nil }
    self.level = level
  }

  static var allValueStrings: [String] { Logger.Level.allCases.map(\.rawValue) }
}
