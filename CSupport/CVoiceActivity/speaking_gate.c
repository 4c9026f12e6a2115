/* speaking_gate.c — whether muted speech is reported (SPEAKING WHILE MUTED in voice_activity.h): a pure state machine.
 * What mute_gate.c finds in the sound comes in as speech; what only the host knows comes in as requirements. */
#include "voice_activity.h"

#define REQUIREMENTS 10
/* A bit of `unmet` that no requirement has, so that it stays. */
#define ENDED (1u << 31)

void va_speaking_gate_init(va_speaking_gate *gate) {
  *gate = (va_speaking_gate){.unmet = 1u << VA_REQUIREMENT_MICROPHONE_MUTED};
}

static bool settle(va_speaking_gate *gate, bool is_speech) {
  const bool is_speaking = is_speech && gate->unmet == 0, changed = is_speaking != gate->is_speaking;
  gate->is_speaking = is_speaking;
  return changed;
}

bool va_speaking_gate_set(va_speaking_gate *gate, va_requirement requirement, bool is_met) {
  const uint32_t bit = (uint32_t)requirement < REQUIREMENTS ? 1u << requirement : 0;
  gate->unmet = is_met ? gate->unmet & ~bit : gate->unmet | bit;
  return settle(gate, gate->is_speaking);
}

bool va_speaking_gate_set_speech(va_speaking_gate *gate, bool is_speech) { return settle(gate, is_speech); }

bool va_speaking_gate_handle(va_speaking_gate *gate, uint32_t event_type) {
  switch (event_type) {
    case VA_EVENT_MUTED_SPEECH_BEGIN: return settle(gate, true);
    case VA_EVENT_MUTED_SPEECH_END: return settle(gate, false);
    default: return false;
  }
}

bool va_speaking_gate_end(va_speaking_gate *gate) {
  gate->unmet |= ENDED;
  return settle(gate, false);
}
