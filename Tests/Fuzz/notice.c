/* notice.c — the gate and the notice of "You are muted", from any events at any times, against what voice_activity.h
 * says of them, written a second time: flags for the requirements, and times that cannot overflow. */
#include <stdbool.h>
#include <string.h>

#include "fuzz.h"
#include "voice_activity.h"

enum { REQUIREMENTS = 10, STEPS_MOST = 400 };
typedef __int128 wide;

/* MARK: the gate */

typedef struct gate_model {
  bool is_met[REQUIREMENTS], has_ended, is_speaking;
} gate_model;

static bool allows(const gate_model *model) {
  for (int i = 0; i < REQUIREMENTS; i++)
    if (!model->is_met[i]) return false;
  return !model->has_ended;
}

/* A requirement that is met again, and an event that is not of muted speech, do not begin speech. */
static void step_gate(va_speaking_gate *gate, gate_model *model, reader *in) {
  const bool was = model->is_speaking, given = next_byte(in) & 1;
  const uint8_t what = next_byte(in);
  const uint32_t number = what & 128 ? next_32_bits(in) : (what >> 2) % 16;
  bool changed;
  if (what == 3) {
    model->has_ended = true;
    changed = va_speaking_gate_end(gate);
  } else if (what % 4 == 0) {
    if (number < REQUIREMENTS) model->is_met[number] = given;
    changed = va_speaking_gate_set(gate, (va_requirement)number, given);
  } else if (what % 4 == 1) {
    if (number == VA_EVENT_MUTED_SPEECH_BEGIN || number == VA_EVENT_MUTED_SPEECH_END)
      model->is_speaking = number == VA_EVENT_MUTED_SPEECH_BEGIN;
    changed = va_speaking_gate_handle(gate, number);
  } else {
    model->is_speaking = given;
    changed = va_speaking_gate_set_speech(gate, given);
  }
  model->is_speaking = model->is_speaking && allows(model);
  REQUIRE(gate->is_speaking == model->is_speaking, "speech counts while all requirements are met");
  REQUIRE(changed == (was != model->is_speaking), "the same value is not reported again");
  for (int i = 0; i < REQUIREMENTS; i++) REQUIRE((gate->unmet >> i & 1) != model->is_met[i], "what is not met");
  REQUIRE((gate->unmet & ~0x800003ffu) == 0 && gate->unmet >> 31 == model->has_ended, "and nothing else");
}

/* MARK: the notice */

typedef struct notice_model {
  uint64_t shown, count;
  wide began, ends; /* of the newest; `ends` is beyond all times if only a dismissal ends it */
  bool is_speaking, was_shown;
} notice_model;

static int64_t limited(wide time) { return time > INT64_MAX ? INT64_MAX : (int64_t)time; }

static void update_model(notice_model *model, const va_muted_notice *settings, bool is_speaking, int64_t now) {
  const bool rises = is_speaking && !model->is_speaking;
  const wide interval = settings->interval_ms > 0 ? settings->interval_ms : 0;
  const wide duration = settings->duration_ms > 0 ? settings->duration_ms : 0;
  model->is_speaking = is_speaking;
  if (now >= model->ends) model->shown = 0;
  if (!rises || model->shown != 0 || !settings->is_enabled) return;
  if (settings->is_once_per_mute && model->was_shown) return;
  if (model->count > 0 && now < limited(model->began + interval)) return;
  model->shown = ++model->count;
  model->began = now, model->ends = now + duration < INT64_MAX ? now + duration : (wide)INT64_MAX + 1;
  model->was_shown = true;
}

static int64_t number_of(reader *in) {
  static const int64_t ends[] = {0, 1, VA_NOTICE_MS, INT64_MAX, INT64_MAX - 1, INT64_MIN, -1};
  const uint8_t which = next_byte(in);
  if (which < 7) return ends[which];
  return which < 128 ? (int64_t)next_16_bits(in) : (int64_t)((uint64_t)next_32_bits(in) << 32 | next_32_bits(in));
}

static int64_t later_than(int64_t now, reader *in) {
  const uint8_t how = next_byte(in);
  if (how < 200) return limited((wide)now + how * 20);
  const int64_t time = number_of(in);
  return time > now ? time : now;
}

/* Takes `is_speaking` from the gate, and returns the time. */
static int64_t step_notice(va_muted_notice *notice, notice_model *model, bool is_speaking, int64_t now, reader *in) {
  const uint64_t was = model->shown;
  bool changed = false;
  const uint8_t what = next_byte(in);
  switch (what % 16) {
    case 0: notice->duration_ms = number_of(in); break;
    case 1: notice->interval_ms = number_of(in); break;
    case 2: notice->is_enabled = what & 16, notice->is_once_per_mute = what & 32; break;
    case 3: va_muted_notice_unmuted(notice), model->was_shown = false; break;
    case 4: case 5: {
      const uint64_t number = what & 16 ? (uint64_t)number_of(in) : what & 32 ? model->count : model->shown;
      if (number == model->shown) model->shown = 0;
      changed = va_muted_notice_dismiss(notice, number);
      break;
    }
    default:
      now = later_than(now, in);
      update_model(model, notice, is_speaking, now);
      changed = va_muted_notice_update(notice, is_speaking, now);
  }
  REQUIRE(notice->shown == model->shown && notice->count == model->count, "the notice that is shown");
  REQUIRE(changed == (was != model->shown), "a change is reported, and nothing else");
  REQUIRE(notice->is_speaking == model->is_speaking && notice->was_shown_during_mute == model->was_shown, "the state");
  if (model->count == 0) return now;
  REQUIRE(notice->shown_at_ms == model->began && notice->ends_at_ms == limited(model->ends), "the times of the newest");
  return now;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  reader in = {.bytes = data, .size = size};
  va_speaking_gate gate;
  va_muted_notice notice;
  gate_model gate_model = {.is_met = {1, 1, 1, 1, 1, 1, 1, 1, [VA_REQUIREMENT_DATA_FLOWING] = 1}};
  notice_model notice_model = {0};
  va_speaking_gate_init(&gate);
  va_muted_notice_init(&notice);
  int64_t now = number_of(&in);
  for (int steps = 0; steps < STEPS_MOST && !is_empty(&in); steps++) {
    if (next_byte(&in) & 1) step_gate(&gate, &gate_model, &in);
    now = step_notice(&notice, &notice_model, gate.is_speaking, now, &in);
  }
  return 0;
}
