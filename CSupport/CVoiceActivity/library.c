/* library.c — what belongs to no detector: the version, the texts of errors, the presets. */
#include "geometry.h"
#include "kernels.h"
#include "voice_activity.h"

/* The number that a macro stands for, as text. */
#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(macro) TEXT_OF(macro)

const char *va_version(void) { return "1.0.0"; }

uint32_t va_abi_version(void) { return VA_ABI_VERSION; }

uint32_t va_detector_lookahead_ms(void) { return VA_LOOKAHEAD_HOPS * VA_HOP_MS; }

const char *va_simd_name(void) { return va_simd_name_of(va_simd_detect()); }

const char *va_status_text(va_status_code code) {
  switch (code) {
    /* contract: status */
    case VA_OK: return "success";
    case VA_ERROR_ARGUMENT:
      return "an argument is null, unknown, out of range, of the wrong size or alignment, or the stream has ended";
    case VA_ERROR_STRUCT_SIZE: return "struct_size is not that of any known version of the structure";
    case VA_ERROR_SAMPLE_RATE:
      return "the sample rate is not between " TEXT(VA_SAMPLE_RATE_MIN_HZ) " and " TEXT(VA_SAMPLE_RATE_MAX_HZ) " Hz";
    case VA_ERROR_THRESHOLD: return "the thresholds are not 0 < offset <= onset < 1";
    case VA_ERROR_DURATION:
      return "a duration is longer than one hour, or the longest cut is less than a second longer than its padding";
    case VA_ERROR_MEMORY: return "there is not enough memory";
    case VA_ERROR_EVENT_CAPACITY: return "the output has room for too few events or hops";
    case VA_ERROR_SAVED_DATA: return "the bytes are not a saved stream or echo, or not all of it, or they were changed";
    case VA_ERROR_SAVED_VERSION:
      return "the bytes were saved by a version of the library with another format or network";
    case VA_ERROR_OUTPUT_FULL: return "the output is full of earlier results; read them and call again";
    case VA_ERROR_REFERENCE_EARLY:
      return "the reference is more than 100 ms ahead of the microphone; process that first";
    /* contract end */
  }
  return "unknown status code";
}
_Static_assert(VA_DURATION_MAX_MS == 60 * 60 * 1000, "the text of VA_ERROR_DURATION says one hour");

/* What the presets decide with. A preset with higher thresholds or a longer debounce raises fewer false alarms, reports
 * onsets later, and cuts the beginnings of more words. */
typedef struct va_decision {
  float onset_threshold, offset_threshold;
  uint32_t onset_debounce_ms, hangover_ms;
} va_decision;

static const va_decision decisions[] = {
    /* contract: preset */
    /* A high threshold instead of a longer debounce: sure hops need no second one. 80 ms keep most plosives in a
     * word. */
    [VA_PRESET_CONVERSATION] = {0.82f, 0.40f, 10, 80},
    /* Higher thresholds, held for a third of a syllable: a keystroke or a click is not worth a notice. */
    [VA_PRESET_NOTICE] = {0.90f, 0.70f, 60, 200},
    /* Low thresholds keep weak beginnings and endings with the words, the long hangover the pauses between words. */
    [VA_PRESET_TRANSCRIPTION] = {0.45f, 0.35f, 10, 300},
    /* contract end */
};

va_status_code va_config_preset(va_config *config, uint32_t sample_rate_hz, va_preset preset) {
  if (!config || (size_t)preset >= sizeof decisions / sizeof decisions[0]) return VA_ERROR_ARGUMENT;
  const va_decision *decision = &decisions[preset];
  *config = (va_config){
      .struct_size = sizeof *config,
      .sample_rate_hz = sample_rate_hz,
      .onset_threshold = decision->onset_threshold,
      .offset_threshold = decision->offset_threshold,
      .onset_debounce_ms = decision->onset_debounce_ms,
      .hangover_ms = decision->hangover_ms,
      /* contract: setting */
      .mute_grace_ms = 300,
      .mute_carry_over_ms = 1000,
      .muted_speech_hold_ms = 400,
      .muted_speech_release_ms = 200,
      /* contract end */
  };
  return VA_OK;
}

va_status_code va_config_default(va_config *config, uint32_t sample_rate_hz) {
  return va_config_preset(config, sample_rate_hz, VA_PRESET_CONVERSATION);
}

/* Six decimals are more than a posterior has, and drop the excess digits of floats. Below 0.001 they would be too
 * few. */
static float rounded(float threshold) {
  return threshold < 1e-3f ? threshold : (float)(uint32_t)(threshold * 1e6f + 0.5f) / 1e6f;
}

void va_config_move_thresholds(va_config *config, float onset_threshold) {
  const float distance = config->onset_threshold - config->offset_threshold;
  config->onset_threshold = onset_threshold;
  if (!(onset_threshold > 0 && onset_threshold < 1)) return;
  const float moved = onset_threshold - distance, least = onset_threshold / 3;
  const float offset = rounded(moved > least ? moved < onset_threshold ? moved : onset_threshold : least);
  config->offset_threshold = offset < onset_threshold ? offset : onset_threshold;
}

va_status_code va_config_check(const va_config *config) {
  if (!config) return VA_ERROR_ARGUMENT;
  if (config->struct_size != sizeof *config) return VA_ERROR_STRUCT_SIZE;
  if (!va_is_input_rate(config->sample_rate_hz)) return VA_ERROR_SAMPLE_RATE;
  bool ordered = config->offset_threshold > 0 && config->offset_threshold <= config->onset_threshold &&
                 config->onset_threshold < 1; /* false with NaN */
  if (!ordered) return VA_ERROR_THRESHOLD;
  const uint32_t durations[] = {
      /* contract: length */
      config->onset_debounce_ms, config->hangover_ms, config->mute_grace_ms, config->mute_carry_over_ms,
      config->muted_speech_hold_ms, config->muted_speech_release_ms,
      /* contract end */
  };
  for (size_t i = 0; i < sizeof durations / sizeof durations[0]; i++)
    if (durations[i] > VA_DURATION_MAX_MS) return VA_ERROR_DURATION;
  return VA_OK;
}
