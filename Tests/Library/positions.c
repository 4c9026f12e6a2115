/* positions.c — a stream that has lasted for long hears as one that has just begun: its positions cross 2^31, 2^32 and
 * 2^53 samples, of the microphone or of the reference, and 2^31 and 2^32 milliseconds, hops and steps, in the midst of
 * sound, with gaps, levels, mutes, saves and restores. Everything that is answered is the same, moved.
 *
 * What the header's functions reach in reasonable time, they reach: a gap across 2^32 samples. The other streams are
 * moved by hand between two calls. Its argument is Tests/Contract/talk.s16. Built and run by
 * Scripts/check-library.sh. */
#include "answers.h"
#include "detector_state.h"
#include "echo.h"

/* A stream is moved by a multiple of this: the places of hops and of the reference's steps in their arrays stay. */
enum { UNIT_S = 22 };
_Static_assert(UNIT_S * 100 / VA_STEP_HOPS % VA_REFERENCE_STEPS == 0 && UNIT_S * 100 % VA_WAITING == 0, "whole rounds");

enum { ROUNDS_HZ = 10, WARM = 3 * ROUNDS_HZ, ROUNDS = WARM + (UNIT_S + 4) * ROUNDS_HZ, HOPS = 40 };
static talk sound;
static unsigned crossed, crossed_in_speech;

typedef struct stream {
  uint32_t rate_hz, reference_hz; /* 0: without a reference, but with levels, which no echo takes */
  _Alignas(VA_DETECTOR_ALIGNMENT) unsigned char memory[VA_DETECTOR_SIZE_MAX], echo_memory[VA_ECHO_SIZE_MAX];
  va_detector *detector;
  va_echo *echo;
  va_smoother *smoother;
  va_cutter *cutter;
  uint64_t heard, played; /* samples since the beginning, those by which it was moved left out */
  uint64_t boundary;      /* the position to cross, or 0 */
  answers live, smooth;
} stream;

/* MARK: moving */

static void move(stream *s, uint64_t seconds) {
  va_detector *d = s->detector;
  uint64_t *const counted_in_hops[] = {&d->hops, &d->hysteresis.onset, &d->hysteresis.offset, &d->mute_gate.muted_at,
                                       &d->mute_gate.began, &d->mute_gate.last_speech};
  for (size_t i = 0; i < sizeof counted_in_hops / sizeof *counted_in_hops; i++) *counted_in_hops[i] += seconds * 100;
  atomic_fetch_add(&d->status.hops, seconds * 100);
  d->position += seconds * s->rate_hz;
  d->level.position += seconds * s->rate_hz;
  d->gap.position += seconds * s->rate_hz;
  d->framed += seconds * va_analysis_rate_hz(s->rate_hz);
  s->live = s->smooth = answers_from(seconds * s->rate_hz);
  if (!s->echo) return;
  va_reference *r = &s->echo->reference;
  r->position += seconds * s->reference_hz;
  r->steps += seconds * 100 / VA_STEP_HOPS;
  s->echo->steps += seconds * 100 / VA_STEP_HOPS;
}

/* MARK: hearing */

static void take_cuts(stream *s, const va_output *results) {
  va_cut cut;
  uint64_t certain;
  while (va_cutter_next(s->cutter, results, &cut)) answer_cut(&s->live, cut);
  const uint64_t needed = va_cutter_needed(s->cutter, &certain), origin = s->live.origin;
  const uint64_t values[] = {needed - origin, certain - origin};
  const bool has_heard_silence = results->hop_count > 0 && needed > origin;
  if (has_heard_silence) digest(&s->live.of_cuts, values, sizeof values);
}

static void take(stream *s, const va_output *results) {
  va_event events[16];
  va_hop hops[64];
  va_output smooth = {.events = events, .event_capacity = 16, .hops = hops, .hop_capacity = 64};
  answer(&s->live, results);
  for (size_t i = 0; i < results->hop_count; i++) {
    const va_hop *hop = &results->hops[i];
    if (s->boundary == 0 || hop->position > s->boundary || s->boundary - hop->position > s->rate_hz / 100) continue;
    crossed++;
    crossed_in_speech += (hop->flags & VA_HOP_SPEECH) != 0;
    s->boundary = 0;
  }
  do {
    va_smoother_process(s->smoother, results, &smooth);
    answer(&s->smooth, &smooth);
  } while (smooth.more);
  take_cuts(s, results);
}

