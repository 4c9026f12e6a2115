/* config.c — va_config, by what the header says of it: presets, limits, what a detector gives back, and that each field
 * decides what it is said to decide. The oracle is arithmetic on hops: va_detector_push_level makes posteriors of 0 and
 * 1. Built and run by Scripts/check-library.sh. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <voice_activity.h>

enum { RATE = 16000, HOP = RATE / 100, LONGEST_MS = 3600000, NEVER = -1 };

static _Alignas(VA_DETECTOR_ALIGNMENT) unsigned char memory[8192];

static void expect(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "config: %s\n", what);
  exit(1);
}

static va_config defaults(void) {
  va_config config;
  expect(va_config_default(&config, RATE) == VA_OK, "va_config_default");
  return config;
}

static va_status_code init(const va_config *config, va_detector **detector) {
  va_status_code code = va_detector_init(memory, sizeof memory, config, detector);
  expect(va_config_check(config) == code, "va_config_check and va_detector_init disagree");
  return code;
}

/* Field by field: bytes between fields are nobody's. */
static bool same(const va_config *a, const va_config *b) {
  return a->struct_size == b->struct_size && a->sample_rate_hz == b->sample_rate_hz &&
         a->onset_threshold == b->onset_threshold && a->offset_threshold == b->offset_threshold &&
         a->onset_debounce_ms == b->onset_debounce_ms && a->hangover_ms == b->hangover_ms &&
         a->mute_grace_ms == b->mute_grace_ms && a->mute_carry_over_ms == b->mute_carry_over_ms &&
         a->muted_speech_hold_ms == b->muted_speech_hold_ms && a->muted_speech_release_ms == b->muted_speech_release_ms;
}

/* MARK: presets */

static void presets(void) {
  va_config untouched, config, first = defaults();
  va_detector *detector;
  memset(&untouched, 0xee, sizeof untouched);
  config = untouched;
  expect(va_config_preset(&config, RATE, (va_preset)3) == VA_ERROR_ARGUMENT, "there is no preset 3");
  expect(va_config_preset(&config, RATE, (va_preset)-1) == VA_ERROR_ARGUMENT, "there is no preset -1");
  expect(memcmp(&config, &untouched, sizeof config) == 0, "an unknown preset touches the configuration");
  expect(va_config_preset(NULL, RATE, VA_PRESET_NOTICE) == VA_ERROR_ARGUMENT, "NULL is no configuration");
  expect(va_config_default(NULL, RATE) == VA_ERROR_ARGUMENT, "NULL is no configuration");
  expect(va_config_check(NULL) == VA_ERROR_ARGUMENT, "NULL is no configuration");
  for (int preset = VA_PRESET_CONVERSATION; preset <= VA_PRESET_TRANSCRIPTION; preset++) {
    expect(va_config_preset(&config, 48000, (va_preset)preset) == VA_OK, "va_config_preset");
    expect(config.struct_size == sizeof config && config.sample_rate_hz == 48000, "a preset sets size and rate");
    expect(init(&config, &detector) == VA_OK, "a preset is refused");
    expect((preset == VA_PRESET_CONVERSATION) == (config.onset_threshold == first.onset_threshold), "presets differ");
    config.sample_rate_hz = RATE;
    config.onset_threshold = first.onset_threshold, config.offset_threshold = first.offset_threshold;
    config.onset_debounce_ms = first.onset_debounce_ms, config.hangover_ms = first.hangover_ms;
    expect(same(&config, &first), "a preset sets more than thresholds, debounce and hangover");
  }
}

/* MARK: limits */

static void limits_of_durations(void) {
  va_config config = defaults();
  va_detector *detector = NULL;
  uint32_t *const durations[] = {&config.onset_debounce_ms,  &config.hangover_ms,          &config.mute_grace_ms,
                                 &config.mute_carry_over_ms, &config.muted_speech_hold_ms,
                                 &config.muted_speech_release_ms};
  for (size_t i = 0; i < sizeof durations / sizeof *durations; i++) {
    config = defaults();
    for (uint32_t ms = 0; ms <= LONGEST_MS; ms += LONGEST_MS) {
      *durations[i] = ms;
      expect(init(&config, &detector) == VA_OK, "a duration up to an hour is refused");
    }
    *durations[i] = LONGEST_MS + 1;
    expect(init(&config, &detector) == VA_ERROR_DURATION, "a duration above an hour is taken");
  }
}

