import Annotations
import SystemPackage

extension EvaluationMap {
  init(_ path: FilePath) throws(RunError) {
    var faults = LineFaults()
    let (bytes, fault) = try path.textContents()
    if let fault { faults.add(fault, line: nil) }
    self.init(fault == nil ? bytes : [], faults: &faults)
    try faults.check(printable(path))
  }
}
