/* library.c — what does not belong to one detector: version, texts, defaults. */
#include "hysteresis.h"
#include "kernels.h"
#include "posterior.h"
#include "voice_activity.h"

const char *va_version(void) { return "0.1.0"; }

uint32_t va_abi_version(void) { return VA_ABI_VERSION; }

uint32_t va_detector_lookahead_ms(void) { return VA_LOOKAHEAD_HOPS * VA_HOP_MS; }

const char *va_simd_name(void) { return va_simd_detect() == VA_SIMD_AVX2 ? "avx2" : "portable"; }

const char *va_status_text(va_status_code code) {
  switch (code) {
    case VA_OK: return "no error";
    case VA_ERROR_ARGUMENT: return "an argument is null, of the wrong size or alignment, or the stream has ended";
    case VA_ERROR_STRUCT_SIZE: return "struct_size is not that of any known version of the structure";
    case VA_ERROR_SAMPLE_RATE: return "the sample rate is not between 8000 and 192000 Hz";
    case VA_ERROR_THRESHOLD: return "the thresholds are not 0 < offset <= onset < 1";
    case VA_ERROR_DURATION: return "a duration is longer than one hour";
    case VA_ERROR_MEMORY: return "there is no memory for a detector";
    case VA_ERROR_EVENT_CAPACITY: return "the output has room for too few events or hops";
  }
  return "unknown error";
}

va_status_code va_config_default(va_config *config, uint32_t sample_rate_hz) {
  if (!config) return VA_ERROR_ARGUMENT;
  *config = (va_config){
      .struct_size = sizeof *config,
      .sample_rate_hz = sample_rate_hz,
      .onset_threshold = 0.6f,
      .offset_threshold = 0.4f,
      .onset_debounce_ms = 50,
      .hangover_ms = 150,
      .mute_grace_ms = 300,
      .mute_carry_over_ms = 1000,
      .muted_speech_hold_ms = 400,
      .muted_speech_release_ms = 200,
  };
  return VA_OK;
}
