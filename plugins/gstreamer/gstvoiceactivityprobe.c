/* gstvoiceactivityprobe.c — the element `voiceactivityprobe`. Buffers pass through unchanged and at once. */
#include "gstvoiceactivityprobe.h"

#include "mixdown.h"
#include "played.h"

/* The default alignment-threshold of GstAudioBaseSink: while timestamps are off by less, a sink plays samples one after
 * another. */
#define SINK_TOLERANCE (40 * GST_MSECOND)

/* A reader continues at its last place while its times are off by less than this, a step of the echo. */
#define READER_TOLERANCE_MS 20

/* Gaps that are longer are none: a time of the far future, not valid as a signed difference. */
#define MOST_DURATION ((GstClockTime)G_MAXINT64 / 2)

struct _GstVoiceActivityProbe {
  GstBaseTransform parent;

  Mixdown mixdown; /* for the streaming thread only */

  GMutex lock; /* guards the rest */
  Played played;
  gint64 asked;         /* the end of the newest request */
  GstClockTime latency; /* of the pipeline: a sink plays a sample this long after its running time */
};

G_DEFINE_TYPE(GstVoiceActivityProbe, gst_voice_activity_probe, GST_TYPE_BASE_TRANSFORM);

static gint changes; /* atomic */

gint gst_voice_activity_probe_changes(void) { return g_atomic_int_get(&changes); }

/* MARK: readers */

/* Returns the top of the hierarchy, usually the pipeline. */
static GstObject *top_of(GstElement *element) {
  GstObject *top = gst_object_ref(GST_OBJECT(element));
  for (GstObject *parent; (parent = gst_object_get_parent(top)); top = parent) gst_object_unref(top);
  return top;
}

GstVoiceActivityProbe *gst_voice_activity_probe_find(GstElement *element, const gchar *name, guint *count) {
  GstObject *top = top_of(element);
  GstVoiceActivityProbe *found = NULL;
  GValue value = G_VALUE_INIT;
  GstIteratorResult result = GST_IS_BIN(top) ? GST_ITERATOR_OK : GST_ITERATOR_DONE;
  GstIterator *all = GST_IS_BIN(top) ? gst_bin_iterate_recurse(GST_BIN(top)) : NULL;
  for (*count = 0; result == GST_ITERATOR_OK || result == GST_ITERATOR_RESYNC;) {
    result = gst_iterator_next(all, &value);
    if (result == GST_ITERATOR_RESYNC) {
      gst_iterator_resync(all);
      *count = 0;
    } else if (result == GST_ITERATOR_OK) {
      GObject *candidate = g_value_get_object(&value);
      if (GST_IS_VOICE_ACTIVITY_PROBE(candidate) && (!name || g_strcmp0(GST_OBJECT_NAME(candidate), name) == 0)) {
        gst_object_replace((GstObject **)&found, GST_OBJECT(candidate));
        ++*count;
      }
      g_value_reset(&value);
    }
  }
  if (*count != 1) gst_clear_object(&found);
  g_clear_pointer(&all, gst_iterator_free);
  gst_object_unref(top);
  return found;
}

guint gst_voice_activity_probe_rate(GstVoiceActivityProbe *self) {
  g_mutex_lock(&self->lock);
  guint rate_hz = self->played.rate_hz;
  g_mutex_unlock(&self->lock);
  return rate_hz;
}

/* Converts a time, which may be negative, to samples. */
static gint64 position_at(GstClockTimeDiff time, guint rate_hz) {
  gint64 samples = (gint64)gst_util_uint64_scale_round((guint64)ABS(time), rate_hz, GST_SECOND);
  return time < 0 ? -samples : samples;
}