static void limits_of_thresholds(void) {
  va_detector *detector = NULL;
  static const struct {
    float onset, offset;
    bool good;
  } thresholds[] = {{.5f, .5f, true},   {.999f, .001f, true}, {.5f, .501f, false}, {1, .5f, false},
                    {.5f, 0, false},    {.5f, -.1f, false},   {NAN, .5f, false},   {.5f, NAN, false}};
  for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++) {
    va_config config = defaults();
    config.onset_threshold = thresholds[i].onset, config.offset_threshold = thresholds[i].offset;
    expect(init(&config, &detector) == (thresholds[i].good ? VA_OK : VA_ERROR_THRESHOLD), "the thresholds' limits");
  }
}

static void limits_of_rates(void) {
  va_detector *detector = NULL;
  static const struct {
    uint32_t hz;
    bool good;
  } rates[] = {{0, false}, {7999, false}, {8000, true}, {44100, true}, {192000, true}, {192001, false}};
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
    va_config config = defaults();
    config.sample_rate_hz = rates[i].hz;
    expect(init(&config, &detector) == (rates[i].good ? VA_OK : VA_ERROR_SAMPLE_RATE), "the rate's limits");
  }
}

/* All fields are wrong, then corrected in the order in which they are reported. */
static void order_of_limits(void) {
  va_config config = {.hangover_ms = LONGEST_MS + 1};
  va_detector *detector = NULL;
  expect(init(&config, &detector) == VA_ERROR_STRUCT_SIZE, "the size is reported first");
  config.struct_size = sizeof config;
  expect(init(&config, &detector) == VA_ERROR_SAMPLE_RATE, "then the rate");
  config.sample_rate_hz = RATE;
  expect(init(&config, &detector) == VA_ERROR_THRESHOLD, "then the thresholds");
  config.onset_threshold = config.offset_threshold = .5f;
  expect(init(&config, &detector) == VA_ERROR_DURATION, "then the durations");
  expect(detector == NULL, "a refused configuration makes a detector");
  config.hangover_ms = 0;
  expect(init(&config, &detector) == VA_OK && detector != NULL, "a mended configuration is refused");
}

/* MARK: what a detector gives back */

static void given_back(void) {
  static unsigned char bytes[6144];
  const va_config asked = {sizeof asked, 44100, .61f, .37f, 31, 42, 53, 64, 75, 86}; /* each a value of its own */
  va_config told = {.struct_size = sizeof told};
  va_detector *detector;
  size_t size;
  expect(init(&asked, &detector) == VA_OK, "va_detector_init");
  expect(va_detector_config(detector, &told) == VA_OK && same(&told, &asked),
         "another configuration than was asked for");
  va_detector_reset(detector);
  memset(&told, 0, sizeof told);
  told.struct_size = sizeof told;
  expect(va_detector_config(detector, &told) == VA_OK && same(&told, &asked), "a reset changes the configuration");
  expect(va_detector_save(detector, bytes, sizeof bytes, &size) == VA_OK, "va_detector_save");
  expect(va_detector_restore(memory, sizeof memory, bytes, size, &detector) == VA_OK, "va_detector_restore");
  memset(&told, 0, sizeof told);
  expect(va_detector_config(detector, &told) == VA_ERROR_STRUCT_SIZE && told.sample_rate_hz == 0, "no size was set");
  told.struct_size = sizeof told;
  expect(va_detector_config(detector, &told) == VA_OK && same(&told, &asked), "a move changes the configuration");
  expect(va_detector_config(NULL, &told) == VA_ERROR_ARGUMENT, "NULL is no detector");
  expect(va_detector_config(detector, NULL) == VA_ERROR_ARGUMENT, "NULL is no configuration");
}

/* MARK: what the durations decide */

/* The position of the first event of each type, or NEVER, in hops. */
typedef struct found {
  int at[VA_EVENT_DISCONTINUITY], decided_at[VA_EVENT_DISCONTINUITY];
} found;

static void note(found *found, const va_output *output) {
  for (size_t i = 0; i < output->event_count; i++) {
    const va_event *event = &output->events[i];
    expect(event->position % HOP == 0 && event->type < VA_EVENT_DISCONTINUITY, "an event between hops, or a gap");
    if (found->at[event->type] != NEVER) continue;
    found->at[event->type] = (int)(event->position / HOP);
    found->decided_at[event->type] = (int)(event->decided_at / HOP);
  }
}

