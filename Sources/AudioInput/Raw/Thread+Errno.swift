package import SystemPackage
package import VoiceActivity

extension JoinableThread {
  /// Starts `body`; what goes wrong is an error of the system like the others here.
  package convenience init(running body: @escaping @Sendable () -> Void) throws(Errno) {
    do {
      try self.init(body)
    } catch {
      throw Errno(rawValue: error.errno)
    }
  }
}
