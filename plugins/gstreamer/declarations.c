/* declarations.c — the properties: names, ranges, defaults and what gst-inspect-1.0 says about them.
 *
 * Settings of the detector (READY) take effect when it is made: with the stream, or with a new rate. Settings of the
 * output and the input (PLAYING) may change at any time. */
#include "properties.h"

#include <math.h>

#define LONGEST (GST_SECOND * 3600) /* the C library's limit */

#define READY (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY)
#define PLAYING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING)
#define RESULT (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)

GParamSpec *gst_voice_activity_specs[PROP_COUNT];
static GParamSpec **const specs = gst_voice_activity_specs;

static GType preset_type(void) {
  static gsize type;
  static const GEnumValue values[] = {
      /* contract: preset */
      {VA_PRESET_CONVERSATION, "Calls and meetings: false alarms and misses weigh the same", "conversation"},
      {VA_PRESET_NOTICE, "\"You are muted\": a late notice is better than a wrong one", "notice"},
      {VA_PRESET_TRANSCRIPTION, "What to transcribe: extra sound is better than a lost word", "transcription"},
      /* contract end */
      {0, NULL, NULL}};
  if (g_once_init_enter(&type)) g_once_init_leave(&type, g_enum_register_static("GstVoiceActivityPreset", values));
  return type;
}

static GType messages_type(void) {
  static gsize type;
  static const GFlagsValue values[] = {
      /* contract: event */
      {GST_VOICE_ACTIVITY_SPEECH, "onset, offset", "speech"},
      {GST_VOICE_ACTIVITY_MUTED_SPEECH, "muted-speech-begin, muted-speech-end", "muted-speech"},
      {GST_VOICE_ACTIVITY_DISCONTINUITY, "discontinuity", "discontinuity"},
      /* contract end */
      {GST_VOICE_ACTIVITY_LEVEL, "level, one per interval", "level"},
      {GST_VOICE_ACTIVITY_NOTICE, "muted-notice: \"You are muted\", at most one in two seconds", "notice"},
      {0, NULL, NULL}};
  if (g_once_init_enter(&type)) g_once_init_leave(&type, g_flags_register_static("GstVoiceActivityMessages", values));
  return type;
}

static GType requirements_type(void) {
  static gsize type;
  static const GFlagsValue values[] = {
      /* contract: requirement */
      {1 << VA_REQUIREMENT_SUPPORTED_BY_RUNTIME, "The runtime passes on the sound of a muted microphone",
       "supported-by-runtime"},
      {1 << VA_REQUIREMENT_ENABLED, "The user, or the application, wants it",
       "enabled"},
      {1 << VA_REQUIREMENT_SESSION_ACTIVE, "The call is joined, not reconnecting, nor held by a telephone call",
       "session-active"},
      {1 << VA_REQUIREMENT_SESSION_RECORDS, "The audio session records as well as plays",
       "session-records"},
      {1 << VA_REQUIREMENT_SESSION_IS_CONVERSATION, "The far end's voice is removed from the microphone's signal",
       "session-is-conversation"},
      {1 << VA_REQUIREMENT_ALLOWED_TO_SEND_AUDIO, "The participant may send audio in this call",
       "allowed-to-send-audio"},
      {1 << VA_REQUIREMENT_RECORDING_PERMITTED, "The user has granted access to the microphone",
       "recording-permitted"},
      {1 << VA_REQUIREMENT_PLAYOUT_IS_NOT_STEREO, "Playout is mono, so that an echo canceller works",
       "playout-is-not-stereo"},
      {1 << VA_REQUIREMENT_DATA_FLOWING, "The device delivers sound",
       "data-flowing"},
      /* contract end */
      {0, NULL, NULL}};
  if (g_once_init_enter(&type))
    g_once_init_leave(&type, g_flags_register_static("GstVoiceActivityRequirements", values));
  return type;
}

static guint every(GType flags) {
  GFlagsClass *klass = g_type_class_ref(flags);
  const guint mask = klass->mask;
  g_type_class_unref(klass);
  return mask;
}

#define EVERYTHING_DECIDED                                                                                    \
  (GST_VOICE_ACTIVITY_SPEECH | GST_VOICE_ACTIVITY_MUTED_SPEECH | GST_VOICE_ACTIVITY_DISCONTINUITY)

const GstVoiceActivitySettings gst_voice_activity_defaults = {
    .preset = VA_PRESET_CONVERSATION,
    .speaker_margin_db = VA_SPEAKER_MARGIN_DB,
    .messages = EVERYTHING_DECIDED,
    .interval = 100 * GST_MSECOND,           /* as in `level` */
    .alignment_threshold = 40 * GST_MSECOND, /* as in GstAudioBaseSink */
};

#define defaults gst_voice_activity_defaults

/* MARK: properties */

