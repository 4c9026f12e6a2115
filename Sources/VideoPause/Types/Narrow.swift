/// Keeps a number in fewer bytes than `Int`, because a coordinator holds many of them.
@propertyWrapper
struct Narrow<Storage: FixedWidthInteger & SignedInteger & Sendable>: Equatable,
  Sendable
{
  private var stored: Storage

  init(wrappedValue: Int) { stored = Storage(wrappedValue) }

  var wrappedValue: Int {
    get { Int(stored) }
    set { stored = Storage(newValue) }
  }
}
