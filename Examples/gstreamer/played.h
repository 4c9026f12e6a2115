/* played.h — what a probe has seen pass: the newest seconds of it, mono, found by the time at which they play.
 *
 * Sample n belongs to the running time n / rate_hz. A reader therefore needs no place of its own here, and any number
 * of them can read. Where nothing was written, it reads silence. The probe's lock guards it. */
#ifndef VOICE_ACTIVITY_PLAYED_H
#define VOICE_ACTIVITY_PLAYED_H

#include <glib.h>

/* How far back it reaches: the second that a queue in front of the sink may hold, and the longest latencies. */
#define PLAYED_SECONDS 4

typedef struct {
  guint rate_hz;     /* 0: not known yet */
  gint64 start, end; /* the samples held, `end` not included */
  gsize capacity;
  gfloat *samples; /* sample n at n % capacity */
} Played;

/* Forgets everything, and holds samples at `rate_hz` from now on; 0 releases the memory. */
void played_restart(Played *played, guint rate_hz);

/* Continues at sample `position`. What lies between is silence; what was written for later is forgotten. */
void played_seek(Played *played, gint64 position);

/* Appends `count` samples; NULL: silence. */
void played_write(Played *played, const gfloat *samples, gsize count);

/* Copies `count` samples from sample `from` on. Returns how many of them were written. */
gsize played_read(const Played *played, gint64 from, gfloat *samples, gsize count);

#endif
