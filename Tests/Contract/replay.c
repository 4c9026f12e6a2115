/* Replays streams.txt with the C library and prints it with the answers.
 *
 *     replay talk.s16 < streams.txt | diff streams.txt - */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "voice_activity.h"

enum { MOST = 65536, COPIES_MOST = 6, TALK_HZ = 8000 };
static int16_t talk[MOST], heard[MOST * COPIES_MOST];
static size_t talk_count;
static uint64_t position;
static va_config config;
static va_cut_rules rules;
static va_detector *detector;
static va_echo *echo;
static va_cutter *cutter;
static va_hop hops[4096], run;
static va_event events[64];
static size_t run_length;
static char cuts[MOST], answers[MOST];
static va_output output = {.events = events, .event_capacity = 64, .hops = hops, .hop_capacity = 4096};

static const char *const event_names[] =
    {"", "onset", "offset", "muted_speech_begin", "muted_speech_end", "discontinuity"};
static const char *const state_names[] = {"silence", "pending_onset", "speech", "hangover"};
enum { EVENTS = sizeof event_names / sizeof *event_names, STATES = sizeof state_names / sizeof *state_names };
static const char *const flag_names[] = {"speech", "muted", "muted_speech", "missing", "level_only", "echo"};
enum { FLAGS = sizeof flag_names / sizeof *flag_names };

static void fail(const char *what, const char *detail) {
  fprintf(stderr, "replay: %s: %s\n", what, detail);
  exit(1);
}

static void check(va_status_code code) {
  if (code != VA_OK) fail("refused", va_status_text(code));
}

static void end_run(void) {
  if (run_length == 0) return;
  char flags[64] = "";
  if (run.flags >> FLAGS || run.state >= STATES) fail("a flag or a state without a name", "add it to the names");
  for (int flag = 0; flag < FLAGS; flag++)
    if (run.flags >> flag & 1) sprintf(flags + strlen(flags), "%s%s", *flags ? "+" : "", flag_names[flag]);
  sprintf(answers + strlen(answers), "> hops %zu %s %s\n", run_length, state_names[run.state], *flags ? flags : "-");
  run_length = 0;
}

static void note(const va_cut *cut) {
  sprintf(cuts + strlen(cuts), "> cut %llu %llu %llu %d\n", (unsigned long long)cut->start,
          (unsigned long long)cut->end, (unsigned long long)cut->decided_at, cut->continues);
}

static void take(void) {
  for (size_t i = 0; i < output.hop_count; i++) {
    if (hops[i].state != run.state || hops[i].flags != run.flags) end_run();
    run = hops[i], run_length++;
  }
  for (size_t i = 0; i < output.event_count; i++) {
    if (events[i].type >= EVENTS) fail("an event without a name", "add it to event_names");
    printf("> event %s %llu %llu %llu\n", event_names[events[i].type], (unsigned long long)events[i].position,
           (unsigned long long)events[i].decided_at, (unsigned long long)events[i].length_samples);
  }
  for (va_cut cut; cutter != NULL && va_cutter_next(cutter, &output, &cut);) note(&cut);
}

static void hear(const int16_t *samples, size_t count) {
  do {
    size_t consumed;
    check(va_detector_process_s16(detector, echo, samples, count, &consumed, &output));
    take();
    samples += consumed, count -= consumed;
  } while (count > 0 || output.more);
}

static void fetch(void) {
  take();
  if (output.more) hear(heard, 0);
}

/* A sample of the talk, at its rate. */
static int16_t sample(long index, int shift) {
  return index < 0 || (size_t)index >= talk_count ? 0 : (int16_t)(talk[index] >> shift);
}

static void begin(bool with_echo) {
  if (detector != NULL) return;
  check(va_detector_create(&config, &detector));
  if (with_echo) check(va_echo_create(config.sample_rate_hz, &echo));
  if (rules.struct_size > 0) check(va_cutter_create(&rules, &config, &cutter));
  position = 0;
}

static void end(void) {
  if (detector == NULL) return;
  end_run();
  for (va_cut cut; cutter != NULL && va_cutter_finish(cutter, position, &cut);) note(&cut);
  va_status status = {.struct_size = sizeof status};
  check(va_detector_status(detector, &status));
  printf("%s%s> status %llu %llu\n", cuts, answers, (unsigned long long)status.hops,
         (unsigned long long)status.missing_samples);
  *cuts = *answers = 0;
  va_detector_destroy(detector), va_echo_destroy(echo), va_cutter_destroy(cutter);
  detector = NULL, echo = NULL, cutter = NULL;
}

typedef struct {
  const char *name;
  uint32_t *place;
} duration;

static const duration durations[] = {{"onset_debounce_ms", &config.onset_debounce_ms},
                                     {"hangover_ms", &config.hangover_ms},
                                     {"mute_grace_ms", &config.mute_grace_ms},
                                     {"mute_carry_over_ms", &config.mute_carry_over_ms},
                                     {"muted_speech_hold_ms", &config.muted_speech_hold_ms},
                                     {"muted_speech_release_ms", &config.muted_speech_release_ms},
                                     {NULL, NULL}};
static const duration lengths[] = {{"min_silence_ms", &rules.min_silence_ms}, {"min_speech_ms", &rules.min_speech_ms},
                                   {"max_length_ms", &rules.max_length_ms},   {"pad_before_ms", &rules.pad_before_ms},
                                   {"pad_after_ms", &rules.pad_after_ms},     {NULL, NULL}};