static void process(stream *s, size_t count) {
  static int16_t samples[192000 / ROUNDS_HZ];
  va_event events[16];
  va_hop hops[HOPS];
  va_output output = {.events = events, .event_capacity = 16, .hops = hops, .hop_capacity = HOPS};
  for (size_t n = 0; n < count; n++) {
    const int16_t echo = talk_at(&sound, (s->heard + n) + 3 * s->rate_hz, s->rate_hz) / 8; /* of what plays */
    samples[n] = (int16_t)(talk_at(&sound, s->heard + n, s->rate_hz) / 2 + echo);
  }
  for (size_t done = 0, consumed; done < count || output.more; done += consumed) {
    expect(va_detector_process_s16(s->detector, s->echo, samples + done, count - done, &consumed, &output) == VA_OK,
           "sound was refused", s->heard);
    take(s, &output);
  }
}

static void play(stream *s, size_t count, bool is_silent) {
  static int16_t samples[192000 / ROUNDS_HZ];
  const uint64_t at = s->played + 3 * s->reference_hz;
  for (size_t n = 0; n < count; n++) samples[n] = talk_at(&sound, at + n, s->reference_hz) / 2;
  const va_status_code code =
      is_silent ? va_echo_push_silence(s->echo, count) : va_echo_push_s16(s->echo, samples, count);
  expect(code == VA_OK, "the reference was refused", s->played);
  s->played += count;
}

static void save_and_restore(stream *s) {
  static unsigned char bytes[VA_DETECTOR_SAVED_SIZE_MAX];
  size_t size;
  va_status_code code = va_detector_save(s->detector, bytes, sizeof bytes, &size);
  expect(code == VA_OK, "the stream is not saved", s->live.origin);
  code = va_detector_restore(s->memory, sizeof s->memory, bytes, size, &s->detector);
  expect(code == VA_OK, "the stream is not restored", s->live.origin);
  if (!s->echo) return;
  code = va_echo_save(s->echo, bytes, sizeof bytes, &size);
  expect(code == VA_OK, "the echo is not saved", s->live.origin);
  code = va_echo_restore(s->echo_memory, sizeof s->echo_memory, bytes, size, &s->echo);
  expect(code == VA_OK, "the echo is not restored", s->live.origin);
}

/* A tenth of a second: sound, a gap of any length, or a level. */
static void hear(stream *s, int round) {
  va_event events[16];
  va_hop hops[HOPS];
  va_output output = {.events = events, .event_capacity = 16, .hops = hops, .hop_capacity = HOPS};
  const size_t count = s->rate_hz / ROUNDS_HZ;
  va_detector_set_muted(s->detector, round / 25 % 2);
  if (s->echo) play(s, s->reference_hz / ROUNDS_HZ, round % 37 == 20);
  if (round % 29 == 11) {
    va_detector_push_gap(s->detector, s->echo, count - 7, &output);
    take(s, &output);
    s->heard += count - 7;
    process(s, 7);
    s->heard += 7;
  } else if (!s->echo && round % 61 == 40) {
    va_detector_push_level(s->detector, count, 30, round % 2, &output);
    take(s, &output);
    s->heard += count;
  } else {
    process(s, count);
    s->heard += count;
  }
  if (round % 16 == 15) save_and_restore(s);
}