gsize gst_voice_activity_probe_read(GstVoiceActivityProbe *self, guint rate_hz, GstClockTime when, gint64 *next,
                                    gfloat *samples, gsize count) {
  g_mutex_lock(&self->lock);
  const gint64 position = position_at(GST_CLOCK_DIFF(self->latency, when), rate_hz);
  if (ABS(*next - position) > (gint64)(rate_hz * READER_TOLERANCE_MS / 1000)) *next = position;
  const gsize written = played_read(&self->played, *next, samples, count);
  self->asked = *next + (gint64)count;
  GST_LOG_OBJECT(self, "%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " samples from %" G_GINT64_FORMAT " on, due %"
                 G_GINT64_FORMAT ", held %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                 written, count, *next, position, self->played.start, self->played.end);
  g_mutex_unlock(&self->lock);
  *next += (gint64)count;
  return written;
}

/* MARK: input */

/* Moves to the position at which the sink will play what comes next. Returns FALSE if it will not play it.
 *
 * A sink that starts late, or whose device is slower than the clock, plays up to seconds later than the timestamps say.
 * Audio that arrives after a reader has asked for it cannot have played yet. It is placed after that request. */
static gboolean find_place(GstVoiceActivityProbe *self, GstClockTime timestamp, gboolean discont) {
  const GstSegment *segment = &GST_BASE_TRANSFORM(self)->segment;
  Played *played = &self->played;
  gint64 position = played->end;
  if (played->rate_hz == 0 || segment->rate != 1) return FALSE; /* at another speed it sounds different */
  if (GST_CLOCK_TIME_IS_VALID(timestamp) && segment->format == GST_FORMAT_TIME) {
    GstClockTime time = gst_segment_to_running_time(segment, GST_FORMAT_TIME, timestamp);
    if (!GST_CLOCK_TIME_IS_VALID(time)) return FALSE; /* outside the segment */
    position = position_at((GstClockTimeDiff)time, played->rate_hz);
  }
  /* Before the pipeline's time 0, nobody asks. */
  const gint64 place = MAX(0, MAX(position, self->asked)), tolerance = position_at(SINK_TOLERANCE, played->rate_hz);
  const gboolean exact = discont || played->start == played->end || self->asked > played->end;
  if (place - played->end > (exact ? 0 : tolerance) || played->end - place > tolerance) played_seek(played, place);
  return TRUE;
}

static void write_samples(GstVoiceActivityProbe *self, const GstAudioBuffer *audio) {
  gfloat stereo[PLAYED_CHANNELS * MIXDOWN_FRAMES];
  for (gsize first = 0, count; first < audio->n_samples; first += count) {
    count = MIN(audio->n_samples - first, MIXDOWN_FRAMES);
    mixdown_read_stereo(&self->mixdown, audio, first, count, stereo);
    played_write(&self->played, stereo, count);
  }
}

static GstFlowReturn transform_ip(GstBaseTransform *transform, GstBuffer *buffer) {
  GstVoiceActivityProbe *self = GST_VOICE_ACTIVITY_PROBE(transform);
  GstAudioBuffer audio;
  gsize count;
  if (!mixdown_count(&self->mixdown, self, buffer, &count)) return GST_FLOW_ERROR;
  gboolean silent = count == 0 || GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_GAP);
  if (!silent && !mixdown_map(&self->mixdown, self, buffer, &audio)) return GST_FLOW_ERROR;
  g_mutex_lock(&self->lock);
  if (find_place(self, GST_BUFFER_TIMESTAMP(buffer), GST_BUFFER_IS_DISCONT(buffer))) {
    if (silent) played_write(&self->played, NULL, count);
    else write_samples(self, &audio);
  }
  g_mutex_unlock(&self->lock);
  if (!silent) gst_audio_buffer_unmap(&audio);
  return GST_FLOW_OK;
}

/* A sink plays silence for a gap. */
static void miss(GstVoiceActivityProbe *self, GstEvent *event) {
  GstClockTime timestamp, duration;
  gst_event_parse_gap(event, &timestamp, &duration);
  g_mutex_lock(&self->lock);
  if (duration <= MOST_DURATION && find_place(self, timestamp, FALSE))
    played_seek(&self->played, self->played.end + position_at((GstClockTimeDiff)duration, self->played.rate_hz));
  g_mutex_unlock(&self->lock);
}

/* MARK: states, caps and events */

