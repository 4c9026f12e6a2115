/* analysis.h — the detector's lifetime and its input. Streaming thread only. */
#ifndef VOICE_ACTIVITY_ANALYSIS_H
#define VOICE_ACTIVITY_ANALYSIS_H

#include "element.h"

/* Checks the settings as a detector would. Returns FALSE after posting what is wrong with them. */
gboolean gst_voice_activity_check_settings(GstVoiceActivity *self);

/* Call once a buffer: copies the settings, and publishes the state of the echo to other threads. */
void gst_voice_activity_apply_settings(GstVoiceActivity *self);

/* Begins to analyse audio of these caps. Another format or number of channels at the same rate is the same audio to the
 * detector, which continues. Returns FALSE after posting an error. */
gboolean gst_voice_activity_open(GstVoiceActivity *self, const GstAudioInfo *info);
void gst_voice_activity_close(GstVoiceActivity *self);

/* Reports what is still open, with the times of the audio that was heard. What comes next begins from nothing; until
 * then the detector keeps its counts for `stats`. */
void gst_voice_activity_drain(GstVoiceActivity *self);

/* Takes a buffer, or a GAP event, whose duration may be unknown. */
GstFlowReturn gst_voice_activity_analyse(GstVoiceActivity *self, GstBuffer *buffer);
void gst_voice_activity_miss(GstVoiceActivity *self, GstClockTime timestamp, GstClockTime duration);

#endif
