/* pause.c — a call of six cameras on a path that becomes narrow for ten seconds: which videos are paused, and when they
 * are back. ../JVM has the same program, and so have cpp, go and rust in ../../Bindings.
 *
 *     ./pause
 */
#include <stdio.h>
#include <stdlib.h>
#include <video_pause.h>

enum { CAMERAS = 6, SECONDS = 40 };

static void expect(vp_status_code code) {
  if (code == VP_OK) return;
  fprintf(stderr, "pause: %s\n", vp_status_text(code));
  exit(70);
}

static int64_t capacity_bps(int64_t at_us) { return at_us >= 2000000 && at_us < 12000000 ? 320000 : 4000000; }

static void print_changes(vp_coordinator *coordinator, int64_t at_us) {
  vp_paused_change changes[CAMERAS];
  size_t count;
  expect(vp_drain_paused_changes(coordinator, changes, CAMERAS, &count));
  for (size_t i = 0; i < count; i++)
    printf("%.1f s: participant %d is %s\n", (double)at_us / 1e6, (int)VP_PARTICIPANT(changes[i].stream),
           changes[i].is_paused ? "paused" : "back");
}

int main(void) {
  const vp_layer layers[] = {
      {.spatial = 0, .width = 320, .height = 180, .is_active = 1, .frames_per_second = 30, .bitrate_bps = 150000},
      {.spatial = 1, .width = 640, .height = 360, .is_active = 1, .frames_per_second = 30, .bitrate_bps = 500000},
  };
  vp_coordinator *coordinator;
  expect(vp_coordinator_create(NULL, &coordinator));
  for (uint64_t participant = 1; participant <= CAMERAS; participant++)
    expect(vp_upsert_stream(coordinator, VP_STREAM(participant, VP_TRACK_VIDEO), VP_KIND_CAMERA, false, layers, 2, 0));
  const uint64_t speakers[] = {4, 2}; /* the dominant speaker first */
  expect(vp_set_speaker_order(coordinator, speakers, 2, 0));

  for (int64_t at_us = 0; at_us < SECONDS * INT64_C(1000000); at_us += 100000) {
    expect(vp_set_bandwidth_estimate(coordinator, capacity_bps(at_us), VP_CONGESTION_NONE, at_us));
    expect(vp_decide(coordinator, at_us, NULL)); /* a server forwards what vp_stream_decisions says from now on */
    print_changes(coordinator, at_us);
  }
  vp_coordinator_destroy(coordinator);
  return fflush(stdout) == 0 ? 0 : (perror("pause: the changes cannot be written"), 74);
}
