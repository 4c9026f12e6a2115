// Audio files of every format that is read without ffmpeg. The first byte chooses how the channels are read.
//
// The blocks in which a file is read do not change what is read, even where it is damaged.

import AudioInput
import RealTime
import SystemPackage

/// Compressed formats can make minutes of a few bytes.
private let enough = 200_000

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(start, count)
  guard let first = input.first else { return 0 }
  let file = InputFile("input", holding: input.dropFirst())
  let channels: ChannelSelection = first % 2 == 0 ? .mix : .each
  guard let whole = read(file, channels, blocksOf: 4096) else { return 0 }
  guard let pieces = read(file, channels, blocksOf: 1 + Int(first)) else {
    require(false, "a file that could be read can be read again")
    return 0
  }
  require(whole == pieces, "the length of the blocks changes what is read")
  require(AudioFileSource.recognises(file.path), "a file that can be read is recognised")
  return 0
}

private struct Recording: Equatable {
  /// The bits of the samples.
  var channels: [[UInt32]]
  var isDamaged: Bool
}

/// Nil where the file is refused.
private func read(
  _ file: InputFile, _ channels: ChannelSelection, blocksOf capacity: Int
) -> Recording? {
  guard let source = try? AudioFileSource(path: file.path, channels: channels) else { return nil }
  require(8000...192_000 ~= source.sampleRate, "a rate of \(source.sampleRate) Hz")
  require(source.channelCount > 0 && source.inputChannelCount > 0, "there is a channel")
  var block = PCMBlock(channelCount: source.channelCount, capacity: capacity)
  var all = [[UInt32]](repeating: [], count: source.channelCount)
  while all[0].count < enough, (try? source.read(into: &block)) == true {
    require(
      0...capacity ~= block.frameCount, "\(block.frameCount) frames in a block of \(capacity)")
    for channel in all.indices {
      block.withSamples(ofChannel: channel) { samples in
        for index in samples.indices { all[channel].append(samples[index].bitPattern) }
      }
    }
  }
  return Recording(
    channels: all.map { Array($0.prefix(enough)) }, isDamaged: !source.warnings.isEmpty)
}
