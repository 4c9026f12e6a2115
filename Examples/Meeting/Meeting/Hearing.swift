import AudioInput
import RealTime
import Speakers
import SystemPackage
import VoiceActivity

/// What the detector hears in a recording: one observation for each 10 ms.
///
/// A server that does not decode audio has RFC 6464's levels instead: `SpeakerObservation(rfc6464:)`.
func hear(_ file: String) throws -> [SpeakerObservation] {
  let source = try AudioFileSource(path: FilePath(file))
  var detector = try VoiceActivityDetector(configuration: .init(sampleRate: source.sampleRate))
  var heard: [SpeakerObservation] = []
  var block = PCMBlock(channelCount: source.channelCount)
  while try source.read(into: &block) {
    block.withSamples(ofChannel: 0) { samples in
      detector.process(
        samples, onHop: { heard.append(SpeakerObservation(hop: $0)) }, onEvent: { _ in })
    }
  }
  detector.flush(onHop: { heard.append(SpeakerObservation(hop: $0)) }, onEvent: { _ in })
  return heard
}