static void open_stream(stream *s, uint32_t rate_hz, uint32_t reference_hz) {
  const va_cut_rules rules = {.struct_size = sizeof rules, .min_silence_ms = 200, .min_speech_ms = 50,
                              .pad_before_ms = 100, .pad_after_ms = 150, .max_length_ms = 2000};
  va_config config;
  va_config_default(&config, rate_hz);
  memset(s, 0, sizeof *s);
  s->rate_hz = rate_hz, s->reference_hz = reference_hz;
  expect(va_detector_init(s->memory, sizeof s->memory, &config, &s->detector) == VA_OK, "no detector", rate_hz);
  if (reference_hz > 0)
    expect(va_echo_init(s->echo_memory, sizeof s->echo_memory, reference_hz, &s->echo) == VA_OK, "no echo", rate_hz);
  expect(va_smoother_create(&config, &s->smoother) == VA_OK, "no smoother", rate_hz);
  expect(va_cutter_create(&rules, &config, &s->cutter) == VA_OK, "no cutter", rate_hz);
  s->live = s->smooth = answers_from(0);
}

static void finish(stream *s) {
  va_event events[16];
  va_hop hops[HOPS];
  va_output output = {.events = events, .event_capacity = 16, .hops = hops, .hop_capacity = HOPS};
  va_cut cut;
  do {
    va_detector_flush(s->detector, s->echo, &output);
    take(s, &output);
  } while (output.more);
  do {
    va_smoother_process(s->smoother, NULL, &output);
    answer(&s->smooth, &output);
  } while (output.more);
  while (va_cutter_finish(s->cutter, s->live.origin + s->heard, &cut)) answer_cut(&s->live, cut);
  va_smoother_destroy(s->smoother);
  va_cutter_destroy(s->cutter);
}

/* MARK: boundaries */

typedef struct heard {
  answers live, smooth;
  va_status status;
  va_echo_status echo;
} heard;

/* Hears the whole script. A smoother and a cutter begin where the stream is moved, as for a stream that was
 * restored. */
static heard run(uint32_t rate_hz, uint32_t reference_hz, uint64_t seconds, uint64_t boundary) {
  static stream s;
  heard h = {.status = {.struct_size = sizeof h.status}, .echo = {.struct_size = sizeof h.echo}};
  open_stream(&s, rate_hz, reference_hz);
  for (int round = 0; round < WARM; round++) hear(&s, round);
  va_smoother_reset(s.smoother);
  va_cutter_reset(s.cutter);
  move(&s, seconds);
  s.boundary = boundary;
  for (int round = WARM; round < ROUNDS; round++) hear(&s, round);
  finish(&s);
  va_detector_status(s.detector, &h.status);
  if (s.echo) va_echo_state(s.echo, &h.echo);
  h.status.hops -= seconds * 100;
  h.live = s.live, h.smooth = s.smooth;
  expect(s.boundary == 0, "a boundary was not crossed", boundary);
  return h;
}

/* `boundary` is a position of the microphone or of the reference, at `boundary_hz`. */
static void cross(const heard *new, uint32_t rate_hz, uint32_t reference_hz, uint64_t boundary, uint32_t boundary_hz) {
  const uint64_t seconds = (boundary / boundary_hz - WARM / ROUNDS_HZ - 1) / UNIT_S * UNIT_S;
  const uint64_t whole = boundary / boundary_hz, rest = boundary % boundary_hz;
  const heard old = run(rate_hz, reference_hz, seconds, whole * rate_hz + rest * rate_hz / boundary_hz);
  expect(are_same(&old.live, &new->live), "other live answers behind a boundary", boundary);
  expect(are_same(&old.smooth, &new->smooth), "other smoothed answers behind a boundary", boundary);
  expect(memcmp(&old.status, &new->status, sizeof old.status) == 0, "another status behind a boundary", boundary);
  expect(memcmp(&old.echo, &new->echo, sizeof old.echo) == 0, "another echo behind a boundary", boundary);
}

static void cross_all(uint32_t rate_hz, uint32_t reference_hz) {
  const heard new = run(rate_hz, reference_hz, 0, 0);
  expect(new.live.events > 20 && new.live.speech_hops > 200 && new.live.cuts > 5 && new.smooth.speech_hops > 200 &&
             (reference_hz == 0 || new.echo.fit > 0.1f) && new.echo.late_samples == 0,
         "too little was heard to prove anything", rate_hz);
  const uint32_t rates_hz[] = {rate_hz, reference_hz > 0 ? reference_hz : rate_hz};
  for (int bits = 31; bits <= 32; bits++) {
    for (int i = 0; i < 2; i++) cross(&new, rate_hz, reference_hz, 1ull << bits, rates_hz[i]);
    const uint32_t units_hz[] = {1000, 100, 50};
    for (int i = 0; i < 3; i++) cross(&new, rate_hz, reference_hz, 1ull << bits, units_hz[i]);
  }
  for (int i = 0; i < 2; i++) cross(&new, rate_hz, reference_hz, 1ull << 53, rates_hz[i]);
  cross(&new, rate_hz, reference_hz, (1ull << 57) - 30ull * rate_hz, rate_hz); /* the end is before the limit */
}