static void restart(GstVoiceActivityProbe *self, guint rate_hz) {
  g_mutex_lock(&self->lock);
  played_restart(&self->played, rate_hz);
  self->asked = 0;
  g_mutex_unlock(&self->lock);
}

static gboolean stop(GstBaseTransform *transform) {
  GstVoiceActivityProbe *self = GST_VOICE_ACTIVITY_PROBE(transform);
  restart(self, 0);
  mixdown_clear(&self->mixdown);
  g_atomic_int_inc(&changes);
  return TRUE;
}

/* Another format or number of channels at the same rate changes nothing for readers. */
static gboolean set_caps(GstBaseTransform *transform, GstCaps *in, GstCaps *out) {
  GstVoiceActivityProbe *self = GST_VOICE_ACTIVITY_PROBE(transform);
  GstAudioInfo info;
  (void)out; /* equal to `in` */
  if (!gst_audio_info_from_caps(&info, in)) return FALSE;
  mixdown_set(&self->mixdown, &info, 0);
  if (self->played.rate_hz != (guint)GST_AUDIO_INFO_RATE(&info)) restart(self, (guint)GST_AUDIO_INFO_RATE(&info));
  g_atomic_int_inc(&changes);
  return TRUE;
}

static gboolean sink_event(GstBaseTransform *transform, GstEvent *event) {
  GstVoiceActivityProbe *self = GST_VOICE_ACTIVITY_PROBE(transform);
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_FLUSH_STOP: restart(self, self->played.rate_hz); break; /* what has not played yet is dropped */
    case GST_EVENT_GAP: miss(self, event); break;
    default: break;
  }
  return GST_BASE_TRANSFORM_CLASS(gst_voice_activity_probe_parent_class)->sink_event(transform, event);
}

/* Notes the latency of the pipeline. The event travels upstream from the sink. */
static gboolean src_event(GstBaseTransform *transform, GstEvent *event) {
  GstVoiceActivityProbe *self = GST_VOICE_ACTIVITY_PROBE(transform);
  GstClockTime latency;
  if (GST_EVENT_TYPE(event) == GST_EVENT_LATENCY) {
    gst_event_parse_latency(event, &latency);
    g_mutex_lock(&self->lock);
    self->latency = GST_CLOCK_TIME_IS_VALID(latency) ? latency : 0;
    g_mutex_unlock(&self->lock);
  }
  return GST_BASE_TRANSFORM_CLASS(gst_voice_activity_probe_parent_class)->src_event(transform, event);
}

/* MARK: class */

static void finalize(GObject *object) {
  GstVoiceActivityProbe *self = GST_VOICE_ACTIVITY_PROBE(object);
  played_restart(&self->played, 0);
  mixdown_clear(&self->mixdown);
  g_mutex_clear(&self->lock);
  G_OBJECT_CLASS(gst_voice_activity_probe_parent_class)->finalize(object);
}

static void gst_voice_activity_probe_class_init(GstVoiceActivityProbeClass *klass) {
  GstElementClass *element = GST_ELEMENT_CLASS(klass);
  GstBaseTransformClass *transform = GST_BASE_TRANSFORM_CLASS(klass);
  G_OBJECT_CLASS(klass)->finalize = finalize;
  gst_element_class_set_static_metadata(element, "Voice activity probe", "Filter/Analyzer/Audio",
                                        "Shows voiceactivity what a loudspeaker plays, to tell it from the user",
                                        "The voice-activity authors");
  mixdown_add_pads(element);
  transform->stop = stop;
  transform->set_caps = set_caps;
  transform->sink_event = sink_event;
  transform->src_event = src_event;
  transform->transform_ip = transform_ip;
  transform->passthrough_on_same_caps = TRUE;
  transform->transform_ip_on_passthrough = TRUE;
}

static void gst_voice_activity_probe_init(GstVoiceActivityProbe *self) {
  g_mutex_init(&self->lock);
  gst_base_transform_set_passthrough(GST_BASE_TRANSFORM(self), TRUE);
  gst_base_transform_set_gap_aware(GST_BASE_TRANSFORM(self), TRUE);
}
