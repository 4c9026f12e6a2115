/* element.h — the state of the element `voiceactivity`. These files have its functions, each with those that it calls
 * below it:
 *
 *   gstvoiceactivity.c  the functions that GStreamer calls: states, caps, events, buffers
 *   analysis.c          the detector's lifetime and its input
 *   reference.c         what the loudspeaker beside the microphone plays
 *   messages.c          its output: messages on the bus, notifications, level meta
 *   properties.c        settings; declarations.c describes them
 *   muted.c             speaking while muted, and its notices
 *   timeline.c          sample positions and times
 *   mixdown.c           formats and channels
 *   gstvoiceactivityprobe.c, played.c  the element `voiceactivityprobe`
 *
 * Two kinds of threads meet here. The streaming thread owns the detector and everything that the object lock does not
 * guard. Any thread may set and read properties under the object lock. The streaming thread takes the lock once a
 * buffer to copy the settings, and to replace the detector. It never holds the lock while it posts a message. */
#ifndef VOICE_ACTIVITY_ELEMENT_H
#define VOICE_ACTIVITY_ELEMENT_H

#include <gst/audio/audio.h>
#include <gst/base/gstbasetransform.h>
#include <voice_activity.h>

#include "gstvoiceactivityprobe.h"
#include "mixdown.h"
#include "muted.h"
#include "timeline.h"

G_BEGIN_DECLS

#define GST_TYPE_VOICE_ACTIVITY (gst_voice_activity_get_type())
G_DECLARE_FINAL_TYPE(GstVoiceActivity, gst_voice_activity, GST, VOICE_ACTIVITY, GstBaseTransform)

/* The messages to post: the property `messages`. */
typedef enum {
  GST_VOICE_ACTIVITY_SPEECH = 1 << 0,
  GST_VOICE_ACTIVITY_MUTED_SPEECH = 1 << 1,
  GST_VOICE_ACTIVITY_DISCONTINUITY = 1 << 2,
  GST_VOICE_ACTIVITY_LEVEL = 1 << 3,         /* level, one every `interval` */
  GST_VOICE_ACTIVITY_NOTICE = 1 << 4         /* muted-notice */
} GstVoiceActivityMessages;

/* The values of the properties. */
typedef struct {
  va_config config; /* for the next detector; the caps set its rate */
  va_preset preset;
  gboolean has_offset; /* the offset threshold was set since the preset was */
  gfloat speaker_margin_db;
  guint channel;
  gboolean muted;
  guint requirements; /* a bit, 1 << n, for each va_requirement n that is met, other than the mute */
  GstVoiceActivityMessages messages;
  GstClockTime interval;
  GstClockTime alignment_threshold;
  gboolean audio_level_meta;
  const gchar *probe; /* NULL: the pipeline's only one; empty: none. Interned, so that a copy outlives a change */
} GstVoiceActivitySettings;

/* The reference: its source, and how much of it the echo has. */
typedef struct {
  GstVoiceActivityProbe *probe; /* NULL: none */
  const gchar *wanted;          /* of the last search: the setting, how many probes matched, */
  guint found;
  gint changes; /* and gst_voice_activity_probe_changes() */
  va_echo *echo;                /* NULL until the probe's rate is known */
  guint rate_hz;                /* of the reference */
  guint64 origin;               /* the detector's position where the reference begins */
  guint64 given;                /* samples of the reference pushed since */
  guint64 missing;              /* how many of them the probe did not have */
  gint64 next;                  /* where to read on in the probe */
} Reference;

struct _GstVoiceActivity {
  GstBaseTransform parent;

  /* Guarded by the object lock. */
  GstVoiceActivitySettings settings;
  va_detector *detector;      /* NULL until the caps are known */
  Muted muted;
  va_echo_status echo_status; /* struct_size 0: there is no reference */
  GstClockTime echo_missing;  /* reference that the probe did not have */

  /* For the streaming thread only. */
  GstVoiceActivitySettings in_use; /* a copy of the settings, made when this buffer arrived */
  Reference reference;
  Timeline timeline;
  Mixdown mixdown;
  gboolean in_gap;        /* the last event was a GAP without a duration: the next timestamp shows its length */
  gboolean ended;         /* the detector was flushed: reset it before it hears anything else */
  gboolean complained;    /* a missing channel was reported: upstream offers its caps again with every buffer */
  guint32 segment_seqnum; /* of the newest segment */
  guint32 seqnum;         /* of the segment of the newest audio heard */
};

GST_DEBUG_CATEGORY_EXTERN(gst_voice_activity_debug);
#define GST_CAT_DEFAULT gst_voice_activity_debug

G_END_DECLS

#endif
