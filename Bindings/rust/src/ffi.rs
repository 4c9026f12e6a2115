//! voice_activity.h by hand: what this wrapper uses of it. tests/layout.rs holds every size and offset to the header's.
#![allow(non_camel_case_types)]

use std::ffi::{c_char, c_int};

#[repr(C)]
pub struct va_detector {
    _private: [u8; 0],
}

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

pub const VA_EVENT_ONSET: u32 = 1;
pub const VA_EVENT_OFFSET: u32 = 2;
pub const VA_EVENT_MUTED_SPEECH_BEGIN: u32 = 3;
pub const VA_EVENT_MUTED_SPEECH_END: u32 = 4;
pub const VA_EVENT_DISCONTINUITY: u32 = 5;
pub const VA_PRESET_CONVERSATION: c_int = 0;
pub const VA_PRESET_NOTICE: c_int = 1;
pub const VA_PRESET_TRANSCRIPTION: c_int = 2;

extern "C" {
    pub fn va_status_text(code: c_int) -> *const c_char;
    pub fn va_config_preset(config: *mut va_config, sample_rate_hz: u32, preset: c_int) -> c_int;
    pub fn va_detector_create(config: *const va_config, detector: *mut *mut va_detector) -> c_int;
    pub fn va_detector_destroy(detector: *mut va_detector);
    pub fn va_detector_process(
        detector: *mut va_detector,
        samples: *const f32,
        count: usize,
        consumed: *mut usize,
        output: *mut va_output,
    ) -> c_int;
    pub fn va_detector_process_s16(
        detector: *mut va_detector,
        samples: *const i16,
        count: usize,
        consumed: *mut usize,
        output: *mut va_output,
    ) -> c_int;
    pub fn va_detector_push_gap(detector: *mut va_detector, count: u64, output: *mut va_output) -> c_int;
    pub fn va_detector_flush(detector: *mut va_detector, output: *mut va_output) -> c_int;
    pub fn va_detector_set_muted(detector: *mut va_detector, muted: bool);
    pub fn va_detector_status(detector: *const va_detector, status: *mut va_status) -> c_int;
}
