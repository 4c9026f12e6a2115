/* muted.h — whether the user speaks while muted, and the numbers of the notices, by the time of the audio, which goes
 * on from stream to stream. The object lock guards it. */
#ifndef VOICE_ACTIVITY_MUTED_H
#define VOICE_ACTIVITY_MUTED_H

#include <glib.h>
#include <voice_activity.h>

typedef struct {
  va_speaking_gate gate;
  va_muted_notice notice;
  gint64 began_ms; /* when the stream of the detector began */
  gint64 now_ms;   /* of the newest event */
} Muted;

void muted_init(Muted *muted);

/* These take what happens, and return whether gate.is_speaking has changed: a requirement is met or lost; an event of
 * the detector, decided `at_ms` after its stream began. */
gboolean muted_set(Muted *muted, va_requirement requirement, gboolean is_met);
gboolean muted_handle(Muted *muted, guint32 event_type, gint64 at_ms);

/* The stream has ended after `length_ms`: the next event counts from there. */
void muted_end_stream(Muted *muted, gint64 length_ms);

#endif
