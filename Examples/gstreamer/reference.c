/* reference.c — gives the detector's echo what the loudspeaker plays. Streaming thread only.
 *
 * Sample for sample, the reference follows the positions of the detector: before a stretch of the microphone is
 * analysed, the echo gets what plays in it, and silence where the probe has nothing. So nothing is ever late, and the
 * echo keeps what it has learned. */
#include "gstvoiceactivity.h"

/* Both an echo's step and the most to analyse at a time are a fiftieth of a second. */
#define STEPS_PER_SECOND 50

/* What a step of the microphone can ask of the reference, with the one that was begun: 40 ms. */
#define SAMPLES_MAX (2 * VA_SAMPLE_RATE_MAX_HZ / STEPS_PER_SECOND)

static gboolean is_named(const GstVoiceActivity *self) { return self->in_use.probe && *self->in_use.probe; }

/* Looks for the probe. Returns FALSE if the one that is wanted by name is not there, which is an error before the
 * stream and a warning in it. An empty name is that of none. */
gboolean gst_voice_activity_find_probe(GstVoiceActivity *self) {
  Reference *reference = &self->reference;
  guint count = 0;
  reference->changes = gst_voice_activity_probe_changes(); /* before the search, so that nothing after it is missed */
  reference->wanted = self->in_use.probe;
  gst_clear_object(&reference->probe);
  reference->probe = gst_voice_activity_probe_find(GST_ELEMENT(self), self->in_use.probe, &count);
  if (count > 1)
    GST_ELEMENT_WARNING(self, RESOURCE, NOT_FOUND,
                        ("%u probes are in this pipeline: set `probe` to the name of one.", count),
                        ("until then the far end counts as speech"));
  if (reference->probe || !is_named(self)) return TRUE;
  if (!self->detector)
    GST_ELEMENT_ERROR(self, RESOURCE, NOT_FOUND,
                      ("There is no voiceactivityprobe named %s in this pipeline.", self->in_use.probe), (NULL));
  else
    GST_ELEMENT_WARNING(self, RESOURCE, NOT_FOUND,
                        ("There is no voiceactivityprobe named %s in this pipeline.", self->in_use.probe),
                        ("without it the far end counts as speech"));
  return FALSE;
}

/* Starts an echo, for a reference at `rate_hz`, with the detector's step in progress. */
static void start_echo(GstVoiceActivity *self, guint rate_hz) {
  Reference *reference = &self->reference;
  va_echo *echo = NULL;
  if (va_echo_create(rate_hz, &echo) != VA_OK) return;
  va_echo_destroy(reference->echo);
  const guint64 steps = gst_util_uint64_scale(self->timeline.end, STEPS_PER_SECOND, self->timeline.rate_hz);
  reference->echo = echo;
  reference->rate_hz = rate_hz;
  reference->origin = gst_util_uint64_scale(steps, self->timeline.rate_hz, STEPS_PER_SECOND);
  reference->given = reference->missing = 0;
}

/* Before each buffer and gap: a probe may have come, gone, or changed its rate. The echo stays when the probe goes. */
void gst_voice_activity_begin_reference(GstVoiceActivity *self) {
  Reference *reference = &self->reference;
  if (reference->changes != gst_voice_activity_probe_changes() || reference->wanted != self->in_use.probe)
    gst_voice_activity_find_probe(self);
  const guint rate_hz = reference->probe ? gst_voice_activity_probe_rate(reference->probe) : 0;
  if (rate_hz > 0 && !(reference->echo && reference->rate_hz == rate_hz)) start_echo(self, rate_hz);
}

/* The most samples to analyse between two calls of give_reference. */
guint64 gst_voice_activity_portion(const GstVoiceActivity *self) {
  return self->reference.echo ? self->timeline.rate_hz / STEPS_PER_SECOND : G_MAXUINT64;
}

/* Gives the reference of all that the detector hears before position `until`. */
void gst_voice_activity_give_reference(GstVoiceActivity *self, guint64 until) {
  Reference *reference = &self->reference;
  const guint rate_hz = self->timeline.rate_hz;
  gfloat samples[SAMPLES_MAX];
  if (!reference->echo) return;
  const gsize wanted =
      (gsize)(gst_util_uint64_scale(until - reference->origin, reference->rate_hz, rate_hz) - reference->given);
  const guint64 position = reference->origin + gst_util_uint64_scale(reference->given, rate_hz, reference->rate_hz);
  const GstClockTime when = timeline_at(&self->timeline, position).running_time;
  gsize known = 0;
  g_return_if_fail(wanted <= SAMPLES_MAX);
  if (reference->probe && GST_CLOCK_TIME_IS_VALID(when))
    known = gst_voice_activity_probe_read(reference->probe, reference->rate_hz, when, &reference->next, samples,
                                          wanted);
  va_status_code code = known > 0 ? va_echo_push(reference->echo, samples, wanted)
                                  : va_echo_push_silence(reference->echo, wanted);
  reference->given += wanted;
  reference->missing += wanted - known;
  if (code != VA_OK) GST_ERROR_OBJECT(self, "the echo refuses its reference: %s", va_status_text(code));
}

/* With the detector, at position 0. */
void gst_voice_activity_restart_reference(GstVoiceActivity *self) {
  Reference *reference = &self->reference;
  if (reference->echo) va_echo_reset(reference->echo);
  reference->origin = reference->given = reference->missing = 0;
}

void gst_voice_activity_end_reference(GstVoiceActivity *self) {
  g_clear_pointer(&self->reference.echo, va_echo_destroy);
}
