/* Measures what one hop of one stream costs where many streams run side by side: through one call a stream, through the
 * batch entry, and with WebRTC's VAD, turn by turn in the same process.
 *
 *     streams RATE_HZ FILE STREAMS [THREADS [DETECTOR HOPS]]
 *
 * FILE: raw 16-bit samples, one channel, of RATE_HZ, in the machine's byte order; every stream hears it from another
 * place on. Prints the SIMD body, then for each detector: its name, nanoseconds per hop, bytes of state. With THREADS the streams are
 * shared out evenly, and the time is that on the clock: nanoseconds until all threads are done, per hop of one stream.
 * With DETECTOR (single, batch, webrtc) it runs so many HOPS of that one alone and prints nothing: for valgrind.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <voice_activity.h>
#include <webrtc/common_audio/vad/include/webrtc_vad.h>
#include <webrtc/common_audio/vad/vad_core.h>

#include "../peers/raw_samples.h"

enum {
  THREADS_MAX = 8,
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

/* Some streams, which one thread runs. */
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

static size_t detector_bytes(void) { return va_detector_size_for(sound.rate_hz); }

static void make(fleet *f, size_t streams) {
  va_config config;
  va_config_default(&config, sound.rate_hz);
  f->streams = streams;
  f->detectors = grab(streams, sizeof *f->detectors);
  f->peers = grab(streams, sizeof *f->peers);
  f->items = grab(streams, sizeof *f->items);
  f->outputs = grab(streams, sizeof *f->outputs);
  va_event *events = grab(EVENTS, sizeof *events);
  const size_t size = (detector_bytes() + VA_DETECTOR_ALIGNMENT - 1) / VA_DETECTOR_ALIGNMENT * VA_DETECTOR_ALIGNMENT;
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
  size_t bytes;
} detectors[] = {{"single", single, 0}, {"batch", batch, 0}, {"webrtc", webrtc, sizeof(VadInstT)}};
enum { DETECTORS = sizeof detectors / sizeof detectors[0] };

typedef struct share {
  pthread_t thread;
  fleet fleet;
  size_t detector, first, hops;
} share;

static void *run(void *argument) {
  share *s = argument;
  for (size_t hop = s->first; hop < s->first + s->hops; hop++) detectors[s->detector].run(&s->fleet, hop);
  return NULL;
}

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Seconds that the threads take for a round; of one, its processor time, which is truer on a busy machine. */
static double round_of(share *shares, size_t threads) {
  clockid_t clock = threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  double start = seconds(clock);
  for (size_t t = 1; t < threads; t++)
    check(!pthread_create(&shares[t].thread, NULL, run, &shares[t]), "a thread cannot be started");
  run(&shares[0]);
  for (size_t t = 1; t < threads; t++) pthread_join(shares[t].thread, NULL);
  return seconds(clock) - start;
}

static void compare(share *shares, size_t threads, size_t streams) {
  size_t hops = (HOPS_OF_A_ROUND / streams / 2 + 1) * 2, done = WARM_UP; /* an even number: they cost in turn more and less */
  double best[DETECTORS];
  for (size_t d = 0; d < DETECTORS; d++)
    for (size_t t = 0; t < threads; t++) {
      shares[t].detector = d, shares[t].first = 0, shares[t].hops = WARM_UP;
      run(&shares[t]);
    }
  for (int round = 0; round < ROUNDS; round++, done += hops)
    for (size_t d = 0; d < DETECTORS; d++) {
      for (size_t t = 0; t < threads; t++) shares[t].detector = d, shares[t].first = done, shares[t].hops = hops;
      double taken = round_of(shares, threads) / (double)(hops * streams);
      if (round == 0 || taken < best[d]) best[d] = taken;
    }
  puts(va_simd_name());
  for (size_t d = 0; d < DETECTORS; d++)
    printf("%s %.1f %zu\n", detectors[d].name, best[d] * 1e9, detectors[d].bytes ? detectors[d].bytes : detector_bytes());
}

int main(int count, char **arguments) {
  size_t streams = count > 3 ? strtoul(arguments[3], NULL, 10) : 0;
  size_t threads = count > 4 ? strtoul(arguments[4], NULL, 10) : 1;
  if (streams < 1 || threads < 1 || threads > THREADS_MAX || streams % threads || count == 6 || count > 7)
    return fprintf(stderr, "usage: streams RATE_HZ FILE STREAMS [THREADS [DETECTOR HOPS]]\n"), 64;
  sound.rate_hz = (uint32_t)strtoul(arguments[1], NULL, 10);
  sound.hop = sound.rate_hz / 100;
  sound.samples = read_samples(arguments[2], &sound.count);
  if (!sound.samples || sound.count < sound.hop)
    return fprintf(stderr, "%s: cannot be read, or is too short\n", arguments[2]), 66;

  static share shares[THREADS_MAX];
  for (size_t t = 0; t < threads; t++) make(&shares[t].fleet, streams / threads);
  if (count < 7) return compare(shares, threads, streams), 0;
  shares[0].hops = strtoul(arguments[6], NULL, 10);
  while (shares[0].detector < DETECTORS && strcmp(detectors[shares[0].detector].name, arguments[5])) shares[0].detector++;
  if (shares[0].detector == DETECTORS) return fprintf(stderr, "%s: no such detector\n", arguments[5]), 64;
  return run(&shares[0]), 0;
}
