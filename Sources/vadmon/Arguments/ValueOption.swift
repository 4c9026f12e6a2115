import ArgumentParser

// Options with a value, for which the help has a name of its own.

extension Option {
  /// Creates an option whose value `read` reads. The value may begin with a dash, so that it is `read` that refuses it.
  ///
  /// - Parameter value: What the help calls the value.
  init<Read>(
    _ help: String, value: String, name: NameSpecification = .long,
    completion: CompletionKind? = nil, read: @escaping @Sendable (String) throws -> Read
  ) where Value == Read? {
    self.init(
      name: name, parsing: .unconditional, help: ArgumentHelp(help, valueName: value),
      completion: completion, transform: read)
  }

  /// Creates such an option with a default.
  init(
    wrappedValue: Value, _ help: String, value: String,
    read: @escaping @Sendable (String) throws -> Value
  ) {
    self.init(
      wrappedValue: wrappedValue, parsing: .unconditional,
      help: ArgumentHelp(help, valueName: value), transform: read)
  }

  /// Creates an option whose type reads its value.
  init<Read: ExpressibleByArgument>(
    _ help: String, value: String, name: NameSpecification = .long,
    completion: CompletionKind? = nil
  ) where Value == Read? {
    self.init(name: name, help: ArgumentHelp(help, valueName: value), completion: completion)
  }
}
