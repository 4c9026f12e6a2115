import Foundation
import TestSupport

/// The driver of the virtual capture device, built once for all tests, with a configuration of libasound that contains
/// only it and ``PulseServer``.
public struct VirtualDriver: Sendable {
  /// The driver, built on first use.
  static let loaded = Result { try VirtualDriver() }

  /// The environment in which libasound finds the virtual device, in this process or in one that a test starts.
  public static var environment: [String: String] {
    get throws { ["ALSA_CONFIG_PATH": try loaded.get().configurationPath] }
  }

  /// The first line of a test's own configuration.
  public static var configurationLine: String {
    get throws { #"pcm_type.virtual { lib "\#(try loaded.get().library)" }"# }
  }

  let folder: String
  private var library: String { folder + "/virtual.so" }
  private var configurationPath: String { folder + "/asound.conf" }

  private init() throws {
    let temporary = FileManager.default.temporaryDirectory
      .appendingPathComponent("virtual-device-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    folder = temporary.path
    try build()
    try Data(configuration.utf8).write(to: URL(fileURLWithPath: configurationPath))
    setenv("ALSA_CONFIG_PATH", configurationPath, 1)
    atexit {
      guard case .success(let driver) = VirtualDriver.loaded else { return }
      try? FileManager.default.removeItem(atPath: driver.folder)
    }
  }

  private var configuration: String {
    """
    pcm_type.virtual { lib "\(library)" }
    pcm.virtual {
      @args [ FILE ]
      @args.FILE { type string }
      type virtual
      file $FILE
    }
    pcm.plugged {
      @args [ FILE ]
      @args.FILE { type string }
      type plug
      slave.pcm { type virtual file $FILE }
    }
    pcm.pulse {
      @args [ SERVER DEVICE ]
      @args.SERVER { type string default { @func getenv vars [ PULSE_SERVER ] default "" } }
      @args.DEVICE { type string }
      type pulse
      server $SERVER
      device $DEVICE
    }

    """
  }

  private func build() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("VirtualDevice").path
    let compilation = try run([
      "sh", "-c",
      """
      exec cc -std=gnu11 -O1 -Wall -Wextra -Werror -fPIC -DPIC -shared -o "$1" "$0"/*.c -lasound -lsndfile
      """,
      sources, library,
    ])
    guard compilation.status == 0 else { throw CommandFailure(compilation) }
  }
}
