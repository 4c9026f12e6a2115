/* cut.c — a cutter beside a detector, by what the header says of it: settings that are refused, segments that are
 * joined, dropped, padded and cut, what they need, and their fades. The oracle is arithmetic on hops:
 * va_detector_push_level makes posteriors of 0 and 1. Built and run by Scripts/check-library.sh. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <voice_activity.h>

enum { HOUR_MS = 3600000 };

static void expect(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "cut: %s\n", what);
  exit(1);
}

static va_config config_of(uint32_t rate) {
  va_config config;
  expect(va_config_default(&config, rate) == VA_OK, "va_config_default");
  config.hangover_ms = 200;
  return config;
}

/* MARK: settings */

static va_status_code init(const va_cut_rules *rules, const va_config *config) {
  static _Alignas(VA_DETECTOR_ALIGNMENT) unsigned char memory[1 << 21];
  va_cutter *inside = NULL, *made = NULL;
  const size_t size = va_cutter_size(rules, config);
  const va_status_code code = va_cutter_init(memory, sizeof memory, rules, config, &inside);
  expect(size <= sizeof memory && (size > 0) == (code == VA_OK), "va_cutter_size is not 0 for what is refused");
  expect(va_cutter_create(rules, config, &made) == code && (made != NULL) == (code == VA_OK), "_create is not _init");
  if (code == VA_OK) {
    expect(va_cutter_init(memory, size - 1, rules, config, &inside) == VA_ERROR_ARGUMENT, "too little memory");
    expect(va_cutter_init(memory + 8, size, rules, config, &inside) == VA_ERROR_ARGUMENT, "unaligned memory");
    expect(va_cutter_init(NULL, size, rules, config, &inside) == VA_ERROR_ARGUMENT, "no memory");
    expect(va_cutter_init(memory, size, rules, config, NULL) == VA_ERROR_ARGUMENT, "no place for the cutter");
  }
  va_cutter_destroy(made);
  return code;
}

static void settings(void) {
  const va_config config = config_of(16000);
  va_config other = config;
  va_cut_rules rules = {.struct_size = sizeof rules};
  expect(init(&rules, &config) == VA_OK, "no rules");
  uint32_t *const lengths[] = {&rules.min_silence_ms, &rules.min_speech_ms, &rules.max_length_ms, &rules.pad_before_ms,
                               &rules.pad_after_ms};
  for (size_t i = 0; i < 5; i++) {
    *lengths[i] = HOUR_MS;
    expect(init(&rules, &config) == VA_OK, "an hour is refused");
    *lengths[i] = HOUR_MS + 1;
    expect(init(&rules, &config) == VA_ERROR_DURATION, "more than an hour is taken");
    *lengths[i] = 0;
  }
  rules.max_length_ms = 1000;
  expect(init(&rules, &config) == VA_OK, "a second is refused");
  rules.pad_before_ms = rules.pad_after_ms = 300;
  expect(init(&rules, &config) == VA_ERROR_DURATION, "a limit leaves less than a second beside the pads");
  expect(strstr(va_status_text(VA_ERROR_DURATION), "the longest cut"), "the text does not name what is too short");
  rules.max_length_ms = 1600;
  expect(init(&rules, &config) == VA_OK, "a limit leaves a second beside the pads");
  rules.struct_size = 0;
  expect(init(&rules, &config) == VA_ERROR_STRUCT_SIZE, "rules without a size");
  other.offset_threshold = 1;
  expect(init(&rules, &other) == VA_ERROR_THRESHOLD, "another detector's error comes first");
  expect(init(NULL, &config) == VA_ERROR_ARGUMENT && init(&rules, NULL) == VA_ERROR_ARGUMENT, "NULL");
  va_cutter_destroy(NULL);
}

/* MARK: cuts */

typedef struct stream {
  va_detector *detector;
  va_cutter *cutter;
  uint32_t rate;
  uint64_t position;
  va_cut cuts[16];
  size_t count;
} stream;

static uint64_t at(const stream *s, uint32_t ms) { return (uint64_t)ms * s->rate / 1000; }

static void keep(stream *s, const va_output *output) {
  va_cut cut;
  while (va_cutter_next(s->cutter, output, &cut)) {
    expect(s->count < 16, "more cuts than there is speech");
    expect(cut.decided_at <= s->position, "a cut is decided before its sound was heard");
    s->cuts[s->count++] = cut;
  }
  uint64_t certain;
  const uint64_t needed = va_cutter_needed(s->cutter, &certain);
  expect(needed == va_cutter_needed(s->cutter, NULL) && needed <= certain, "va_cutter_needed");
  expect(s->count == 0 || needed >= s->cuts[s->count - 1].end, "a cut that was written is needed");
}

/* A voice, or silence, up to a time, in levels of `packet_ms`. */
static void hear(stream *s, bool voice, uint32_t until_ms, uint32_t packet_ms) {
  va_event events[16];
  va_hop hops[64];
  va_output output = {.events = events, .event_capacity = 16, .hops = hops, .hop_capacity = 64};
  for (uint64_t end; (end = s->position + at(s, packet_ms)) <= at(s, until_ms); s->position = end) {
    const va_status_code code = va_detector_push_level(s->detector, end - s->position, 30, voice, &output);
    expect(code == VA_OK && !output.more, "va_detector_push_level");
    s->position = end, keep(s, &output);
  }
}

