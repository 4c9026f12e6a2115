extension Range<Int> {
  /// Returns the first number for which `isBefore` is false, or the end of the range, in O(log n). `isBefore` is true
  /// for all numbers up to some place, and false from there on.
  @inline(__always)
  func bisect(_ isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
