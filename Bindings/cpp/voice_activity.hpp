// voice_activity.hpp — voice_activity.h for C++17: a detector that frees itself, errors as exceptions, and results handed
// to a callable. Copy it; it is yours to change. Threads are as in the C header: one owner at a time, and set_muted() and
// status() from anywhere while the detector lives.
#pragma once

#include <voice_activity.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>

namespace voice_activity {

struct error : std::runtime_error {
  explicit error(va_status_code code) : std::runtime_error(va_status_text(code)), code(code) {}
  va_status_code code;
};

inline void check(va_status_code code) {
  if (code != VA_OK) throw error(code);
}

inline va_config preset(std::uint32_t rate_hz, va_preset preset = VA_PRESET_CONVERSATION) {
  va_config config;
  check(va_config_preset(&config, rate_hz, preset));
  return config;
}

class detector {
 public:
  explicit detector(const va_config &config) {
    va_detector *raw = nullptr;
    check(va_detector_create(&config, &raw));
    handle_.reset(raw);
  }

  // Each calls on_event(const va_event &) for what it finds, in order, before it returns. No call allocates. If on_event
  // throws, the rest of the chunk is not analysed.
  template <class OnEvent>
  void process(const float *samples, std::size_t count, OnEvent &&on_event) {
    process_with(va_detector_process, samples, count, on_event);
  }
  template <class OnEvent>
  void process(const std::int16_t *samples, std::size_t count, OnEvent &&on_event) {
    process_with(va_detector_process_s16, samples, count, on_event);
  }

  // `count` samples never came: lost packets, DTX, an overrun.
  template <class OnEvent>
  void push_gap(std::uint64_t count, OnEvent &&on_event) {
    const bool more = call(on_event, va_detector_push_gap, count);
    if (more) process(static_cast<const float *>(nullptr), 0, on_event);
  }

  // The end of the stream; reset() begins another.
  template <class OnEvent>
  void flush(OnEvent &&on_event) {
    while (call(on_event, va_detector_flush)) {}
  }

  void reset() noexcept { va_detector_reset(handle_.get()); }
  void set_muted(bool muted) noexcept { va_detector_set_muted(handle_.get(), muted); }

  va_status status() const {
    va_status status = {};
    status.struct_size = sizeof status;
    check(va_detector_status(handle_.get(), &status));
    return status;
  }

 private:
  struct destroy {
    void operator()(va_detector *detector) const noexcept { va_detector_destroy(detector); }
  };
  std::unique_ptr<va_detector, destroy> handle_;

  // One call of the C interface and its events. True: it has more.
  template <class OnEvent, class Function, class... Arguments>
  bool call(OnEvent &on_event, Function function, Arguments... arguments) {
    std::array<va_event, 32> events;
    va_output output = {};
    output.events = events.data();
    output.event_capacity = events.size();
    check(function(handle_.get(), arguments..., &output));
    for (std::size_t i = 0; i < output.event_count; i++) on_event(static_cast<const va_event &>(events[i]));
    return output.more;
  }

  template <class Function, class Sample, class OnEvent>
  void process_with(Function function, const Sample *samples, std::size_t count, OnEvent &on_event) {
    for (bool more = true; more || count > 0;) {
      std::size_t consumed = 0;
      more = call(on_event, function, samples, count, &consumed);
      if (consumed > 0) samples += consumed;
      count -= consumed;
    }
  }
};

}  // namespace voice_activity
