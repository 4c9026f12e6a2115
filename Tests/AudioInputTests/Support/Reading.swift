import AudioInput
import RealTime
import SystemPackage
import TestSupport

/// Everything that a source delivered.
struct Decoded {
  var channels: [[Float]]
  var warnings: [AudioInputWarning]
  var frameCount: Int { channels[0].count }
}

/// Reads a source to its end.
func readAll(_ source: any RecordedSource, capacity: Int = 4096) throws -> Decoded {
  var block = PCMBlock(channelCount: source.channelCount, capacity: capacity)
  var channels = Array(repeating: [Float](), count: source.channelCount)
  while try source.read(into: &block) {
    for channel in channels.indices {
      block.withSamples(ofChannel: channel) { samples in
        samples.withUnsafeBufferPointer { channels[channel].append(contentsOf: $0) }
      }
    }
  }
  return Decoded(channels: channels, warnings: source.warnings)
}

func decode(
  _ path: FilePath, _ channels: ChannelSelection = .each, capacity: Int = 4096
) throws -> Decoded {
  try readAll(try AudioFileSource(path: path, channels: channels), capacity: capacity)
}

/// Stops a source of one channel while a read waits. Returns what the read returns, or `nil` if it throws.
func readWhileStopping(_ source: any PCMSource) async -> Bool? {
  await whileBlocked {
    var block = PCMBlock(channelCount: 1)
    return try? source.read(into: &block)
  } act: {
    source.stop()
  }
}
