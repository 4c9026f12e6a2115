/* library.c — the meeting of PauseBenchmark/Meeting.swift through libvideopause: measure.py counts its instructions.
 *
 *     library COUNT estimate|speaker|tile ROUNDS
 *
 * Prints the bytes that the coordinator holds in the end, as glibc counts them. */
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <video_pause.h>

enum { LAYERS = 9, SPEAKERS = 10 };

static const uint32_t sizes[3][2] = {{320, 180}, {640, 360}, {1280, 720}};
static const double rates[3] = {7.5, 15, 30};
static const int64_t bitrates[LAYERS] = {49500, 99000, 150000, 165000, 330000, 500000, 660000, 1320000, 2000000};

static void expect(vp_status_code code) {
  if (code == VP_OK) return;
  fprintf(stderr, "library: %s\n", vp_status_text(code));
  exit(70);
}

static uint64_t random_number(void) { /* SplitMix64 */
  static uint64_t state = 1;
  uint64_t z = state += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

static double uniform(void) { return (double)(random_number() >> 11) * 0x1p-53; }

static int64_t next_estimate(double mean) { /* 10 % of AR(1) noise, rho 0.5 */
  static double x = 0;
  double radius = sqrt(-2 * log(1 - uniform()));
  x = 0.5 * x + sqrt(1 - 0.5 * 0.5) * radius * cos(2 * 3.141592653589793 * uniform());
  return (int64_t)fmax(30000, mean * (1 + 0.1 * x));
}

static vp_coordinator *begin(uint64_t count) {
  vp_coordinator *coordinator;
  vp_layer layers[LAYERS] = {{0}};
  for (uint32_t i = 0; i < LAYERS; i++)
    layers[i] = (vp_layer){.spatial = i / 3, .temporal = i % 3, .width = sizes[i / 3][0], .height = sizes[i / 3][1],
                           .is_active = 1, .frames_per_second = rates[i % 3], .bitrate_bps = bitrates[i]};
  expect(vp_coordinator_create(NULL, &coordinator));
  for (uint64_t i = 0; i < count; i++)
    expect(vp_upsert_stream(coordinator, VP_STREAM(i, VP_TRACK_VIDEO), VP_KIND_CAMERA, false, layers, LAYERS, 0));
  return coordinator;
}

static void speak(vp_coordinator *coordinator, uint64_t count, uint64_t round, int64_t now) {
  uint64_t order[SPEAKERS], speakers = count < SPEAKERS ? count : SPEAKERS;
  for (uint64_t i = 0; i < speakers; i++) order[i] = (round + 7 * i) % count;
  expect(vp_set_speaker_order(coordinator, order, speakers, now));
}

static void resize(vp_coordinator *coordinator, uint64_t count, uint64_t round, int64_t now) {
  vp_demand demand;
  expect(vp_demand_default(&demand));
  demand.has_view_size = 1;
  demand.view_height = round / count % 2 == 0 ? 180 : 360;
  demand.view_width = demand.view_height * 16 / 9;
  expect(vp_set_demand(coordinator, VP_STREAM(round % count, VP_TRACK_VIDEO), &demand, now));
}

static size_t held(void) {
  struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

int main(int argc, char **argv) {
  if (argc != 4) return fputs("library: give COUNT, EVENT and ROUNDS\n", stderr), 64;
  uint64_t count = strtoull(argv[1], NULL, 10), rounds = strtoull(argv[3], NULL, 10);
  double mean = (double)count * 2000000 / 3;
  size_t before = held();
  vp_coordinator *coordinator = begin(count);
  expect(vp_set_bandwidth_estimate(coordinator, (int64_t)mean, VP_CONGESTION_NONE, 0));
  for (uint64_t round = 1; round <= rounds; round++) {
    int64_t now = (int64_t)round * 500000;
    if (strcmp(argv[2], "estimate") == 0)
      expect(vp_set_bandwidth_estimate(coordinator, next_estimate(mean), VP_CONGESTION_NONE, now));
    else if (strcmp(argv[2], "speaker") == 0) speak(coordinator, count, round, now);
    else resize(coordinator, count, round, now);
    expect(vp_decide(coordinator, now, NULL));
  }
  printf("%zu\n", held() - before);
  vp_coordinator_destroy(coordinator);
}
