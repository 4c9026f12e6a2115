/* Replays streams.txt with the C library and prints it with the answers.
 *
 *     replay talk.s16 < streams.txt | diff streams.txt - */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "voice_activity.h"

enum { MOST = 65536 };
static int16_t talk[MOST], heard[MOST];
static size_t talk_count;
static va_config config;
static va_detector *detector;
static va_echo *echo;
static va_hop hops[4096], run;
static va_event events[64];
static size_t run_length;
static char answers[MOST];
static va_output output = {.events = events, .event_capacity = 64, .hops = hops, .hop_capacity = 4096};

static const char *const event_names[] = {"", "onset", "offset", "muted_speech_begin", "muted_speech_end", "discontinuity"};
static const char *const state_names[] = {"silence", "pending_onset", "speech", "hangover"};
static const char *const flag_names[] = {"speech", "muted", "muted_speech", "missing", "level_only", "echo"};

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
  if (run.flags >> 6) fail("a flag without a name", "add it to flag_names");
  for (int flag = 0; flag < 6; flag++)
    if (run.flags >> flag & 1) sprintf(flags + strlen(flags), "%s%s", *flags ? "+" : "", flag_names[flag]);
  sprintf(answers + strlen(answers), "> hops %zu %s %s\n", run_length, state_names[run.state], *flags ? flags : "-");
  run_length = 0;
}

static void take(void) {
  for (size_t i = 0; i < output.hop_count; i++) {
    if (hops[i].state != run.state || hops[i].flags != run.flags) end_run();
    run = hops[i], run_length++;
  }
  for (size_t i = 0; i < output.event_count; i++)
    printf("> event %s %llu %llu %llu\n", event_names[events[i].type], (unsigned long long)events[i].position,
           (unsigned long long)events[i].decided_at, (unsigned long long)events[i].length_samples);
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

static int16_t sample(long index, int shift) {
  return index < 0 || (size_t)index >= talk_count ? 0 : (int16_t)(talk[index] >> shift);
}

static void begin(bool with_echo) {
  if (detector != NULL) return;
  check(va_detector_create(&config, &detector));
  if (with_echo) check(va_echo_create(config.sample_rate_hz, &echo));
}

static void end(void) {
  if (detector == NULL) return;
  end_run();
  va_status status = {.struct_size = sizeof status};
  check(va_detector_status(detector, &status));
  printf("%s> status %llu %llu\n", answers, (unsigned long long)status.hops,
         (unsigned long long)status.missing_samples);
  *answers = 0;
  va_detector_destroy(detector), va_echo_destroy(echo);
  detector = NULL, echo = NULL;
}

static void set(const char *name, double value) {
  static const struct {
    const char *name;
    uint32_t *place;
  } durations[] = {{"onset_debounce_ms", &config.onset_debounce_ms},
                   {"hangover_ms", &config.hangover_ms},
                   {"mute_grace_ms", &config.mute_grace_ms},
                   {"mute_carry_over_ms", &config.mute_carry_over_ms},
                   {"muted_speech_hold_ms", &config.muted_speech_hold_ms},
                   {"muted_speech_release_ms", &config.muted_speech_release_ms}};
  if (!strcmp(name, "onset_threshold")) {
    va_config_move_thresholds(&config, (float)value);
    return;
  }
  if (!strcmp(name, "offset_threshold")) {
    config.offset_threshold = (float)value;
    return;
  }
  for (size_t i = 0; i < sizeof durations / sizeof *durations; i++)
    if (!strcmp(name, durations[i].name)) {
      *durations[i].place = (uint32_t)value;
      return;
    }
  fail("no setting", name);
}

int main(int count, char **arguments) {
  FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
  if (file == NULL) return fprintf(stderr, "usage: replay talk.s16 < streams.txt\n"), 1;
  talk_count = fread(talk, 2, MOST, file);
  fclose(file);
  char line[256], op[16], name[64], preset[32];
  while (fgets(line, sizeof line, stdin) != NULL) {
    if (*line == '>') continue;
    if (*line == '\n') end();
    fputs(line, stdout);
    double a = 0, b = 0, c = 0, d = 0;
    if (*line == '#' || sscanf(line, "%15s %lf %lf %lf %lf", op, &a, &b, &c, &d) < 1) continue;
    if (!strcmp(op, "stream")) {
      unsigned rate = 0;
      sscanf(line, "%*s %63s %u %31s", name, &rate, preset);
      static const char *const presets[] = {"conversation", "notice", "transcription"};
      int place = 0;
      while (place < 3 && strcmp(preset, presets[place])) place++;
      check(va_config_preset(&config, rate, (va_preset)place)); /* refuses 3 */
      continue;
    }
    if (!strcmp(op, "set")) {
      sscanf(line, "%*s %63s %lf", name, &a);
      set(name, a);
      continue;
    }
    if ((!strcmp(op, "hear") || !strcmp(op, "echo")) && (a < 0 || b < 0 || a + b > (double)talk_count))
      fail("talk.s16 is too short", line);
    begin(strstr(name, "echo") != NULL);
    if (!strcmp(op, "hear")) {
      for (long i = 0; i < (long)b; i++) heard[i] = sample((long)a + i, (int)c);
      hear(heard, (size_t)b);
    } else if (!strcmp(op, "echo")) {
      for (long i = 0; i < (long)b; i += 80) {
        for (long j = 0; j < 80; j++) heard[j] = sample((long)a + i + j - (long)c, (int)d);
        check(va_echo_push_s16(echo, talk + (long)a + i, 80));
        hear(heard, 80);
      }
    } else if (!strcmp(op, "mute")) {
      va_detector_set_muted(detector, a != 0);
    } else if (!strcmp(op, "gap")) {
      check(va_detector_push_gap(detector, echo, (uint64_t)a, &output));
      fetch();
    } else if (!strcmp(op, "level")) {
      for (int i = 0; i < (int)a; i++) {
        check(va_detector_push_level(detector, (uint64_t)b, (uint8_t)c, d != 0, &output));
        fetch();
      }
    } else if (!strcmp(op, "margin")) {
      check(va_detector_set_speaker_margin(detector, (float)a));
    } else if (!strcmp(op, "speaker")) {
      check(va_detector_set_speaker_level(detector, (float)a, (uint32_t)b));
    } else if (!strcmp(op, "gain")) {
      check(va_detector_change_input_gain(detector, (float)a));
    } else if (!strcmp(op, "flush")) {
      do {
        check(va_detector_flush(detector, echo, &output));
        take();
      } while (output.more);
    } else {
      fail("no step", line);
    }
  }
  end();
  return 0;
}
