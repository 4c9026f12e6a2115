/* properties.c — the settings and the results. Any thread; the object lock guards them. declarations.c says when a
 * setting takes effect. */
#include "properties.h"

#include <math.h>

/* MARK: settings */

void gst_voice_activity_init_settings(GstVoiceActivity *self) {
  self->settings = gst_voice_activity_defaults;
  va_config_preset(&self->settings.config, ANY_RATE_HZ, self->settings.preset);
  self->settings.requirements = G_PARAM_SPEC_FLAGS(gst_voice_activity_specs[PROP_REQUIREMENTS])->default_value;
  self->in_use = self->settings;
  muted_init(&self->muted);
  self->muted.notice.is_enabled = FALSE; /* as `messages` */
}

static void use_thresholds(va_config *config, const va_config *chosen) {
  config->onset_threshold = chosen->onset_threshold;
  config->offset_threshold = chosen->offset_threshold;
}

/* A preset replaces what it sets and nothing else. Properties set after it replace single values. */
static void use_preset(GstVoiceActivitySettings *settings, va_preset preset) {
  va_config chosen;
  if (va_config_preset(&chosen, ANY_RATE_HZ, preset) != VA_OK) return;
  settings->preset = preset;
  settings->has_offset = FALSE;
  use_thresholds(&settings->config, &chosen);
  settings->config.onset_debounce_ms = chosen.onset_debounce_ms;
  settings->config.hangover_ms = chosen.hangover_ms;
}

/* An onset threshold alone moves the offset threshold from where the preset has it. */
static void use_onset_threshold(GstVoiceActivitySettings *settings, gfloat threshold) {
  va_config chosen;
  settings->config.onset_threshold = threshold;
  if (settings->has_offset || va_config_preset(&chosen, ANY_RATE_HZ, settings->preset) != VA_OK) return;
  va_config_move_thresholds(&chosen, threshold);
  use_thresholds(&settings->config, &chosen);
}

uint32_t *gst_voice_activity_duration_of(va_config *config, guint id) {
  switch (id) {
    /* contract: length */
    case PROP_ONSET_DEBOUNCE: return &config->onset_debounce_ms;
    case PROP_HANGOVER: return &config->hangover_ms;
    case PROP_MUTE_GRACE: return &config->mute_grace_ms;
    case PROP_MUTE_CARRY_OVER: return &config->mute_carry_over_ms;
    case PROP_MUTED_SPEECH_HOLD: return &config->muted_speech_hold_ms;
    case PROP_MUTED_SPEECH_RELEASE: return &config->muted_speech_release_ms;
    /* contract end */
    default: return NULL;
  }
}

/* Converts nanoseconds, GStreamer's unit, to the library's milliseconds. The library rounds up to hops as well. */
static uint32_t to_ms(guint64 time) { return (uint32_t)((time + GST_MSECOND - 1) / GST_MSECOND); }

/* The library turns the user's level off with an infinite margin. */
static gfloat to_margin(gfloat decibels) { return decibels > VA_SPEAKER_MARGIN_MAX_DB ? INFINITY : decibels; }

/* Returns whether the user has begun or ceased to speak while muted. */
static gboolean use_requirements(GstVoiceActivity *self, guint met) {
  gboolean has_changed = FALSE;
  for (guint changed = self->settings.requirements ^ met, n = 0; changed >> n; n++)
    if (changed >> n & 1) has_changed |= muted_set(&self->muted, (va_requirement)n, met >> n & 1);
  self->settings.requirements = met;
  return has_changed;
}

