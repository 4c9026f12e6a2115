/* played.c — a ring of the newest seconds that loudspeakers play. */
#include "played.h"

#include <string.h>

void played_restart(Played *played, guint rate_hz) {
  if (played->rate_hz != rate_hz) {
    g_clear_pointer(&played->samples, g_free);
    played->capacity = (gsize)rate_hz * PLAYED_SECONDS;
    played->rate_hz = rate_hz;
    if (rate_hz > 0) played->samples = g_new(gfloat, PLAYED_CHANNELS * played->capacity);
  }
  played->start = played->end = 0;
}

void played_seek(Played *played, gint64 position) {
  const gint64 missing = position - played->end;
  if (played->start < played->end && missing > 0 && missing <= (gint64)played->capacity) {
    played_write(played, NULL, (gsize)missing);
  } else {
    played->start = missing <= 0 ? MIN(played->start, position) : position;
    played->end = position;
  }
}

/* Returns where frame `position` lies, and how many of `count` frames follow before the ring wraps. */
static gfloat *run(const Played *played, gint64 position, gsize count, gsize *length) {
  const gsize at = (gsize)(position % (gint64)played->capacity);
  *length = MIN(count, played->capacity - at);
  return played->samples + PLAYED_CHANNELS * at;
}

void played_write(Played *played, const gfloat *samples, gsize count) {
  for (gsize length; count > 0; count -= length, played->end += (gint64)length) {
    gfloat *to = run(played, played->end, count, &length);
    if (samples) memcpy(to, samples, PLAYED_CHANNELS * length * sizeof *to);
    else memset(to, 0, PLAYED_CHANNELS * length * sizeof *to);
    if (samples) samples += PLAYED_CHANNELS * length;
  }
  played->start = MAX(played->start, played->end - (gint64)played->capacity);
}

gsize played_read(const Played *played, gint64 from, gfloat *samples, gsize count) {
  const gint64 first = CLAMP(played->start, from, from + (gint64)count);
  const gint64 last = CLAMP(played->end, first, from + (gint64)count);
  memset(samples, 0, PLAYED_CHANNELS * count * sizeof *samples);
  samples += PLAYED_CHANNELS * (first - from);
  gsize left = (gsize)(last - first);
  for (gsize length; left > 0; left -= length, samples += PLAYED_CHANNELS * length) {
    const gfloat *there = run(played, last - (gint64)left, left, &length);
    memcpy(samples, there, PLAYED_CHANNELS * length * sizeof *samples);
  }
  return (gsize)(last - first);
}
