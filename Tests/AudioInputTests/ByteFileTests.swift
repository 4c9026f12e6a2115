import SystemPackage
import TestSupport
import Testing

@testable import AudioInput

/// What libsndfile sees through its virtual I/O, compared with a plain array.
@Suite struct ByteFileTests {
  let folder = try! TemporaryFolder()
  let onDisk: [UInt8] = noise(1000)

  private func open() throws -> ByteFile {
    try ByteFile(try FileDescriptor.open(try folder.write(onDisk), .readOnly))
  }

  private func read(_ file: ByteFile, _ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = file.read(into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  @Test func aFileIsReadToItsEnd() throws {
    let file = try open()
    #expect(file.length == 1000)
    #expect(read(file, 2000) == onDisk)
    #expect(read(file, 1) == [])
    #expect(file.offset == 1000)
  }

  /// Random seeks and reads over our own bytes, the body and both ends.
  @Test(arguments: [(0, 0..<1000), (7, 100..<900), (50, 0..<1000), (3, 1000..<1000), (0, 5..<5)])
  func seekingAndReadingMatchAnArray(prefixCount: Int, body: Range<Int>) throws {
    let file = try open()
    let prefix: [UInt8] = noise(max(4, prefixCount), seed: 2).prefix(prefixCount) + []
    file.show(prefix: prefix, body: Int64(body.lowerBound)..<Int64(body.upperBound))
    let seen = prefix + onDisk[body]
    #expect(file.length == seen.count)
    var (position, generator) = (0, SeededGenerator(seed: 3))
    for _ in 0..<2000 {
      let offset = Int.random(in: -1100...1100, using: &generator)
      let (origin, base): (ByteFile.Origin, Int) = [
        (.start, 0), (.current, position), (.end, seen.count),
      ].randomElement(using: &generator)!
      let target = file.seek(Int64(offset), from: origin)
      if base + offset < 0 {
        #expect(target == nil)
      } else {
        position = base + offset
        #expect(target == Int64(position))
      }
      let count = Int.random(in: 0...300, using: &generator)
      let expected = position < seen.count ? seen[position...].prefix(count) : []
      #expect(read(file, count) == Array(expected))
      position += expected.count
    }
  }

  @Test func anOffsetThatOverflowsIsRefused() throws {
    let file = try open()
    _ = file.seek(10, from: .start)
    #expect(file.seek(.max, from: .current) == nil)
    #expect(file.seek(.min, from: .end) == nil)
    #expect(file.offset == 10)
    #expect(file.seek(.max, from: .start) == .max)
    #expect(read(file, 10) == [])
  }

  /// Sequential reading finds the true end; seeking beyond it finds zeros.
  @Test func readingFindsTheTrueEndDespiteAFalseLength() throws {
    let file = try open()
    file.show(body: 0..<900, pretended: 100_000)
    #expect(file.length == 100_900)
    #expect(read(file, 5000) == Array(onDisk[..<900]))
    #expect(read(file, 1) == [])
    #expect(file.seek(-128, from: .end) == 100_772)
    #expect(read(file, 200) == Array(repeating: 0, count: 128))
  }

  @Test func bytesOnDiskAreThoseOfTheFileAtAnyOffset() throws {
    let file = try open()
    file.show(prefix: [1, 2, 3], body: 0..<0)
    #expect(file.bytesOnDisk(at: 990, count: 10) == Array(onDisk[990...]))
    #expect(file.bytesOnDisk(at: 991, count: 10) == nil)
    #expect(file.bytesOnDisk(at: -1, count: 1) == nil)
    #expect(file.bytesOnDisk(at: .max, count: 1) == nil)
    #expect(file.bytesOnDisk(at: 1000, count: 0) == [])
  }
}
