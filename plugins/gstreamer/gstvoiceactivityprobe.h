/* gstvoiceactivityprobe.h — the element `voiceactivityprobe`: keeps the newest seconds that a loudspeaker plays for the
 * detectors of the microphones beside it.
 *
 * Its streaming thread writes, and the streaming threads of any number of detectors read, at most 40 ms at a time. A
 * lock of its own guards both. */
#ifndef GST_VOICE_ACTIVITY_PROBE_H
#define GST_VOICE_ACTIVITY_PROBE_H

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define GST_TYPE_VOICE_ACTIVITY_PROBE (gst_voice_activity_probe_get_type())
G_DECLARE_FINAL_TYPE(GstVoiceActivityProbe, gst_voice_activity_probe, GST, VOICE_ACTIVITY_PROBE, GstBaseTransform)

/* Returns a number that changes whenever a probe gets caps or stops, in any pipeline. Then search again. */
gint gst_voice_activity_probe_changes(void);

/* Returns the probe in the pipeline of an element that is named `name`, or that has any name if `name` is NULL. Returns
 * NULL unless exactly one matches; *count is the number of matches. The caller owns the reference. */
GstVoiceActivityProbe *gst_voice_activity_probe_find(GstElement *element, const gchar *name, guint *count);

/* Returns the rate of the audio, or 0 before the caps are known. */
guint gst_voice_activity_probe_rate(GstVoiceActivityProbe *self);

/* Copies the `count` frames of stereo at `rate_hz` that play from the running time `when` on, with silence for unknown
 * ones. *next belongs to the reader: reading continues there as long as it is near `when`. Returns how many were
 * known. */
gsize gst_voice_activity_probe_read(GstVoiceActivityProbe *self, guint rate_hz, GstClockTime when, gint64 *next,
                                    gfloat *samples, gsize count);

G_END_DECLS

#endif
