/* pause.c — gives libvideopause any sequence of calls with any arguments, valid or not: nothing ends the process.
 *
 * The input chooses functions and arguments, byte by byte. Small numbers are common, so that streams exist and times
 * pass; any 64-bit number can come too. After each call the decision must be whole: its rows are the streams in it, its
 * sums are those of its rows, nothing beyond the limit is forwarded unless that is reported, and the changes of the
 * paused tracks never repeat. */
#include <string.h>

#include "fuzz.h"
#include "video_pause.h"

enum { STREAMS = 64, ROWS = 2 * STREAMS, CALLS = 4000 };

static uint64_t next_bytes(reader *in, size_t count) {
  uint64_t value = 0;
  for (size_t i = 0; i < count; i++) value |= (uint64_t)next_byte(in) << 8 * i;
  return value;
}

/* A number of as many bytes as its first one asks for. */
static uint64_t number(reader *in) {
  static const size_t sizes[] = {0, 1, 1, 1, 2, 3, 4, 8};
  return next_bytes(in, sizes[next_byte(in) & 7]);
}

static uint32_t word(reader *in) { return (uint32_t)number(in); }

static double real(reader *in) {
  static const double few[] = {0, 3, 7.5, 15, 30, 60};
  uint8_t choice = next_byte(in);
  if (choice < 240) return few[choice % 6];
  uint64_t bits = next_bytes(in, 8);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint64_t stream(reader *in) {
  uint8_t choice = next_byte(in);
  return choice < 250 ? choice % STREAMS : number(in);
}

static int64_t rate(reader *in) {
  return next_byte(in) < 240 ? (int64_t)(next_bytes(in, 2) * 100) : (int64_t)number(in);
}

static int64_t advance(reader *in, int64_t now) {
  uint8_t choice = next_byte(in);
  if (choice < 40) return now;
  return (int64_t)((uint64_t)now + (choice < 240 ? choice * choice * 100u : number(in)));
}

static vp_coordinator *create(reader *in) {
  vp_config config;
  vp_coordinator *coordinator;
  REQUIRE(vp_config_default(&config) == VP_OK, "the settings");
  for (uint64_t changes = next_byte(in) & 7; changes > 0; changes--) { /* any field, to anything */
    size_t at = next_byte(in) % (sizeof config / 4) * 4;
    uint32_t value = word(in);
    memcpy((char *)&config + at, &value, sizeof value);
  }
  if (config.maximum_streams > STREAMS) config.maximum_streams = STREAMS;
  vp_status_code code = vp_coordinator_create(&config, &coordinator);
  bool right = config.struct_size == sizeof config;
  REQUIRE(right || code == VP_ERROR_STRUCT_SIZE, "the settings");
  REQUIRE(!right || (code == VP_ERROR_CONFIG) == (vp_config_invalid_field(&config) != NULL), "the settings");
  REQUIRE((code == VP_OK) == (coordinator != NULL), "the settings");
  return coordinator;
}

/* From one too small to one too large. */
static uint32_t side(reader *in) { return word(in) % (VP_SIDE_MAX + 2); }

static vp_status_code upsert(vp_coordinator *coordinator, reader *in, int64_t now) {
  vp_layer layers[VP_LAYERS_MAX + 2];
  uint64_t id = stream(in), flags = next_byte(in);
  size_t count = next_byte(in) % (flags & 64 ? VP_LAYERS_MAX + 2 : 7);
  for (size_t i = 0; i < count; i++) {
    layers[i] = (vp_layer){.spatial = (uint32_t)i / 3, .temporal = (uint32_t)i % 3, .width = side(in),
                           .height = side(in), .is_active = next_byte(in) < 240, .is_decode_target = flags >> 7,
                           .frames_per_second = real(in), .bitrate_bps = rate(in)};
    if (next_byte(in) > 250) layers[i].spatial = word(in), layers[i].temporal = word(in);
  }
  return vp_upsert_stream(coordinator, id, flags & 1 ? (vp_kind)(flags & 7) : VP_KIND_CAMERA, (flags & 24) == 24,
                          layers, count, now);
}

static vp_status_code demand(vp_coordinator *coordinator, reader *in, int64_t now) {
  vp_demand demand;
  uint64_t id = stream(in);
  REQUIRE(vp_demand_default(&demand) == VP_OK, "the demand");
  for (uint64_t changes = next_byte(in) & 7; changes > 0; changes--) {
    size_t at = next_byte(in) % (sizeof demand / 4) * 4;
    uint32_t value = word(in);
    if (at > 0 || value > 250) memcpy((char *)&demand + at, &value, sizeof value);
  }
  return vp_set_demand(coordinator, id, &demand, now);
}

static vp_status_code speakers(vp_coordinator *coordinator, reader *in, int64_t now) {
  uint64_t order[16];
  size_t count = next_byte(in) % 17;
  for (size_t i = 0; i < count; i++) order[i] = stream(in);
  return vp_set_speaker_order(coordinator, order, count, now);
}

static vp_status_code layout(vp_coordinator *coordinator, reader *in, int64_t now) {
  vp_layout_stream streams[VP_LAYOUT_STREAMS_MAX + 2];
  size_t count = next_byte(in) % (VP_LAYOUT_STREAMS_MAX + 3);
  uint64_t everybody[4];
  switch (next_byte(in) % 8) {
    case 0: return vp_set_in_meeting(coordinator, next_byte(in) & 3, now);
    case 1: return vp_set_custom_layout_available(coordinator, next_byte(in) & 3, now);
    case 2:
      for (size_t i = 0; i < 4; i++) everybody[i] = stream(in) / 2;
      return vp_set_participants(coordinator, everybody, count % 5, now);
    case 3: case 4: return vp_set_video_layout(coordinator, (vp_video_layout)(next_byte(in) % 6), now);
    default:
      for (size_t i = 0; i < count; i++)
        streams[i] = (vp_layout_stream){.participant = stream(in) / 2, .has_participant = next_byte(in) & 1,
                                        .quality = 1 + next_byte(in) % 13, .priority = next_byte(in) % 17 / 4};
      return vp_set_layout_streams(coordinator, streams, count, now);
  }
}

/* What every layer costs, and why it is not forwarded. */
static void check_verdicts(const vp_coordinator *coordinator, const vp_stream_decision *row) {
  vp_layer_verdict verdicts[VP_LAYERS_MAX];
  size_t count, forwarded = 0;
  vp_status_code code = vp_layer_verdicts(coordinator, row->stream, verdicts, VP_LAYERS_MAX, &count);
  REQUIRE(code == VP_OK && count <= VP_LAYERS_MAX, "the verdicts");
  for (size_t i = 0; i < count; i++) {
    REQUIRE(verdicts[i].outcome <= VP_LAYER_NOT_WANTED, "the verdicts");
    forwarded += verdicts[i].outcome == VP_LAYER_FORWARDED;
  }
  REQUIRE(forwarded == (row->reason == VP_FORWARDED), "the verdicts");
}

static vp_status_code call(vp_coordinator *coordinator, reader *in, int64_t now) {
  switch (next_byte(in) % 20) {
    case 0: case 1: return upsert(coordinator, in, now);
    case 2: return vp_remove_stream(coordinator, stream(in), now);
    case 3: return vp_set_publisher_muted(coordinator, stream(in), next_byte(in) & 1, now);
    case 4: return vp_layer_locked(coordinator, stream(in), now);
    case 5: case 6: return demand(coordinator, in, now);
    case 7: return vp_set_subscriber_paused(coordinator, stream(in), next_byte(in) & 1, now);
    case 8: return speakers(coordinator, in, now);
    case 9: return vp_set_last_n(coordinator, word(in), now);
    case 10: return vp_set_strategy(coordinator, (vp_strategy)(next_byte(in) & 3), now);
    case 11: return vp_set_720p_enabled(coordinator, next_byte(in) & 1, now);
    case 12: return vp_set_video_pause_enabled(coordinator, next_byte(in) & 3, now);
    case 13: return vp_set_audio(coordinator, word(in), rate(in), now);
    case 14: return layout(coordinator, in, now);
    case 15: return vp_set_speaking(coordinator, stream(in) / 2, next_byte(in) & 1, now);
    case 16: return vp_set_other_traffic(coordinator, rate(in), now);
    default: return vp_set_bandwidth_estimate(coordinator, rate(in), (vp_congestion)(next_byte(in) % 10 / 3), now);
  }
}

/* The streams that the changes say are paused. */
typedef struct paused {
  uint64_t streams[ROWS];
  size_t count;
} paused;

static void apply(paused *paused, const vp_paused_change *change) {
  size_t at = 0;
  while (at < paused->count && paused->streams[at] != change->stream) at++;
  REQUIRE((at == paused->count) == (change->is_paused != 0), "a change repeats");
  if (change->is_paused) {
    REQUIRE(paused->count < ROWS, "a change repeats");
    paused->streams[paused->count++] = change->stream;
  } else {
    paused->streams[at] = paused->streams[--paused->count];
  }
}

static void check_decision(vp_coordinator *coordinator, paused *paused, size_t room) {
  static vp_stream_decision rows[ROWS];
  vp_paused_change changes[8];
  vp_decision decision = {.struct_size = sizeof decision};
  size_t count;
  REQUIRE(vp_current_decision(coordinator, &decision) == VP_OK, "the decision is not whole");
  REQUIRE(vp_stream_decisions(coordinator, rows, ROWS, &count) == VP_OK && count == decision.stream_count,
          "the decision is not whole");
  int64_t sum = 0, ideal = 0;
  for (size_t i = 0; i < count; i++) {
    sum += rows[i].layer.bitrate_bps, ideal += rows[i].ideal.bitrate_bps;
    check_verdicts(coordinator, &rows[i]);
    REQUIRE((rows[i].reason == VP_FORWARDED) == (rows[i].layer.height > 0) && rows[i].reason <= VP_PAUSED_BELOW_MINIMUM,
            "the decision is not whole");
    for (size_t j = 0; j < i; j++) REQUIRE(rows[i].stream != rows[j].stream, "the decision is not whole");
  }
  REQUIRE(sum == decision.target_bps && ideal == decision.ideal_bps, "the decision is not whole");
  REQUIRE(sum <= decision.keep_bps || decision.is_oversending, "the decision is not whole");
  REQUIRE(decision.has_probe == decision.is_deficient, "the decision is not whole");
  if (room == 0) return;
  do {
    REQUIRE(vp_drain_paused_changes(coordinator, changes, room, &count) == VP_OK && count <= room,
            "the decision is not whole");
    for (size_t i = 0; i < count; i++) apply(paused, &changes[i]);
  } while (count == room);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  static paused paused;
  reader in = {bytes, count, 0};
  vp_coordinator *coordinator = create(&in);
  if (coordinator == NULL) return 0;
  paused.count = 0;
  int64_t now = 0;
  for (int calls = 0; !is_empty(&in) && calls < CALLS; calls++) {
    int64_t then = advance(&in, now);
    vp_status_code code = call(coordinator, &in, then);
    REQUIRE(code <= VP_ERROR_LAYOUT_PARTICIPANT && vp_status_text(code) != NULL, "the call");
    bool is_changed;
    code = vp_decide(coordinator, then, &is_changed);
    REQUIRE(code == VP_OK || (code == VP_ERROR_TIME && then < now), "the call");
    if (code != VP_OK) continue;
    now = then;
    check_decision(coordinator, &paused, next_byte(&in) % 9);
  }
  vp_coordinator_destroy(coordinator);
  return 0;
}
