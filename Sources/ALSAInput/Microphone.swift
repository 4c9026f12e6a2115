internal import CALSA
internal import Glibc

/// What a capture PCM delivers from, where that can be told: an ALSA name such as `default` may open another microphone
/// after the first was lost.
enum Microphone: Hashable {
  /// A device of a sound card.
  ///
  /// The card has its long name, which includes the port that it is plugged into, because numbers pass from one card to
  /// the next.
  case card(name: String, device: UInt32, subdevice: UInt32)
  /// A source that a sound server knows by this name. Its default source has none: it may be another each time.
  case source(String)

  /// Returns the microphone of an open PCM, or `nil` if it cannot be told.
  init?(_ handle: OpaquePointer, name: String) {
    guard let found = Self.device(handle) ?? Self.serverSource(name) else { return nil }
    self = found
  }

  /// Plugins that convert pass on what is behind them. Those of sound servers are not cards.
  private static func device(_ handle: OpaquePointer) -> Microphone? {
    var info: OpaquePointer?
    guard snd_pcm_info_malloc(&info) == 0 else { return nil }
    defer { snd_pcm_info_free(info) }
    guard snd_pcm_info(handle, info) == 0 else { return nil }
    var text: UnsafeMutablePointer<CChar>?
    guard snd_card_get_longname(snd_pcm_info_get_card(info), &text) == 0, let text else {
      return nil
    }
    defer { free(text) }
    return .card(
      name: String(cString: text), device: snd_pcm_info_get_device(info),
      subdevice: snd_pcm_info_get_subdevice(info))
  }

  /// Returns the source in a name for the plugin of a sound server, such as `pulse:DEVICE=alsa_input.usb-1` or
  /// `pipewire:NODE=alsa_input.usb-1`. Names that begin with `@` are the server's defaults.
  static func serverSource(_ name: String) -> Microphone? {
    let parts = name.split(separator: ":", maxSplits: 1)
    let keys: [Substring: String] = ["pulse": "DEVICE=", "pipewire": "NODE="]
    guard parts.count == 2, let key = keys[parts[0]] else { return nil }
    let argument = parts[1].split(separator: ",").last { $0.hasPrefix(key) }
    guard let source = argument?.dropFirst(key.count),
      let first = source.first(where: { $0 != "'" }), first != "@"
    else { return nil }
    return .source(String(source))
  }
}

extension CaptureDevice {
  /// Returns the name that a sound server gives to the source in the name of a device; `nil` if it has none, or the
  /// number of one.
  package static func serverSource(in name: String) -> String? {
    guard case .source(let source) = Microphone.serverSource(name) else { return nil }
    let plain = source.filter { $0 != "'" }
    return Int(plain) == nil ? plain : nil
  }
}