/* MARK: by the header's functions */

static answers behind_gap(uint32_t rate_hz, uint64_t seconds) {
  static stream s;
  va_event events[16];
  va_output output = {.events = events, .event_capacity = 16};
  size_t consumed;
  open_stream(&s, rate_hz, 0);
  for (int round = 0; round < WARM; round++) process(&s, rate_hz / ROUNDS_HZ), s.heard += rate_hz / ROUNDS_HZ;
  va_detector_push_gap(s.detector, NULL, (UNIT_S + seconds) * rate_hz, &output);
  while (output.more) va_detector_process(s.detector, NULL, NULL, 0, &consumed, &output);
  const int16_t first = 0; /* what comes behind the gap makes its event, whose length differs */
  va_detector_process_s16(s.detector, NULL, &first, 1, &consumed, &output);
  expect(output.event_count > 0 && output.events[0].length_samples == (UNIT_S + seconds) * rate_hz, "no gap", seconds);
  va_smoother_reset(s.smoother);
  va_cutter_reset(s.cutter);
  s.live = s.smooth = answers_from(seconds * rate_hz);
  for (int round = 0; round < 30 * ROUNDS_HZ; round++) process(&s, rate_hz / ROUNDS_HZ), s.heard += rate_hz / ROUNDS_HZ;
  finish(&s);
  return s.live;
}

static void cross_by_a_gap(void) {
  const uint32_t rate_hz = 192000;
  const answers near = behind_gap(rate_hz, 0);
  for (int bits = 31; bits <= 32; bits++) {
    const answers far = behind_gap(rate_hz, (1ull << bits) / rate_hz / UNIT_S * UNIT_S - UNIT_S);
    expect(are_same(&near, &far), "other answers behind a long gap", 1ull << bits);
  }
}

/* MARK: without a detector */

/* A notice's clock may be anywhere, before 0 too. */
static void notice_far_away(void) {
  for (int bits = 0; bits < 126; bits++) {
    const int64_t power = (int64_t)(1ull << bits / 2), from = (bits % 2 ? -power : power) - 5000;
    va_muted_notice near, far;
    va_muted_notice_init(&near), va_muted_notice_init(&far);
    near.interval_ms = far.interval_ms = 3000;
    uint32_t random = 7;
    for (int64_t now = 0; now < 10000; now += 1 + random % 300) {
      random = random * 1664525 + 1013904223;
      const bool is_speaking = random >> 20 & 1;
      const bool changed = va_muted_notice_update(&near, is_speaking, now);
      expect(va_muted_notice_update(&far, is_speaking, from + now) == changed, "another notice", (uint64_t)from);
      expect(near.shown == far.shown && near.count == far.count, "another number of a notice", (uint64_t)from);
      expect(near.count == 0 || near.ends_at_ms == far.ends_at_ms - from, "another time of a notice", (uint64_t)from);
    }
    expect(near.count > 2, "too few notices to prove anything", near.count);
  }
}

int main(int argc, char **argv) {
  static const uint32_t pairs[][2] = {{8000, 48000},   {16000, 16000}, {44100, 8000},
                                      {48000, 192000}, {192000, 44100}, {11025, 0}};
  read_talk(&sound, argc > 1 ? argv[1] : "");
  notice_far_away();
  cross_by_a_gap();
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) cross_all(pairs[i][0], pairs[i][1]);
  expect(crossed_in_speech > 10, "too few boundaries lie in speech", crossed_in_speech);
  printf("positions: %u boundaries crossed, %u of them in speech: the same answers\n", crossed, crossed_in_speech);
}
