/* layout.c — what compiled programs rely on and abidiff does not check: the place and type of every public field, and
 * every public value. It only has to compile (make abi). On a machine with 32-bit addresses, structs with pointers
 * differ and are left out. Lines may be added, and the size of a struct with a struct_size may change. Changing any
 * other line breaks existing programs and requires a new SONAME, so `make contract` only ever adds. */
#include <voice_activity.h>

#include "../../layout.h"

/* contract: promises */
SIZE(va_config, 40);
FIELD(va_config, struct_size, uint32_t, 0);
FIELD(va_config, sample_rate_hz, uint32_t, 4);
FIELD(va_config, onset_threshold, float, 8);
FIELD(va_config, offset_threshold, float, 12);
FIELD(va_config, onset_debounce_ms, uint32_t, 16);
FIELD(va_config, hangover_ms, uint32_t, 20);
FIELD(va_config, mute_grace_ms, uint32_t, 24);
FIELD(va_config, mute_carry_over_ms, uint32_t, 28);
FIELD(va_config, muted_speech_hold_ms, uint32_t, 32);
FIELD(va_config, muted_speech_release_ms, uint32_t, 36);

SIZE(va_event, 32);
FIELD(va_event, type, uint32_t, 0);
FIELD(va_event, reserved, uint32_t, 4);
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
FIELD(va_hop, reserved, uint8_t, 27);
FIELD(va_hop, hangover_left_ms, uint32_t, 28);

#if UINTPTR_MAX > UINT32_MAX
SIZE(va_output, 56);
FIELD(va_output, events, va_event *, 0);
FIELD(va_output, event_capacity, size_t, 8);
FIELD(va_output, event_count, size_t, 16);
FIELD(va_output, hops, va_hop *, 24);
FIELD(va_output, hop_capacity, size_t, 32);
FIELD(va_output, hop_count, size_t, 40);
FIELD(va_output, more, bool, 48);
#endif

SIZE(va_status, 64);
FIELD(va_status, struct_size, uint32_t, 0);
FIELD(va_status, state, uint32_t, 4);
FIELD(va_status, is_speech, bool, 8);
FIELD(va_status, is_muted, bool, 9);
FIELD(va_status, is_muted_speech, bool, 10);
FIELD(va_status, level_dbov, uint8_t, 11);
FIELD(va_status, posterior, float, 12);
FIELD(va_status, level_dbfs, float, 16);
FIELD(va_status, noise_floor_dbfs, float, 20);
FIELD(va_status, reserved, uint32_t, 24);
FIELD(va_status, hops, uint64_t, 32);
FIELD(va_status, clipped_samples, uint64_t, 40);
FIELD(va_status, non_finite_samples, uint64_t, 48);
FIELD(va_status, missing_samples, uint64_t, 56);

SIZE(va_speaking_gate, 8);
FIELD(va_speaking_gate, unmet, uint32_t, 0);
FIELD(va_speaking_gate, is_speaking, bool, 4);

SIZE(va_muted_notice, 56);
FIELD(va_muted_notice, duration_ms, int64_t, 0);
FIELD(va_muted_notice, interval_ms, int64_t, 8);
FIELD(va_muted_notice, shown, uint64_t, 16);
FIELD(va_muted_notice, count, uint64_t, 24);
FIELD(va_muted_notice, shown_at_ms, int64_t, 32);
FIELD(va_muted_notice, ends_at_ms, int64_t, 40);
FIELD(va_muted_notice, is_enabled, bool, 48);
FIELD(va_muted_notice, is_once_per_mute, bool, 49);
FIELD(va_muted_notice, is_speaking, bool, 50);
FIELD(va_muted_notice, was_shown_during_mute, bool, 51);

SIZE(va_echo_status, 24);
FIELD(va_echo_status, struct_size, uint32_t, 0);
FIELD(va_echo_status, delay_ms, uint32_t, 4);
FIELD(va_echo_status, fit, float, 8);
FIELD(va_echo_status, coupling_db, float, 12);
FIELD(va_echo_status, late_samples, uint64_t, 16);

SIZE(va_cut_rules, 24);
FIELD(va_cut_rules, struct_size, uint32_t, 0);
FIELD(va_cut_rules, min_silence_ms, uint32_t, 4);
FIELD(va_cut_rules, min_speech_ms, uint32_t, 8);
FIELD(va_cut_rules, max_length_ms, uint32_t, 12);
FIELD(va_cut_rules, pad_before_ms, uint32_t, 16);
FIELD(va_cut_rules, pad_after_ms, uint32_t, 20);

SIZE(va_cut, 32);
FIELD(va_cut, start, uint64_t, 0);
FIELD(va_cut, end, uint64_t, 8);
FIELD(va_cut, decided_at, uint64_t, 16);
FIELD(va_cut, continues, bool, 24);

