/* reference.h — pushes what the loudspeaker plays to the detector's echo. Streaming thread only. */
#ifndef VOICE_ACTIVITY_REFERENCE_H
#define VOICE_ACTIVITY_REFERENCE_H

#include "element.h"

/* Searches for the probe. An empty name selects none. Returns FALSE if a named probe cannot be used before the stream
 * begins. A search happens whenever any probe begins or ends, so the same result is reported only once. */
gboolean gst_voice_activity_find_probe(GstVoiceActivity *self);

/* Call before each buffer and gap: a probe may have been added or removed, or have changed its rate. The echo survives
 * the probe. */
void gst_voice_activity_begin_reference(GstVoiceActivity *self);

/* Returns how many samples may be analysed between two calls of give_reference. */
guint64 gst_voice_activity_portion(const GstVoiceActivity *self);

/* Pushes the reference for the audio before position `until`. */
void gst_voice_activity_give_reference(GstVoiceActivity *self, guint64 until);

/* Begins again at position 0, as the detector does. */
void gst_voice_activity_restart_reference(GstVoiceActivity *self);
void gst_voice_activity_end_reference(GstVoiceActivity *self);

#endif
