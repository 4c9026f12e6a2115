/* day.c — a day of sound, and after each stretch of it the question whether the detector is as good as new. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drift.h"
#include "trace.h"

#define NONE (-INFINITY)

/* Some hours of one kind of sound. Levels are in dBFS. */
typedef struct stretch {
  const char *name;
  int hours;
  float speech, noise, hum; /* NONE: not heard */
  float dc;                 /* added to each sample; full scale is 1 */
  bool has_steps;           /* every 10 s the three levels go up by another -50 … -5 dB */
  bool has_gaps;            /* samples are lost every second, minutes at times */
} stretch;

static const stretch day[] = {
    {"speech in noise, level steps", 4, 0, -15, NONE, 0, true, false},
    {"noise, level steps", 3, NONE, 0, NONE, 0, true, false},
    {"digital silence", 5, NONE, NONE, NONE, 0, false, false},
    {"noise at -90 dBFS", 4, NONE, -90, NONE, 0, false, false},
    {"speech on a DC offset of 0.5", 2, -25, -60, NONE, 0.5f, false, false},
    {"a DC offset alone", 1, NONE, NONE, NONE, -0.3f, false, false},
    {"mains hum", 2, NONE, -70, -20, 0, false, false},
    {"clipped speech", 2, 10, NONE, NONE, 0, false, false},
    {"speech with gaps", 1, -23, -50, NONE, 0, false, true},
};

enum { STRETCHES = sizeof day / sizeof day[0], NOISE_S = 30 };

/* What the day is made of: loops of whole seconds, at 0 dBFS. */
typedef struct loops {
  float *speech, *noise, *hum;
  size_t speech_s, noise_s; /* the hum repeats each second */
} loops;

static loops make_loops(const recordings *all) {
  size_t seconds = all->hops / 100 + 1;
  loops made = {.speech = allocate(seconds * RATE_HZ * sizeof(float)), .speech_s = seconds};
  float *end = made.speech, gain = gain_of_db(-speech_level_dbfs(&all->each[0]));
  for (size_t i = 0; i < all->count; i++)
    for (size_t n = 0; n < all->each[i].count; n++) *end++ = gain * all->each[i].samples[n];
  made.noise_s = 3 * NOISE_S;
  made.noise = allocate(made.noise_s * RATE_HZ * sizeof(float));
  for (colour c = WHITE; c <= BROWN; c++) {
    float *noise = make_noise(c, NOISE_S * RATE_HZ, 0);
    memcpy(made.noise + (size_t)c * NOISE_S * RATE_HZ, noise, NOISE_S * RATE_HZ * sizeof *noise);
    free(noise);
  }
  made.hum = make_noise(HUM, RATE_HZ, 0);
  return made;
}

/* One second of a stretch, `step` dB above its levels, limited to full scale as a sound card does. */
static void mix(const stretch *s, const loops *from, size_t second, float step, float *out) {
  const float *speech = from->speech + second % from->speech_s * RATE_HZ;
  const float *noise = from->noise + second % from->noise_s * RATE_HZ;
  float speech_gain = gain_of_db(s->speech + step), noise_gain = gain_of_db(s->noise + step);
  float hum_gain = gain_of_db(s->hum + step);
  for (size_t n = 0; n < RATE_HZ; n++) {
    float x = speech_gain * speech[n] + noise_gain * noise[n] + hum_gain * from->hum[n] + s->dc;
    out[n] = x > 1 ? 1 : x < -1 ? -1 : x;
  }
}

/* 0 … range - 1 */
static uint32_t chance(uint32_t *state, uint32_t range) {
  *state = *state * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)*state * range >> 32);
}

/* The samples that are lost behind a second: up to one second, every two hundredth time five minutes. */
static uint64_t loss(uint32_t *state) { return 1 + chance(state, RATE_HZ) + (chance(state, 200) ? 0 : 300 * RATE_HZ); }

/* Plays a stretch to its end at a whole hop; how many samples it lasted. */
static uint64_t live_through(va_detector *detector, const stretch *s, const loops *from) {
  static float second[RATE_HZ], rest[HOP];
  const uint64_t length = (uint64_t)s->hours * 3600 * RATE_HZ;
  uint32_t state = 1;
  uint64_t heard = 0;
  float step = 0;
  for (size_t n = 0; heard < length; n++) {
    if (s->has_steps && n % 10 == 0) step = -5.0f - (float)chance(&state, 46);
    mix(s, from, n, step, second);
    play(detector, second, RATE_HZ, 0, NULL);
    uint64_t lost = s->has_gaps ? loss(&state) : 0;
    if (lost) lose(detector, lost);
    heard += RATE_HZ + lost;
  }
  size_t missing = (HOP - heard % HOP) % HOP;
  play(detector, rest, missing, 0, NULL);
  return heard + missing;
}

/* What a detector says depends a little on when it began: its noise floor takes minima over spans of 0.4 s, counted
 * from the first window on. That is not age. So an old detector is compared with young ones of different beginnings,
 * a hop apart over more than a span, and has to agree with one of them. */
enum { ROOM = 2 * RATE_HZ, YOUNG = 50, LONGEST_ROOM = ROOM + YOUNG * HOP };

