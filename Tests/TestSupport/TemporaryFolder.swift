public import Foundation

/// A separate folder for a test, removed after it. Without one nothing can be tested, so that it need not throw.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init() {
    path =
      FileManager.default.temporaryDirectory.appendingPathComponent(
        "voice-activity-tests-" + UUID().uuidString
      ).path
    try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  public static func / (folder: TemporaryFolder, name: String) -> String {
    folder.path + "/" + name
  }

  /// The names of everything in it, including hidden files, sorted.
  public var names: [String] { get throws { try names(in: ".") } }

  /// The names of everything in a folder in it.
  public func names(in name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: self / name).sorted()
  }

  /// Whether anything has this name.
  public func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self / name) }

  public func text(of name: String) throws -> String {
    try String(contentsOfFile: self / name, encoding: .utf8)
  }

  public func data(of name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: self / name))
  }

  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write(Data(text.utf8), to: name)
  }

  /// Writes a file, creates the folders above it, and returns its path. Unlike `Data.write(to:)`, it does not wait for
  /// the disk.
  @discardableResult
  public func write(_ data: Data, to name: String) throws -> String {
    let path = try place(for: name)
    guard let file = fopen(path, "w") else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    let count = data.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    guard fclose(file) == 0, count == data.count else { throw POSIXError(.EIO) }
    return path
  }

  /// Creates the folders above a name, and returns its path.
  private func place(for name: String) throws -> String {
    let url = URL(fileURLWithPath: self / name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    return url.path
  }

  /// Writes a shell script that can be run, and returns its path.
  @discardableResult
  public func script(_ text: String, to name: String = "script") throws -> String {
    let path = try write("#!/bin/sh\n\(text)\n", to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  /// Makes a symbolic link to a path, creates the folders above it, and returns its own path.
  @discardableResult
  public func link(_ name: String, to target: String) throws -> String {
    let path = try place(for: name)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    return path
  }
}
