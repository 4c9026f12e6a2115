#include "include/replay.h"

#include "../CVoiceActivity/geometry.h"
#include "../CVoiceActivity/hysteresis.h"

static va_hysteresis begin(const va_replay_settings *settings) {
  va_hysteresis hysteresis;
  va_config config;
  va_config_default(&config, settings->sample_rate_hz);
  config.onset_threshold = settings->onset_threshold;
  config.offset_threshold = settings->offset_threshold;
  config.onset_debounce_ms = settings->onset_debounce_ms;
  config.hangover_ms = settings->hangover_ms;
  va_hysteresis_init(&hysteresis, &config);
  return hysteresis;
}

size_t va_replay(const va_replay_settings *settings, const float *posteriors, size_t count,
                 va_replay_segment *segments, bool *live) {
  va_hysteresis h = begin(settings);
  size_t found = 0;
  for (size_t hop = 0; hop <= count; hop++) {
    va_transition transition = hop < count ? va_hysteresis_step(&h, posteriors[hop], hop) : va_hysteresis_end(&h);
    if (hop < count) live[hop] = va_hysteresis_is_speech(&h);
    if (transition != VA_SPEECH_ENDED) continue;
    segments[found] = (va_replay_segment){va_hop_start(settings->sample_rate_hz, h.onset),
                                          va_hop_start(settings->sample_rate_hz, h.offset)};
    found++;
  }
  return found;
}