static GParamSpec *time_spec(const gchar *name, const gchar *nick, const gchar *blurb, guint64 least, guint64 standard,
                             GParamFlags flags) {
  return g_param_spec_uint64(name, nick, blurb, least, LONGEST, standard, flags);
}

static void declare_lengths(void) {
  static const struct {
    guint id;
    const gchar *name, *blurb;
  } lengths[] = {
      /* contract: length */
      {PROP_ONSET_DEBOUNCE, "onset-debounce",
       "How long the posterior is at or above onset-threshold before speech begins (ns)"},
      {PROP_HANGOVER, "hangover",
       "How long the posterior is below offset-threshold before speech ends (ns)"},
      {PROP_MUTE_GRACE, "mute-grace",
       "Speech that begins within this time after muting is the end of a sentence (ns)"},
      {PROP_MUTE_CARRY_OVER, "mute-carry-over",
       "Speech that began earlier counts if it runs this long after mute-grace (ns)"},
      {PROP_MUTED_SPEECH_HOLD, "muted-speech-hold",
       "Muted speech lasts at least this long, unless the user unmutes (ns)"},
      {PROP_MUTED_SPEECH_RELEASE, "muted-speech-release",
       "How long muted speech outlasts the speech (ns)"},
      /* contract end */
  };
  va_config standard;
  va_config_preset(&standard, ANY_RATE_HZ, defaults.preset);
  for (gsize i = 0; i < G_N_ELEMENTS(lengths); i++)
    specs[lengths[i].id] =
        time_spec(lengths[i].name, lengths[i].name, lengths[i].blurb, 0,
                  *gst_voice_activity_duration_of(&standard, lengths[i].id) * GST_MSECOND, READY);
}

static void declare_decision(void) {
  va_config standard;
  va_config_preset(&standard, ANY_RATE_HZ, defaults.preset);
  specs[PROP_PRESET] = g_param_spec_enum(
      "preset", "Preset", "The use that the detector is tuned for; sets the thresholds, onset-debounce and hangover",
      preset_type(), (gint)defaults.preset, READY);
  specs[PROP_ONSET_THRESHOLD] = g_param_spec_float(
      "onset-threshold", "Onset threshold",
      "Posterior at or above which speech may begin, above 0 and below 1; moves offset-threshold unless that is set",
      0, 1, standard.onset_threshold, READY);
  specs[PROP_OFFSET_THRESHOLD] = g_param_spec_float(
      "offset-threshold", "Offset threshold",
      "Posterior below which speech may end, above 0 and not above onset-threshold",
      0, 1, standard.offset_threshold, READY);
}

static void declare_muted_speech(void) {
  specs[PROP_MUTED] = g_param_spec_boolean(
      "muted", "Muted",
      "Whether the microphone is muted, so that speech counts as muted speech; audio passes through unchanged",
      FALSE, PLAYING | GST_PARAM_CONTROLLABLE);
  specs[PROP_REQUIREMENTS] = g_param_spec_flags(
      "requirements", "Requirements", "What holds beside the mute; speaking-while-muted needs all of it",
      requirements_type(), every(requirements_type()), PLAYING);
  specs[PROP_SPEAKER_MARGIN] = g_param_spec_float(
      "speaker-margin", "Speaker margin",
      "How far below the user's learned speech level muted speech may be (dB); above 40: any level",
      0, INFINITY, defaults.speaker_margin_db, PLAYING);
}

static void declare_input(void) {
  specs[PROP_CHANNEL] = g_param_spec_uint(
      "channel", "Channel", "Channel to analyse, counted from 1; 0 for the mean of all channels",
      0, G_MAXINT, defaults.channel, READY);
  specs[PROP_PROBE] = g_param_spec_string(
      "probe", "Probe",
      "Name of the voiceactivityprobe before the loudspeaker; unset: the only one; empty: none",
      defaults.probe, PLAYING);
  specs[PROP_ALIGNMENT_THRESHOLD] = time_spec(
      "alignment-threshold", "Alignment threshold",
      "How late a timestamp may be (ns) before audio counts as missing; at most 5 ms at flagged discontinuities",
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
      "Whether somebody is speaking while muted; notified when it begins and ends",
      FALSE, RESULT);
  specs[PROP_SPEAKING_WHILE_MUTED] = g_param_spec_boolean(
      "speaking-while-muted", "Speaking while muted",
      "Whether the user speaks while muted, and all requirements hold; notified", FALSE, RESULT);
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

void gst_voice_activity_declare_properties(GObjectClass *klass) {
  declare_decision();
  declare_lengths();
  declare_muted_speech();
  declare_input();
  declare_output();
  declare_results();
  g_object_class_install_properties(klass, PROP_COUNT, gst_voice_activity_specs);
  gst_type_mark_as_plugin_api(preset_type(), 0);
  gst_type_mark_as_plugin_api(messages_type(), 0);
  gst_type_mark_as_plugin_api(requirements_type(), 0);
}