static void notify_decision(GObject *object) {
  for (guint id = PROP_ONSET_THRESHOLD; id <= PROP_HANGOVER; id++)
    g_object_notify_by_pspec(object, gst_voice_activity_specs[id]);
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
  GstVoiceActivity *self = GST_VOICE_ACTIVITY(object);
  GstVoiceActivitySettings *settings = &self->settings;
  gboolean has_changed = FALSE; /* speaking-while-muted */
  GST_OBJECT_LOCK(self);
  if ((spec->flags & GST_PARAM_MUTABLE_READY) && self->detector)
    GST_WARNING_OBJECT(self, "%s holds from the next stream on, or the next rate", spec->name);
  uint32_t *duration = gst_voice_activity_duration_of(&settings->config, id);
  if (duration) *duration = to_ms(g_value_get_uint64(value));
  else switch (id) {
    case PROP_MUTED:
      settings->muted = g_value_get_boolean(value);
      if (self->detector) va_detector_set_muted(self->detector, settings->muted);
      has_changed = muted_set(&self->muted, VA_REQUIREMENT_MICROPHONE_MUTED, settings->muted);
      break;
    case PROP_REQUIREMENTS: has_changed = use_requirements(self, g_value_get_flags(value)); break;
    case PROP_PRESET: use_preset(settings, (va_preset)g_value_get_enum(value)); break;
    case PROP_ONSET_THRESHOLD: use_onset_threshold(settings, g_value_get_float(value)); break;
    case PROP_OFFSET_THRESHOLD:
      settings->config.offset_threshold = g_value_get_float(value);
      settings->has_offset = TRUE;
      break;
    case PROP_CHANNEL: settings->channel = g_value_get_uint(value); break;
    case PROP_ALIGNMENT_THRESHOLD: settings->alignment_threshold = g_value_get_uint64(value); break;
    case PROP_SPEAKER_MARGIN: settings->speaker_margin_db = to_margin(g_value_get_float(value)); break;
    case PROP_PROBE: settings->probe = g_intern_string(g_value_get_string(value)); break;
    case PROP_MESSAGES:
      settings->messages = g_value_get_flags(value);
      self->muted.notice.is_enabled = (settings->messages & GST_VOICE_ACTIVITY_NOTICE) != 0;
      break;
    case PROP_INTERVAL: settings->interval = g_value_get_uint64(value); break;
    case PROP_AUDIO_LEVEL_META: settings->audio_level_meta = g_value_get_boolean(value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  }
  GST_OBJECT_UNLOCK(self);
  if (has_changed) g_object_notify_by_pspec(object, gst_voice_activity_specs[PROP_SPEAKING_WHILE_MUTED]);
  if (id == PROP_PRESET) notify_decision(object);
  if (id == PROP_ONSET_THRESHOLD) g_object_notify_by_pspec(object, gst_voice_activity_specs[PROP_OFFSET_THRESHOLD]);
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

static GstStructure *stats(GstVoiceActivity *self, const va_status *status) {
  GST_OBJECT_LOCK(self);
  const va_echo_status echo = self->echo_status;
  const GstClockTime missing = self->echo_missing;
  GST_OBJECT_UNLOCK(self);
  GstStructure *fields = gst_structure_new("voiceactivity-stats",                                         //
                           "hops", G_TYPE_UINT64, status->hops,                           //
                           "clipped-samples", G_TYPE_UINT64, status->clipped_samples,     //
                           "non-finite-samples", G_TYPE_UINT64, status->non_finite_samples, //
                           "missing-samples", G_TYPE_UINT64, status->missing_samples, NULL);
  if (echo.struct_size == 0) return fields;
  gst_structure_set(fields,                                                               //
                    "echo-delay", GST_TYPE_CLOCK_TIME, echo.delay_ms * GST_MSECOND,       //
                    "echo-fit", G_TYPE_DOUBLE, (gdouble)echo.fit,                         //
                    "echo-coupling", G_TYPE_DOUBLE, (gdouble)echo.coupling_db,            //
                    "reference-missing", GST_TYPE_CLOCK_TIME, missing, NULL);
  return fields;
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
    case PROP_STATS: g_value_take_boxed(value, stats(self, &status)); break;
    default: return FALSE;
  }
  return TRUE;
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
  GstVoiceActivity *self = GST_VOICE_ACTIVITY(object);
  GstVoiceActivitySettings *settings = &self->settings;
  if (get_result(self, id, value)) return;
  GST_OBJECT_LOCK(self);
  const uint32_t *duration = gst_voice_activity_duration_of(&settings->config, id);
  if (duration) g_value_set_uint64(value, *duration * GST_MSECOND);
  else switch (id) {
    case PROP_MUTED: g_value_set_boolean(value, settings->muted); break;
    case PROP_REQUIREMENTS: g_value_set_flags(value, settings->requirements); break;
    case PROP_SPEAKING_WHILE_MUTED: g_value_set_boolean(value, self->muted.gate.is_speaking); break;
    case PROP_PRESET: g_value_set_enum(value, (gint)settings->preset); break;
    case PROP_ONSET_THRESHOLD: g_value_set_float(value, settings->config.onset_threshold); break;
    case PROP_OFFSET_THRESHOLD: g_value_set_float(value, settings->config.offset_threshold); break;
    case PROP_CHANNEL: g_value_set_uint(value, settings->channel); break;
    case PROP_ALIGNMENT_THRESHOLD: g_value_set_uint64(value, settings->alignment_threshold); break;
    case PROP_SPEAKER_MARGIN: g_value_set_float(value, settings->speaker_margin_db); break;
    case PROP_PROBE: g_value_set_static_string(value, settings->probe); break;
    case PROP_MESSAGES: g_value_set_flags(value, settings->messages); break;
    case PROP_INTERVAL: g_value_set_uint64(value, settings->interval); break;
    case PROP_AUDIO_LEVEL_META: g_value_set_boolean(value, settings->audio_level_meta); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  }
  GST_OBJECT_UNLOCK(self);
}

void gst_voice_activity_install_properties(GObjectClass *klass) {
  klass->set_property = set_property;
  klass->get_property = get_property;
  gst_voice_activity_declare_properties(klass);
}
