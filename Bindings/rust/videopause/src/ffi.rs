//! video_pause.h. The sizes at the end hold the structs to the header's.
#![allow(non_camel_case_types)]

use std::ffi::{c_char, c_int};

#[repr(C)]
pub struct vp_coordinator {
    _private: [u8; 0],
}

#[repr(C)]
pub struct vp_layer_demand {
    _private: [u8; 0],
}

// contract: layout
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct vp_config {
    pub struct_size: u32,
    pub strategy: u32,
    pub initial_estimate_bps: i64,
    pub audio_bitrate_per_stream_bps: i64,
    pub audio_stream_limit: u32,
    pub resume_limit: u32,
    pub audio_headroom: f64,
    pub grow_margin: f64,
    pub evidence_window_us: i64,
    pub tolerated_queue_us: i64,
    pub tolerated_outage_us: i64,
    pub decision_interval_us: i64,
    pub hold_off_us: i64,
    pub gate_period_us: i64,
    pub lock_timeout_us: i64,
    pub hidden_grace_us: i64,
    pub maximum_oversend_bps: i64,
    pub minimum_probe_step_bps: i64,
    pub probe_interval_us: i64,
    pub maximum_probe_interval_us: i64,
    pub maximum_pinned_probe_interval_us: i64,
    pub maximum_streams: u32,
    pub preferred_height: u32,
    pub is_screen_share_first: u32,
    pub is_720p_enabled: u32,
    pub other_traffic_reserve_bps: i64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct vp_layer {
    pub spatial: u32,
    pub temporal: u32,
    pub width: u32,
    pub height: u32,
    pub is_active: u32,
    pub is_decode_target: u32,
    pub frames_per_second: f64,
    pub bitrate_bps: i64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct vp_demand {
    pub struct_size: u32,
    pub is_visible: u32,
    pub has_view_size: u32,
    pub view_width: u32,
    pub view_height: u32,
    pub pin: u32,
    pub priority: u32,
    pub maximum_quality: u32,
    pub pause_policy: u32,
    pub minimum_quality: u32,
    pub pinned_at_us: i64,
    pub maximum_frames_per_second: f64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct vp_layout_stream {
    pub participant: u64,
    pub has_participant: u32,
    pub quality: u32,
    pub priority: u32,
    pub reserved: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct vp_decision {
    pub struct_size: u32,
    pub is_deficient: u32,
    pub is_oversending: u32,
    pub has_probe: u32,
    pub generation: u64,
    pub stream_count: u64,
    pub estimate_bps: i64,
    pub audio_reserve_bps: i64,
    pub other_reserve_bps: i64,
    pub keep_bps: i64,
    pub grow_bps: i64,
    pub pictures_bps: i64,
    pub target_bps: i64,
    pub ideal_bps: i64,
    pub probe_bps: i64,
    pub probe_not_before_us: i64,
    pub next_decision_at_us: i64,
    pub strategy: u32,
    pub reserved: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct vp_stream_decision {
    pub stream: u64,
    pub reason: u32,
    pub needs_key_frame: u32,
    pub required_bps: i64,
    pub layer: vp_layer,
    pub ideal: vp_layer,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct vp_layer_verdict {
    pub layer: vp_layer,
    pub outcome: u32,
    pub reserved: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct vp_paused_change {
    pub stream: u64,
    pub is_paused: u32,
    pub reserved: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct vp_demanded_layers {
    pub stream: u64,
    pub is_demanded: u32,
    pub highest_spatial: u32,
}

pub const VP_OK: c_int = 0;
pub const VP_ERROR_ARGUMENT: c_int = 1;
pub const VP_ERROR_STRUCT_SIZE: c_int = 2;
pub const VP_ERROR_CONFIG: c_int = 3;
pub const VP_ERROR_TIME: c_int = 4;
pub const VP_ERROR_UNKNOWN_STREAM: c_int = 5;
pub const VP_ERROR_TOO_MANY_STREAMS: c_int = 6;
pub const VP_ERROR_BITRATE: c_int = 7;
pub const VP_ERROR_DEMAND: c_int = 8;
pub const VP_ERROR_LAYER_COUNT: c_int = 9;
pub const VP_ERROR_LAYER_BITRATE: c_int = 10;
pub const VP_ERROR_LAYER_SIZE: c_int = 11;
pub const VP_ERROR_LAYER_INDEX: c_int = 12;
pub const VP_ERROR_LAYER_FRAME_RATE: c_int = 13;
pub const VP_ERROR_LAYER_DUPLICATE: c_int = 14;
pub const VP_ERROR_CAPACITY: c_int = 15;
pub const VP_ERROR_LAYER_MIXED: c_int = 16;
pub const VP_ERROR_LAYER_COST: c_int = 17;
pub const VP_ERROR_NOT_IN_MEETING: c_int = 18;
pub const VP_ERROR_NO_CUSTOM_LAYOUT: c_int = 19;
pub const VP_ERROR_LAYOUT_EMPTY: c_int = 20;
pub const VP_ERROR_LAYOUT_COUNT: c_int = 21;
pub const VP_ERROR_LAYOUT_PRIORITIES: c_int = 22;
pub const VP_ERROR_LAYOUT_UNNAMED: c_int = 23;
pub const VP_ERROR_LAYOUT_DUPLICATE: c_int = 24;
pub const VP_ERROR_LAYOUT_PARTICIPANT: c_int = 25;
pub const VP_STRATEGY_GRID: u32 = 0;
pub const VP_STRATEGY_PRIORITY: u32 = 1;
pub const VP_STRATEGY_STAGE: u32 = 2;
pub const VP_TRACK_SCREEN_SHARE: u64 = 0;
pub const VP_TRACK_VIDEO: u64 = 1;
pub const VP_KIND_CAMERA: u32 = 0;
pub const VP_KIND_SCREEN_SHARE: u32 = 1;
pub const VP_PIN_NONE: u32 = 0;
pub const VP_PIN_OWN: u32 = 1;
pub const VP_PIN_EVERYBODY: u32 = 2;
pub const VP_PRIORITY_NONE: u32 = 0;
pub const VP_PRIORITY_LOW: u32 = 1;
pub const VP_PRIORITY_MEDIUM: u32 = 2;
pub const VP_PRIORITY_HIGH: u32 = 3;
pub const VP_QUALITY_UNLIMITED: u32 = 0;
pub const VP_QUALITY_90P_3FPS: u32 = 1;
pub const VP_QUALITY_90P_7FPS: u32 = 2;
pub const VP_QUALITY_90P_15FPS: u32 = 3;
pub const VP_QUALITY_180P_7FPS: u32 = 4;
pub const VP_QUALITY_180P_15FPS: u32 = 5;
pub const VP_QUALITY_180P_30FPS: u32 = 6;
pub const VP_QUALITY_360P_7FPS: u32 = 7;
pub const VP_QUALITY_360P_15FPS: u32 = 8;
pub const VP_QUALITY_360P_30FPS: u32 = 9;
pub const VP_QUALITY_720P_7FPS: u32 = 10;
pub const VP_QUALITY_720P_15FPS: u32 = 11;
pub const VP_QUALITY_720P_30FPS: u32 = 12;
pub const VP_PAUSE_NORMAL: u32 = 0;
pub const VP_PAUSE_LAST_RESORT: u32 = 1;
pub const VP_PAUSE_NEVER: u32 = 2;
pub const VP_LAYOUT_NONE: u32 = 0;
pub const VP_LAYOUT_GALLERY: u32 = 1;
pub const VP_LAYOUT_PEOPLE: u32 = 2;
pub const VP_LAYOUT_SPEAKER: u32 = 3;
pub const VP_LAYOUT_CUSTOM: u32 = 4;
pub const VP_CONGESTION_NONE: u32 = 0;
pub const VP_CONGESTION_EARLY_WARNING: u32 = 1;
pub const VP_CONGESTION_CONGESTED: u32 = 2;
pub const VP_FORWARDED: u32 = 0;
pub const VP_PAUSED_BANDWIDTH: u32 = 1;
pub const VP_PAUSED_NOT_VISIBLE: u32 = 2;
pub const VP_PAUSED_NOT_REQUESTED: u32 = 3;
pub const VP_PAUSED_BY_PUBLISHER: u32 = 4;
pub const VP_PAUSED_BY_SUBSCRIBER: u32 = 5;
pub const VP_PAUSED_FEED_DRY: u32 = 6;
pub const VP_PAUSED_BELOW_MINIMUM: u32 = 7;
pub const VP_LAYER_FORWARDED: u32 = 0;
pub const VP_LAYER_SURPASSED: u32 = 1;
pub const VP_LAYER_BANDWIDTH: u32 = 2;
pub const VP_LAYER_HELD_BACK: u32 = 3;
pub const VP_LAYER_ABOVE_DEMAND: u32 = 4;
pub const VP_LAYER_BELOW_MINIMUM: u32 = 5;
pub const VP_LAYER_DOMINATED: u32 = 6;
pub const VP_LAYER_NOT_SENT: u32 = 7;
pub const VP_LAYER_NOT_WANTED: u32 = 8;
// contract end
pub const VP_LAYERS_MAX: usize = 32;
pub const VP_NEVER: i64 = i64::MAX;

extern "C" {
    pub fn vp_status_text(code: c_int) -> *const c_char;
    pub fn vp_version() -> *const c_char;
    pub fn vp_abi_version() -> u32;
    pub fn vp_config_default(config: *mut vp_config) -> c_int;
    pub fn vp_config_invalid_field(config: *const vp_config) -> *const c_char;
    pub fn vp_coordinator_create(config: *const vp_config, coordinator: *mut *mut vp_coordinator) -> c_int;
    pub fn vp_coordinator_destroy(coordinator: *mut vp_coordinator);
    pub fn vp_upsert_stream(
        coordinator: *mut vp_coordinator,
        stream: u64,
        kind: u32,
        is_local: bool,
        layers: *const vp_layer,
        layer_count: usize,
        at_us: i64,
    ) -> c_int;
    pub fn vp_remove_stream(coordinator: *mut vp_coordinator, stream: u64, at_us: i64) -> c_int;
    pub fn vp_set_publisher_muted(
        coordinator: *mut vp_coordinator,
        stream: u64,
        is_muted: bool,
        at_us: i64,
    ) -> c_int;
    pub fn vp_layer_locked(coordinator: *mut vp_coordinator, stream: u64, at_us: i64) -> c_int;
    pub fn vp_demand_default(demand: *mut vp_demand) -> c_int;
    pub fn vp_set_demand(
        coordinator: *mut vp_coordinator,
        stream: u64,
        demand: *const vp_demand,
        at_us: i64,
    ) -> c_int;
    pub fn vp_set_subscriber_paused(
        coordinator: *mut vp_coordinator,
        stream: u64,
        is_paused: bool,
        at_us: i64,
    ) -> c_int;
    pub fn vp_set_speaker_order(
        coordinator: *mut vp_coordinator,
        participants: *const u64,
        count: usize,
        at_us: i64,
    ) -> c_int;
    pub fn vp_set_speaking(
        coordinator: *mut vp_coordinator,
        participant: u64,
        is_speaking: bool,
        at_us: i64,
    ) -> c_int;
    pub fn vp_set_in_meeting(coordinator: *mut vp_coordinator, is_in_meeting: bool, at_us: i64) -> c_int;
    pub fn vp_set_custom_layout_available(
        coordinator: *mut vp_coordinator,
        is_available: bool,
        at_us: i64,
    ) -> c_int;
    pub fn vp_set_participants(
        coordinator: *mut vp_coordinator,
        participants: *const u64,
        count: usize,
        at_us: i64,
    ) -> c_int;
    pub fn vp_set_video_layout(coordinator: *mut vp_coordinator, layout: u32, at_us: i64) -> c_int;
    pub fn vp_current_layout(coordinator: *const vp_coordinator, layout: *mut u32) -> c_int;
    pub fn vp_set_layout_streams(
        coordinator: *mut vp_coordinator,
        streams: *const vp_layout_stream,
        count: usize,
        at_us: i64,
    ) -> c_int;
    pub fn vp_set_last_n(coordinator: *mut vp_coordinator, count: u32, at_us: i64) -> c_int;
    pub fn vp_set_strategy(coordinator: *mut vp_coordinator, strategy: u32, at_us: i64) -> c_int;
    pub fn vp_set_720p_enabled(coordinator: *mut vp_coordinator, is_enabled: bool, at_us: i64) -> c_int;
    pub fn vp_set_video_pause_enabled(
        coordinator: *mut vp_coordinator,
        is_enabled: bool,
        at_us: i64,
    ) -> c_int;
    pub fn vp_set_bandwidth_estimate(
        coordinator: *mut vp_coordinator,
        bps: i64,
        congestion: u32,
        at_us: i64,
    ) -> c_int;
    pub fn vp_set_audio(
        coordinator: *mut vp_coordinator,
        stream_count: u32,
        measured_bps: i64,
        at_us: i64,
    ) -> c_int;
    pub fn vp_set_other_traffic(coordinator: *mut vp_coordinator, bps: i64, at_us: i64) -> c_int;
    pub fn vp_decide(coordinator: *mut vp_coordinator, at_us: i64, is_changed: *mut bool) -> c_int;
    pub fn vp_is_decision_due(coordinator: *const vp_coordinator, at_us: i64, is_due: *mut bool) -> c_int;
    pub fn vp_current_decision(coordinator: *const vp_coordinator, decision: *mut vp_decision) -> c_int;
    pub fn vp_stream_decisions(
        coordinator: *const vp_coordinator,
        streams: *mut vp_stream_decision,
        capacity: usize,
        count: *mut usize,
    ) -> c_int;
    pub fn vp_layer_verdicts(
        coordinator: *const vp_coordinator,
        stream: u64,
        verdicts: *mut vp_layer_verdict,
        capacity: usize,
        count: *mut usize,
    ) -> c_int;
    pub fn vp_layer_demand_create(hold_us: i64, demand: *mut *mut vp_layer_demand) -> c_int;
    pub fn vp_layer_demand_destroy(demand: *mut vp_layer_demand);
    pub fn vp_layer_demand_update(
        demand: *mut vp_layer_demand,
        subscriber: u64,
        coordinator: *const vp_coordinator,
        at_us: i64,
    ) -> c_int;
    pub fn vp_layer_demand_remove(demand: *mut vp_layer_demand, subscriber: u64, at_us: i64) -> c_int;
    pub fn vp_drain_demanded_layers(
        demand: *mut vp_layer_demand,
        changes: *mut vp_demanded_layers,
        capacity: usize,
        count: *mut usize,
        next_change_at_us: *mut i64,
        at_us: i64,
    ) -> c_int;
    pub fn vp_drain_paused_changes(
        coordinator: *mut vp_coordinator,
        changes: *mut vp_paused_change,
        capacity: usize,
        count: *mut usize,
    ) -> c_int;
}

const _: () = assert!(std::mem::size_of::<vp_config>() == 176);
const _: () = assert!(std::mem::size_of::<vp_layer>() == 40);
const _: () = assert!(std::mem::size_of::<vp_demand>() == 56);
const _: () = assert!(std::mem::size_of::<vp_decision>() == 128);
const _: () = assert!(std::mem::size_of::<vp_stream_decision>() == 104);
const _: () = assert!(std::mem::size_of::<vp_paused_change>() == 16);
const _: () = assert!(std::mem::size_of::<vp_layout_stream>() == 24);
const _: () = assert!(std::mem::size_of::<vp_layer_verdict>() == 48);
const _: () = assert!(std::mem::size_of::<vp_demanded_layers>() == 16);
