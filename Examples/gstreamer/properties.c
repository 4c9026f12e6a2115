/* properties.c — the settings. Any thread; the object lock guards them.
 *
 * Settings of the detector (READY) take effect when it is made: with the stream, or with a new rate. Settings of the
 * output (PLAYING) may change at any time. */
#include "gstvoiceactivity.h"

#define LONGEST (GST_SECOND * 3600) /* the C library's limit */

#define READY (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY)
#define PLAYING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING)
#define RESULT (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)

enum {
  PROP_MUTED = 1,
  PROP_PRESET,
  PROP_ONSET_THRESHOLD,
  PROP_OFFSET_THRESHOLD,
  PROP_ONSET_DEBOUNCE,
  PROP_HANGOVER,
  PROP_MUTE_GRACE,
  PROP_MUTE_CARRY_OVER,
  PROP_MUTED_SPEECH_HOLD,
  PROP_MUTED_SPEECH_RELEASE,
  PROP_CHANNEL,
  PROP_ALIGNMENT_THRESHOLD,
  PROP_MESSAGES,
  PROP_INTERVAL,
  PROP_AUDIO_LEVEL_META,
  PROP_SPEAKING,
  PROP_MUTED_SPEECH,
  PROP_POSTERIOR,
  PROP_LEVEL,
  PROP_NOISE_FLOOR,
  PROP_STATS,
  PROP_COUNT
};

static GParamSpec *specs[PROP_COUNT];

static GType preset_type(void) {
  static gsize type;
  static const GEnumValue values[] = {
      {VA_PRESET_CONVERSATION, "Calls and meetings: false alarms and missed speech weigh the same", "conversation"},
      {VA_PRESET_NOTICE, "Notifying users, for example that they are muted: prefers a late decision to a wrong one", "notice"},
      {VA_PRESET_TRANSCRIPTION, "Choosing what to transcribe or keep: prefers an early onset to a clipped word", "transcription"},
      {0, NULL, NULL}};
  if (g_once_init_enter(&type)) g_once_init_leave(&type, g_enum_register_static("GstVoiceActivityPreset", values));
  return type;
}

static GType messages_type(void) {
  static gsize type;
  static const GFlagsValue values[] = {
      {GST_VOICE_ACTIVITY_SPEECH, "onset and offset", "speech"},
      {GST_VOICE_ACTIVITY_MUTED_SPEECH, "muted-speech-begin and muted-speech-end", "muted-speech"},
      {GST_VOICE_ACTIVITY_DISCONTINUITY, "discontinuity: audio was missing", "discontinuity"},
      {GST_VOICE_ACTIVITY_LEVEL, "level, one per interval", "level"},
      {0, NULL, NULL}};
  if (g_once_init_enter(&type)) g_once_init_leave(&type, g_flags_register_static("GstVoiceActivityMessages", values));
  return type;
}

/* MARK: settings */

#define EVERYTHING_DECIDED                                                                                    \
  (GST_VOICE_ACTIVITY_SPEECH | GST_VOICE_ACTIVITY_MUTED_SPEECH | GST_VOICE_ACTIVITY_DISCONTINUITY)

static const GstVoiceActivitySettings defaults = {
    .preset = VA_PRESET_CONVERSATION,
    .messages = EVERYTHING_DECIDED,
    .interval = 100 * GST_MSECOND,           /* as in `level` */
    .alignment_threshold = 40 * GST_MSECOND, /* as in GstAudioBaseSink */
};

/* The caps set the rate. Until then, any rate that the library accepts will do. */
#define ANY_RATE_HZ 16000

void gst_voice_activity_init_settings(GstVoiceActivity *self) {
  self->settings = defaults;
  va_config_preset(&self->settings.config, ANY_RATE_HZ, self->settings.preset);
  self->in_use = self->settings;
}

/* A preset replaces what it sets and nothing else. Properties set after it replace single values. */
static void use_preset(va_config *config, va_preset preset) {
  va_config chosen;
  if (va_config_preset(&chosen, config->sample_rate_hz, preset) != VA_OK) return;
  config->onset_threshold = chosen.onset_threshold;
  config->offset_threshold = chosen.offset_threshold;
  config->onset_debounce_ms = chosen.onset_debounce_ms;
  config->hangover_ms = chosen.hangover_ms;
}