static void finish(stream *s) {
  va_event events[16];
  va_output output = {.events = events, .event_capacity = 16};
  do {
    expect(va_detector_flush(s->detector, NULL, &output) == VA_OK, "va_detector_flush");
    keep(s, &output);
  } while (output.more);
  for (va_cut cut; va_cutter_finish(s->cutter, s->position, &cut);) s->cuts[s->count++] = cut;
}

static void expect_cut(const stream *s, size_t i, uint32_t from_ms, uint32_t to_ms, bool continues) {
  const va_cut *cut = &s->cuts[i];
  if (i < s->count && cut->start == at(s, from_ms) && cut->end == at(s, to_ms) && cut->continues == continues) return;
  fprintf(stderr, "cut: %u Hz: cut %zu of %zu is not %u … %u ms but %.1f … %.1f\n", s->rate, i, s->count, from_ms,
          to_ms, 1e3 * (double)cut->start / s->rate, 1e3 * (double)cut->end / s->rate);
  exit(1);
}

/* Speech at 1 … 2 s with a pause of 100 ms, 60 ms of it at 4 s, and 6 … 11 s with a pause of 300 ms around 8 s. */
static void cuts(uint32_t rate, uint32_t packet_ms) {
  const va_config config = config_of(rate);
  const va_cut_rules rules = {.struct_size = sizeof rules,
                              .min_silence_ms = 500,
                              .min_speech_ms = 100,
                              .max_length_ms = 3500,
                              .pad_before_ms = 300,
                              .pad_after_ms = 200};
  stream s = {.rate = rate};
  expect(va_detector_create(&config, &s.detector) == VA_OK, "va_detector_create");
  expect(va_cutter_create(&rules, &config, &s.cutter) == VA_OK, "va_cutter_create");
  for (int round = 0; round < 2; round++) { /* the second one after a reset */
    static const uint32_t ends_ms[] = {1000, 1500, 1600, 2000, 4000, 4060, 6000, 7860, 8160, 11000};
    for (size_t i = 0; i < sizeof ends_ms / sizeof *ends_ms; i++) hear(&s, i % 2 == 1, ends_ms[i], packet_ms);
    finish(&s);
    expect_cut(&s, 0, 700, 2200, false);
    expect_cut(&s, 1, 5700, 8010, true); /* in the middle of the pause */
    expect_cut(&s, 2, 8010, 11000, false); /* nothing is padded beyond the end */
    expect(s.count == 3, "there are other cuts");
    va_detector_reset(s.detector);
    va_cutter_reset(s.cutter);
    s.position = s.count = 0;
  }
  va_cutter_destroy(s.cutter);
  va_detector_destroy(s.detector);
}

/* MARK: fades */

static void fades(void) {
  enum { CHANNELS = 2, FRAMES = 100, LENGTH = 10 };
  const va_cut cut = {.start = 1000020, .end = 1000080}, open = {.start = cut.start, .end = cut.end, .continues = true};
  float samples[FRAMES * CHANNELS];
  for (int i = 0; i < FRAMES * CHANNELS; i++) samples[i] = 1;
  va_cut_fade(samples, 40, CHANNELS, 1000000, &cut, false, LENGTH); /* in two parts */
  va_cut_fade(samples + 40 * CHANNELS, 60, CHANNELS, 1000040, &cut, false, LENGTH);
  for (int i = 0; i < FRAMES; i++) {
    const int inner = i < 50 ? i - 20 : 79 - i; /* frames from the nearer end */
    const float t = ((float)inner + .5f) / LENGTH, gain = inner < 0 || inner >= LENGTH ? 1 : t * t * (3 - 2 * t);
    expect(fabsf(samples[i * CHANNELS] - gain) < 1e-6f && samples[i * CHANNELS + 1] == samples[i * CHANNELS], "a fade");
  }
  for (int i = 0; i < FRAMES; i++) samples[i] = 1;
  va_cut_fade(samples, FRAMES, 1, 1000000, &open, true, LENGTH);
  for (int i = 0; i < FRAMES; i++) expect(samples[i] == 1, "it fades where speech was cut");
  va_cut_fade(samples, FRAMES, 1, 1000000, &cut, false, UINT64_MAX); /* half of the cut each */
  expect(samples[50] > .99f && samples[35] > .49f && samples[35] < .53f && samples[19] == 1, "a long fade");
}

/* A fade is the same wherever its cut is. */
static void fades_far_away(void) {
  float near[300], far[300];
  for (int bits = 31; bits < 64; bits++) {
    const uint64_t to = (1ull << bits) - 150;
    const va_cut cut = {.start = 10, .end = 290}, moved = {.start = to + 10, .end = to + 290};
    for (int i = 0; i < 300; i++) near[i] = far[i] = 1;
    va_cut_fade(near, 300, 1, 0, &cut, false, 100);
    va_cut_fade(far, 300, 1, to, &moved, false, 100);
    expect(near[60] < 1 && memcmp(near, far, sizeof near) == 0, "another fade, far away");
  }
}

int main(void) {
  static const uint32_t rates[] = {8000, 16000, 44100, 48000, 192000};
  settings();
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) cuts(rates[i], 20), cuts(rates[i], 10);
  fades();
  fades_far_away();
  return 0;
}
