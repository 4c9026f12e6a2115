/* cost.c — what a decision of libvideopause costs; measure.py runs it.
 *
 *     cost COUNT estimate|speaker|tile DECISIONS REPETITIONS
 *
 * A subscriber receives COUNT cameras over a path that carries a third of what they ask for, so that every decision has
 * choices to make. Before each decision the estimate varies by 10 %, another participant speaks, or the size of one
 * tile changes, and the decision considers all streams. Prints the thread's processor time for a decision in µs, the
 * median of the repetitions, and the bytes that the coordinator holds in the end, as glibc counts them. */
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <video_pause.h>

enum { LAYERS = 9, SPEAKERS = 10, REPETITIONS_MAX = 99 };

static const uint32_t sizes[3][2] = {{320, 180}, {640, 360}, {1280, 720}};
static const double rates[3] = {7.5, 15, 30};
static const int64_t bitrates[LAYERS] = {49500, 99000, 150000, 165000, 330000, 500000, 660000, 1320000, 2000000};

static void expect(vp_status_code code) {
  if (code == VP_OK) return;
  fprintf(stderr, "cost: %s\n", vp_status_text(code));
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

static double wanted(uint64_t count) { return (double)count * (double)bitrates[LAYERS - 1]; }

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

static void decide(vp_coordinator *coordinator, uint64_t count, const char *event, uint64_t round) {
  int64_t now = (int64_t)round * 500000;
  if (strcmp(event, "estimate") == 0)
    expect(vp_set_bandwidth_estimate(coordinator, next_estimate(wanted(count) / 3), VP_CONGESTION_NONE, now));
  else if (strcmp(event, "speaker") == 0) speak(coordinator, count, round, now);
  else resize(coordinator, count, round, now);
  expect(vp_decide(coordinator, now, NULL));
}

static double microseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  uint64_t count = argc == 5 ? strtoull(argv[1], NULL, 10) : 0, decisions = count ? strtoull(argv[3], NULL, 10) : 0;
  uint64_t repetitions = decisions ? strtoull(argv[4], NULL, 10) : 0, round = 0;
  if (repetitions == 0 || repetitions > REPETITIONS_MAX)
    return fputs("cost: give COUNT, EVENT, DECISIONS and REPETITIONS, of these 99 at most\n", stderr), 64;
  size_t before = held();
  vp_coordinator *coordinator = begin(count);
  expect(vp_set_bandwidth_estimate(coordinator, (int64_t)(wanted(count) / 3), VP_CONGESTION_NONE, 0));
  double times[REPETITIONS_MAX];
  for (uint64_t i = 0; i < repetitions; i++) {
    double start = microseconds();
    for (uint64_t k = 0; k < decisions; k++) decide(coordinator, count, argv[2], ++round);
    times[i] = (microseconds() - start) / (double)decisions;
  }
  qsort(times, repetitions, sizeof *times, ascending);
  printf("%f\t%zu\n", times[repetitions / 2], held() - before);
  vp_coordinator_destroy(coordinator);
}
