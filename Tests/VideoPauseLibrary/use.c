/* use.c — a program that finds the installed libvideopause through pkg-config. Every function answers every kind of
 * wrong argument by the code that the header promises and changes nothing; and a small call is decided as expected. Its
 * argument is the version to expect. Built and run by Scripts/check-library.sh. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

static vp_coordinator *create(void) {
  vp_coordinator *coordinator = NULL;
  EXPECT(vp_coordinator_create(NULL, &coordinator) == VP_OK && coordinator != NULL);
  return coordinator;
}

static vp_decision decision_of(const vp_coordinator *coordinator) {
  vp_decision decision = {.struct_size = sizeof decision};
  EXPECT(vp_current_decision(coordinator, &decision) == VP_OK);
  return decision;
}

/* ---- Settings ---- */

static void refuses(size_t offset, size_t size, double value, const char *name) {
  vp_config config;
  vp_coordinator *coordinator;
  EXPECT(vp_config_default(&config) == VP_OK && vp_config_invalid_field(&config) == NULL);
  int64_t integer = (int64_t)value;
  uint32_t small = (uint32_t)value;
  const void *bytes = size == 4 ? (const void *)&small : (const void *)&integer;
  memcpy((char *)&config + offset, size == 0 ? (const void *)&value : bytes, size == 0 ? sizeof value : size);
  const char *field = vp_config_invalid_field(&config);
  if (field == NULL || strcmp(field, name) != 0) {
    fprintf(stderr, "use: %s: the field named is %s\n", name, field == NULL ? "none" : field);
    exit(1);
  }
  EXPECT(vp_coordinator_create(&config, &coordinator) == VP_ERROR_CONFIG && coordinator == NULL);
}
#define REFUSES(field, value) refuses(offsetof(vp_config, field), sizeof ((vp_config *)0)->field, value, #field)
#define REFUSES_REAL(field, value) refuses(offsetof(vp_config, field), 0, value, #field)

static void check_settings(void) {
  vp_config config;
  vp_coordinator *coordinator = (vp_coordinator *)1;
  EXPECT(vp_config_default(NULL) == VP_ERROR_ARGUMENT);
  EXPECT(vp_config_invalid_field(NULL) == NULL);
  EXPECT(vp_coordinator_create(NULL, NULL) == VP_ERROR_ARGUMENT);
  EXPECT(vp_config_default(&config) == VP_OK && config.struct_size == sizeof config);
  EXPECT(config.initial_estimate_bps == 1000000 && config.hold_off_us == 5000000 &&
         config.strategy == VP_STRATEGY_GRID);
  config.struct_size--;
  EXPECT(vp_coordinator_create(&config, &coordinator) == VP_ERROR_STRUCT_SIZE && coordinator == NULL);
  REFUSES(strategy, 3);
  REFUSES(initial_estimate_bps, -1);
  REFUSES(audio_bitrate_per_stream_bps, 10000001);
  REFUSES(audio_stream_limit, 1001);
  REFUSES_REAL(audio_headroom, 0.99);
  REFUSES_REAL(audio_headroom, NAN);
  REFUSES_REAL(grow_margin, 1);
  REFUSES(other_traffic_reserve_bps, -1);
  REFUSES(resume_limit, 0);
  REFUSES(maximum_oversend_bps, 1e12 + 1);
  REFUSES(preferred_height, 0);
  REFUSES(minimum_probe_step_bps, -1);
  REFUSES(maximum_streams, 0);
  REFUSES(evidence_window_us, 86400e6 + 1);
  REFUSES(tolerated_queue_us, -1);
  REFUSES(tolerated_outage_us, -1);
  REFUSES(decision_interval_us, -9e18);
  REFUSES(hold_off_us, 9e18);
  REFUSES(gate_period_us, -1);
  REFUSES(lock_timeout_us, -1);
  REFUSES(hidden_grace_us, -1);
  REFUSES(probe_interval_us, -1);
  REFUSES(maximum_probe_interval_us, 749999);
  REFUSES(maximum_pinned_probe_interval_us, -1);
}