/* The duration of a property, or NULL if it has none. */
static uint32_t *duration_of(va_config *config, guint id) {
  switch (id) {
    case PROP_ONSET_DEBOUNCE: return &config->onset_debounce_ms;
    case PROP_HANGOVER: return &config->hangover_ms;
    case PROP_MUTE_GRACE: return &config->mute_grace_ms;
    case PROP_MUTE_CARRY_OVER: return &config->mute_carry_over_ms;
    case PROP_MUTED_SPEECH_HOLD: return &config->muted_speech_hold_ms;
    case PROP_MUTED_SPEECH_RELEASE: return &config->muted_speech_release_ms;
    default: return NULL;
  }
}

/* Converts nanoseconds, GStreamer's unit, to the library's milliseconds. The library rounds up to hops as well. */
static uint32_t to_ms(guint64 time) { return (uint32_t)((time + GST_MSECOND - 1) / GST_MSECOND); }

static void notify_decision(GObject *object) {
  for (guint id = PROP_ONSET_THRESHOLD; id <= PROP_HANGOVER; id++) g_object_notify_by_pspec(object, specs[id]);
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
  GstVoiceActivity *self = GST_VOICE_ACTIVITY(object);
  GstVoiceActivitySettings *settings = &self->settings;
  GST_OBJECT_LOCK(self);
  if ((spec->flags & GST_PARAM_MUTABLE_READY) && self->detector)
    GST_WARNING_OBJECT(self, "%s holds from the next stream on, or the next rate", spec->name);
  uint32_t *duration = duration_of(&settings->config, id);
  if (duration) *duration = to_ms(g_value_get_uint64(value));
  else switch (id) {
    case PROP_MUTED:
      settings->muted = g_value_get_boolean(value);
      if (self->detector) va_detector_set_muted(self->detector, settings->muted);
      break;
    case PROP_PRESET:
      settings->preset = (va_preset)g_value_get_enum(value);
      use_preset(&settings->config, settings->preset);
      break;
    case PROP_ONSET_THRESHOLD: settings->config.onset_threshold = g_value_get_float(value); break;
    case PROP_OFFSET_THRESHOLD: settings->config.offset_threshold = g_value_get_float(value); break;
    case PROP_CHANNEL: settings->channel = g_value_get_uint(value); break;
    case PROP_ALIGNMENT_THRESHOLD: settings->alignment_threshold = g_value_get_uint64(value); break;
    case PROP_MESSAGES: settings->messages = g_value_get_flags(value); break;
    case PROP_INTERVAL: settings->interval = g_value_get_uint64(value); break;
    case PROP_AUDIO_LEVEL_META: settings->audio_level_meta = g_value_get_boolean(value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  }
  GST_OBJECT_UNLOCK(self);
  if (id == PROP_PRESET) notify_decision(object);
}

/* MARK: results */

gboolean gst_voice_activity_status(GstVoiceActivity *self, va_status *status) {
  *status = (va_status){.struct_size = sizeof *status};
  GST_OBJECT_LOCK(self);
  gboolean known = self->detector && va_detector_status(self->detector, status) == VA_OK;
  GST_OBJECT_UNLOCK(self);
  if (known && status->hops > 0) return TRUE;
  status->level_dbfs = status->noise_floor_dbfs = -127; /* nothing heard yet */
  return known;
}

static GstStructure *stats(const va_status *status) {
  return gst_structure_new("voiceactivity-stats",                                         //
                           "hops", G_TYPE_UINT64, status->hops,                           //
                           "clipped-samples", G_TYPE_UINT64, status->clipped_samples,     //
                           "non-finite-samples", G_TYPE_UINT64, status->non_finite_samples, //
                           "missing-samples", G_TYPE_UINT64, status->missing_samples, NULL);
}

static gboolean get_result(GstVoiceActivity *self, guint id, GValue *value) {
  va_status status;
  gst_voice_activity_status(self, &status);
  switch (id) {
    case PROP_SPEAKING: g_value_set_boolean(value, status.is_speech); break;
    case PROP_MUTED_SPEECH: g_value_set_boolean(value, status.is_muted_speech); break;
    case PROP_POSTERIOR: g_value_set_float(value, status.posterior); break;
    case PROP_LEVEL: g_value_set_float(value, status.level_dbfs); break;
    case PROP_NOISE_FLOOR: g_value_set_float(value, status.noise_floor_dbfs); break;
    case PROP_STATS: g_value_take_boxed(value, stats(&status)); break;
    default: return FALSE;
  }
  return TRUE;
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
  GstVoiceActivity *self = GST_VOICE_ACTIVITY(object);
  GstVoiceActivitySettings *settings = &self->settings;
  if (get_result(self, id, value)) return;
  GST_OBJECT_LOCK(self);
  const uint32_t *duration = duration_of(&settings->config, id);
  if (duration) g_value_set_uint64(value, *duration * GST_MSECOND);
  else switch (id) {
    case PROP_MUTED: g_value_set_boolean(value, settings->muted); break;
    case PROP_PRESET: g_value_set_enum(value, (gint)settings->preset); break;
    case PROP_ONSET_THRESHOLD: g_value_set_float(value, settings->config.onset_threshold); break;
    case PROP_OFFSET_THRESHOLD: g_value_set_float(value, settings->config.offset_threshold); break;
    case PROP_CHANNEL: g_value_set_uint(value, settings->channel); break;
    case PROP_ALIGNMENT_THRESHOLD: g_value_set_uint64(value, settings->alignment_threshold); break;
    case PROP_MESSAGES: g_value_set_flags(value, settings->messages); break;
    case PROP_INTERVAL: g_value_set_uint64(value, settings->interval); break;
    case PROP_AUDIO_LEVEL_META: g_value_set_boolean(value, settings->audio_level_meta); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  }
  GST_OBJECT_UNLOCK(self);
}

/* MARK: declarations */

static GParamSpec *time_spec(const gchar *name, const gchar *nick, const gchar *blurb, guint64 least, guint64 standard,
                             GParamFlags flags) {
  return g_param_spec_uint64(name, nick, blurb, least, LONGEST, standard, flags);
}

static GParamSpec *duration_spec(guint id, const gchar *name, const gchar *nick, const gchar *blurb) {
  va_config standard;
  va_config_preset(&standard, ANY_RATE_HZ, defaults.preset);
  return time_spec(name, nick, blurb, 0, *duration_of(&standard, id) * GST_MSECOND, READY);
}

static void declare_decision(void) {
  va_config standard;
  va_config_preset(&standard, ANY_RATE_HZ, defaults.preset);
  specs[PROP_PRESET] = g_param_spec_enum(
      "preset", "Preset", "The use that the detector is tuned for; sets the thresholds, onset-debounce and hangover",
      preset_type(), (gint)defaults.preset, READY);
  specs[PROP_ONSET_THRESHOLD] = g_param_spec_float(
      "onset-threshold", "Onset threshold", "Posterior at or above which speech may begin, above 0 and below 1",
      0, 1, standard.onset_threshold, READY);
  specs[PROP_OFFSET_THRESHOLD] = g_param_spec_float(
      "offset-threshold", "Offset threshold",
      "Posterior below which speech may end, above 0 and not above onset-threshold",
      0, 1, standard.offset_threshold, READY);
  specs[PROP_ONSET_DEBOUNCE] = duration_spec(
      PROP_ONSET_DEBOUNCE, "onset-debounce", "Onset debounce",
      "How long the posterior must stay above onset-threshold before speech begins (ns)");
  specs[PROP_HANGOVER] = duration_spec(
      PROP_HANGOVER, "hangover", "Hangover",
      "How long the posterior must stay below offset-threshold before speech ends (ns)");
}

static void declare_muted_speech(void) {
  specs[PROP_MUTED] = g_param_spec_boolean(
      "muted", "Muted",
      "Whether the microphone is muted, so that speech counts as muted speech; audio passes through unchanged",
      FALSE, PLAYING | GST_PARAM_CONTROLLABLE);
  specs[PROP_MUTE_GRACE] = duration_spec(
      PROP_MUTE_GRACE, "mute-grace", "Mute grace",
      "Speech that begins within this time after muting is the end of a sentence (ns)");
  specs[PROP_MUTE_CARRY_OVER] = duration_spec(
      PROP_MUTE_CARRY_OVER, "mute-carry-over", "Mute carry-over",
      "Speech from before muting counts if it continues for this long after mute-grace (ns)");
  specs[PROP_MUTED_SPEECH_HOLD] = duration_spec(
      PROP_MUTED_SPEECH_HOLD, "muted-speech-hold", "Muted-speech hold",
      "Muted speech lasts at least this long, unless the microphone is unmuted (ns)");
  specs[PROP_MUTED_SPEECH_RELEASE] = duration_spec(
      PROP_MUTED_SPEECH_RELEASE, "muted-speech-release", "Muted-speech release",
      "How long muted speech continues after speech has ended (ns)");
}

static void declare_input(void) {
  specs[PROP_CHANNEL] = g_param_spec_uint(
      "channel", "Channel", "Channel to analyse, counted from 1; 0 for the mean of all channels",
      0, G_MAXINT, defaults.channel, READY);
  specs[PROP_ALIGNMENT_THRESHOLD] = time_spec(
      "alignment-threshold", "Alignment threshold",
      "Timestamp deviation (ns) from which audio counts as missing or the stream as restarted; "
      "5 ms at flagged discontinuities",
      0, defaults.alignment_threshold, PLAYING);
}

static void declare_output(void) {
  specs[PROP_MESSAGES] = g_param_spec_flags(
      "messages", "Messages", "Messages to post on the bus", messages_type(), defaults.messages, PLAYING);
  specs[PROP_INTERVAL] = time_spec(
      "interval", "Interval", "Time between level messages (ns), in whole hops of 10 ms",
      VA_HOP_MS * GST_MSECOND, defaults.interval, PLAYING);
  specs[PROP_AUDIO_LEVEL_META] = g_param_spec_boolean(
      "audio-level-meta", "Audio level meta",
      "Set GstAudioLevelMeta, the level and voice flag of RFC 6464, on outgoing buffers", FALSE, PLAYING);
}

static void declare_results(void) {
  specs[PROP_SPEAKING] = g_param_spec_boolean(
      "speaking", "Speaking", "Whether somebody is speaking; notified with onset and offset", FALSE, RESULT);
  specs[PROP_MUTED_SPEECH] = g_param_spec_boolean(
      "muted-speech", "Muted speech",
      "Whether somebody is speaking while muted; notified with muted-speech-begin and muted-speech-end",
      FALSE, RESULT);
  specs[PROP_POSTERIOR] = g_param_spec_float(
      "posterior", "Posterior", "Probability of speech in the newest decided hop", 0, 1, 0, RESULT);
  specs[PROP_LEVEL] = g_param_spec_float(
      "level", "Level", "RMS of the newest decided hop (dBFS)", -127, 12, -127, RESULT);
  specs[PROP_NOISE_FLOOR] = g_param_spec_float(
      "noise-floor", "Noise floor", "Tracked background level (dBFS)", -127, 12, -127, RESULT);
  specs[PROP_STATS] = g_param_spec_boxed(
      "stats", "Statistics", "Counts of decided hops and of input samples that were clipped, not finite, or missing",
      GST_TYPE_STRUCTURE, RESULT);
}

void gst_voice_activity_install_properties(GObjectClass *klass) {
  klass->set_property = set_property;
  klass->get_property = get_property;
  declare_decision();
  declare_muted_speech();
  declare_input();
  declare_output();
  declare_results();
  g_object_class_install_properties(klass, PROP_COUNT, specs);
  gst_type_mark_as_plugin_api(preset_type(), 0);
  gst_type_mark_as_plugin_api(messages_type(), 0);
}
