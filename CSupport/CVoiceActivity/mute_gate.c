#include "mute_gate.h"

#include <string.h>

#include "geometry.h"

void va_mute_gate_init(va_mute_gate *gate, const va_config *config) {
  memset(gate, 0, sizeof *gate);
  gate->grace_hops = va_hops_of_ms(config->mute_grace_ms);
  gate->carry_over_hops = va_hops_of_ms(config->mute_carry_over_ms);
  gate->hold_hops = va_hops_of_ms(config->muted_speech_hold_ms);
  gate->release_hops = va_hops_of_ms(config->muted_speech_release_ms);
}

static bool is_muted_speech(const va_mute_gate *gate, const va_mute_input *input) {
  uint64_t grace_end = gate->muted_at + gate->grace_hops;
  bool counts = input->onset >= grace_end || input->hop >= grace_end + gate->carry_over_hops;
  return counts && input->is_speech && input->nearness == VA_NEAR;
}

static bool is_over(const va_mute_gate *gate, uint64_t hop) {
  return hop >= gate->began + gate->hold_hops && hop > gate->last_speech + gate->release_hops;
}

va_mute_change va_mute_gate_step(va_mute_gate *gate, const va_mute_input *input) {
  if (input->muted && !gate->muted) gate->muted_at = input->newest;
  gate->muted = input->muted;
  if (!input->muted) return va_mute_gate_end(gate);
  if (gate->speaking) {
    if (input->is_speech && input->nearness != VA_FAR) gate->last_speech = input->hop;
    return is_over(gate, input->hop) ? va_mute_gate_end(gate) : VA_MUTE_NO_CHANGE;
  }
  if (!is_muted_speech(gate, input)) return VA_MUTE_NO_CHANGE;
  gate->speaking = true;
  gate->began = gate->last_speech = input->hop;
  return VA_MUTED_SPEECH_BEGAN;
}

va_mute_change va_mute_gate_end(va_mute_gate *gate) {
  va_mute_change change = gate->speaking ? VA_MUTED_SPEECH_ENDED : VA_MUTE_NO_CHANGE;
  gate->speaking = false;
  return change;
}
