/* Measures what one hop of one stream costs where many streams run side by side: through one call a stream, through the
 * batch entry, and with WebRTC's VAD, turn by turn in the same process.
 *
 *     streams RATE_HZ FILE STREAMS
 *
 * FILE: raw 16-bit samples, one channel, of RATE_HZ, in the machine's byte order; every stream hears it from another
 * place on. Prints the SIMD body, then for each detector its name and the nanoseconds of processor time per hop.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <voice_activity.h>
#include <webrtc/common_audio/vad/include/webrtc_vad.h>

#include "../peers/raw_samples.h"

enum {
  EVENTS = 4 * VA_EVENTS_PER_HOP_MAX,
  ROUNDS = 30,           /* of each detector, in turn; the fastest counts, for other work only ever adds */
  HOPS_OF_A_ROUND = 6000, /* of all streams together: about 15 ms of work */
  WARM_UP = 50 /* hops of each stream before anything is timed: the first windows of a stream are not whole */
};

static struct {
  const int16_t *samples;
  size_t count, hop; /* hop: samples of 10 ms */
  uint32_t rate_hz;
} sound;

typedef struct fleet {
  size_t streams;
  va_detector **detectors;
  VadInst **peers;
  va_batch_item *items;
  va_output *outputs;
  size_t speech; /* hops: so that nothing can be left out */
} fleet;

/* Returns zeroed memory that is aligned for detectors. */
static void *grab(size_t count, size_t size) {
  size_t bytes = (count * size + VA_DETECTOR_ALIGNMENT - 1) / VA_DETECTOR_ALIGNMENT * VA_DETECTOR_ALIGNMENT;
  void *memory = aligned_alloc(VA_DETECTOR_ALIGNMENT, bytes);
  if (memory) return memset(memory, 0, bytes);
  fprintf(stderr, "there is no memory for so many streams\n");
  exit(71);
}

static void check(bool good, const char *what) {
  if (good) return;
  fprintf(stderr, "%s\n", what);
  exit(70);
}

static const int16_t *heard_by(size_t stream, size_t hop) {
  size_t hops = sound.count / sound.hop;
  return sound.samples + (stream * 37 + hop) % hops * sound.hop;
}

static void make(fleet *f, size_t streams) {
  va_config config;
  va_config_default(&config, sound.rate_hz);
  f->streams = streams;
  f->speech = 0;
  f->detectors = grab(streams, sizeof *f->detectors);
  f->peers = grab(streams, sizeof *f->peers);
  f->items = grab(streams, sizeof *f->items);
  f->outputs = grab(streams, sizeof *f->outputs);
  va_event *events = grab(EVENTS, sizeof *events);
  const size_t size = (va_detector_size_for(sound.rate_hz) + VA_DETECTOR_ALIGNMENT - 1) / VA_DETECTOR_ALIGNMENT *
                      VA_DETECTOR_ALIGNMENT;
  char *memory = grab(streams, size);
  for (size_t i = 0; i < streams; i++) {
    va_status_code code = va_detector_init(memory + i * size, size, &config, &f->detectors[i]);
    check(code == VA_OK, va_status_text(code));
    check(!WebRtcVad_Create(&f->peers[i]) && !WebRtcVad_Init(f->peers[i]) && !WebRtcVad_set_mode(f->peers[i], 3),
          "WebRTC's detector cannot be made");
    f->outputs[i] = (va_output){.events = events, .event_capacity = EVENTS};
    size_t consumed; /* every second stream is a hop ahead, for every second hop costs more than the others */
    if (i % 2) va_detector_process_s16(f->detectors[i], NULL, heard_by(i, 0), sound.hop, &consumed, &f->outputs[i]);
  }
}

static void single(fleet *f, size_t hop) {
  for (size_t i = 0; i < f->streams; i++) {
    size_t consumed;
    va_detector_process_s16(f->detectors[i], NULL, heard_by(i, hop), sound.hop, &consumed, &f->outputs[i]);
    f->speech += consumed;
  }
}

static void batch(fleet *f, size_t hop) {
  for (size_t i = 0; i < f->streams; i++)
    f->items[i] = (va_batch_item){.detector = f->detectors[i], .samples_s16 = heard_by(i, hop), .count = sound.hop,
                                  .output = &f->outputs[i]};
  f->speech += va_process_batch(f->items, f->streams) == VA_OK;
}

static void webrtc(fleet *f, size_t hop) {
  for (size_t i = 0; i < f->streams; i++)
    f->speech += WebRtcVad_Process(f->peers[i], (int)sound.rate_hz, heard_by(i, hop), sound.hop) == 1;
}

static const struct {
  const char *name;
  void (*run)(fleet *, size_t hop);
} detectors[] = {{"single", single}, {"batch", batch}, {"webrtc", webrtc}};
enum { DETECTORS = sizeof detectors / sizeof detectors[0] };

/* Returns the seconds of processor time that some hops of all streams take. */
static double run(fleet *f, size_t detector, size_t first, size_t hops) {
  struct timespec start, end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
  for (size_t hop = first; hop < first + hops; hop++) detectors[detector].run(f, hop);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  return (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
}

int main(int count, char **arguments) {
  size_t streams = count == 4 ? strtoul(arguments[3], NULL, 10) : 0;
  if (streams < 1) return fprintf(stderr, "usage: streams RATE_HZ FILE STREAMS\n"), 64;
  sound.rate_hz = (uint32_t)strtoul(arguments[1], NULL, 10);
  sound.hop = sound.rate_hz / 100;
  sound.samples = read_samples(arguments[2], &sound.count);
  if (!sound.samples || sound.count < sound.hop)
    return fprintf(stderr, "%s: cannot be read, or is too short\n", arguments[2]), 66;

  fleet fleet;
  make(&fleet, streams);
  size_t hops = (HOPS_OF_A_ROUND / streams / 2 + 1) * 2; /* an even number: they cost in turn more and less */
  double best[DETECTORS];
  for (size_t d = 0; d < DETECTORS; d++) run(&fleet, d, 0, WARM_UP);
  for (size_t round = 0; round < ROUNDS; round++)
    for (size_t d = 0; d < DETECTORS; d++) {
      double taken = run(&fleet, d, WARM_UP + round * hops, hops) / (double)(hops * streams);
      if (round == 0 || taken < best[d]) best[d] = taken;
    }
  puts(va_simd_name());
  for (size_t d = 0; d < DETECTORS; d++) printf("%s %.1f\n", detectors[d].name, best[d] * 1e9);
}