/* ---- Wrong arguments ---- */

static void check_null(void) {
  vp_demand demand;
  vp_video_layout layout;
  vp_decision decision = {.struct_size = sizeof decision};
  bool flag;
  size_t count;
  EXPECT(vp_demand_default(NULL) == VP_ERROR_ARGUMENT && vp_demand_default(&demand) == VP_OK);
  EXPECT(vp_upsert_stream(NULL, 1, VP_KIND_CAMERA, false, layers, LAYERS, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_remove_stream(NULL, 1, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_publisher_muted(NULL, 1, true, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_layer_locked(NULL, 1, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_demand(NULL, 1, &demand, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_subscriber_paused(NULL, 1, true, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_speaker_order(NULL, NULL, 0, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_speaking(NULL, 1, true, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_in_meeting(NULL, true, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_custom_layout_available(NULL, true, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_participants(NULL, NULL, 0, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_video_layout(NULL, VP_LAYOUT_CUSTOM, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_current_layout(NULL, &layout) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_layout_streams(NULL, NULL, 0, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_last_n(NULL, 1, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_strategy(NULL, VP_STRATEGY_GRID, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_720p_enabled(NULL, true, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_video_pause_enabled(NULL, true, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_bandwidth_estimate(NULL, 1, VP_CONGESTION_NONE, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_audio(NULL, 1, 0, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_other_traffic(NULL, 0, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_layer_verdicts(NULL, 1, NULL, 0, &count) == VP_ERROR_ARGUMENT);
  EXPECT(vp_layer_demand_create(0, NULL) == VP_ERROR_ARGUMENT);
  EXPECT(vp_layer_demand_update(NULL, 1, NULL, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_layer_demand_remove(NULL, 1, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_drain_demanded_layers(NULL, NULL, 0, &count, NULL, 0) == VP_ERROR_ARGUMENT);
  vp_layer_demand_destroy(NULL);
  EXPECT(vp_decide(NULL, 0, &flag) == VP_ERROR_ARGUMENT);
  EXPECT(vp_is_decision_due(NULL, 0, &flag) == VP_ERROR_ARGUMENT);
  EXPECT(vp_current_decision(NULL, &decision) == VP_ERROR_ARGUMENT);
  EXPECT(vp_stream_decisions(NULL, NULL, 0, &count) == VP_ERROR_ARGUMENT);
  EXPECT(vp_drain_paused_changes(NULL, NULL, 0, &count) == VP_ERROR_ARGUMENT);
  vp_coordinator_destroy(NULL);
}

static void check_arguments(void) {
  vp_coordinator *coordinator = create();
  vp_demand demand;
  vp_decision decision = {.struct_size = 0};
  vp_layer bad[VP_LAYERS_MAX + 1] = {0};
  vp_stream_decision row;
  bool flag;
  size_t count;
  EXPECT(vp_demand_default(&demand) == VP_OK);
  EXPECT(vp_upsert_stream(coordinator, 1, (vp_kind)2, false, layers, LAYERS, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_upsert_stream(coordinator, 1, VP_KIND_CAMERA, false, NULL, 1, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_upsert_stream(coordinator, 1, VP_KIND_CAMERA, false, bad, VP_LAYERS_MAX + 1, 0) == VP_ERROR_LAYER_COUNT);
  EXPECT(vp_upsert_stream(coordinator, 1, VP_KIND_CAMERA, false, bad, SIZE_MAX, 0) == VP_ERROR_LAYER_COUNT);
  bad[0] = bad[1] = layers[0];
  EXPECT(vp_upsert_stream(coordinator, 1, VP_KIND_CAMERA, false, bad, 2, 0) == VP_ERROR_LAYER_DUPLICATE);
#define BAD(field, value, code)                                                                        \
  bad[0] = layers[0], bad[0].field = value;                                                            \
  EXPECT(vp_upsert_stream(coordinator, 1, VP_KIND_CAMERA, false, bad, 1, 0) == code)
  BAD(bitrate_bps, -1, VP_ERROR_LAYER_BITRATE);
  BAD(bitrate_bps, VP_BITRATE_MAX + 1, VP_ERROR_LAYER_BITRATE);
  BAD(bitrate_bps, INT64_MIN, VP_ERROR_LAYER_BITRATE);
  BAD(width, 0, VP_ERROR_LAYER_SIZE);
  BAD(height, 0, VP_ERROR_LAYER_SIZE);
  BAD(width, VP_SIDE_MAX + 1, VP_ERROR_LAYER_SIZE);
  BAD(height, UINT32_MAX, VP_ERROR_LAYER_SIZE);
  BAD(spatial, 256, VP_ERROR_LAYER_INDEX);
  BAD(temporal, UINT32_MAX, VP_ERROR_LAYER_INDEX);
  bad[0] = layers[0], bad[0].is_decode_target = 1, bad[0].spatial = VP_SPATIAL_ID_MAX + 1;
  EXPECT(vp_upsert_stream(coordinator, 1, VP_KIND_CAMERA, false, bad, 1, 0) == VP_ERROR_LAYER_INDEX);
  bad[0] = layers[0], bad[1] = layers[1], bad[1].is_decode_target = 1;
  EXPECT(vp_upsert_stream(coordinator, 1, VP_KIND_CAMERA, false, bad, 2, 0) == VP_ERROR_LAYER_MIXED);
  bad[0].is_decode_target = 1, bad[1].bitrate_bps = bad[0].bitrate_bps - 1;
  EXPECT(vp_upsert_stream(coordinator, 1, VP_KIND_CAMERA, false, bad, 2, 0) == VP_ERROR_LAYER_COST);
  BAD(frames_per_second, NAN, VP_ERROR_LAYER_FRAME_RATE);
  BAD(frames_per_second, -1, VP_ERROR_LAYER_FRAME_RATE);
  BAD(frames_per_second, INFINITY, VP_ERROR_LAYER_FRAME_RATE);
  EXPECT(vp_remove_stream(coordinator, 1, 0) == VP_ERROR_UNKNOWN_STREAM);
  EXPECT(vp_set_demand(coordinator, 1, NULL, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_demand(coordinator, 1, &demand, 0) == VP_ERROR_UNKNOWN_STREAM);
#define BAD_DEMAND(field, value, code)                                          \
  EXPECT(vp_demand_default(&demand) == VP_OK), demand.field = value;            \
  EXPECT(vp_set_demand(coordinator, 1, &demand, 0) == code)
  BAD_DEMAND(struct_size, 4, VP_ERROR_STRUCT_SIZE);
  BAD_DEMAND(pin, 3, VP_ERROR_ARGUMENT);
  BAD_DEMAND(priority, 4, VP_ERROR_ARGUMENT);
  BAD_DEMAND(maximum_quality, 13, VP_ERROR_ARGUMENT);
  BAD_DEMAND(minimum_quality, 13, VP_ERROR_ARGUMENT);
  BAD_DEMAND(pause_policy, UINT32_MAX, VP_ERROR_ARGUMENT);
  BAD_DEMAND(maximum_frames_per_second, NAN, VP_ERROR_DEMAND);
  BAD_DEMAND(view_width, (demand.has_view_size = 1, VP_SIDE_MAX + 1), VP_ERROR_DEMAND);
  BAD_DEMAND(view_height, (demand.has_view_size = 1, UINT32_MAX), VP_ERROR_DEMAND);
  EXPECT(vp_set_speaker_order(coordinator, NULL, 1, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_participants(coordinator, NULL, 1, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_participants(coordinator, NULL, SIZE_MAX, 0) == VP_ERROR_ARGUMENT);
  const uint64_t beyond[] = {1, UINT64_C(1) << 63};
  EXPECT(vp_set_speaker_order(coordinator, beyond, 2, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_participants(coordinator, beyond, 2, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_speaking(coordinator, beyond[1], true, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_video_layout(coordinator, VP_LAYOUT_NONE, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_layout_streams(coordinator, NULL, 1, 0) == VP_ERROR_ARGUMENT);
  vp_layout_stream entry = {.quality = VP_QUALITY_UNLIMITED, .priority = VP_PRIORITY_HIGH};
  EXPECT(vp_set_layout_streams(coordinator, &entry, 1, 0) == VP_ERROR_ARGUMENT);
  entry.quality = VP_QUALITY_90P_3FPS, entry.priority = VP_PRIORITY_HIGH + 1;
  EXPECT(vp_set_layout_streams(coordinator, &entry, 1, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_other_traffic(coordinator, VP_BITRATE_MAX + 1, 0) == VP_ERROR_BITRATE);
  EXPECT(vp_set_other_traffic(coordinator, -1, 0) == VP_ERROR_BITRATE);
  EXPECT(vp_layer_verdicts(coordinator, 1, NULL, 0, &count) == VP_ERROR_UNKNOWN_STREAM);
  EXPECT(vp_layer_verdicts(coordinator, 1, NULL, 1, &count) == VP_ERROR_ARGUMENT);
  EXPECT(vp_layer_verdicts(coordinator, 1, NULL, 0, NULL) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_strategy(coordinator, (vp_strategy)7, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_bandwidth_estimate(coordinator, 1, (vp_congestion)3, 0) == VP_ERROR_ARGUMENT);
  EXPECT(vp_set_bandwidth_estimate(coordinator, -1, VP_CONGESTION_NONE, 0) == VP_ERROR_BITRATE);
  EXPECT(vp_set_audio(coordinator, 1, VP_BITRATE_MAX + 1, 0) == VP_ERROR_BITRATE);
  EXPECT(vp_is_decision_due(coordinator, 0, NULL) == VP_ERROR_ARGUMENT);
  EXPECT(vp_current_decision(coordinator, NULL) == VP_ERROR_ARGUMENT);
  EXPECT(vp_current_decision(coordinator, &decision) == VP_ERROR_STRUCT_SIZE);
  EXPECT(vp_stream_decisions(coordinator, &row, 1, NULL) == VP_ERROR_ARGUMENT);
  EXPECT(vp_stream_decisions(coordinator, NULL, 1, &count) == VP_ERROR_ARGUMENT);
  EXPECT(vp_drain_paused_changes(coordinator, NULL, 1, &count) == VP_ERROR_ARGUMENT);
  EXPECT(vp_decide(coordinator, INT64_MIN, &flag) == VP_OK && flag); /* nothing above was an input */
  EXPECT(vp_decide(coordinator, INT64_MAX, NULL) == VP_OK);
  EXPECT(vp_decide(coordinator, 0, &flag) == VP_ERROR_TIME);
  EXPECT(vp_is_decision_due(coordinator, 0, &flag) == VP_ERROR_TIME);
  vp_coordinator_destroy(coordinator);
}

static void check_texts(const char *version) {
  EXPECT(strcmp(vp_version(), version) == 0 && vp_abi_version() == VP_ABI_VERSION);
  for (int code = VP_OK; code <= VP_ERROR_LAYOUT_PARTICIPANT; code++)
    for (int other = VP_OK; other <= VP_ERROR_LAYOUT_PARTICIPANT + 1; other++)
      EXPECT((strcmp(vp_status_text((vp_status_code)code), vp_status_text((vp_status_code)other)) == 0) ==
             (code == other));
}

/* ---- A call ---- */

/* Six cameras on a path that narrows: two seconds later some are paused, and their changes come in any portions. */
static void check_call(void) {
  vp_coordinator *coordinator = create();
  vp_stream_decision rows[6];
  vp_paused_change changes[6];
  size_t count, paused = 0;
  bool flag;
  for (uint64_t participant = 0; participant < 6; participant++)
    EXPECT(vp_upsert_stream(coordinator, VP_STREAM(participant, VP_TRACK_VIDEO), VP_KIND_CAMERA, false, layers,
                            LAYERS, 0) == VP_OK);
  EXPECT(vp_set_bandwidth_estimate(coordinator, 4000000, VP_CONGESTION_NONE, 0) == VP_OK);
  EXPECT(vp_is_decision_due(coordinator, 0, &flag) == VP_OK && flag);
  EXPECT(vp_decide(coordinator, 0, &flag) == VP_OK && flag);
  EXPECT(vp_stream_decisions(coordinator, rows, 5, &count) == VP_ERROR_CAPACITY && count == 6);
  EXPECT(vp_stream_decisions(coordinator, rows, 6, &count) == VP_OK && count == 6);
  int64_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    EXPECT(rows[i].reason == VP_FORWARDED && VP_TRACK(rows[i].stream) == VP_TRACK_VIDEO);
    EXPECT(VP_PARTICIPANT(rows[i].stream) == i && rows[i].ideal.height == 720);
    sum += rows[i].layer.bitrate_bps;
  }
  EXPECT(sum == decision_of(coordinator).target_bps && sum <= 4000000 && decision_of(coordinator).has_probe);
  for (int64_t now = 0; now <= 10000000; now += 100000) {
    EXPECT(vp_set_bandwidth_estimate(coordinator, 320000, VP_CONGESTION_NONE, now) == VP_OK);
    EXPECT(vp_decide(coordinator, now, NULL) == VP_OK);
  }
  do {
    EXPECT(vp_drain_paused_changes(coordinator, changes, 3, &count) == VP_OK && count <= 3);
    for (size_t i = 0; i < count; i++) EXPECT(changes[i].is_paused && VP_PARTICIPANT(changes[i].stream) >= 2);
    paused += count;
  } while (count == 3);
  EXPECT(paused == 4 && decision_of(coordinator).target_bps == 300000);
  EXPECT(vp_drain_paused_changes(coordinator, changes, 6, &count) == VP_OK && count == 0);
  EXPECT(vp_remove_stream(coordinator, VP_STREAM(5, VP_TRACK_VIDEO), 10000000) == VP_OK);
  EXPECT(vp_drain_paused_changes(coordinator, NULL, 0, &count) == VP_OK && count == 0);
  EXPECT(vp_drain_paused_changes(coordinator, changes, 6, &count) == VP_OK && count == 1 && !changes[0].is_paused);
  vp_coordinator_destroy(coordinator);
}

/* A classroom with a custom layout; what is demanded of the publishers falls two seconds later. */
static void check_layout(void) {
  vp_coordinator *coordinator = create();
  vp_layer_demand *demand = (vp_layer_demand *)1;
  vp_layout_stream entries[VP_LAYOUT_STREAMS_MAX + 1] = {
      {.participant = 2, .has_participant = 1, .quality = VP_QUALITY_720P_30FPS, .priority = VP_PRIORITY_MEDIUM},
      {.quality = VP_QUALITY_180P_30FPS, .priority = VP_PRIORITY_HIGH}};
  vp_stream_decision rows[3];
  vp_layer_verdict verdicts[LAYERS];
  vp_demanded_layers changes[3];
  vp_video_layout layout;
  size_t count;
  int64_t next;
  for (uint64_t participant = 1; participant <= 3; participant++)
    EXPECT(vp_upsert_stream(coordinator, VP_STREAM(participant, VP_TRACK_VIDEO), VP_KIND_CAMERA, false, layers,
                            LAYERS, 0) == VP_OK);
  EXPECT(vp_set_video_layout(coordinator, VP_LAYOUT_GALLERY, 0) == VP_ERROR_NOT_IN_MEETING);
  EXPECT(vp_set_in_meeting(coordinator, true, 0) == VP_OK);
  EXPECT(vp_set_layout_streams(coordinator, entries, 2, 0) == VP_ERROR_NO_CUSTOM_LAYOUT);
  EXPECT(vp_set_video_layout(coordinator, VP_LAYOUT_CUSTOM, 0) == VP_OK);
  EXPECT(vp_set_layout_streams(coordinator, NULL, 0, 0) == VP_ERROR_LAYOUT_EMPTY);
  for (size_t i = 2; i <= VP_LAYOUT_STREAMS_MAX; i++) entries[i] = entries[1];
  entries[VP_LAYOUT_STREAMS_MAX].quality = UINT32_MAX; /* beyond the limit nothing is read */
  const size_t too_many[] = {VP_LAYOUT_STREAMS_MAX + 1, 1000000000, SIZE_MAX};
  for (size_t i = 0; i < 3; i++)
    EXPECT(vp_set_layout_streams(coordinator, entries, too_many[i], 0) == VP_ERROR_LAYOUT_COUNT);
  EXPECT(vp_set_layout_streams(coordinator, entries, 2, 0) == VP_OK);
  EXPECT(vp_current_layout(coordinator, &layout) == VP_OK && layout == VP_LAYOUT_CUSTOM);
  EXPECT(vp_set_speaking(coordinator, 3, true, 0) == VP_OK &&
         vp_set_bandwidth_estimate(coordinator, 9000000, VP_CONGESTION_NONE, 0) == VP_OK);
  EXPECT(vp_decide(coordinator, 0, NULL) == VP_OK && decision_of(coordinator).strategy == VP_STRATEGY_PRIORITY);
  EXPECT(vp_stream_decisions(coordinator, rows, 3, &count) == VP_OK && count == 3);
  EXPECT(VP_PARTICIPANT(rows[0].stream) == 3 && rows[0].layer.height == 180);
  EXPECT(VP_PARTICIPANT(rows[1].stream) == 2 && rows[1].layer.height == 720);
  EXPECT(VP_PARTICIPANT(rows[2].stream) == 1 && rows[2].reason == VP_PAUSED_NOT_REQUESTED);
  EXPECT(vp_layer_verdicts(coordinator, rows[0].stream, verdicts, LAYERS, &count) == VP_OK && count == LAYERS);
  EXPECT(verdicts[0].outcome == VP_LAYER_FORWARDED && verdicts[1].outcome == VP_LAYER_ABOVE_DEMAND);
  EXPECT(vp_layer_demand_create(INT64_MAX, &demand) == VP_ERROR_CONFIG && demand == NULL);
  EXPECT(vp_layer_demand_create(2000000, &demand) == VP_OK && demand != NULL);
  EXPECT(vp_layer_demand_update(demand, 7, coordinator, 0) == VP_OK);
  EXPECT(vp_drain_demanded_layers(demand, changes, 3, &count, &next, 0) == VP_OK && count == 3 && next == VP_NEVER);
  for (size_t i = 0; i < count; i++) {
    uint64_t participant = VP_PARTICIPANT(changes[i].stream);
    EXPECT(changes[i].is_demanded == (participant > 1) && changes[i].highest_spatial == (participant == 2 ? 2 : 0));
  }
  EXPECT(vp_layer_demand_remove(demand, 7, 1000000) == VP_OK);
  EXPECT(vp_drain_demanded_layers(demand, changes, 3, &count, &next, 1000000) == VP_OK && next == 3000000);
  EXPECT(vp_drain_demanded_layers(demand, changes, 3, &count, &next, 3000000) == VP_OK && count == 2 &&
         !changes[0].is_demanded);
  EXPECT(vp_drain_demanded_layers(demand, changes, 3, &count, NULL, 0) == VP_ERROR_TIME);
  vp_layer_demand_destroy(demand);
  vp_coordinator_destroy(coordinator);
}

int main(int argc, char **argv) {
  EXPECT(argc == 2);
  check_texts(argv[1]);
  check_settings();
  check_null();
  check_arguments();
  check_call();
  check_layout();
}