#if UINTPTR_MAX > UINT32_MAX
SIZE(va_batch_item, 72);
FIELD(va_batch_item, detector, va_detector *, 0);
FIELD(va_batch_item, echo, va_echo *, 8);
FIELD(va_batch_item, samples, const float *, 16);
FIELD(va_batch_item, samples_s16, const int16_t *, 24);
FIELD(va_batch_item, count, size_t, 32);
FIELD(va_batch_item, missing, uint64_t, 40);
FIELD(va_batch_item, output, va_output *, 48);
FIELD(va_batch_item, consumed, size_t, 56);
FIELD(va_batch_item, status, va_status_code, 64);
FIELD(va_batch_item, reserved, uint32_t, 68);
#endif

VALUE(VA_OK, 0);
VALUE(VA_ERROR_ARGUMENT, 1);
VALUE(VA_ERROR_STRUCT_SIZE, 2);
VALUE(VA_ERROR_SAMPLE_RATE, 3);
VALUE(VA_ERROR_THRESHOLD, 4);
VALUE(VA_ERROR_DURATION, 5);
VALUE(VA_ERROR_MEMORY, 6);
VALUE(VA_ERROR_EVENT_CAPACITY, 7);
VALUE(VA_ERROR_SAVED_DATA, 8);
VALUE(VA_ERROR_SAVED_VERSION, 9);
VALUE(VA_ERROR_OUTPUT_FULL, 10);
VALUE(VA_ERROR_REFERENCE_EARLY, 11);

VALUE(VA_PRESET_CONVERSATION, 0);
VALUE(VA_PRESET_NOTICE, 1);
VALUE(VA_PRESET_TRANSCRIPTION, 2);

VALUE(VA_STATE_SILENCE, 0);
VALUE(VA_STATE_PENDING_ONSET, 1);
VALUE(VA_STATE_SPEECH, 2);
VALUE(VA_STATE_HANGOVER, 3);

VALUE(VA_EVENT_ONSET, 1);
VALUE(VA_EVENT_OFFSET, 2);
VALUE(VA_EVENT_MUTED_SPEECH_BEGIN, 3);
VALUE(VA_EVENT_MUTED_SPEECH_END, 4);
VALUE(VA_EVENT_DISCONTINUITY, 5);

VALUE(VA_HOP_SPEECH, 1);
VALUE(VA_HOP_MUTED, 2);
VALUE(VA_HOP_MUTED_SPEECH, 4);
VALUE(VA_HOP_MISSING, 8);
VALUE(VA_HOP_LEVEL_ONLY, 16);
VALUE(VA_HOP_ECHO, 32);

VALUE(VA_REQUIREMENT_SUPPORTED_BY_RUNTIME, 0);
VALUE(VA_REQUIREMENT_ENABLED, 1);
VALUE(VA_REQUIREMENT_SESSION_ACTIVE, 2);
VALUE(VA_REQUIREMENT_SESSION_RECORDS, 3);
VALUE(VA_REQUIREMENT_SESSION_IS_CONVERSATION, 4);
VALUE(VA_REQUIREMENT_ALLOWED_TO_SEND_AUDIO, 5);
VALUE(VA_REQUIREMENT_RECORDING_PERMITTED, 6);
VALUE(VA_REQUIREMENT_PLAYOUT_IS_NOT_STEREO, 7);
VALUE(VA_REQUIREMENT_MICROPHONE_MUTED, 8);
VALUE(VA_REQUIREMENT_DATA_FLOWING, 9);

VALUE(VA_SAMPLE_RATE_MIN_HZ, 8000);
VALUE(VA_SAMPLE_RATE_MAX_HZ, 192000);
VALUE(VA_DURATION_MAX_MS, 3600000);
VALUE(VA_HOP_MS, 10);
VALUE(VA_EVENTS_PER_HOP_MAX, 4);
VALUE(VA_RISE_MAX_MS, 200);
VALUE(VA_NOTICE_MS, 2000);
VALUE(VA_SPEAKER_MARGIN_DB, 15);
VALUE(VA_SPEAKER_MARGIN_MAX_DB, 40);
VALUE(VA_SPEAKER_LEAST_MS, 3000);
VALUE(VA_SPEAKER_MOST_MS, 30000);
VALUE(VA_INPUT_GAIN_MAX_DB, 60);
VALUE(VA_GAP_MAX, 1099511627776ull);
VALUE(VA_ECHO_CHANNELS_MAX, 8);
VALUE(VA_SMOOTHER_DELAY_MS, 670);
VALUE(VA_CUT_MIN_MS, 1000);
VALUE(VA_DETECTOR_ALIGNMENT, 64);
VALUE(VA_DETECTOR_SIZE_MAX, 8192);
VALUE(VA_DETECTOR_SAVED_SIZE_MAX, 6144);
VALUE(VA_ECHO_SIZE_MAX, 4096);
VALUE(VA_ECHO_SAVED_SIZE_MAX, 4096);
/* contract end */
