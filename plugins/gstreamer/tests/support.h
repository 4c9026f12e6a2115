/* support.h — shared by the tests: PCM of the samples, the C library's own results for it, and a harness that keeps
 * the element's messages. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <gst/audio/audio.h>
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <voice_activity.h>

/* Mono 16-bit samples, which tests/meson.build decodes from samples/. */
typedef struct {
  gint16 *samples; /* g_free frees them */
  gsize count;
  guint rate;
} Pcm;

void pcm_free(Pcm *pcm);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Pcm, pcm_free)
Pcm pcm_load(const gchar *name, guint rate);
Pcm speech(void); /* at 16 kHz: four phrases between 0.7 and 9 s, as labelled in "speech" */

/* A span of speech marked by ear (samples/NAME.txt), in seconds. */
typedef struct {
  gdouble start, end;
} Label;

GArray *labels_load(const gchar *name);
/* Returns whether a time in seconds lies in a label that begins `before` seconds earlier and ends `after` later. */
gboolean is_labelled(GArray *labels, gdouble time, gdouble before, gdouble after);

/* A summary of a message. Times in nanoseconds. */
typedef struct {
  gchar type[24];
  GstClockTime timestamp, stream_time, running_time, duration, decided_at;
  guint32 seqnum;
  guint64 number; /* of a notice */
} Report;

/* The oracle: the C library called directly. Positions become times at the input rate. */
typedef struct {
  va_detector *detector;
  va_echo *echo; /* NULL, unless a test creates one and pushes to it; oracle_free destroys it */
  guint rate;
  GArray *reports; /* of Report, with type, timestamp, duration and decided_at only */
} Oracle;

Oracle oracle_new(guint rate);
void oracle_process(Oracle *oracle, const gint16 *samples, gsize count);
void oracle_miss(Oracle *oracle, guint64 count);
void oracle_end(Oracle *oracle); /* flushes, so that a new stream can begin at 0 */
void oracle_free(Oracle *oracle);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Oracle, oracle_free)
GArray *oracle_of(const Pcm *pcm); /* the results for all of it, flush included */

/* A harness with a bus. */
typedef struct {
  GstHarness *harness;
  GstElement *element;
  GstBus *bus;
  GArray *reports; /* of Report, in order: the messages taken from the bus */
  GPtrArray *levels; /* the level messages, GstStructure */
} Rig;

/* Sets properties as g_object_set does, and then caps of mono in that format at `rate`, unless rate is 0. */
Rig rig_with(const gchar *format, guint rate, const gchar *property, ...) G_GNUC_NULL_TERMINATED;
Rig rig_on(GstElement *element); /* for a voiceactivity that the test has made, for example in a bin */
Rig rig_new(guint rate); /* S16LE, and no properties */
void rig_free(Rig *rig);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Rig, rig_free)
void rig_caps(Rig *rig, const gchar *format, const gchar *layout, guint rate, guint channels);
/* Pushes mono 16-bit samples, and checks that the buffer comes out unchanged. `timestamp` may be none. */
void rig_push(Rig *rig, const gint16 *samples, gsize count, GstClockTime timestamp, GstBufferFlags flags);
/* Pushes `pcm` from frame `from` to `to` in buffers of `size`, with timestamps counted from `start`. */
void rig_play(Rig *rig, const Pcm *pcm, gsize from, gsize to, gsize size, GstClockTime start);
void rig_segment(Rig *rig, const GstSegment *segment);
void rig_eos(Rig *rig);
void rig_collect(Rig *rig); /* moves the messages on the bus to reports and levels */
void rig_end(Rig *rig);     /* rig_eos and rig_collect */

/* Flushes an element, and begins a segment of time at 0. */
void flush(GstHarness *harness);
/* Returns a number of the property `stats`, or -1 if it has no such field. */
gint64 stat_of(GstElement *element, const gchar *name);
/* Expects one error or warning, whose text has that part, and no other. */
void expect_message(GstBus *bus, GstMessageType type, GQuark domain, gint code, const gchar *part);

GstClockTime time_of(guint64 samples, guint rate);
/* Asserts equal types in order, and timestamps within `within` of those expected plus `shift`. */
void assert_reports(GArray *reports, GArray *expected, GstClockTimeDiff shift, GstClockTime within);
Report *report_at(GArray *reports, guint i);
guint count_of(GArray *reports, const gchar *type);

TCase *test_case(void); /* of the program that is linked */

#endif
