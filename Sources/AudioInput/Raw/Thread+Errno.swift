package import RealTime
package import SystemPackage

extension JoinableThread {
  /// Starts `body` on a new thread. Throws an `Errno`, as the other calls here do.
  package convenience init(running body: @escaping @Sendable () -> Void) throws(Errno) {
    do {
      try self.init(body)
    } catch {
      throw Errno(rawValue: error.errno)
    }
  }
}
