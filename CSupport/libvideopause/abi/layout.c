/* layout.c — what compiled programs rely on: the place and type of every public field, and every public value. It only
 * has to compile (make abi). Lines may be added. Changing any line breaks existing programs and requires a new
 * SONAME. */
#include <video_pause.h>

#include "../../layout.h"

/* contract: promises */
SIZE(vp_config, 176);
FIELD(vp_config, struct_size, uint32_t, 0);
FIELD(vp_config, strategy, uint32_t, 4);
FIELD(vp_config, initial_estimate_bps, int64_t, 8);
FIELD(vp_config, audio_bitrate_per_stream_bps, int64_t, 16);
FIELD(vp_config, audio_stream_limit, uint32_t, 24);
FIELD(vp_config, resume_limit, uint32_t, 28);
FIELD(vp_config, audio_headroom, double, 32);
FIELD(vp_config, grow_margin, double, 40);
FIELD(vp_config, evidence_window_us, int64_t, 48);
FIELD(vp_config, tolerated_queue_us, int64_t, 56);
FIELD(vp_config, tolerated_outage_us, int64_t, 64);
FIELD(vp_config, decision_interval_us, int64_t, 72);
FIELD(vp_config, hold_off_us, int64_t, 80);
FIELD(vp_config, gate_period_us, int64_t, 88);
FIELD(vp_config, lock_timeout_us, int64_t, 96);
FIELD(vp_config, hidden_grace_us, int64_t, 104);
FIELD(vp_config, maximum_oversend_bps, int64_t, 112);
FIELD(vp_config, minimum_probe_step_bps, int64_t, 120);
FIELD(vp_config, probe_interval_us, int64_t, 128);
FIELD(vp_config, maximum_probe_interval_us, int64_t, 136);
FIELD(vp_config, maximum_pinned_probe_interval_us, int64_t, 144);
FIELD(vp_config, maximum_streams, uint32_t, 152);
FIELD(vp_config, preferred_height, uint32_t, 156);
FIELD(vp_config, is_screen_share_first, uint32_t, 160);
FIELD(vp_config, is_720p_enabled, uint32_t, 164);
FIELD(vp_config, other_traffic_reserve_bps, int64_t, 168);

SIZE(vp_layer, 40);
FIELD(vp_layer, spatial, uint32_t, 0);
FIELD(vp_layer, temporal, uint32_t, 4);
FIELD(vp_layer, width, uint32_t, 8);
FIELD(vp_layer, height, uint32_t, 12);
FIELD(vp_layer, is_active, uint32_t, 16);
FIELD(vp_layer, is_decode_target, uint32_t, 20);
FIELD(vp_layer, frames_per_second, double, 24);
FIELD(vp_layer, bitrate_bps, int64_t, 32);

SIZE(vp_demand, 56);
FIELD(vp_demand, struct_size, uint32_t, 0);
FIELD(vp_demand, is_visible, uint32_t, 4);
FIELD(vp_demand, has_view_size, uint32_t, 8);
FIELD(vp_demand, view_width, uint32_t, 12);
FIELD(vp_demand, view_height, uint32_t, 16);
FIELD(vp_demand, pin, uint32_t, 20);
FIELD(vp_demand, priority, uint32_t, 24);
FIELD(vp_demand, maximum_quality, uint32_t, 28);
FIELD(vp_demand, pause_policy, uint32_t, 32);
FIELD(vp_demand, minimum_quality, uint32_t, 36);
FIELD(vp_demand, pinned_at_us, int64_t, 40);
FIELD(vp_demand, maximum_frames_per_second, double, 48);

SIZE(vp_layout_stream, 24);
FIELD(vp_layout_stream, participant, uint64_t, 0);
FIELD(vp_layout_stream, has_participant, uint32_t, 8);
FIELD(vp_layout_stream, quality, uint32_t, 12);
FIELD(vp_layout_stream, priority, uint32_t, 16);
FIELD(vp_layout_stream, reserved, uint32_t, 20);

