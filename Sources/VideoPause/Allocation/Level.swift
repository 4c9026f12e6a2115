/// A level of a stream: a place in its ladder, from 0, the cheapest; or none, which is below all of them.
struct Level: Comparable {
  /// The place in the ladder; -1 for none, so that a level takes no more memory than a byte.
  @Narrow<Int8> private(set) var place: Int

  init(_ place: Int) { self.place = place }

  static var none: Level { Level(-1) }
  static var base: Level { Level(0) }

  var isNone: Bool { place < 0 }
  var above: Level { Level(place + 1) }
  var below: Level { Level(place - 1) }

  static func < (a: Level, b: Level) -> Bool { a.place < b.place }
}
