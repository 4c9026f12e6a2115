/* muted.c — the gate and the notice of an element. */
#include "muted.h"

void muted_init(Muted *muted) {
  *muted = (Muted){0};
  va_speaking_gate_init(&muted->gate);
  va_muted_notice_init(&muted->notice);
}

static gboolean update(Muted *muted, gboolean has_changed) {
  va_muted_notice_update(&muted->notice, muted->gate.is_speaking, muted->now_ms);
  return has_changed;
}

gboolean muted_set(Muted *muted, va_requirement requirement, gboolean is_met) {
  if (requirement == VA_REQUIREMENT_MICROPHONE_MUTED && !is_met) va_muted_notice_unmuted(&muted->notice);
  return update(muted, va_speaking_gate_set(&muted->gate, requirement, is_met));
}

gboolean muted_handle(Muted *muted, guint32 event_type, gint64 at_ms) {
  muted->now_ms = muted->began_ms + at_ms;
  return update(muted, va_speaking_gate_handle(&muted->gate, event_type));
}

void muted_end_stream(Muted *muted, gint64 length_ms) { muted->began_ms = muted->now_ms = muted->began_ms + length_ms; }
