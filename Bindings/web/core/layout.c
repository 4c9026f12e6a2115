/* layout.c — the places that src/core/layout.js reads and writes. It only has to compile. */
#include "arena.h"

#include "../../../CSupport/layout.h"

FIELD(va_config, onset_threshold, float, 8);
FIELD(va_config, offset_threshold, float, 12);
FIELD(va_config, onset_debounce_ms, uint32_t, 16);
FIELD(va_config, hangover_ms, uint32_t, 20);
FIELD(va_config, mute_grace_ms, uint32_t, 24);
FIELD(va_config, mute_carry_over_ms, uint32_t, 28);
FIELD(va_config, muted_speech_hold_ms, uint32_t, 32);
FIELD(va_config, muted_speech_release_ms, uint32_t, 36);

FIELD(va_output, events, va_event *, 0);
FIELD(va_output, event_count, size_t, 8);
FIELD(va_output, hops, va_hop *, 12);
FIELD(va_output, hop_capacity, size_t, 16);
FIELD(va_output, hop_count, size_t, 20);
FIELD(va_output, more, bool, 24);

SIZE(va_event, 32);
FIELD(va_event, type, uint32_t, 0);
FIELD(va_event, position, uint64_t, 8);
FIELD(va_event, decided_at, uint64_t, 16);
FIELD(va_event, length_samples, uint64_t, 24);

SIZE(va_hop, 32);
FIELD(va_hop, position, uint64_t, 0);
FIELD(va_hop, posterior, float, 8);
FIELD(va_hop, level_dbfs, float, 12);
FIELD(va_hop, peak_dbfs, float, 16);
FIELD(va_hop, noise_floor_dbfs, float, 20);
FIELD(va_hop, state, uint8_t, 24);
FIELD(va_hop, flags, uint8_t, 25);
FIELD(va_hop, level_dbov, uint8_t, 26);

FIELD(va_status, state, uint32_t, 4);
FIELD(va_status, is_speech, bool, 8);
FIELD(va_status, is_muted, bool, 9);
FIELD(va_status, is_muted_speech, bool, 10);
FIELD(va_status, level_dbov, uint8_t, 11);
FIELD(va_status, posterior, float, 12);
FIELD(va_status, level_dbfs, float, 16);
FIELD(va_status, noise_floor_dbfs, float, 20);
FIELD(va_status, hops, uint64_t, 32);
FIELD(va_status, clipped_samples, uint64_t, 40);
FIELD(va_status, non_finite_samples, uint64_t, 48);
FIELD(va_status, missing_samples, uint64_t, 56);

FIELD(va_echo_status, delay_ms, uint32_t, 4);
FIELD(va_echo_status, fit, float, 8);
FIELD(va_echo_status, coupling_db, float, 12);
FIELD(va_echo_status, late_samples, uint64_t, 16);

VALUE(ARENA_SAMPLES, 4096);
SIZE(arena_saved, 6144);
_Static_assert(VA_ECHO_SAVED_SIZE_MAX <= sizeof arena_saved, "room for a saved echo");
