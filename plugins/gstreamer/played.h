/* played.h — a ring of the newest seconds that loudspeakers play, stereo.
 *
 * Frame n plays at the running time n / rate_hz. The ring therefore keeps no state for its readers, and any number of
 * them can read. Where nothing was written, they read silence. The probe's lock guards it. */
#ifndef VOICE_ACTIVITY_PLAYED_H
#define VOICE_ACTIVITY_PLAYED_H

#include <glib.h>

/* The seconds held: enough for a full queue before the sink, which holds one, and for the longest latencies. */
#define PLAYED_SECONDS 4

#define PLAYED_CHANNELS 2

typedef struct {
  guint rate_hz;     /* 0: not known yet */
  gint64 start, end; /* the frames held, `end` not included */
  gsize capacity;
  gfloat *samples; /* of frame n from PLAYED_CHANNELS * (n % capacity) on */
} Played;

/* Discards everything. From now on, frames are at `rate_hz`; 0 frees the memory. */
void played_restart(Played *played, guint rate_hz);

/* Moves the end to `position`: fills up with silence, or discards what was written from there on. */
void played_seek(Played *played, gint64 position);

/* Appends `count` frames, or silence if `samples` is NULL. */
void played_write(Played *played, const gfloat *samples, gsize count);

/* Copies the `count` frames from `from` on. Returns how many of them the ring holds. */
gsize played_read(const Played *played, gint64 from, gfloat *samples, gsize count);

#endif
