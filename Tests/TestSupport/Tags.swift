public import Testing

extension Tag {
  /// Takes 5 s or more by itself, most of it because devices and programs run in real time.
  @Tag public static var slow: Self
}
