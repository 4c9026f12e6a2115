/* mixdown.h — converts a buffer in any raw audio format to the mono floats that a detector analyses, or to the stereo
 * floats that an echo takes.
 *
 * Integers are scaled exactly, by a power of two. Either one channel is selected, or all are averaged, so that mixing
 * never clips and a voice on every channel keeps its level. Streaming thread only. */
#ifndef VOICE_ACTIVITY_MIXDOWN_H
#define VOICE_ACTIVITY_MIXDOWN_H

#include <gst/audio/audio.h>

/* Frames to convert at a time: 64 ms at 16 kHz, and few enough to stay in the cache. */
#define MIXDOWN_FRAMES 1024

typedef struct {
  GstAudioInfo info;
  guint channel;     /* to analyse: 0 is the mean of all, otherwise the channel's number from 1 */
  gpointer unpacked; /* MIXDOWN_FRAMES frames as S32 or F64, which GStreamer unpacks every format to */
  gfloat mono[MIXDOWN_FRAMES];
} Mixdown;

/* Adds the pads of a filter that accepts every such format. */
void mixdown_add_pads(GstElementClass *klass);

void mixdown_set(Mixdown *mixdown, const GstAudioInfo *info, guint channel);
void mixdown_clear(Mixdown *mixdown);

/* Counts the frames of a buffer, and maps it to read them. What cannot be read is an error of `element`, and FALSE: for
 * the count, planar audio without its meta. */
gboolean mixdown_count(const Mixdown *mixdown, gpointer element, GstBuffer *buffer, gsize *count);
gboolean mixdown_map(const Mixdown *mixdown, gpointer element, GstBuffer *buffer, GstAudioBuffer *audio);

/* Writes `count` frames, at most MIXDOWN_FRAMES, from frame `first` on to mixdown->mono. */
void mixdown_read(Mixdown *mixdown, const GstAudioBuffer *buffer, gsize first, gsize count);

/* Writes interleaved stereo likewise, of which the mean is that of all channels: the even-numbered ones, counted from
 * 0, and the others, as va_echo_push_interleaved tells them apart. */
void mixdown_read_stereo(Mixdown *mixdown, const GstAudioBuffer *buffer, gsize first, gsize count, gfloat *stereo);

#endif
