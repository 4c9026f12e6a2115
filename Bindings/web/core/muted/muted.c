/* muted.c — the gate and the notice for src/listen: one of each in an instance of its own, with numbers as JavaScript
 * has them. */
#include <voice_activity.h>

#define EXPORT(type, name) __attribute__((export_name(#name))) type name

static va_speaking_gate gate;
static va_muted_notice notice;

EXPORT(void, gate_init)(void) { va_speaking_gate_init(&gate); }
EXPORT(bool, gate_set)(va_requirement requirement, bool is_met) {
  return va_speaking_gate_set(&gate, requirement, is_met);
}
EXPORT(bool, gate_set_speech)(bool is_speech) { return va_speaking_gate_set_speech(&gate, is_speech); }
EXPORT(bool, gate_end)(void) { return va_speaking_gate_end(&gate); }
EXPORT(bool, gate_is_speaking)(void) { return gate.is_speaking; }
EXPORT(uint32_t, gate_unmet)(void) { return gate.unmet; }

static int64_t whole(double ms) { return ms < 9e15 ? (int64_t)ms : INT64_MAX; }

EXPORT(void, notice_init)(void) { va_muted_notice_init(&notice); }
EXPORT(void, notice_set)(double duration_ms, double interval_ms, bool is_once_per_mute, bool is_enabled) {
  notice.duration_ms = whole(duration_ms), notice.interval_ms = whole(interval_ms);
  notice.is_once_per_mute = is_once_per_mute, notice.is_enabled = is_enabled;
}
EXPORT(bool, notice_update)(bool is_speaking, double now_ms) {
  return va_muted_notice_update(&notice, is_speaking, whole(now_ms));
}
EXPORT(bool, notice_dismiss)(double number) { return va_muted_notice_dismiss(&notice, (uint64_t)whole(number)); }
EXPORT(void, notice_unmuted)(void) { va_muted_notice_unmuted(&notice); }
EXPORT(double, notice_shown)(void) { return (double)notice.shown; }
