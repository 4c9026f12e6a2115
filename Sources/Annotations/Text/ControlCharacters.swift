extension Unicode.Scalar {
  /// Whether the character acts on a line instead of appearing in it: control characters, which terminals execute;
  /// Unicode's own line separators; and the directional controls (UAX #9), which reorder what follows.
  ///
  /// Names from files are never shown with such characters. Joiners are not among them, because emoji and Persian names
  /// need them.
  package var isCommand: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}

/// Returns the text on one line, with control characters and other terminal commands escaped as `\n`, `\u{1B}`,
/// `\u{202E}` and so on.
package func printable(_ text: String) -> String {
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    if scalar.isCommand {
      result.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
    } else {
      result.append(scalar)
    }
  }
  return String(result)
}

/// Returns the text of several lines as `printable(_:)` does, but with its line ends and tabs.
package func printableLines(_ text: String) -> String {
  text.reduce(into: "") { result, character in
    result +=
      ["\n", "\r\n", "\t"].contains(character) ? String(character) : printable(String(character))
  }
}
