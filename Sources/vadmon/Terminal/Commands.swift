extension Unicode.Scalar {
  /// Does something to a line instead of standing in it: control characters, which terminals take for commands;
  /// Unicode's own ends of lines; and the controls of direction (UAX #9), which show what follows in another order.
  ///
  /// Names from files are never shown with them. Joiners are no commands: emoji and Persian names need them.
  var isCommand: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}
