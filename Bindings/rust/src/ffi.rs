//! What this crate uses of voice_activity.h. layout.rs holds every size and offset to the header's.
#![allow(non_camel_case_types)]

use std::ffi::{c_char, c_int, c_void};

#[repr(C)]
pub struct va_detector {
    _private: [u8; 0],
}

#[repr(C)]
pub struct va_echo {
    _private: [u8; 0],
}

#[repr(C)]
pub struct va_cutter {
    _private: [u8; 0],
}

// contract: layout
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct va_config {
    pub struct_size: u32,
    pub sample_rate_hz: u32,
    pub onset_threshold: f32,
    pub offset_threshold: f32,
    pub onset_debounce_ms: u32,
    pub hangover_ms: u32,
    pub mute_grace_ms: u32,
    pub mute_carry_over_ms: u32,
    pub muted_speech_hold_ms: u32,
    pub muted_speech_release_ms: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct va_event {
    pub r#type: u32,
    pub reserved: u32,
    pub position: u64,
    pub decided_at: u64,
    pub length_samples: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct va_hop {
    pub position: u64,
    pub posterior: f32,
    pub level_dbfs: f32,
    pub peak_dbfs: f32,
    pub noise_floor_dbfs: f32,
    pub state: u8,
    pub flags: u8,
    pub level_dbov: u8,
    pub reserved: u8,
    pub hangover_left_ms: u32,
}

#[repr(C)]
pub struct va_output {
    pub events: *mut va_event,
    pub event_capacity: usize,
    pub event_count: usize,
    pub hops: *mut va_hop,
    pub hop_capacity: usize,
    pub hop_count: usize,
    pub more: bool,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct va_status {
    pub struct_size: u32,
    pub state: u32,
    pub is_speech: bool,
    pub is_muted: bool,
    pub is_muted_speech: bool,
    pub level_dbov: u8,
    pub posterior: f32,
    pub level_dbfs: f32,
    pub noise_floor_dbfs: f32,
    pub reserved: u32,
    pub hops: u64,
    pub clipped_samples: u64,
    pub non_finite_samples: u64,
    pub missing_samples: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct va_speaking_gate {
    pub unmet: u32,
    pub is_speaking: bool,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct va_muted_notice {
    pub duration_ms: i64,
    pub interval_ms: i64,
    pub shown: u64,
    pub count: u64,
    pub shown_at_ms: i64,
    pub ends_at_ms: i64,
    pub is_enabled: bool,
    pub is_once_per_mute: bool,
    pub is_speaking: bool,
    pub was_shown_during_mute: bool,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct va_echo_status {
    pub struct_size: u32,
    pub delay_ms: u32,
    pub fit: f32,
    pub coupling_db: f32,
    pub late_samples: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct va_cut_rules {
    pub struct_size: u32,
    pub min_silence_ms: u32,
    pub min_speech_ms: u32,
    pub max_length_ms: u32,
    pub pad_before_ms: u32,
    pub pad_after_ms: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct va_cut {
    pub start: u64,
    pub end: u64,
    pub decided_at: u64,
    pub continues: bool,
}

pub const VA_OK: c_int = 0;
pub const VA_ERROR_ARGUMENT: c_int = 1;
pub const VA_ERROR_SAMPLE_RATE: c_int = 3;
pub const VA_ERROR_THRESHOLD: c_int = 4;
pub const VA_ERROR_DURATION: c_int = 5;
pub const VA_ERROR_SAVED_DATA: c_int = 8;
pub const VA_ERROR_SAVED_VERSION: c_int = 9;
pub const VA_ERROR_REFERENCE_EARLY: c_int = 11;
pub const VA_PRESET_CONVERSATION: c_int = 0;
pub const VA_PRESET_NOTICE: c_int = 1;
pub const VA_PRESET_TRANSCRIPTION: c_int = 2;
pub const VA_STATE_SILENCE: u8 = 0;
pub const VA_STATE_PENDING_ONSET: u8 = 1;
pub const VA_STATE_SPEECH: u8 = 2;
pub const VA_STATE_HANGOVER: u8 = 3;
pub const VA_EVENT_ONSET: u32 = 1;
pub const VA_EVENT_OFFSET: u32 = 2;
pub const VA_EVENT_MUTED_SPEECH_BEGIN: u32 = 3;
pub const VA_EVENT_MUTED_SPEECH_END: u32 = 4;
pub const VA_EVENT_DISCONTINUITY: u32 = 5;
pub const VA_HOP_SPEECH: u8 = 1;
pub const VA_HOP_MUTED: u8 = 2;
pub const VA_HOP_MUTED_SPEECH: u8 = 4;
pub const VA_HOP_MISSING: u8 = 8;
pub const VA_HOP_LEVEL_ONLY: u8 = 16;
pub const VA_HOP_ECHO: u8 = 32;
pub const VA_DETECTOR_ALIGNMENT: usize = 64;
// contract end

/// va_detector_process, for each type of sample.
pub type Process<Sample> = unsafe extern "C" fn(
    *mut va_detector,
    *mut va_echo,
    *const Sample,
    usize,
    *mut usize,
    *mut va_output,
) -> c_int;

extern "C" {
    pub fn va_version() -> *const c_char;
    pub fn va_simd_name() -> *const c_char;
    pub fn va_status_text(code: c_int) -> *const c_char;
    pub fn va_config_preset(config: *mut va_config, sample_rate_hz: u32, preset: c_int) -> c_int;
    pub fn va_config_move_thresholds(config: *mut va_config, onset: f32);
    pub fn va_detector_size() -> usize;
    pub fn va_detector_init(
        memory: *mut c_void,
        size: usize,
        config: *const va_config,
        detector: *mut *mut va_detector,
    ) -> c_int;
    pub fn va_detector_process(
        detector: *mut va_detector,
        echo: *mut va_echo,
        samples: *const f32,
        count: usize,
        consumed: *mut usize,
        output: *mut va_output,
    ) -> c_int;
    pub fn va_detector_process_s16(
        detector: *mut va_detector,
        echo: *mut va_echo,
        samples: *const i16,
        count: usize,
        consumed: *mut usize,
        output: *mut va_output,
    ) -> c_int;
    pub fn va_detector_push_gap(
        detector: *mut va_detector,
        echo: *mut va_echo,
        count: u64,
        output: *mut va_output,
    ) -> c_int;
    pub fn va_detector_push_level(
        detector: *mut va_detector,
        count: u64,
        level_dbov: u8,
        voice: bool,
        output: *mut va_output,
    ) -> c_int;
    pub fn va_detector_flush(detector: *mut va_detector, echo: *mut va_echo, output: *mut va_output)
        -> c_int;
    pub fn va_detector_reset(detector: *mut va_detector);
    pub fn va_detector_config(detector: *const va_detector, config: *mut va_config) -> c_int;
    pub fn va_detector_set_muted(detector: *mut va_detector, muted: bool);
    pub fn va_detector_status(detector: *const va_detector, status: *mut va_status) -> c_int;
    pub fn va_detector_set_speaker_margin(detector: *mut va_detector, margin_db: f32) -> c_int;
    pub fn va_detector_speaker_level(
        detector: *const va_detector,
        level_dbfs: *mut f32,
        learned_ms: *mut u32,
    ) -> c_int;
    pub fn va_detector_set_speaker_level(
        detector: *mut va_detector,
        level_dbfs: f32,
        learned_ms: u32,
    ) -> c_int;
    pub fn va_detector_change_input_gain(detector: *mut va_detector, gain_db: f32) -> c_int;
    pub fn va_detector_saved_size() -> usize;
    pub fn va_detector_save(
        detector: *const va_detector,
        bytes: *mut c_void,
        capacity: usize,
        size: *mut usize,
    ) -> c_int;
    pub fn va_detector_restore(
        memory: *mut c_void,
        memory_size: usize,
        bytes: *const c_void,
        size: usize,
        detector: *mut *mut va_detector,
    ) -> c_int;
    pub fn va_rfc6464_byte(level_dbov: u8, voice: bool) -> u8;
    pub fn va_rfc6464_level(byte: u8) -> u8;
    pub fn va_rfc6464_voice(byte: u8) -> bool;
    pub fn va_echo_size() -> usize;
    pub fn va_echo_init(
        memory: *mut c_void,
        size: usize,
        reference_rate_hz: u32,
        echo: *mut *mut va_echo,
    ) -> c_int;
    pub fn va_echo_reset(echo: *mut va_echo);
    pub fn va_echo_push_silence(echo: *mut va_echo, count: u64) -> c_int;
    pub fn va_echo_push_interleaved(
        echo: *mut va_echo,
        frames: *const f32,
        count: usize,
        channels: u32,
    ) -> c_int;
    pub fn va_echo_push_interleaved_s16(
        echo: *mut va_echo,
        frames: *const i16,
        count: usize,
        channels: u32,
    ) -> c_int;
    pub fn va_echo_state(echo: *const va_echo, status: *mut va_echo_status) -> c_int;
    pub fn va_echo_saved_size() -> usize;
    pub fn va_echo_save(echo: *const va_echo, bytes: *mut c_void, capacity: usize, size: *mut usize)
        -> c_int;
    pub fn va_echo_restore(
        memory: *mut c_void,
        memory_size: usize,
        bytes: *const c_void,
        size: usize,
        echo: *mut *mut va_echo,
    ) -> c_int;
    pub fn va_cutter_size(rules: *const va_cut_rules, config: *const va_config) -> usize;
    pub fn va_cutter_init(
        memory: *mut c_void,
        size: usize,
        rules: *const va_cut_rules,
        config: *const va_config,
        cutter: *mut *mut va_cutter,
    ) -> c_int;
    pub fn va_cutter_reset(cutter: *mut va_cutter);
    pub fn va_cutter_next(cutter: *mut va_cutter, results: *const va_output, cut: *mut va_cut) -> bool;
    pub fn va_cutter_finish(cutter: *mut va_cutter, end: u64, cut: *mut va_cut) -> bool;
    pub fn va_cutter_needed(cutter: *const va_cutter, certain: *mut u64) -> u64;
    pub fn va_cut_fade(
        samples: *mut f32,
        count: usize,
        channels: u32,
        position: u64,
        cut: *const va_cut,
        follows: bool,
        length: u64,
    );
    pub fn va_speaking_gate_init(gate: *mut va_speaking_gate);
    pub fn va_speaking_gate_set(gate: *mut va_speaking_gate, requirement: c_int, is_met: bool) -> bool;
    pub fn va_speaking_gate_handle(gate: *mut va_speaking_gate, event_type: u32) -> bool;
    pub fn va_speaking_gate_set_speech(gate: *mut va_speaking_gate, is_speech: bool) -> bool;
    pub fn va_speaking_gate_end(gate: *mut va_speaking_gate) -> bool;
    pub fn va_muted_notice_init(notice: *mut va_muted_notice);
    pub fn va_muted_notice_update(notice: *mut va_muted_notice, is_speaking: bool, now_ms: i64) -> bool;
    pub fn va_muted_notice_dismiss(notice: *mut va_muted_notice, number: u64) -> bool;
    pub fn va_muted_notice_unmuted(notice: *mut va_muted_notice);
}
