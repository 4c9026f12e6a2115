/* gstvoiceactivityprobe.h — the element `voiceactivityprobe`: it remembers what the loudspeaker plays for the detectors
 * beside its microphone.
 *
 * Its streaming thread writes under a lock of its own, and the streaming threads of any number of detectors read under
 * it, some milliseconds of samples at a time. */
#ifndef GST_VOICE_ACTIVITY_PROBE_H
#define GST_VOICE_ACTIVITY_PROBE_H

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define GST_TYPE_VOICE_ACTIVITY_PROBE (gst_voice_activity_probe_get_type())
G_DECLARE_FINAL_TYPE(GstVoiceActivityProbe, gst_voice_activity_probe, GST, VOICE_ACTIVITY_PROBE, GstBaseTransform)

/* Returns a number that changes when a probe begins or ends to see audio: then look for probes again. */
gint gst_voice_activity_probe_changes(void);

/* Finds the probe in the pipeline of an element: the one named `name`, or the only one if that is NULL. The caller owns
 * the reference. Returns NULL if there is none; *count is the number of probes that fit. */
GstVoiceActivityProbe *gst_voice_activity_probe_find(GstElement *element, const gchar *name, guint *count);

/* Returns the rate of what passes, 0 while that is not known. */
guint gst_voice_activity_probe_rate(GstVoiceActivityProbe *self);

/* Copies the `count` samples at `rate_hz` that play from the running time `when` on, and silence for what is not known.
 * *next is the reader's place: it reads on from there as long as that is near `when`. Returns how many were known. */
gsize gst_voice_activity_probe_read(GstVoiceActivityProbe *self, guint rate_hz, GstClockTime when, gint64 *next,
                                    gfloat *samples, gsize count);

G_END_DECLS

#endif
