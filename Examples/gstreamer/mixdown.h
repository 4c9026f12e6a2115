/* mixdown.h — from a buffer in any raw audio format to the mono floats that the detector hears.
 *
 * Integers are scaled exactly, by a power of two. Channels are averaged, so that mixing never clips and a voice on
 * every channel keeps its level; or one channel is picked. Streaming thread only. */
#ifndef VOICE_ACTIVITY_MIXDOWN_H
#define VOICE_ACTIVITY_MIXDOWN_H

#include <gst/audio/audio.h>

/* Frames that are converted at a time: 64 ms at 16 kHz, and few enough to stay in the cache. */
#define MIXDOWN_FRAMES 1024

typedef struct {
  GstAudioInfo info;
  guint channel;     /* heard: 0 is the mean of all, else the channel's number from 1 */
  gpointer unpacked; /* MIXDOWN_FRAMES frames as S32 or F64, which GStreamer unpacks every format to */
  gfloat mono[MIXDOWN_FRAMES];
} Mixdown;

void mixdown_set(Mixdown *mixdown, const GstAudioInfo *info, guint channel);
void mixdown_clear(Mixdown *mixdown);

/* `count` frames, at most MIXDOWN_FRAMES, from frame `first` on, in mixdown->mono. */
void mixdown_read(Mixdown *mixdown, const GstAudioBuffer *buffer, gsize first, gsize count);

#endif
