internal import CALSA
internal import Glibc

/// A name under which ALSA may know a capture device.
struct DeviceName: Sendable, Hashable {
  var name: String
  var title: String

  static let `default` = DeviceName(name: "default", title: "")

  /// Returns each name once, `default` first. `default` need not be listed to exist.
  static func all() -> [DeviceName] {
    ALSAMessages.collected { _ in
      let listed = hinted() + ofCards()
      var names = [listed.first { $0.name == Self.default.name } ?? .default]
      for entry in listed where !names.contains(where: { $0.name == entry.name }) {
        names.append(entry)
      }
      return names
    }
  }

  // MARK: From the configuration

  private static func hinted() -> [DeviceName] {
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard snd_device_name_hint(-1, "pcm", &hints) == 0, let hints else { return [] }
    defer { snd_device_name_free_hint(hints) }
    var names: [DeviceName] = []
    var next = hints
    while let hint = next.pointee {
      if let name = DeviceName(hint: hint) { names.append(name) }
      next += 1
    }
    return names
  }

  // MARK: From the sound cards

  /// Returns the devices of all sound cards. Some distributions' configurations list only converting plugins.
  fileprivate static func ofCards() -> [DeviceName] {
    var (names, card) = ([DeviceName](), Int32(-1))
    while snd_card_next(&card) == 0 && card >= 0 { names += ofCard(card) }
    return names
  }

  private static func ofCard(_ card: Int32) -> [DeviceName] {
    var control: OpaquePointer?
    guard snd_ctl_open(&control, "hw:\(card)", Int32(SND_CTL_READONLY)) == 0 else { return [] }
    defer { snd_ctl_close(control) }
    guard let (id, cardTitle) = cardNames(control) else { return [] }
    var (names, device) = ([DeviceName](), Int32(-1))
    while snd_ctl_pcm_next_device(control, &device) == 0 && device >= 0 {
      guard let title = captureTitle(control, UInt32(device)) else { continue }
      // Spelled as in ALSA's own configuration, so that no device is listed twice.
      names.append(.init(name: "hw:CARD=\(id),DEV=\(device)", title: "\(cardTitle), \(title)"))
    }
    return names
  }

  private static func cardNames(_ control: OpaquePointer?) -> (id: String, title: String)? {
    var info: OpaquePointer?
    guard snd_ctl_card_info_malloc(&info) == 0 else { return nil }
    defer { snd_ctl_card_info_free(info) }
    guard snd_ctl_card_info(control, info) == 0 else { return nil }
    return (
      String(cString: snd_ctl_card_info_get_id(info)),
      String(cString: snd_ctl_card_info_get_name(info))
    )
  }

  /// Returns the title of a device; nil if it does not capture.
  private static func captureTitle(_ control: OpaquePointer?, _ device: UInt32) -> String? {
    var info: OpaquePointer?
    guard snd_pcm_info_malloc(&info) == 0 else { return nil }
    defer { snd_pcm_info_free(info) }
    snd_pcm_info_set_device(info, device)
    snd_pcm_info_set_stream(info, SND_PCM_STREAM_CAPTURE)
    guard snd_ctl_pcm_info(control, info) == 0 else { return nil }
    return String(cString: snd_pcm_info_get_name(info))
  }
}

extension DeviceName {
  /// Creates the name from a hint; nil for a playback-only device.
  fileprivate init?(hint: UnsafeMutableRawPointer) {
    func value(_ key: String) -> String? {
      guard let text = snd_device_name_get_hint(hint, key) else { return nil }
      defer { free(text) }
      return String(cString: text)
    }
    guard let name = value("NAME"), value("IOID") != "Output" else { return nil }
    let title = (value("DESC") ?? "").split(separator: "\n").joined(separator: ", ")
    self.init(name: name, title: title)
  }
}

extension CaptureDevice {
  /// Returns the devices of all sound cards, each under one name, without opening any.
  package static func ofCards() -> [(name: String, title: String)] {
    ALSAMessages.collected { _ in DeviceName.ofCards().map { ($0.name, $0.title) } }
  }
}
