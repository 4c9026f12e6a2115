public import Testing

extension Tag {
  /// A test that takes 5 s or more by itself, mostly because devices and programs run in real time.
  @Tag public static var slow: Self
}
