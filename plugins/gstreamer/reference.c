/* reference.c — the reference follows the positions of the detector. Before a portion of the microphone is analysed,
 * the echo gets what plays at the same time, or silence where the probe has nothing. The reference is therefore never
 * late, and the echo keeps what it has learned. */
#include "reference.h"

#include "played.h"

/* Both an echo's step and the most to analyse at a time are a fiftieth of a second. */
#define STEPS_PER_SECOND 50

/* The most reference that one portion can need: its own step and the one in progress, 40 ms. */
#define FRAMES_MAX (2 * VA_SAMPLE_RATE_MAX_HZ / STEPS_PER_SECOND)

gboolean gst_voice_activity_find_probe(GstVoiceActivity *self) {
  Reference *reference = &self->reference;
  const gchar *name = self->in_use.probe;
  guint count = 0;
  reference->changes = gst_voice_activity_probe_changes(); /* before the search, which may miss later ones */
  gst_clear_object(&reference->probe);
  reference->probe = gst_voice_activity_probe_find(GST_ELEMENT(self), name, &count);
  const gboolean is_new = name != reference->wanted || count != reference->found;
  const gboolean is_named = name && *name, is_fatal = is_named && !self->detector;
  reference->wanted = name;
  reference->found = count;
  if (count == 1 || (count == 0 && !is_named) || !(is_new || is_fatal)) return TRUE;
  gchar *text = count > 1 ? g_strdup_printf("%u probes in this pipeline match: set `probe` to the name of one.", count)
                          : g_strdup_printf("There is no voiceactivityprobe named %s in this pipeline.", name);
  gst_element_message_full(GST_ELEMENT(self), is_fatal ? GST_MESSAGE_ERROR : GST_MESSAGE_WARNING, GST_RESOURCE_ERROR,
                           GST_RESOURCE_ERROR_NOT_FOUND, text, g_strdup("Without a probe, the far end is speech."),
                           __FILE__, GST_FUNCTION, __LINE__);
  return !is_fatal;
}

/* Starts an echo for a reference at `rate_hz`, with the detector's step in progress. Without memory for it, the next
 * buffer tries again. */
static void start_echo(GstVoiceActivity *self, guint rate_hz) {
  Reference *reference = &self->reference;
  va_echo *echo = NULL;
  if (va_echo_create(rate_hz, &echo) != VA_OK) {
    GST_WARNING_OBJECT(self, "no memory for an echo: until there is, the far end counts as speech");
    return;
  }
  va_echo_destroy(reference->echo);
  const guint64 steps = gst_util_uint64_scale(self->timeline.end, STEPS_PER_SECOND, self->timeline.rate_hz);
  reference->echo = echo;
  reference->rate_hz = rate_hz;
  reference->origin = gst_util_uint64_scale(steps, self->timeline.rate_hz, STEPS_PER_SECOND);
  reference->given = reference->missing = 0;
}

void gst_voice_activity_begin_reference(GstVoiceActivity *self) {
  Reference *reference = &self->reference;
  if (reference->changes != gst_voice_activity_probe_changes() || reference->wanted != self->in_use.probe)
    gst_voice_activity_find_probe(self);
  const guint rate_hz = reference->probe ? gst_voice_activity_probe_rate(reference->probe) : 0;
  if (rate_hz > 0 && !(reference->echo && reference->rate_hz == rate_hz)) start_echo(self, rate_hz);
}

guint64 gst_voice_activity_portion(const GstVoiceActivity *self) {
  return self->reference.echo ? self->timeline.rate_hz / STEPS_PER_SECOND : G_MAXUINT64;
}

void gst_voice_activity_give_reference(GstVoiceActivity *self, guint64 until) {
  Reference *reference = &self->reference;
  const guint rate_hz = self->timeline.rate_hz;
  gfloat frames[PLAYED_CHANNELS * FRAMES_MAX];
  if (!reference->echo) return;
  const gsize wanted =
      (gsize)(gst_util_uint64_scale(until - reference->origin, reference->rate_hz, rate_hz) - reference->given);
  const guint64 position = reference->origin + gst_util_uint64_scale(reference->given, rate_hz, reference->rate_hz);
  const GstClockTime when = timeline_at(&self->timeline, position).running_time;
  gsize known = 0;
  g_return_if_fail(wanted <= FRAMES_MAX);
  if (reference->probe && GST_CLOCK_TIME_IS_VALID(when))
    known = gst_voice_activity_probe_read(reference->probe, reference->rate_hz, when, &reference->next, frames,
                                          wanted);
  va_status_code code = known > 0 ? va_echo_push_interleaved(reference->echo, frames, wanted, PLAYED_CHANNELS)
                                  : va_echo_push_silence(reference->echo, wanted);
  reference->given += wanted;
  reference->missing += wanted - known;
  if (code != VA_OK) GST_ERROR_OBJECT(self, "the echo rejects its reference: %s", va_status_text(code));
}

void gst_voice_activity_restart_reference(GstVoiceActivity *self) {
  Reference *reference = &self->reference;
  if (reference->echo) va_echo_reset(reference->echo);
  reference->origin = reference->given = reference->missing = 0;
}

void gst_voice_activity_end_reference(GstVoiceActivity *self) {
  g_clear_pointer(&self->reference.echo, va_echo_destroy);
}