/* A stream of 400 hops with a voice in hops from … to, muted from hop `muted` on. */
static found follow(const va_config *config, int from, int to, int muted) {
  va_event events[64];
  va_output output = {.events = events, .event_capacity = 64};
  va_detector *detector;
  found found;
  for (int type = 0; type < VA_EVENT_DISCONTINUITY; type++) found.at[type] = found.decided_at[type] = NEVER;
  expect(init(config, &detector) == VA_OK, "va_detector_init");
  for (int hop = 0; hop < 400; hop++) {
    const bool voice = hop >= from && hop < to;
    if (hop == muted) va_detector_set_muted(detector, true);
    expect(va_detector_push_level(detector, HOP, voice ? 30 : 90, voice, &output) == VA_OK, "va_detector_push_level");
    note(&found, &output);
  }
  return found;
}

/* Whole hops, rounded up; a decision takes the hop itself even where nothing is waited for. */
static int hops_of(uint32_t ms) { return (int)((ms + 9) / 10); }
static int at_least_one(int hops) { return hops > 0 ? hops : 1; }

static void speech(void) {
  static const uint32_t values[] = {0, 1, 10, 11, 95, 300};
  const int lookahead = (int)va_detector_lookahead_ms() / 10, from = 50, to = 100;
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    va_config config = defaults();
    const int hops = at_least_one(hops_of(values[i]));
    config.onset_debounce_ms = values[i];
    found found = follow(&config, from, to, NEVER);
    expect(found.at[VA_EVENT_ONSET] == from, "an onset is not where the voice begins");
    expect(found.decided_at[VA_EVENT_ONSET] == from + hops + lookahead, "an onset is not decided after the debounce");
    expect(follow(&config, from, from + hops, NEVER).at[VA_EVENT_ONSET] == from, "as long as the debounce is enough");
    expect(follow(&config, from, from + hops - 1, NEVER).at[VA_EVENT_ONSET] == NEVER,
           "shorter than the debounce is not");
    config = defaults();
    config.hangover_ms = values[i];
    found = follow(&config, from, to, NEVER);
    expect(found.at[VA_EVENT_OFFSET] == to, "an offset is not where the voice ends");
    expect(found.decided_at[VA_EVENT_OFFSET] == to + hops + lookahead, "an offset is not decided after the hangover");
  }
}

/* Muted at 50. Speech that begins with the end of the grace or later counts at once, speech from before it as soon as
 * it has run for the carry-over beyond. */
static void muted_speech(void) {
  const int muted = 50;
  va_config config = defaults();
  config.onset_debounce_ms = config.hangover_ms = 10;
  config.mute_grace_ms = 195, config.mute_carry_over_ms = 401;
  const int grace_end = muted + hops_of(config.mute_grace_ms), carried = grace_end + hops_of(config.mute_carry_over_ms);
  expect(follow(&config, grace_end, 300, muted).at[VA_EVENT_MUTED_SPEECH_BEGIN] == grace_end,
         "speech behind the grace");
  expect(follow(&config, grace_end - 1, 300, muted).at[VA_EVENT_MUTED_SPEECH_BEGIN] == carried,
         "speech within the grace");
  expect(follow(&config, 20, 300, muted).at[VA_EVENT_MUTED_SPEECH_BEGIN] == carried, "speech from before the mute");
  expect(follow(&config, 20, carried - 5, muted).at[VA_EVENT_MUTED_SPEECH_BEGIN] == NEVER, "the end of a sentence");
  expect(follow(&config, 20, 300, NEVER).at[VA_EVENT_MUTED_SPEECH_BEGIN] == NEVER, "nobody is muted");

  /* It lasts for the hold, and until the release after the last hop of speech is over: whichever is later. */
  static const struct {
    uint32_t hold, release;
  } cases[] = {{0, 0}, {0, 155}, {1000, 0}, {1000, 155}, {1, 1500}};
  const int from = 100, to = 130;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    config.muted_speech_hold_ms = cases[i].hold, config.muted_speech_release_ms = cases[i].release;
    const int held = from + hops_of(cases[i].hold), released = to + hops_of(cases[i].release);
    found found = follow(&config, from, to, muted);
    expect(found.at[VA_EVENT_MUTED_SPEECH_BEGIN] == from, "muted speech begins with the speech");
    expect(found.at[VA_EVENT_MUTED_SPEECH_END] == (held > released ? held : released), "hold and release");
  }
}

int main(void) {
  expect(sizeof(va_config) == 40, "va_config has another size than those who were compiled with it believe");
  presets();
  limits_of_durations();
  limits_of_thresholds();
  limits_of_rates();
  order_of_limits();
  given_back();
  speech();
  muted_speech();
  return 0;
}