SIZE(vp_decision, 128);
FIELD(vp_decision, struct_size, uint32_t, 0);
FIELD(vp_decision, is_deficient, uint32_t, 4);
FIELD(vp_decision, is_oversending, uint32_t, 8);
FIELD(vp_decision, has_probe, uint32_t, 12);
FIELD(vp_decision, generation, uint64_t, 16);
FIELD(vp_decision, stream_count, uint64_t, 24);
FIELD(vp_decision, estimate_bps, int64_t, 32);
FIELD(vp_decision, audio_reserve_bps, int64_t, 40);
FIELD(vp_decision, other_reserve_bps, int64_t, 48);
FIELD(vp_decision, keep_bps, int64_t, 56);
FIELD(vp_decision, grow_bps, int64_t, 64);
FIELD(vp_decision, pictures_bps, int64_t, 72);
FIELD(vp_decision, target_bps, int64_t, 80);
FIELD(vp_decision, ideal_bps, int64_t, 88);
FIELD(vp_decision, probe_bps, int64_t, 96);
FIELD(vp_decision, probe_not_before_us, int64_t, 104);
FIELD(vp_decision, next_decision_at_us, int64_t, 112);
FIELD(vp_decision, strategy, uint32_t, 120);
FIELD(vp_decision, reserved, uint32_t, 124);

SIZE(vp_stream_decision, 104);
FIELD(vp_stream_decision, stream, uint64_t, 0);
FIELD(vp_stream_decision, reason, uint32_t, 8);
FIELD(vp_stream_decision, needs_key_frame, uint32_t, 12);
FIELD(vp_stream_decision, required_bps, int64_t, 16);
FIELD(vp_stream_decision, layer, vp_layer, 24);
FIELD(vp_stream_decision, ideal, vp_layer, 64);

SIZE(vp_layer_verdict, 48);
FIELD(vp_layer_verdict, layer, vp_layer, 0);
FIELD(vp_layer_verdict, outcome, uint32_t, 40);
FIELD(vp_layer_verdict, reserved, uint32_t, 44);

SIZE(vp_paused_change, 16);
FIELD(vp_paused_change, stream, uint64_t, 0);
FIELD(vp_paused_change, is_paused, uint32_t, 8);
FIELD(vp_paused_change, reserved, uint32_t, 12);

SIZE(vp_demanded_layers, 16);
FIELD(vp_demanded_layers, stream, uint64_t, 0);
FIELD(vp_demanded_layers, is_demanded, uint32_t, 8);
FIELD(vp_demanded_layers, highest_spatial, uint32_t, 12);

VALUE(VP_OK, 0);
VALUE(VP_ERROR_ARGUMENT, 1);
VALUE(VP_ERROR_STRUCT_SIZE, 2);
VALUE(VP_ERROR_CONFIG, 3);
VALUE(VP_ERROR_TIME, 4);
VALUE(VP_ERROR_UNKNOWN_STREAM, 5);
VALUE(VP_ERROR_TOO_MANY_STREAMS, 6);
VALUE(VP_ERROR_BITRATE, 7);
VALUE(VP_ERROR_DEMAND, 8);
VALUE(VP_ERROR_LAYER_COUNT, 9);
VALUE(VP_ERROR_LAYER_BITRATE, 10);
VALUE(VP_ERROR_LAYER_SIZE, 11);
VALUE(VP_ERROR_LAYER_INDEX, 12);
VALUE(VP_ERROR_LAYER_FRAME_RATE, 13);
VALUE(VP_ERROR_LAYER_DUPLICATE, 14);
VALUE(VP_ERROR_CAPACITY, 15);
VALUE(VP_ERROR_LAYER_MIXED, 16);
VALUE(VP_ERROR_LAYER_COST, 17);
VALUE(VP_ERROR_NOT_IN_MEETING, 18);
VALUE(VP_ERROR_NO_CUSTOM_LAYOUT, 19);
VALUE(VP_ERROR_LAYOUT_EMPTY, 20);
VALUE(VP_ERROR_LAYOUT_COUNT, 21);
VALUE(VP_ERROR_LAYOUT_PRIORITIES, 22);
VALUE(VP_ERROR_LAYOUT_UNNAMED, 23);
VALUE(VP_ERROR_LAYOUT_DUPLICATE, 24);
VALUE(VP_ERROR_LAYOUT_PARTICIPANT, 25);

