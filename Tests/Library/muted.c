/* muted.c — the gate and the notice of speaking while muted, by what the header says of them: edges, the rows of
 * Tests/Contract/speaking-while-muted.txt, and random inputs beside a naive model. The model of the gate reads its
 * whole history anew each time; that of the notice is a list of intervals. Built and run by
 * Scripts/check-library.sh. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <voice_activity.h>

static const char *const names[] = {
    /* contract: requirement */
    [VA_REQUIREMENT_SUPPORTED_BY_RUNTIME] = "supported_by_runtime",
    [VA_REQUIREMENT_ENABLED] = "enabled",
    [VA_REQUIREMENT_SESSION_ACTIVE] = "session_active",
    [VA_REQUIREMENT_SESSION_RECORDS] = "session_records",
    [VA_REQUIREMENT_SESSION_IS_CONVERSATION] = "session_is_conversation",
    [VA_REQUIREMENT_ALLOWED_TO_SEND_AUDIO] = "allowed_to_send_audio",
    [VA_REQUIREMENT_RECORDING_PERMITTED] = "recording_permitted",
    [VA_REQUIREMENT_PLAYOUT_IS_NOT_STEREO] = "playout_is_not_stereo",
    [VA_REQUIREMENT_MICROPHONE_MUTED] = "microphone_muted",
    [VA_REQUIREMENT_DATA_FLOWING] = "data_flowing",
    /* contract end */
};
enum { REQUIREMENTS = sizeof names / sizeof *names };

static void expect(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "muted: %s\n", what);
  exit(1);
}

/* MARK: edges */

static void gate_edges(void) {
  va_speaking_gate gate;
  memset(&gate, 0xee, sizeof gate);
  va_speaking_gate_init(&gate);
  expect(!gate.is_speaking && gate.unmet == 1u << VA_REQUIREMENT_MICROPHONE_MUTED, "a new gate");
  const va_speaking_gate before = gate;
  const unsigned unknown[] = {REQUIREMENTS, REQUIREMENTS + 1, 30, 31, 32, 64, 0x7fffffff, 0xffffffff};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
    for (int is_met = 0; is_met < 2; is_met++) {
      expect(!va_speaking_gate_set(&gate, (va_requirement)unknown[i], is_met),
             "an unknown requirement changes the value");
      expect(gate.unmet == before.unmet, "an unknown requirement is lost or met");
    }
  va_speaking_gate_set(&gate, VA_REQUIREMENT_MICROPHONE_MUTED, true);
  va_speaking_gate copy = gate;
  expect(va_speaking_gate_set_speech(&copy, true) && copy.is_speaking && !gate.is_speaking, "a copy is not its own");
  for (uint32_t type = 0; type < 40; type++) {
    const bool begins = type == VA_EVENT_MUTED_SPEECH_BEGIN, matters = begins || type == VA_EVENT_MUTED_SPEECH_END;
    va_speaking_gate_set_speech(&copy, !begins);
    expect(va_speaking_gate_handle(&copy, type) == matters && copy.is_speaking == (begins || !matters), "an event");
  }
  va_speaking_gate_set(&copy, VA_REQUIREMENT_ENABLED, false);
  va_speaking_gate_end(&copy);
  expect(copy.unmet == (1u << 31 | 1u << VA_REQUIREMENT_ENABLED), "unmet at the end of the call");
  for (unsigned i = 0; i < 64; i++) va_speaking_gate_set(&copy, (va_requirement)i, true);
  expect(copy.unmet == 1u << 31 && !va_speaking_gate_set_speech(&copy, true), "a call begins again after its end");
}

static uint64_t rise(va_muted_notice *notice, int64_t now_ms) {
  va_muted_notice_update(notice, false, now_ms);
  va_muted_notice_update(notice, true, now_ms);
  return notice->shown;
}

static void notice_edges(void) {
  va_muted_notice notice;
  memset(&notice, 0xee, sizeof notice);
  va_muted_notice_init(&notice);
  expect(notice.duration_ms == VA_NOTICE_MS && notice.interval_ms == 0 && notice.is_enabled &&
         !notice.is_once_per_mute &&
             notice.shown == 0 && notice.count == 0 && !notice.is_speaking,
         "a new notice");
  expect(rise(&notice, INT64_MIN) == 1 && notice.ends_at_ms == INT64_MIN + VA_NOTICE_MS, "the earliest time");
  expect(rise(&notice, INT64_MAX) == 2 && notice.ends_at_ms == INT64_MAX, "the latest time");
  expect(rise(&notice, INT64_MAX) == 2 && va_muted_notice_dismiss(&notice, 2), "a notice at the latest time stays");
  va_muted_notice_init(&notice);
  notice.duration_ms = 0;
  expect(rise(&notice, 5) == 1 && !va_muted_notice_update(&notice, true, 4) && va_muted_notice_update(&notice, true, 5),
         "a notice of no length ends with the next update");
  notice.duration_ms = -1;
  expect(rise(&notice, 7) == 2 && notice.ends_at_ms == 7, "a negative length is none");
  va_muted_notice_init(&notice);
  notice.duration_ms = INT64_MAX;
  expect(rise(&notice, 5) == 1 && rise(&notice, INT64_MAX) == 1, "INT64_MAX does not last until the dismissal");
  expect(va_muted_notice_dismiss(&notice, 1) && !va_muted_notice_dismiss(&notice, 1), "a dismissal");
  notice.interval_ms = -1;
  expect(rise(&notice, INT64_MAX) == 2, "a negative interval is none");
  va_muted_notice_dismiss(&notice, 2);
  notice.interval_ms = 1;
  expect(rise(&notice, 0) == 0, "a clock that runs backwards shows a notice");
}

