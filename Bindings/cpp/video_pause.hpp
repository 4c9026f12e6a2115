// video_pause.hpp — video_pause.h for C++17: a coordinator that frees itself, errors as exceptions, and results as vectors.
// Copy it; it is yours to change. One thread at a time may use a coordinator. Times are µs of a monotonic clock.
#pragma once

#include <video_pause.h>

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace video_pause {

struct error : std::runtime_error {
  explicit error(vp_status_code status) : error(status, vp_status_text(status)) {}
  error(vp_status_code status, const std::string &sentence) : std::runtime_error(sentence), code(status) {}
  vp_status_code code;
};

inline void check(vp_status_code code) {
  if (code != VP_OK) throw error(code);
}

inline vp_config default_config() {
  vp_config config;
  check(vp_config_default(&config));
  return config;
}

inline vp_demand default_demand() {
  vp_demand demand;
  check(vp_demand_default(&demand));
  return demand;
}

class coordinator {
 public:
  explicit coordinator(const vp_config &config = default_config()) {
    if (const char *field = vp_config_invalid_field(&config))
      throw error(VP_ERROR_CONFIG, std::string("the setting ") + field + " is out of range");
    vp_coordinator *raw = nullptr;
    check(vp_coordinator_create(&config, &raw));
    handle_.reset(raw);
  }

  void upsert_stream(std::uint64_t stream, vp_kind kind, const std::vector<vp_layer> &layers, std::int64_t at_us,
                     bool is_local = false) {
    check(vp_upsert_stream(handle_.get(), stream, kind, is_local, layers.data(), layers.size(), at_us));
  }
  void remove_stream(std::uint64_t stream, std::int64_t at_us) { check(vp_remove_stream(handle_.get(), stream, at_us)); }
  void set_publisher_muted(std::uint64_t stream, bool is_muted, std::int64_t at_us) {
    check(vp_set_publisher_muted(handle_.get(), stream, is_muted, at_us));
  }
  void layer_locked(std::uint64_t stream, std::int64_t at_us) { check(vp_layer_locked(handle_.get(), stream, at_us)); }

  void set_demand(std::uint64_t stream, const vp_demand &demand, std::int64_t at_us) {
    check(vp_set_demand(handle_.get(), stream, &demand, at_us));
  }
  void set_subscriber_paused(std::uint64_t stream, bool is_paused, std::int64_t at_us) {
    check(vp_set_subscriber_paused(handle_.get(), stream, is_paused, at_us));
  }
  void set_speaker_order(const std::vector<std::uint64_t> &participants, std::int64_t at_us) {
    check(vp_set_speaker_order(handle_.get(), participants.data(), participants.size(), at_us));
  }
  void set_speaking(std::uint64_t participant, bool is_speaking, std::int64_t at_us) {
    check(vp_set_speaking(handle_.get(), participant, is_speaking, at_us));
  }
  void set_last_n(std::uint32_t count, std::int64_t at_us) { check(vp_set_last_n(handle_.get(), count, at_us)); }
  void set_strategy(vp_strategy strategy, std::int64_t at_us) { check(vp_set_strategy(handle_.get(), strategy, at_us)); }
  void set_720p_enabled(bool is_enabled, std::int64_t at_us) { check(vp_set_720p_enabled(handle_.get(), is_enabled, at_us)); }
  void set_video_pause_enabled(bool is_enabled, std::int64_t at_us) {
    check(vp_set_video_pause_enabled(handle_.get(), is_enabled, at_us));
  }

  void set_in_meeting(bool is_in_meeting, std::int64_t at_us) { check(vp_set_in_meeting(handle_.get(), is_in_meeting, at_us)); }
  void set_custom_layout_available(bool is_available, std::int64_t at_us) {
    check(vp_set_custom_layout_available(handle_.get(), is_available, at_us));
  }
  void set_participants(const std::vector<std::uint64_t> &participants, std::int64_t at_us) {
    check(vp_set_participants(handle_.get(), participants.data(), participants.size(), at_us));
  }
  // A refusal is an error, too: its code says why.
  void set_video_layout(vp_video_layout layout, std::int64_t at_us) {
    check(vp_set_video_layout(handle_.get(), layout, at_us));
  }
  void set_layout_streams(const std::vector<vp_layout_stream> &streams, std::int64_t at_us) {
    check(vp_set_layout_streams(handle_.get(), streams.data(), streams.size(), at_us));
  }
  vp_video_layout layout() const {
    vp_video_layout layout = VP_LAYOUT_NONE;
    check(vp_current_layout(handle_.get(), &layout));
    return layout;
  }

  void set_bandwidth_estimate(std::int64_t bps, std::int64_t at_us, vp_congestion congestion = VP_CONGESTION_NONE) {
    check(vp_set_bandwidth_estimate(handle_.get(), bps, congestion, at_us));
  }
  void set_audio(std::uint32_t stream_count, std::int64_t measured_bps, std::int64_t at_us) {
    check(vp_set_audio(handle_.get(), stream_count, measured_bps, at_us));
  }
  void set_other_traffic(std::int64_t bps, std::int64_t at_us) { check(vp_set_other_traffic(handle_.get(), bps, at_us)); }

  // Returns whether there is anything new to forward. Call it after every input, and at decision().next_decision_at_us.
  bool decide(std::int64_t at_us) {
    bool is_changed = false;
    check(vp_decide(handle_.get(), at_us, &is_changed));
    return is_changed;
  }

  vp_decision decision() const {
    vp_decision decision = {};
    decision.struct_size = sizeof decision;
    check(vp_current_decision(handle_.get(), &decision));
    return decision;
  }

  // Writes a row for each stream, the most important first, into a vector whose memory is used again.
  void streams(std::vector<vp_stream_decision> &rows) const {
    std::size_t count = 0;
    rows.resize(static_cast<std::size_t>(decision().stream_count));
    check(vp_stream_decisions(handle_.get(), rows.data(), rows.size(), &count));
  }

  // What the last decision made of each layer of a stream, and why another one is forwarded, or none.
  std::vector<vp_layer_verdict> layer_verdicts(std::uint64_t stream) const {
    std::vector<vp_layer_verdict> verdicts(VP_LAYERS_MAX);
    std::size_t count = 0;
    check(vp_layer_verdicts(handle_.get(), stream, verdicts.data(), verdicts.size(), &count));
    verdicts.resize(count);
    return verdicts;
  }

  // Calls on_change(const vp_paused_change &) for each change of the paused tracks since the last call.
  template <class OnChange>
  void drain_paused_changes(OnChange &&on_change) {
    std::array<vp_paused_change, 16> changes;
    std::size_t count = changes.size();
    while (count == changes.size()) {
      check(vp_drain_paused_changes(handle_.get(), changes.data(), changes.size(), &count));
      for (std::size_t i = 0; i < count; i++) on_change(static_cast<const vp_paused_change &>(changes[i]));
    }
  }

 private:
  struct destroy {
    void operator()(vp_coordinator *coordinator) const noexcept { vp_coordinator_destroy(coordinator); }
  };
  friend class layer_demand;
  std::unique_ptr<vp_coordinator, destroy> handle_;
};

// Which layers of each stream the subscribers of a call need. hold_us: for how long a layer stays demanded.
class layer_demand {
 public:
  explicit layer_demand(std::int64_t hold_us = 5000000) {
    vp_layer_demand *raw = nullptr;
    check(vp_layer_demand_create(hold_us, &raw));
    handle_.reset(raw);
  }

  void update(std::uint64_t subscriber, const coordinator &coordinator, std::int64_t at_us) {
    check(vp_layer_demand_update(handle_.get(), subscriber, coordinator.handle_.get(), at_us));
  }
  void remove(std::uint64_t subscriber, std::int64_t at_us) { check(vp_layer_demand_remove(handle_.get(), subscriber, at_us)); }

  // Calls on_change(const vp_demanded_layers &) for each change since the last call. Returns when to call it again if no update
  // comes first; VP_NEVER if only an update can change anything.
  template <class OnChange>
  std::int64_t drain_changes(std::int64_t at_us, OnChange &&on_change) {
    std::array<vp_demanded_layers, 16> changes;
    std::size_t count = changes.size();
    std::int64_t next = VP_NEVER;
    while (count == changes.size()) {
      check(vp_drain_demanded_layers(handle_.get(), changes.data(), changes.size(), &count, &next, at_us));
      for (std::size_t i = 0; i < count; i++) on_change(static_cast<const vp_demanded_layers &>(changes[i]));
    }
    return next;
  }

 private:
  struct destroy {
    void operator()(vp_layer_demand *demand) const noexcept { vp_layer_demand_destroy(demand); }
  };
  std::unique_ptr<vp_layer_demand, destroy> handle_;
};

}  // namespace video_pause