VALUE(VP_STRATEGY_GRID, 0);
VALUE(VP_STRATEGY_PRIORITY, 1);
VALUE(VP_STRATEGY_STAGE, 2);

VALUE(VP_TRACK_SCREEN_SHARE, 0);
VALUE(VP_TRACK_VIDEO, 1);

VALUE(VP_KIND_CAMERA, 0);
VALUE(VP_KIND_SCREEN_SHARE, 1);

VALUE(VP_PIN_NONE, 0);
VALUE(VP_PIN_OWN, 1);
VALUE(VP_PIN_EVERYBODY, 2);

VALUE(VP_PRIORITY_NONE, 0);
VALUE(VP_PRIORITY_LOW, 1);
VALUE(VP_PRIORITY_MEDIUM, 2);
VALUE(VP_PRIORITY_HIGH, 3);

VALUE(VP_QUALITY_UNLIMITED, 0);
VALUE(VP_QUALITY_90P_3FPS, 1);
VALUE(VP_QUALITY_90P_7FPS, 2);
VALUE(VP_QUALITY_90P_15FPS, 3);
VALUE(VP_QUALITY_180P_7FPS, 4);
VALUE(VP_QUALITY_180P_15FPS, 5);
VALUE(VP_QUALITY_180P_30FPS, 6);
VALUE(VP_QUALITY_360P_7FPS, 7);
VALUE(VP_QUALITY_360P_15FPS, 8);
VALUE(VP_QUALITY_360P_30FPS, 9);
VALUE(VP_QUALITY_720P_7FPS, 10);
VALUE(VP_QUALITY_720P_15FPS, 11);
VALUE(VP_QUALITY_720P_30FPS, 12);

VALUE(VP_PAUSE_NORMAL, 0);
VALUE(VP_PAUSE_LAST_RESORT, 1);
VALUE(VP_PAUSE_NEVER, 2);

VALUE(VP_LAYOUT_NONE, 0);
VALUE(VP_LAYOUT_GALLERY, 1);
VALUE(VP_LAYOUT_PEOPLE, 2);
VALUE(VP_LAYOUT_SPEAKER, 3);
VALUE(VP_LAYOUT_CUSTOM, 4);

VALUE(VP_CONGESTION_NONE, 0);
VALUE(VP_CONGESTION_EARLY_WARNING, 1);
VALUE(VP_CONGESTION_CONGESTED, 2);

VALUE(VP_FORWARDED, 0);
VALUE(VP_PAUSED_BANDWIDTH, 1);
VALUE(VP_PAUSED_NOT_VISIBLE, 2);
VALUE(VP_PAUSED_NOT_REQUESTED, 3);
VALUE(VP_PAUSED_BY_PUBLISHER, 4);
VALUE(VP_PAUSED_BY_SUBSCRIBER, 5);
VALUE(VP_PAUSED_FEED_DRY, 6);
VALUE(VP_PAUSED_BELOW_MINIMUM, 7);

VALUE(VP_LAYER_FORWARDED, 0);
VALUE(VP_LAYER_SURPASSED, 1);
VALUE(VP_LAYER_BANDWIDTH, 2);
VALUE(VP_LAYER_HELD_BACK, 3);
VALUE(VP_LAYER_ABOVE_DEMAND, 4);
VALUE(VP_LAYER_BELOW_MINIMUM, 5);
VALUE(VP_LAYER_DOMINATED, 6);
VALUE(VP_LAYER_NOT_SENT, 7);
VALUE(VP_LAYER_NOT_WANTED, 8);

VALUE(VP_BITRATE_MAX, 1000000000000);
VALUE(VP_LAYERS_MAX, 32);
VALUE(VP_SIDE_MAX, 1000000);
VALUE(VP_LAYER_INDEX_MAX, 255);
VALUE(VP_SPATIAL_ID_MAX, 3);
VALUE(VP_TEMPORAL_ID_MAX, 7);
VALUE(VP_LAYOUT_STREAMS_MAX, 25);
VALUE(VP_NEVER, INT64_MAX);
/* contract end */
VALUE(VP_STREAM(7, VP_TRACK_VIDEO), 15);
VALUE(VP_PARTICIPANT(15), 7);
VALUE(VP_TRACK(15), VP_TRACK_VIDEO);