/* MARK: the table */

/* Takes one step of the table, in the order that its head describes. */
static bool take(va_speaking_gate *gate, va_muted_notice *notice, int64_t ms, const char *input, long on) {
  bool changed = false;
  size_t requirement = 0;
  while (requirement < REQUIREMENTS && strcmp(names[requirement], input) != 0) requirement++;
  if (requirement < REQUIREMENTS) {
    changed = va_speaking_gate_set(gate, (va_requirement)requirement, on);
    if (requirement == VA_REQUIREMENT_MICROPHONE_MUTED && !on) va_muted_notice_unmuted(notice);
  } else if (strcmp(input, "speech") == 0 || strcmp(input, "input_replaced") == 0) {
    changed = va_speaking_gate_set_speech(gate, on);
  } else if (strcmp(input, "end") == 0) {
    changed = va_speaking_gate_end(gate);
  } else if (strcmp(input, "dismiss") == 0) {
    const uint64_t shown = notice->shown;
    const bool hidden = va_muted_notice_dismiss(notice, (uint64_t)on);
    expect(hidden == (on != 0 && shown == (uint64_t)on), "what a dismissal returns");
  } else if (strcmp(input, "is_enabled") == 0) {
    notice->is_enabled = on;
  } else if (strcmp(input, "is_once_per_mute") == 0) {
    notice->is_once_per_mute = on;
  } else if (strcmp(input, "interval_ms") == 0) {
    notice->interval_ms = on;
  } else {
    expect(strcmp(input, "wait") == 0, input);
  }
  const uint64_t shown = notice->shown;
  const bool differs = va_muted_notice_update(notice, gate->is_speaking, ms);
  expect(differs == (notice->shown != shown), "what an update returns");
  return changed;
}

static void table(const char *path) {
  va_speaking_gate gate;
  va_muted_notice notice;
  char line[256], row[256] = "", input[64];
  unsigned ids = 0, steps = 0;
  FILE *file = fopen(path, "r");
  expect(file != NULL, path);
  while (fgets(line, sizeof line, file)) {
    int64_t ms;
    long on;
    unsigned id, changed, value, detecting, shown, still;
    line[strcspn(line, "\n")] = 0;
    if (*line == 0 || *line == '#') continue;
    if (strncmp(line, "row ", 4) == 0) {
      strcpy(row, line);
      va_speaking_gate_init(&gate);
      va_muted_notice_init(&notice);
      if (sscanf(line, "row SM-%u", &id) == 1) expect(id == ++ids, row);
    } else if (strncmp(line, "text ", 5) == 0) {
      expect(strcmp(line + 5, VA_NOTICE_TEXT) == 0, row);
    } else {
      expect(sscanf(line, "%" SCNd64 " %63s %ld %u %u %u %u %u", &ms, input, &on, &changed, &value, &detecting, &shown,
                    &still) == 8, line);
      const bool is = take(&gate, &notice, ms, input, on);
      const bool is_still = notice.is_speaking && notice.shown == 0;
      steps++;
      if (is == changed && gate.is_speaking == value && (gate.unmet == 0) == detecting && notice.shown == shown &&
          is_still == still) continue;
      fprintf(stderr, "muted: %s: '%s' gave %d %d %d %" PRIu64 " %d\n", row, line, is, gate.is_speaking,
              gate.unmet == 0, notice.shown, is_still);
      exit(1);
    }
  }
  fclose(file);
  expect(ids == 19 && steps > 100, "the table lacks rows SM-01 to SM-19");
}

/* MARK: random inputs */

static uint32_t draw(uint64_t *seed, uint32_t below) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*seed >> 33) % below;
}

/* An input of the gate: a requirement that is met (1) or lost (0), speech that begins or ends, or the end of the
 * call. */
enum { SPEECH = REQUIREMENTS, END, KINDS, STEPS = 200 };
typedef struct input {
  unsigned kind;
  bool on;
} input;

