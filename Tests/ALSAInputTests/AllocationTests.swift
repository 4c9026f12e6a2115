import AllocationCounter
import Foundation
import Testing
import VirtualDevice
import VoiceActivity

@testable import ALSAInput

/// The capture thread allocates nothing, neither in ordinary times nor in trouble. One test at a time:
/// there is one counter.
@Suite(.serialized, .enabled(if: allocation_counter_works())) struct AllocationTests {
  @Test func theCounterCounts() {
    allocation_counter_watch(pthread_self())
    // No malloc of our own: the compiler would leave it out.
    fclose(fopen("/dev/null", "r"))
    #expect(allocation_counter_stop() >= 2)
  }

  @Test(arguments: [
    "", "at 4000 overrun 300\nat 6000 suspend 300\nat 8000 suspend-prepare 300",
    "at 4000 error\nat 5000 stall 3000\nat 9000 short",
  ])
  func noAllocation(_ faults: String) throws {
    let device = try TestDevice("channels 2\nformat S32_LE\n\(faults)\nat 20000 end\n")
    let source = try device.source()
    #expect(try Recording(source, until: 2000) { _, _ in 0 }.captured >= 2000)
    allocation_counter_watch(source.captureThread)
    while source.status.capturedFrames + source.status.lostFrames < 20_000 { usleep(10_000) }
    #expect(allocation_counter_stop() == 0)
    #expect(Int(device.state.next_fault) == faults.split(separator: "\n").count)
  }
}
