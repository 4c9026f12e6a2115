/* gstvoiceactivity.c — the element `voiceactivity`: the functions that GStreamer calls.
 *
 * Buffers pass through unchanged and at once. Only with audio-level-meta does a buffer that others hold as well become
 * a new one with the same memory. Decisions follow later as messages, after the look-ahead and the onset debounce or
 * the hangover. The element therefore adds no latency, and the latency query passes through. */
#include "analysis.h"
#include "properties.h"
#include "reference.h"

GST_DEBUG_CATEGORY(gst_voice_activity_debug);

G_DEFINE_TYPE(GstVoiceActivity, gst_voice_activity, GST_TYPE_BASE_TRANSFORM)

/* MARK: states and caps */

/* Reports contradictory settings and a missing probe before anything flows. */
static gboolean start(GstBaseTransform *transform) {
  GstVoiceActivity *self = GST_VOICE_ACTIVITY(transform);
  self->complained = FALSE;
  gst_voice_activity_apply_settings(self);
  return gst_voice_activity_check_settings(self) && gst_voice_activity_find_probe(self);
}

static gboolean stop(GstBaseTransform *transform) {
  GstVoiceActivity *self = GST_VOICE_ACTIVITY(transform);
  gst_voice_activity_drain(self);
  gst_voice_activity_close(self);
  return TRUE;
}

static gboolean set_caps(GstBaseTransform *transform, GstCaps *in, GstCaps *out) {
  GstAudioInfo info;
  (void)out; /* equal to `in`: the audio passes through */
  if (gst_audio_info_from_caps(&info, in)) return gst_voice_activity_open(GST_VOICE_ACTIVITY(transform), &info);
  GST_ELEMENT_ERROR(transform, STREAM, FORMAT, ("These caps are not raw audio that this element knows."),
                    ("%" GST_PTR_FORMAT, in));
  return FALSE;
}

/* MARK: events */

/* An event that ends a stretch of audio also ends open speech, whose messages go out before the event does. A segment
 * does not: the next buffer shows whether it continues where the last one ended. */
static gboolean sink_event(GstBaseTransform *transform, GstEvent *event) {
  GstVoiceActivity *self = GST_VOICE_ACTIVITY(transform);
  GstClockTime timestamp, duration;
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_STREAM_START:
    case GST_EVENT_FLUSH_STOP:
    case GST_EVENT_SEGMENT_DONE:
    case GST_EVENT_EOS: gst_voice_activity_drain(self); break;
    case GST_EVENT_SEGMENT: self->segment_seqnum = gst_event_get_seqnum(event); break;
    case GST_EVENT_GAP:
      gst_event_parse_gap(event, &timestamp, &duration);
      gst_voice_activity_miss(self, timestamp, duration);
      break;
    default: break;
  }
  return GST_BASE_TRANSFORM_CLASS(gst_voice_activity_parent_class)->sink_event(transform, event);
}

/* MARK: buffers */

/* A GstController may drive `muted` in stream time, for example with the mute timeline of a recording. */
static void before_transform(GstBaseTransform *transform, GstBuffer *buffer) {
  if (transform->segment.format != GST_FORMAT_TIME) return;
  GstClockTime time = gst_segment_to_stream_time(&transform->segment, GST_FORMAT_TIME, GST_BUFFER_TIMESTAMP(buffer));
  if (GST_CLOCK_TIME_IS_VALID(time)) gst_object_sync_values(GST_OBJECT(transform), time);
}

/* Meta can be added only to a buffer that nobody else holds, otherwise to a new one with the same memory. */
static GstFlowReturn prepare_output_buffer(GstBaseTransform *transform, GstBuffer *in, GstBuffer **out) {
  GstVoiceActivity *self = GST_VOICE_ACTIVITY(transform);
  gst_voice_activity_apply_settings(self);
  *out = self->in_use.audio_level_meta && !gst_buffer_is_writable(in) ? gst_buffer_copy(in) : in;
  return *out ? GST_FLOW_OK : GST_FLOW_ERROR;
}

static GstFlowReturn transform_ip(GstBaseTransform *transform, GstBuffer *buffer) {
  return gst_voice_activity_analyse(GST_VOICE_ACTIVITY(transform), buffer);
}

/* MARK: class */

static void gst_voice_activity_class_init(GstVoiceActivityClass *klass) {
  GstElementClass *element = GST_ELEMENT_CLASS(klass);
  GstBaseTransformClass *transform = GST_BASE_TRANSFORM_CLASS(klass);
  gst_voice_activity_install_properties(G_OBJECT_CLASS(klass));
  gst_element_class_set_static_metadata(element, "Voice activity detector", "Filter/Analyzer/Audio",
                                        "Detects when somebody speaks, and when somebody speaks while muted",
                                        "The voice-activity authors");
  mixdown_add_pads(element);
  transform->start = start;
  transform->stop = stop;
  transform->set_caps = set_caps;
  transform->sink_event = sink_event;
  transform->before_transform = before_transform;
  transform->prepare_output_buffer = prepare_output_buffer;
  transform->transform_ip = transform_ip;
  transform->passthrough_on_same_caps = TRUE;
  transform->transform_ip_on_passthrough = TRUE;
}

static void gst_voice_activity_init(GstVoiceActivity *self) {
  gst_voice_activity_init_settings(self);
  gst_base_transform_set_passthrough(GST_BASE_TRANSFORM(self), TRUE);
  gst_base_transform_set_gap_aware(GST_BASE_TRANSFORM(self), TRUE);
}

static gboolean plugin_init(GstPlugin *plugin) {
  GST_DEBUG_CATEGORY_INIT(gst_voice_activity_debug, "voiceactivity", 0, "voice activity detection");
  return gst_element_register(plugin, "voiceactivity", GST_RANK_NONE, GST_TYPE_VOICE_ACTIVITY) &&
         gst_element_register(plugin, "voiceactivityprobe", GST_RANK_NONE, GST_TYPE_VOICE_ACTIVITY_PROBE);
}

#define PACKAGE "voice-activity" /* GST_PLUGIN_DEFINE requires it: the name of the sources */

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, voiceactivity, "Voice activity detection", plugin_init, VERSION,
                  "Apache 2.0", PACKAGE_NAME, PACKAGE_ORIGIN)