/* Whether all requirements are met after `count` inputs, each by its last one. */
static bool is_detecting(const input *history, size_t count) {
  for (unsigned requirement = 0; requirement < REQUIREMENTS; requirement++) {
    bool is_met = requirement != VA_REQUIREMENT_MICROPHONE_MUTED;
    for (size_t i = 0; i < count; i++)
      if (history[i].kind == requirement) is_met = history[i].on;
    if (!is_met) return false;
  }
  for (size_t i = 0; i < count; i++)
    if (history[i].kind == END) return false;
  return true;
}

/* Whether speech began while detecting, and nothing has been lost or has ended since. */
static bool is_speaking(const input *history, size_t count) {
  for (size_t i = count; i-- > 0;) {
    if (history[i].kind == END || !history[i].on) return false;
    if (history[i].kind == SPEECH && is_detecting(history, i)) return true;
  }
  return false;
}

/* Returns how often the value rose. */
static unsigned random_gate(uint64_t seed) {
  input history[STEPS];
  va_speaking_gate gate;
  unsigned rises = 0;
  va_speaking_gate_init(&gate);
  for (size_t n = 0; n < STEPS; n++) {
    /* Mostly what raises the value: otherwise one of the ten requirements would nearly always be lost. */
    static const unsigned raising[] = {VA_REQUIREMENT_MICROPHONE_MUTED, SPEECH, SPEECH};
    input next = {draw(&seed, END), draw(&seed, 12) > 0};
    if (draw(&seed, 3) == 0) next = (input){raising[draw(&seed, 3)], true};
    if (n == STEPS - 20) next = (input){END, true};
    const bool before = is_speaking(history, n);
    history[n] = next;
    const bool now = is_speaking(history, n + 1);
    const bool changed = next.kind == END      ? va_speaking_gate_end(&gate)
                         : next.kind == SPEECH ? va_speaking_gate_set_speech(&gate, next.on)
                                               : va_speaking_gate_set(&gate, (va_requirement)next.kind, next.on);
    expect(gate.is_speaking == now && changed == (now != before), "a random history gives another value");
    expect((gate.unmet == 0) == is_detecting(history, n + 1), "a random history detects otherwise");
    rises += now && !before;
  }
  return rises;
}

typedef struct shown {
  int64_t from, until; /* until: its time is over, or it was dismissed */
  unsigned mute;
} shown;

/* The number of the notice whose interval has the time. */
static uint64_t number_at(const shown *notices, size_t count, int64_t now) {
  for (size_t i = 0; i < count; i++)
    if (notices[i].from <= now && now < notices[i].until) return i + 1;
  return 0;
}

/* Returns how many notices were shown. */
static size_t random_notice(uint64_t seed) {
  static const int64_t durations[] = {1, 500, 2000}, intervals[] = {0, 1500, 2000, 5000};
  shown notices[STEPS];
  va_muted_notice notice;
  va_muted_notice_init(&notice);
  const int64_t duration = notice.duration_ms = durations[draw(&seed, 3)];
  const int64_t interval = notice.interval_ms = intervals[draw(&seed, 4)];
  const bool is_once = notice.is_once_per_mute = draw(&seed, 4) == 0;
  int64_t now = draw(&seed, 1000);
  bool was_speaking = false;
  unsigned mute = 0;
  size_t count = 0;
  for (size_t n = 0; n < STEPS; n++, now += draw(&seed, 700)) {
    const uint32_t kind = draw(&seed, 12);
    if (kind == 0) va_muted_notice_unmuted(&notice), mute++;
    if (kind == 1) notice.is_enabled = !notice.is_enabled;
    const bool speaks = draw(&seed, 2);
    bool is_due = speaks && !was_speaking && notice.is_enabled && number_at(notices, count, now) == 0;
    if (count > 0 && now < notices[count - 1].from + interval) is_due = false;
    for (size_t i = 0; i < count; i++)
      if (is_once && notices[i].mute == mute) is_due = false;
    if (is_due) notices[count++] = (shown){now, now + duration, mute};
    was_speaking = speaks;
    const uint64_t before = notice.shown;
    expect(va_muted_notice_update(&notice, speaks, now) == (notice.shown != before), "what an update returns");
    expect(notice.shown == number_at(notices, count, now) && notice.count == count, "random rises show other notices");
    if (kind == 2 && count > 0) {
      const uint64_t number = 1 + draw(&seed, (uint32_t)count);
      const bool hides = number_at(notices, count, now) == number;
      if (hides) notices[number - 1].until = now;
      expect(va_muted_notice_dismiss(&notice, number) == hides, "a random dismissal");
      expect(notice.shown == number_at(notices, count, now), "a dismissal hides another notice");
    }
  }
  return count;
}

int main(int argc, char **argv) {
  expect(argc == 2, "give the table");
  gate_edges();
  notice_edges();
  table(argv[1]);
  unsigned rises = 0;
  size_t shown = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) rises += random_gate(seed), shown += random_notice(seed);
  expect(rises > 1000 && shown > 1000, "too little happened to prove anything");
  return 0;
}
