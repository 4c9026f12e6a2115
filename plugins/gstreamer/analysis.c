/* analysis.c — the detector's lifetime and its input. */
#include "analysis.h"

#include "messages.h"
#include "reference.h"

/* With level messages, results are fetched hop by hop, each with its own record, so that messages come in the order in
 * which things were decided. This is the room for the events that one call can return without a record. */
#define EVENTS_PER_CALL 64

typedef struct {
  va_event events[EVENTS_PER_CALL];
  va_hop hop;
  va_output output;
} Results;

static va_output *collect(const GstVoiceActivity *self, Results *results) {
  results->output = (va_output){.events = results->events, .event_capacity = EVENTS_PER_CALL};
  if (self->in_use.messages & GST_VOICE_ACTIVITY_LEVEL) {
    results->output.hops = &results->hop;
    results->output.hop_capacity = 1;
  }
  return &results->output;
}

/* MARK: lifetime */

static gboolean check(GstVoiceActivity *self, va_status_code code) {
  if (code == VA_OK) return TRUE;
  GST_ELEMENT_ERROR(self, LIBRARY, SETTINGS, ("Voice activity detection cannot start: %s.", va_status_text(code)),
                    (NULL));
  return FALSE;
}

gboolean gst_voice_activity_check_settings(GstVoiceActivity *self) {
  va_detector *trial = NULL;
  GST_OBJECT_LOCK(self);
  va_status_code code = va_detector_create(&self->settings.config, &trial);
  GST_OBJECT_UNLOCK(self);
  va_detector_destroy(trial);
  return check(self, code);
}

void gst_voice_activity_apply_settings(GstVoiceActivity *self) {
  const Reference *reference = &self->reference;
  va_echo_status status = {.struct_size = reference->echo ? sizeof status : 0};
  if (reference->echo) va_echo_state(reference->echo, &status);
  GST_OBJECT_LOCK(self);
  self->in_use = self->settings;
  self->echo_status = status;
  self->echo_missing =
      reference->echo ? gst_util_uint64_scale_round(reference->missing, GST_SECOND, reference->rate_hz) : 0;
  GST_OBJECT_UNLOCK(self);
  if (self->detector) va_detector_set_speaker_margin(self->detector, self->in_use.speaker_margin_db);
}

static void replace_detector(GstVoiceActivity *self, va_detector *detector) {
  GST_OBJECT_LOCK(self);
  va_detector *old = self->detector;
  self->detector = detector;
  if (detector) va_detector_set_muted(detector, self->settings.muted);
  GST_OBJECT_UNLOCK(self);
  va_detector_destroy(old);
}

void gst_voice_activity_close(GstVoiceActivity *self) {
  replace_detector(self, NULL);
  GST_OBJECT_LOCK(self);
  va_muted_notice_dismiss(&self->muted.notice, self->muted.notice.shown); /* a new start has a clock of its own */
  GST_OBJECT_UNLOCK(self);
  gst_voice_activity_end_reference(self);
  gst_clear_object(&self->reference.probe);
  self->reference = (Reference){0};
  mixdown_clear(&self->mixdown);
  timeline_restart(&self->timeline, 0);
}

gboolean gst_voice_activity_open(GstVoiceActivity *self, const GstAudioInfo *info) {
  gst_voice_activity_apply_settings(self);
  if (self->in_use.channel > (guint)GST_AUDIO_INFO_CHANNELS(info)) {
    if (!self->complained)
      GST_ELEMENT_ERROR(self, STREAM, FORMAT, ("There is no channel %u in this audio.", self->in_use.channel),
                        ("it has %d; 0 hears all of them", GST_AUDIO_INFO_CHANNELS(info)));
    self->complained = TRUE;
    return FALSE;
  }
  mixdown_set(&self->mixdown, info, self->in_use.channel);
  if (self->detector && self->timeline.rate_hz == (guint)GST_AUDIO_INFO_RATE(info)) return TRUE;
  gst_voice_activity_drain(self);
  va_config config = self->in_use.config;
  va_detector *detector = NULL;
  config.sample_rate_hz = (guint)GST_AUDIO_INFO_RATE(info);
  if (!check(self, va_detector_create(&config, &detector))) return FALSE;
  replace_detector(self, detector);
  gst_voice_activity_end_reference(self);
  self->ended = FALSE;
  timeline_restart(&self->timeline, config.sample_rate_hz);
  return TRUE;
}

void gst_voice_activity_drain(GstVoiceActivity *self) {
  Results results;
  if (!self->detector || self->timeline.made == 0) return;
  do {
    va_detector_flush(self->detector, self->reference.echo, collect(self, &results));
    gst_voice_activity_publish(self, &results.output);
  } while (results.output.more);
  GST_OBJECT_LOCK(self);
  muted_end_stream(&self->muted, (gint64)gst_util_uint64_scale(self->timeline.end, 1000, self->timeline.rate_hz));
  GST_OBJECT_UNLOCK(self);
  self->ended = TRUE;
  timeline_restart(&self->timeline, self->timeline.rate_hz);
}

/* MARK: input */

/* Pushes `count` samples. With 0, it only fetches results. */
static va_status_code push_samples(GstVoiceActivity *self, const gfloat *samples, gsize count) {
  Results results;
  va_status_code code;
  do {
    gsize consumed = 0;
    code = va_detector_process(self->detector, self->reference.echo, samples, count, &consumed,
                               collect(self, &results));
    gst_voice_activity_publish(self, &results.output);
    samples += consumed;
    count -= consumed;
  } while (code == VA_OK && (count > 0 || results.output.more));
  return code;
}