/* What a detector at `position` says of each recording if a quiet room comes before, 2 s and so many hops more. It is
 * not changed. `room`: LONGEST_ROOM samples, of which the last are played. */
static trace listen(const va_detector *detector, uint64_t position, const recordings *all, const float *room,
                    size_t more_hops) {
  size_t length = ROOM + more_hops * HOP;
  uint64_t from = position + length;
  trace heard = make_trace(all->hops);
  heard.limit = 0;
  for (size_t i = 0; i < all->count; i++) {
    const recording *r = &all->each[i];
    va_detector *copy = copy_detector(detector);
    heard.limit += r->count / HOP;
    play(copy, room + LONGEST_ROOM - length, length, 0, NULL);
    play(copy, r->samples, r->count, from, &heard);
    play(copy, room, TAIL, from, &heard);
    va_detector_destroy(copy);
  }
  return heard;
}

/* The whole traces' likeness, with the recording that took longest to settle. */
static likeness compare_all(const trace *a, const trace *b, const recordings *all) {
  likeness whole = compare(a, b, 0, all->hops);
  whole.settled_s = 0;
  for (size_t i = 0, from = 0; i < all->count; i++) {
    size_t to = from + all->each[i].count / HOP;
    whole.settled_s = fmax(whole.settled_s, compare(a, b, from, to).settled_s);
    from = to;
  }
  return whole;
}

/* Which of the young ones has the old one's posteriors most often. */
static size_t most_alike(const trace *old, const trace *young, const recordings *all) {
  size_t best = 0;
  double most = 0;
  for (size_t i = 0; i < YOUNG; i++) {
    double equal = compare(old, &young[i], 0, all->hops).equal_posteriors;
    if (equal > most) most = equal, best = i;
  }
  return best;
}

/* The worst that a day may do: 0.002 of AUC, one decision in a hundred. */
static bool is_as_good(double auc_change, likeness l) { return auc_change >= -0.002 && l.equal_decisions >= 0.99; }

static bool *labels_of(const recordings *all) {
  bool *labels = allocate(all->hops), *end = labels;
  for (size_t i = 0; i < all->count; i++) {
    memcpy(end, all->each[i].is_speech, all->each[i].count / HOP);
    end += all->each[i].count / HOP;
  }
  return labels;
}

/* Fills in what detectors say that began with the room, and prints how far they agree among themselves. */
static void listen_young(trace *young, const recordings *all, const float *room, const bool *labels) {
  va_detector *fresh = make_detector();
  double least = 1, most = 0, equal = 1;
  for (size_t i = 0; i < YOUNG; i++) {
    young[i] = listen(fresh, 0, all, room, i);
    double area = auc(&young[i], labels);
    least = fmin(least, area), most = fmax(most, area);
    equal = fmin(equal, compare(&young[0], &young[i], 0, all->hops).equal_decisions);
  }
  va_detector_destroy(fresh);
  printf("%-34s %6.4f … %6.4f %10.2f %%\n", "new ones, begun a hop apart", least, most, 100 * equal);
}

/* Listens after a stretch, prints the comparison; true if the day has done no harm so far. */
static bool check(const va_detector *detector, uint64_t position, const stretch *s, const trace *young,
                  const recordings *all, const float *room, const bool *labels) {
  trace old = listen(detector, position, all, room, 0);
  const trace *match = &young[most_alike(&old, young, all)];
  likeness l = compare_all(&old, match, all);
  double area = auc(&old, labels), change = area - auc(match, labels);
  bool good = is_as_good(change, l);
  printf("+ %d h %-28s %7.4f %+8.4f %10.2f %% %9.2f s%s\n", s->hours, s->name, area, change, 100 * l.equal_decisions,
         l.settled_s, good ? "" : "  FAILED");
  fflush(stdout);
  free_trace(&old);
  return good;
}

int prove_no_drift(const recordings *all) {
  const bool *labels = labels_of(all);
  const float *room = make_noise(PINK, LONGEST_ROOM, -70);
  loops sound = make_loops(all);
  trace young[YOUNG];
  printf("drift: %zu recordings, %.0f s, each after 2 s of a quiet room\n\n", all->count, (double)all->hops / 100);
  printf("%-34s %7s %8s %12s %11s\n", "", "AUC", "change", "equal", "settled");
  listen_young(young, all, room, labels);
  trace late = {young[0].posteriors + 100, young[0].decisions + 100, young[0].count - 100, young[0].count - 100};
  if (is_as_good(auc(&late, labels) - auc(&young[0], labels), compare(&late, &young[0], 0, late.count)))
    return fail("the comparison lets a detector pass that lags by a second");

  int failures = 0;
  uint64_t position = 0;
  va_detector *detector = make_detector();
  for (size_t i = 0; i < STRETCHES; i++) {
    if (isatty(STDERR_FILENO)) fprintf(stderr, "  … %d h %s\033[K\r", day[i].hours, day[i].name);
    position += live_through(detector, &day[i], &sound);
    failures += !check(detector, position, &day[i], young, all, room, labels);
  }
  printf("%-34s %.1f h\n", "the whole day", (double)position / RATE_HZ / 3600);
  return failures ? fail("a day of sound moves what the detector says of the next recording") : 0;
}
