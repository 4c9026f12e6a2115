// The functions have the names that the header gives them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CVideoPause

@c @implementation
public func vp_layer_demand_create(
  _ hold: Int64, _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> vp_status_code {
  guard let result else { return VP_ERROR_ARGUMENT }
  result.pointee = nil
  do throws(VideoPauseError) {
    let demand = try LayerDemand(holdTime: .microseconds(hold))
    let memory = UnsafeMutablePointer<LayerDemand>.allocate(capacity: 1)
    memory.initialize(to: demand)
    result.pointee = OpaquePointer(memory)
    return VP_OK
  } catch {
    return vp_status_code(error)
  }
}

@c @implementation
public func vp_layer_demand_destroy(_ demand: OpaquePointer?) {
  guard let demand else { return }
  demand.layerDemand.deinitialize(count: 1)
  demand.layerDemand.deallocate()
}

@c @implementation
public func vp_layer_demand_update(
  _ demand: OpaquePointer?, _ subscriber: UInt64, _ coordinator: OpaquePointer?, _ time: Int64
) -> vp_status_code {
  guard let coordinator else { return VP_ERROR_ARGUMENT }
  return give(demand) { d throws(VideoPauseError) in
    try d.update(
      coordinator.target.pointee.decision, of: ParticipantID(number: subscriber), at: .at(time))
  }
}

@c @implementation
public func vp_layer_demand_remove(
  _ demand: OpaquePointer?, _ subscriber: UInt64, _ time: Int64
) -> vp_status_code {
  give(demand) { d throws(VideoPauseError) in
    try d.remove(ParticipantID(number: subscriber), at: .at(time))
  }
}

@c @implementation
public func vp_drain_demanded_layers(
  _ demand: OpaquePointer?, _ changes: UnsafeMutablePointer<vp_demanded_layers>?, _ capacity: Int,
  _ count: UnsafeMutablePointer<Int>?, _ nextChange: UnsafeMutablePointer<Int64>?, _ time: Int64
) -> vp_status_code {
  guard let count, changes != nil || capacity == 0 else { return VP_ERROR_ARGUMENT }
  return give(demand) { d throws(VideoPauseError) in
    var written = 0
    try d.drainChanges(at: .at(time)) { change in
      guard let changes, UInt(written) < UInt(bitPattern: capacity) else { return false }
      changes[written] = vp_demanded_layers(change)
      written += 1
      return true
    }
    count.pointee = written
    nextChange?.pointee = d.nextChangeAt?.microseconds ?? .max
  }
}

@inline(__always)
private func give(
  _ demand: OpaquePointer?, _ give: (inout LayerDemand) throws(VideoPauseError) -> Void
) -> vp_status_code {
  guard let demand else { return VP_ERROR_ARGUMENT }
  do throws(VideoPauseError) {
    try give(&demand.layerDemand.pointee)
    return VP_OK
  } catch {
    return vp_status_code(error)
  }
}

extension OpaquePointer {
  /// What a `vp_layer_demand *` points to.
  fileprivate var layerDemand: UnsafeMutablePointer<LayerDemand> { UnsafeMutablePointer(self) }
}

extension vp_demanded_layers {
  fileprivate init(_ demand: DemandedLayers) {
    self.init(
      stream: demand.id.number, is_demanded: demand.highestSpatial == nil ? 0 : 1,
      highest_spatial: UInt32(truncatingIfNeeded: demand.highestSpatial ?? 0))
  }
}