/* The detector accepts a gap as a whole and decides its hops in calls that each take little time. */
static va_status_code push_gap(GstVoiceActivity *self, guint64 count) {
  Results results;
  va_status_code code = va_detector_push_gap(self->detector, self->reference.echo, count, collect(self, &results));
  gst_voice_activity_publish(self, &results.output);
  if (code == VA_OK && results.output.more) return push_samples(self, self->mixdown.mono, 0); /* the gap's other hops */
  return code;
}

/* Pushes `count` samples, or a gap if `samples` is NULL. The timeline has counted them already. */
static void push(GstVoiceActivity *self, const gfloat *samples, guint64 count) {
  const guint64 most = gst_voice_activity_portion(self);
  va_status_code code = VA_OK;
  for (guint64 some; count > 0 && code == VA_OK; count -= some) {
    some = MIN(count, most);
    gst_voice_activity_give_reference(self, self->timeline.end - count + some);
    code = samples ? push_samples(self, samples, some) : push_gap(self, some);
    if (samples) samples += some;
  }
  if (code != VA_OK) GST_ERROR_OBJECT(self, "the detector rejects %s: %s", samples ? "samples" : "a gap",
                                      va_status_text(code));
}

/* Finds the position of what comes now: after a hole, which is pushed as a gap, or at the start of something new. */
static void find_place(GstVoiceActivity *self, GstClockTime timestamp, gboolean discont) {
  const GstSegment *segment = &GST_BASE_TRANSFORM(self)->segment;
  GstClockTime tolerance = self->in_use.alignment_threshold;
  guint64 missing;
  discont |= self->in_gap;
  self->in_gap = FALSE;
  if (timeline_step(&self->timeline, segment, timestamp, discont, tolerance, &missing) == TIMELINE_BREAKS) {
    GST_INFO_OBJECT(self, "%" GST_TIME_FORMAT " does not follow what came before", GST_TIME_ARGS(timestamp));
    gst_voice_activity_drain(self);
    timeline_step(&self->timeline, segment, timestamp, discont, tolerance, &missing);
  }
  if (self->ended) {
    va_detector_reset(self->detector);
    gst_voice_activity_restart_reference(self);
  }
  self->ended = FALSE;
  self->seqnum = self->segment_seqnum;
  push(self, NULL, missing);
}

/* In reverse playback, buffers come last to first while each plays forward. That is not speech to follow. */
static gboolean is_followed(GstVoiceActivity *self) {
  if (!self->detector) return FALSE;
  if (GST_BASE_TRANSFORM(self)->segment.rate > 0) return TRUE;
  gst_voice_activity_drain(self);
  return FALSE;
}

/* GStreamer 1.22 reports each loss twice, with times that differ by rounding. */
void gst_voice_activity_miss(GstVoiceActivity *self, GstClockTime timestamp, GstClockTime duration) {
  if (!is_followed(self)) return;
  timeline_trim_gap(&self->timeline, &GST_BASE_TRANSFORM(self)->segment, &timestamp, &duration);
  if (duration == 0) return;
  gst_voice_activity_begin_reference(self);
  find_place(self, timestamp, TRUE);
  self->in_gap = !GST_CLOCK_TIME_IS_VALID(duration);
  if (self->in_gap) return; /* the next timestamp shows the length */
  if (duration > TIMELINE_LONGEST_HOLE) return gst_voice_activity_drain(self);
  guint64 count = gst_util_uint64_scale_round(duration, self->timeline.rate_hz, GST_SECOND);
  timeline_advance(&self->timeline, count);
  push(self, NULL, count);
}

/* Reads the audio for the detector, for the level, or for both. */
static gdouble read_samples(GstVoiceActivity *self, const GstAudioBuffer *audio, gboolean followed) {
  gdouble sum_of_squares = 0;
  for (gsize first = 0, count; first < audio->n_samples; first += count) {
    count = MIN(audio->n_samples - first, MIXDOWN_FRAMES);
    mixdown_read(&self->mixdown, audio, first, count);
    for (gsize i = 0; i < count && self->in_use.audio_level_meta; i++)
      sum_of_squares += (gdouble)self->mixdown.mono[i] * (gdouble)self->mixdown.mono[i];
    if (!followed) continue;
    timeline_advance(&self->timeline, count);
    push(self, self->mixdown.mono, count);
  }
  return sum_of_squares;
}

GstFlowReturn gst_voice_activity_analyse(GstVoiceActivity *self, GstBuffer *buffer) {
  GstAudioBuffer audio;
  gsize count;
  gdouble sum_of_squares = 0;
  gboolean followed = is_followed(self);
  if (!self->detector) return GST_FLOW_NOT_NEGOTIATED;
  if (!mixdown_count(&self->mixdown, self, buffer, &count)) return GST_FLOW_ERROR;
  if (followed) gst_voice_activity_begin_reference(self);
  if (followed) find_place(self, GST_BUFFER_TIMESTAMP(buffer), GST_BUFFER_IS_DISCONT(buffer));
  if (GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_GAP)) {
    timeline_advance(&self->timeline, followed ? count : 0);
    push(self, NULL, followed ? count : 0);
  } else if (count > 0) {
    if (!mixdown_map(&self->mixdown, self, buffer, &audio)) return GST_FLOW_ERROR;
    sum_of_squares = read_samples(self, &audio, followed);
    gst_audio_buffer_unmap(&audio);
  }
  if (self->in_use.audio_level_meta) gst_voice_activity_add_level_meta(self, buffer, sum_of_squares, count);
  return GST_FLOW_OK;
}
