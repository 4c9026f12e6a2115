/* properties.h — the numbers of the properties, and what properties.c and declarations.c share. */
#ifndef VOICE_ACTIVITY_PROPERTIES_H
#define VOICE_ACTIVITY_PROPERTIES_H

#include "element.h"

enum {
  PROP_MUTED = 1,
  PROP_REQUIREMENTS,
  PROP_PRESET,
  PROP_ONSET_THRESHOLD,
  PROP_OFFSET_THRESHOLD,
  /* contract: length */
  PROP_ONSET_DEBOUNCE,
  PROP_HANGOVER,
  PROP_MUTE_GRACE,
  PROP_MUTE_CARRY_OVER,
  PROP_MUTED_SPEECH_HOLD,
  PROP_MUTED_SPEECH_RELEASE,
  /* contract end */
  PROP_SPEAKER_MARGIN,
  PROP_PROBE,
  PROP_CHANNEL,
  PROP_ALIGNMENT_THRESHOLD,
  PROP_MESSAGES,
  PROP_INTERVAL,
  PROP_AUDIO_LEVEL_META,
  PROP_SPEAKING,
  PROP_MUTED_SPEECH,
  PROP_SPEAKING_WHILE_MUTED,
  PROP_POSTERIOR,
  PROP_LEVEL,
  PROP_NOISE_FLOOR,
  PROP_STATS,
  PROP_COUNT
};

/* The caps set the rate. Until then, any rate that the library accepts will do. */
#define ANY_RATE_HZ 16000

/* declarations.c: the values of new elements, and what describes each property. */
extern const GstVoiceActivitySettings gst_voice_activity_defaults;
extern GParamSpec *gst_voice_activity_specs[PROP_COUNT];
void gst_voice_activity_declare_properties(GObjectClass *klass);

/* properties.c: the duration of a property, or NULL if it has none. */
uint32_t *gst_voice_activity_duration_of(va_config *config, guint id);

/* properties.c, for the other files. Any thread may read the status; FALSE: there is no detector. */
void gst_voice_activity_install_properties(GObjectClass *klass);
void gst_voice_activity_init_settings(GstVoiceActivity *self);
gboolean gst_voice_activity_status(GstVoiceActivity *self, va_status *status);

#endif
