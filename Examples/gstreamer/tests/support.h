/* support.h — what the tests share: PCM of the samples, what the C library itself says of it, a harness that keeps
 * the element's messages. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <gst/audio/audio.h>
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <voice_activity.h>

/* Mono 16-bit samples, decoded by the Makefile from samples/. Free with g_free. */
typedef struct {
  gint16 *samples;
  gsize count;
  guint rate;
} Pcm;

Pcm pcm_load(const gchar *name, guint rate);
Pcm speech(void); /* at 16 kHz: four phrases between 0.7 and 9 s, the labels of "speech" */

/* What somebody marked by ear (samples/NAME.txt), in seconds. */
typedef struct {
  gdouble start, end;
} Label;

GArray *labels_load(const gchar *name);

/* A message in short. Times in nanoseconds. */
typedef struct {
  gchar type[24];
  GstClockTime timestamp, stream_time, running_time, duration, decided_at;
  guint32 seqnum;
} Told;

/* The oracle: the C library itself, called by hand. Positions become times at the input rate. */
typedef struct {
  va_detector *detector;
  guint rate;
  GArray *told; /* of Told; timestamp and decided_at alone */
} Oracle;

Oracle oracle_new(guint rate);
void oracle_hear(Oracle *oracle, const gint16 *samples, gsize count);
void oracle_miss(Oracle *oracle, guint64 count);
void oracle_end(Oracle *oracle); /* flushes and makes a fresh start at 0 possible */
void oracle_free(Oracle *oracle);
GArray *oracle_of(const Pcm *pcm); /* all of it, to the end */

/* A harness with a bus. */
typedef struct {
  GstHarness *harness;
  GstElement *element;
  GstBus *bus;
  GArray *told; /* of Told, in order; what is popped goes here */
  GPtrArray *levels; /* the level messages, GstStructure */
} Rig;

/* With caps of mono in that format at `rate`, unless rate is 0, and before that with properties as for g_object_set. */
Rig rig_with(const gchar *format, guint rate, const gchar *property, ...) G_GNUC_NULL_TERMINATED;
Rig rig_new(guint rate); /* S16LE, and no properties */
void rig_free(Rig *rig);
void rig_caps(Rig *rig, const gchar *format, const gchar *layout, guint rate, guint channels);
/* Pushes mono 16-bit samples; the buffer comes out untouched, which is checked. `timestamp` may be none. */
void rig_push(Rig *rig, const gint16 *samples, gsize count, GstClockTime timestamp, GstBufferFlags flags);
/* All of `pcm` from frame `from` to `to` in buffers of `size`, timestamps counted from `start`. */
void rig_play(Rig *rig, const Pcm *pcm, gsize from, gsize to, gsize size, GstClockTime start);
void rig_segment(Rig *rig, const GstSegment *segment);
void rig_eos(Rig *rig);
void rig_collect(Rig *rig); /* empties the bus into told and levels */
void rig_end(Rig *rig);     /* both */

GstClockTime time_of(guint64 samples, guint rate);
/* The same types in order, timestamps within `within` (of `shift` added to those expected). */
void assert_told(GArray *told, GArray *expected, GstClockTimeDiff shift, GstClockTime within);
Told *told_at(GArray *told, guint i);
guint count_of(GArray *told, const gchar *type);

TCase *audio_case(void);
TCase *times_case(void);
TCase *holes_case(void);
TCase *states_case(void);
TCase *muted_case(void);
TCase *level_case(void);
TCase *rtp_case(void);
TCase *seek_case(void);
TCase *loss_case(void);
TCase *webrtc_case(void);
TCase *readme_case(void);

#endif
