import Annotations
import SystemPackage

extension EvaluationMap {
  init(_ path: FilePath) throws(RunError) {
    var faults = LineFaults()
    self.init(try path.contents(), faults: &faults)
    try faults.check(printable(path))
  }
}
