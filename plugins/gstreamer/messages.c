/* messages.c — the detector's output. README.md has the table of messages. */
#include "messages.h"

#include <math.h>

#include "properties.h"

static const struct {
  const gchar *type;     /* the field `type` of the message */
  const gchar *property; /* the property that changes with it */
  GstVoiceActivityMessages group;
} kinds[] = {
    /* contract: event */
    [VA_EVENT_ONSET] = {"onset", "speaking", GST_VOICE_ACTIVITY_SPEECH},
    [VA_EVENT_OFFSET] = {"offset", "speaking", GST_VOICE_ACTIVITY_SPEECH},
    [VA_EVENT_MUTED_SPEECH_BEGIN] = {"muted-speech-begin", "muted-speech", GST_VOICE_ACTIVITY_MUTED_SPEECH},
    [VA_EVENT_MUTED_SPEECH_END] = {"muted-speech-end", "muted-speech", GST_VOICE_ACTIVITY_MUTED_SPEECH},
    [VA_EVENT_DISCONTINUITY] = {"discontinuity", NULL, GST_VOICE_ACTIVITY_DISCONTINUITY},
    /* contract end */
};

/* The fields of every message. Times are those of the audio and not of the clock, so a pipeline that runs as fast as
 * possible posts the same messages. */
static GstStructure *describe(const GstVoiceActivity *self, const gchar *type, guint64 position,
                              GstClockTime duration) {
  TimelineTimes at = timeline_at(&self->timeline, position);
  return gst_structure_new("voiceactivity",                                    //
                           "type", G_TYPE_STRING, type,                        //
                           "timestamp", GST_TYPE_CLOCK_TIME, at.timestamp,     //
                           "stream-time", GST_TYPE_CLOCK_TIME, at.stream_time, //
                           "running-time", GST_TYPE_CLOCK_TIME, at.running_time, //
                           "duration", GST_TYPE_CLOCK_TIME, duration, NULL);
}

/* Adds the times of the audio that was needed for the decision. */
static void add_decision(const GstVoiceActivity *self, GstStructure *fields, guint64 decided_at) {
  TimelineTimes at = timeline_at(&self->timeline, decided_at);
  gst_structure_set(fields,                                                          //
                    "decided-at-timestamp", GST_TYPE_CLOCK_TIME, at.timestamp,       //
                    "decided-at-stream-time", GST_TYPE_CLOCK_TIME, at.stream_time,   //
                    "decided-at-running-time", GST_TYPE_CLOCK_TIME, at.running_time, NULL);
}

/* Posts a message with the seqnum of its audio's segment, and thus of the seek that caused it. After a seek, an
 * application can distinguish earlier messages by it. */
static void post(GstVoiceActivity *self, GstStructure *fields) {
  GstMessage *message = gst_message_new_element(GST_OBJECT(self), fields);
  if (self->seqnum != GST_SEQNUM_INVALID) gst_message_set_seqnum(message, self->seqnum);
  gst_element_post_message(GST_ELEMENT(self), message);
}

static GstClockTime to_time(const GstVoiceActivity *self, guint64 samples) {
  return gst_util_uint64_scale_round(samples, GST_SECOND, self->timeline.rate_hz);
}

/* "You are muted" appears with this message, and ends after its duration. */
static void post_notice(GstVoiceActivity *self, const va_event *event, guint64 number) {
  GstStructure *fields = describe(self, "muted-notice", event->position, VA_NOTICE_MS * GST_MSECOND);
  add_decision(self, fields, event->decided_at);
  gst_structure_set(fields, "number", G_TYPE_UINT64, number, "text", G_TYPE_STRING, VA_NOTICE_TEXT, NULL);
  post(self, fields);
}

static void publish_speaking(GstVoiceActivity *self, const va_event *event) {
  const gint64 at_ms = (gint64)gst_util_uint64_scale(event->decided_at, 1000, self->timeline.rate_hz);
  GST_OBJECT_LOCK(self);
  const guint64 before = self->muted.notice.count;
  const gboolean has_changed = muted_handle(&self->muted, event->type, at_ms);
  const guint64 number = self->muted.notice.count;
  GST_OBJECT_UNLOCK(self);
  if (has_changed) g_object_notify(G_OBJECT(self), "speaking-while-muted");
  if (number != before) post_notice(self, event, number);
}

