import Annotations
import Charts
import RealTime
import VoiceActivity

/// Collects what pictures show of one channel. Use it from one thread at a time.
final class PictureTrack {
  private(set) var picture: ChannelPicture
  private let encoder: OpusEncoder?

  /// Creates a track; `encoder` takes the samples too, if the picture is to be heard.
  init(rate: Int, scale: PosteriorScale, hasSpectrogram: Bool, encoder: OpusEncoder? = nil) {
    picture = ChannelPicture(rate: rate, scale: scale, hasSpectrogram: hasSpectrogram)
    self.encoder = encoder
  }

  func add(_ hop: VoiceActivityHop) {
    picture.add(
      .init(
        posterior: hop.posterior, levelDBFS: hop.levelDBFS, noiseFloorDBFS: hop.noiseFloorDBFS,
        isEcho: hop.isEcho))
  }

  func add(_ samples: Span<Float>) {
    picture.add(samples)
    encoder?.add(samples)
  }

  func addGap(_ count: UInt64) {
    picture.addGap(count)
    encoder?.addGap(count)
  }

  /// Ends the track and returns the encoded sound, if there is any.
  func finish() throws(ErrorRecord) -> [UInt8]? {
    picture.finish()
    return try encoder?.finish()
  }
}
