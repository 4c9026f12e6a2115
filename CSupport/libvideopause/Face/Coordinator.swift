// The functions have the names that the header gives them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CVideoPause

@c @implementation
public func vp_coordinator_create(
  _ config: UnsafePointer<vp_config>?, _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> vp_status_code {
  guard let result else { return VP_ERROR_ARGUMENT }
  result.pointee = nil
  var configuration = VideoPauseConfiguration.default
  if let config {
    guard config.pointee.hasRightSize else { return VP_ERROR_STRUCT_SIZE }
    guard let given = VideoPauseConfiguration(config.pointee) else { return VP_ERROR_CONFIG }
    configuration = given
  }
  do throws(VideoPauseError) {
    let coordinator = try VideoPauseCoordinator(configuration: configuration)
    let memory = UnsafeMutablePointer<VideoPauseCoordinator>.allocate(capacity: 1)
    memory.initialize(to: coordinator)
    result.pointee = OpaquePointer(memory)
    return VP_OK
  } catch {
    return vp_status_code(error)
  }
}

@c @implementation
public func vp_coordinator_destroy(_ coordinator: OpaquePointer?) {
  guard let coordinator else { return }
  coordinator.target.deinitialize(count: 1)
  coordinator.target.deallocate()
}

extension OpaquePointer {
  /// What a `vp_coordinator *` points to.
  var target: UnsafeMutablePointer<VideoPauseCoordinator> { UnsafeMutablePointer(self) }
}

/// Passes an input to a coordinator, and returns the code of its error.
@inline(__always)
func input(
  _ coordinator: OpaquePointer?,
  _ give: (inout VideoPauseCoordinator) throws(VideoPauseError) -> Void
) -> vp_status_code {
  guard let coordinator else { return VP_ERROR_ARGUMENT }
  do throws(VideoPauseError) {
    try give(&coordinator.target.pointee)
    return VP_OK
  } catch {
    return vp_status_code(error)
  }
}
