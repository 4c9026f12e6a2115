// pause.cpp — a call of six cameras on a path that becomes narrow for ten seconds: which videos are paused, and when they
// are back.
//
//     ./pause
#include "video_pause.hpp"

#include <cstdio>

static std::int64_t capacity_bps(std::int64_t at_us) {
  return at_us >= 2'000'000 && at_us < 12'000'000 ? 320'000 : 4'000'000;
}

static void run() {
  std::vector<vp_layer> layers(2);
  for (std::uint32_t i = 0; i < 2; i++) {
    layers[i].spatial = i;
    layers[i].width = 320u << i, layers[i].height = 180u << i;
    layers[i].is_active = 1;
    layers[i].frames_per_second = 30;
    layers[i].bitrate_bps = i == 0 ? 150'000 : 500'000;
  }
  video_pause::coordinator coordinator;
  for (std::uint64_t participant = 1; participant <= 6; participant++)
    coordinator.upsert_stream(VP_STREAM(participant, VP_TRACK_VIDEO), VP_KIND_CAMERA, layers, 0);
  coordinator.set_speaker_order({4, 2}, 0);

  for (std::int64_t at_us = 0; at_us < 40'000'000; at_us += 100'000) {
    coordinator.set_bandwidth_estimate(capacity_bps(at_us), at_us);
    coordinator.decide(at_us);
    coordinator.drain_paused_changes([&](const vp_paused_change &change) {
      std::printf("%.1f s: participant %d is %s\n", static_cast<double>(at_us) / 1e6,
                  static_cast<int>(VP_PARTICIPANT(change.stream)), change.is_paused ? "paused" : "back");
    });
  }
  std::vector<vp_stream_decision> rows;
  coordinator.streams(rows);
  if (rows.size() != 6 || VP_PARTICIPANT(rows[0].stream) != 4) throw std::logic_error("the speaker is not first");
}

int main() {
  try {
    run();
  } catch (const std::exception &error) {
    return std::fprintf(stderr, "pause: %s\n", error.what()), 70;
  }
  return std::fflush(stdout) == 0 ? 0 : 74;
}