static void publish_event(GstVoiceActivity *self, const va_event *event) {
  if (event->type == 0 || event->type >= G_N_ELEMENTS(kinds)) return; /* an event of a newer library */
  publish_speaking(self, event);
  if (kinds[event->type].property) g_object_notify(G_OBJECT(self), kinds[event->type].property);
  if (!(self->in_use.messages & kinds[event->type].group)) return;
  GstClockTime duration =
      event->type == VA_EVENT_DISCONTINUITY ? to_time(self, event->length_samples) : GST_CLOCK_TIME_NONE;
  GstStructure *fields = describe(self, kinds[event->type].type, event->position, duration);
  add_decision(self, fields, event->decided_at);
  post(self, fields);
}

/* Whether a level message is due: one every interval since the stream began, counted in whole hops. */
static gboolean is_due(const GstVoiceActivity *self, const va_hop *hop) {
  const GstClockTime length = VA_HOP_MS * GST_MSECOND;
  guint64 number = gst_util_uint64_scale_round(hop->position, 1000 / VA_HOP_MS, self->timeline.rate_hz);
  return number % ((self->in_use.interval + length - 1) / length) == 0;
}

static void publish_hop(GstVoiceActivity *self, const va_hop *hop) {
  if (!is_due(self, hop)) return;
  GstStructure *fields = describe(self, "level", hop->position, VA_HOP_MS * GST_MSECOND);
  gst_structure_set(fields,                                                                      //
                    "posterior", G_TYPE_DOUBLE, (gdouble)hop->posterior,                         //
                    "level", G_TYPE_DOUBLE, (gdouble)hop->level_dbfs,                            //
                    "peak", G_TYPE_DOUBLE, (gdouble)hop->peak_dbfs,                              //
                    "noise-floor", G_TYPE_DOUBLE, (gdouble)hop->noise_floor_dbfs,                //
                    "speaking", G_TYPE_BOOLEAN, (hop->flags & VA_HOP_SPEECH) != 0,               //
                    "muted", G_TYPE_BOOLEAN, (hop->flags & VA_HOP_MUTED) != 0,                   //
                    "muted-speech", G_TYPE_BOOLEAN, (hop->flags & VA_HOP_MUTED_SPEECH) != 0,     //
                    "missing", G_TYPE_BOOLEAN, (hop->flags & VA_HOP_MISSING) != 0,               //
                    "echo", G_TYPE_BOOLEAN, (hop->flags & VA_HOP_ECHO) != 0, NULL);
  post(self, fields);
}

void gst_voice_activity_publish(GstVoiceActivity *self, const va_output *output) {
  for (gsize i = 0; i < output->event_count; i++) publish_event(self, &output->events[i]);
  for (gsize i = 0; i < output->hop_count; i++) publish_hop(self, &output->hops[i]);
}

/* Converts a mean square to -dBov, 0 (full scale) … 127 (silence). NaN is silence. */
static guint8 to_dbov(gdouble mean_square) {
  return mean_square > 0 ? (guint8)CLAMP(round(-10 * log10(mean_square)), 0, 127) : 127;
}

/* The level is that of this very buffer. The voice flag is the newest decision, which lags behind it by the look-ahead
 * and the debounce. For an SFU it is better to have both now than to have the audio later. */
void gst_voice_activity_add_level_meta(GstVoiceActivity *self, GstBuffer *buffer, gdouble sum_of_squares, gsize count) {
  va_status status;
  gboolean speaking = gst_voice_activity_status(self, &status) && status.is_speech;
  guint8 level = to_dbov(count > 0 ? sum_of_squares / (gdouble)count : 0);
  GstAudioLevelMeta *meta = gst_buffer_get_audio_level_meta(buffer);
  if (!meta) meta = gst_buffer_add_audio_level_meta(buffer, level, speaking);
  meta->level = level;
  meta->voice_activity = speaking;
}
