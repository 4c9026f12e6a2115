/* messages.h — the detector's output: messages, notifications, level meta. Streaming thread only. */
#ifndef VOICE_ACTIVITY_MESSAGES_H
#define VOICE_ACTIVITY_MESSAGES_H

#include "element.h"

void gst_voice_activity_publish(GstVoiceActivity *self, const va_output *output);

/* Sets the level of `count` samples and the newest decision on a buffer. */
void gst_voice_activity_add_level_meta(GstVoiceActivity *self, GstBuffer *buffer, gdouble sum_of_squares, gsize count);

#endif
