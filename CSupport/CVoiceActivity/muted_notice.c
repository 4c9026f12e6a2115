/* muted_notice.c — when the notice "You are muted" is shown (SPEAKING WHILE MUTED in voice_activity.h): a pure state
 * machine that gets the time from its caller. */
#include "voice_activity.h"

void va_muted_notice_init(va_muted_notice *notice) {
  *notice = (va_muted_notice){.duration_ms = VA_NOTICE_MS, .is_enabled = true};
}

static int64_t later(int64_t now_ms, int64_t by_ms) {
  return by_ms > 0 && now_ms > INT64_MAX - by_ms ? INT64_MAX : by_ms < 0 ? now_ms : now_ms + by_ms;
}

static bool is_allowed(const va_muted_notice *notice, int64_t now_ms) {
  if (notice->is_once_per_mute && notice->was_shown_during_mute) return false;
  return notice->count == 0 || now_ms >= later(notice->shown_at_ms, notice->interval_ms);
}

static void show(va_muted_notice *notice, int64_t now_ms) {
  notice->shown = ++notice->count;
  notice->shown_at_ms = now_ms;
  notice->ends_at_ms = later(now_ms, notice->duration_ms);
  notice->was_shown_during_mute = true;
}

bool va_muted_notice_update(va_muted_notice *notice, bool is_speaking, int64_t now_ms) {
  const uint64_t shown = notice->shown;
  const bool rises = is_speaking && !notice->is_speaking;
  notice->is_speaking = is_speaking;
  if (now_ms >= notice->ends_at_ms && notice->ends_at_ms != INT64_MAX) notice->shown = 0;
  if (rises && notice->is_enabled && notice->shown == 0 && is_allowed(notice, now_ms)) show(notice, now_ms);
  return notice->shown != shown;
}

bool va_muted_notice_dismiss(va_muted_notice *notice, uint64_t number) {
  if (number == 0 || number != notice->shown) return false;
  notice->shown = 0;
  return true;
}

void va_muted_notice_unmuted(va_muted_notice *notice) { notice->was_shown_during_mute = false; }