static void set_duration(const duration *all, const char *name, double value) {
  while (all->name != NULL && strcmp(name, all->name)) all++;
  if (all->name == NULL) fail("no setting", name);
  *all->place = (uint32_t)value;
}

static void set(const char *name, double value) {
  if (!strcmp(name, "onset_threshold")) va_config_move_thresholds(&config, (float)value);
  else if (!strcmp(name, "offset_threshold")) config.offset_threshold = (float)value;
  else set_duration(durations, name, value);
}

static void start(const char *line, char *name) {
  unsigned rate = 0;
  char preset[32];
  static const char *const presets[] = {"conversation", "notice", "transcription"};
  int place = 0;
  if (sscanf(line, "%*s %63s %u %31s", name, &rate, preset) != 3) fail("no stream", line);
  while (place < 3 && strcmp(preset, presets[place])) place++;
  check(va_config_preset(&config, rate, (va_preset)place)); /* refuses 3 */
  if (rate % TALK_HZ != 0 || rate > TALK_HZ * COPIES_MOST) fail("no rate to repeat the talk's samples at", line);
  rules = (va_cut_rules){0};
}

/* How many numbers a step has. */
static int numbers_of(const char *op) {
  static const struct {
    const char *op;
    int count;
  } steps[] = {{"hear", 3}, {"echo", 4}, {"mute", 1}, {"gap", 1}, {"level", 4}, {"margin", 1}, {"speaker", 2},
               {"gain", 1}, {"flush", 0}};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    if (!strcmp(op, steps[i].op)) return steps[i].count;
  fail("no step", op);
  return -1;
}

static void step(const char *op, double a, double b, double c, double d) {
  const long first = (long)a, count = (long)b, copies = (long)config.sample_rate_hz / TALK_HZ;
  if (!strcmp(op, "hear")) {
    for (long i = 0; i < count * copies; i++) heard[i] = sample(first + i / copies, (int)c);
    hear(heard, (size_t)(count * copies));
    position += (uint64_t)(count * copies);
  } else if (!strcmp(op, "echo")) {
    if (copies != 1) fail("an echo is heard at the talk's rate alone", op);
    for (long i = 0; i < count; i += 80) {
      for (long j = 0; j < 80; j++) heard[j] = sample(first + i + j - (long)c, (int)d);
      check(va_echo_push_s16(echo, talk + first + i, 80));
      hear(heard, 80);
    }
    position += (uint64_t)count;
  } else if (!strcmp(op, "mute")) {
    va_detector_set_muted(detector, a != 0);
  } else if (!strcmp(op, "gap")) {
    check(va_detector_push_gap(detector, echo, (uint64_t)a, &output));
    fetch();
    position += (uint64_t)a;
  } else if (!strcmp(op, "level")) {
    for (int i = 0; i < (int)a; i++) {
      check(va_detector_push_level(detector, (uint64_t)b, (uint8_t)c, d != 0, &output));
      fetch();
    }
    position += (uint64_t)(a * b);
  } else if (!strcmp(op, "margin")) {
    check(va_detector_set_speaker_margin(detector, (float)a));
  } else if (!strcmp(op, "speaker")) {
    check(va_detector_set_speaker_level(detector, (float)a, (uint32_t)b));
  } else if (!strcmp(op, "gain")) {
    check(va_detector_change_input_gain(detector, (float)a));
  } else {
    do {
      check(va_detector_flush(detector, echo, &output));
      take();
    } while (output.more);
  }
}

int main(int count, char **arguments) {
  FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
  if (file == NULL) return fprintf(stderr, "usage: replay talk.s16 < streams.txt\n"), 1;
  talk_count = fread(talk, 2, MOST, file);
  fclose(file);
  char line[256], op[16], name[64] = "", rest[2];
  while (fgets(line, sizeof line, stdin) != NULL) {
    if (*line == '>') continue;
    if (*line == '\n') end();
    fputs(line, stdout);
    double a = 0, b = 0, c = 0, d = 0;
    if (*line == '#' || sscanf(line, "%15s", op) < 1) continue;
    const int numbers = sscanf(line, "%*s %lf %lf %lf %lf %1s", &a, &b, &c, &d, rest);
    if (!strcmp(op, "stream") || !strcmp(op, "set") || !strcmp(op, "rule")) {
      char setting[64];
      if (detector != NULL) fail("too late, a stream has begun", line);
      if (!strcmp(op, "stream")) {
        start(line, name);
        continue;
      }
      if (sscanf(line, "%*s %63s %lf %1s", setting, &a, rest) != 2) fail("no name and number", line);
      if (!strcmp(op, "set")) set(setting, a);
      else rules.struct_size = sizeof rules, set_duration(lengths, setting, a);
      continue;
    }
    if ((numbers < 0 ? 0 : numbers) != numbers_of(op)) fail("another count of numbers", line);
    if ((!strcmp(op, "hear") || !strcmp(op, "echo")) && (a < 0 || b < 0 || a + b > (double)talk_count))
      fail("talk.s16 is too short", line);
    begin(strstr(name, "echo") != NULL);
    step(op, a, b, c, d);
  }
  end();
  return 0;
}
