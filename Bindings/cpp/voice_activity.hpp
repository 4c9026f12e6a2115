// voice_activity.hpp — voice_activity.h for C++17: detectors that free themselves, errors as exceptions, and results in a
// vector or handed to a callable. The C header describes what everything means.
//
// Threads are as in C: one owner at a time, and set_muted() and status() from anywhere while the detector lives and is not
// moved. Objects can be moved and not copied. One that was moved from throws `error` if it is used; only get() and echo()
// return null.
//
// Only what makes or saves an object, returns results in a vector or throws `error` allocates. Without memory it throws
// std::bad_alloc and holds nothing, and what existed before can be used on. Results for a vector are then lost, as those are
// after a callable has thrown.
#pragma once

#include <voice_activity.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace voice_activity {

// A refusal of the library, with its sentence. After it the object is as it was.
struct error : std::runtime_error {
  explicit error(va_status_code status) : std::runtime_error(va_status_text(status)), code(status) {}
  va_status_code code;
};

inline void check(va_status_code code) {
  if (code != VA_OK) throw error(code);
}

inline const char *version() noexcept { return va_version(); }
inline const char *simd_name() noexcept { return va_simd_name(); }

inline va_config preset(std::uint32_t rate_hz, va_preset preset = VA_PRESET_CONVERSATION) {
  va_config config;
  check(va_config_preset(&config, rate_hz, preset));
  return config;
}

// Elements somewhere else, as std::span of C++20: an array, a vector, a span, or a pointer and a count.
template <class Element>
class view {
 public:
  view(const Element *data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <class Container, class = std::enable_if_t<std::is_same_v<
                                 std::remove_const_t<std::remove_pointer_t<decltype(std::data(std::declval<const Container &>()))>>,
                                 Element>>>
  view(const Container &container) noexcept : data_(std::data(container)), size_(std::size(container)) {}

  const Element *data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

 private:
  const Element *data_;
  std::size_t size_;
};
using floats = view<float>;
using int16s = view<std::int16_t>;
using bytes = view<std::uint8_t>;

namespace detail {

struct release {
  void operator()(void *memory) const noexcept { ::operator delete(memory, std::align_val_t{VA_DETECTOR_ALIGNMENT}); }
};

// An object of the library in memory of its own, which `init` initialises. It needs no destroy.
template <class Object>
using owned = std::unique_ptr<Object, release>;

template <class Object, class Init>
owned<Object> make(std::size_t size, Init init) {
  std::unique_ptr<void, release> memory(::operator new(size, std::align_val_t{VA_DETECTOR_ALIGNMENT}));
  Object *object = nullptr;
  check(init(memory.get(), size, &object));
  memory.release();
  return owned<Object>(object);
}

// Where saved bytes are. The library refuses a null pointer, which no bytes have, as an argument and not as data.
inline const void *address(bytes saved) noexcept { return saved.size() > 0 ? static_cast<const void *>(saved.data()) : ""; }

template <class Object>
std::vector<std::uint8_t> save(va_status_code (*function)(const Object *, void *, std::size_t, std::size_t *),
                               const Object *object, std::size_t capacity) {
  std::vector<std::uint8_t> bytes(capacity);
  std::size_t size = 0;
  check(function(object, bytes.data(), bytes.size(), &size));
  bytes.resize(size);
  return bytes;
}

struct no_hops {
  void operator()(const va_hop &) const noexcept {}
};

}  // namespace detail

// What a loudspeaker beside the microphone plays, which its detector leaves out of what it decides (ECHO in the C header).
class echo_reference {
 public:
  explicit echo_reference(std::uint32_t rate_hz)
      : echo_(detail::make<va_echo>(va_echo_size(), [&](void *memory, std::size_t size, va_echo **echo) {
          return va_echo_init(memory, size, rate_hz, echo);
        })) {}

  // From what save() returned. The bytes may come from anywhere: they are restored or refused.
  static echo_reference restore(bytes saved) {
    return echo_reference(detail::make<va_echo>(va_echo_size(), [&](void *memory, std::size_t size, va_echo **echo) {
      return va_echo_restore(memory, size, detail::address(saved), saved.size(), echo);
    }));
  }
  std::vector<std::uint8_t> save() const { return detail::save(va_echo_save, get(), va_echo_saved_size()); }

  // What plays next, at most 100 ms before the microphone hears that period: interleaved, 1 … VA_ECHO_CHANNELS_MAX channels.
  void push(floats frames, std::uint32_t channels = 1) { push_by(va_echo_push_interleaved, frames, channels); }
  void push(int16s frames, std::uint32_t channels = 1) { push_by(va_echo_push_interleaved_s16, frames, channels); }
  // Continues the reference while nothing plays and through gaps, those over 100 ms after push_gap. Samples count from the
  // beginning: without it, all that plays later comes too late (late_samples of status()) and counts as speech.
  void push_silence(std::uint64_t count) { check(va_echo_push_silence(get(), count)); }

  va_echo_status status() const {
    va_echo_status status = {};
    status.struct_size = sizeof status;
    check(va_echo_state(get(), &status));
    return status;
  }

  va_echo *get() const noexcept { return echo_.get(); }

 private:
  explicit echo_reference(detail::owned<va_echo> echo) noexcept : echo_(std::move(echo)) {}
  template <class Function, class Frames>
  void push_by(Function function, Frames frames, std::uint32_t channels) {
    const bool is_whole = channels > 0 && frames.size() % channels == 0;
    check(is_whole ? function(get(), frames.data(), frames.size() / channels, channels) : VA_ERROR_ARGUMENT);
  }
  detail::owned<va_echo> echo_;
};

class detector {
 public:
  explicit detector(const va_config &config)
      : detector_(detail::make<va_detector>(va_detector_size(), [&](void *memory, std::size_t size, va_detector **made) {
          return va_detector_init(memory, size, &config, made);
        })) {}
  // Beside a loudspeaker. What plays goes to echo()->push.
  detector(const va_config &config, echo_reference echo) : detector(config) { attach(std::move(echo)); }

  // Continues a stream from what save() returned. The bytes may come from anywhere: they are restored or refused.
  static detector restore(bytes saved) {
    return detector(detail::make<va_detector>(va_detector_size(), [&](void *memory, std::size_t size, va_detector **made) {
      return va_detector_restore(memory, size, detail::address(saved), saved.size(), made);
    }));
  }
  static detector restore(bytes saved, echo_reference echo) {
    detector restored = restore(saved);
    restored.attach(std::move(echo));
    return restored;
  }
  std::vector<std::uint8_t> save() const {
    check_idle();
    return detail::save(va_detector_save, get(), va_detector_saved_size());
  }

  // Each of these four calls on_event(const va_event &) for what it finds, and on_hop(const va_hop &) for every 10 ms that
  // are decided, before it returns. Events are in order, and so are hops; an event may come up to 32 hops before its own. No
  // call allocates. If a callable throws, the rest of the chunk is not analysed. A callable that uses the stream itself, by one
  // of the four, reset() or save(), gets an `error`. Without callables they return the events in a vector.
  template <class OnEvent, class OnHop = detail::no_hops>
  void process(floats samples, OnEvent &&on_event, OnHop &&on_hop = {}) {
    process_with(va_detector_process, samples, on_event, on_hop);
  }
  template <class OnEvent, class OnHop = detail::no_hops>
  void process(int16s samples, OnEvent &&on_event, OnHop &&on_hop = {}) {
    process_with(va_detector_process_s16, samples, on_event, on_hop);
  }
  std::vector<va_event> process(floats samples) {
    return collect([&](auto &&keep) { process(samples, keep); });
  }
  std::vector<va_event> process(int16s samples) {
    return collect([&](auto &&keep) { process(samples, keep); });
  }

  // `count` samples never came: lost packets, DTX, an overrun. It takes about 0.1 s for each hour of missing sound, so limit
  // what a wrong time stamp could ask for.
  template <class OnEvent, class OnHop = detail::no_hops>
  void push_gap(std::uint64_t count, OnEvent &&on_event, OnHop &&on_hop = {}) {
    call(on_event, on_hop, [&](va_output *output) { return va_detector_push_gap(get(), echo_of(), count, output); });
    fetch(on_event, on_hop);
  }
  std::vector<va_event> push_gap(std::uint64_t count) {
    return collect([&](auto &&keep) { push_gap(count, keep); });
  }

  // Of `count` samples only the sender's level is known: the byte of RFC 6464's header extension.
  template <class OnEvent, class OnHop = detail::no_hops>
  void push_level(std::uint64_t count, std::uint8_t rfc6464, OnEvent &&on_event, OnHop &&on_hop = {}) {
    fetch(on_event, on_hop);  // a restored stream may have more results waiting than an output takes
    call(on_event, on_hop, [&](va_output *output) {
      return va_detector_push_level(get(), count, va_rfc6464_level(rfc6464), va_rfc6464_voice(rfc6464), output);
    });
    fetch(on_event, on_hop);
  }
  std::vector<va_event> push_level(std::uint64_t count, std::uint8_t rfc6464) {
    return collect([&](auto &&keep) { push_level(count, rfc6464, keep); });
  }

  // The end of the stream; reset() begins another.
  template <class OnEvent, class OnHop = detail::no_hops>
  void flush(OnEvent &&on_event, OnHop &&on_hop = {}) {
    while (call(on_event, on_hop, [&](va_output *output) { return va_detector_flush(get(), echo_of(), output); })) {}
  }
  std::vector<va_event> flush() {
    return collect([&](auto &&keep) { flush(keep); });
  }

  // A new stream at position 0, for the echo reference too.
  void reset() {
    check_idle();
    va_detector_reset(own());
    if (va_echo *echo = echo_of()) va_echo_reset(echo);
  }

  void set_muted(bool muted) { va_detector_set_muted(own(), muted); }

  va_status status() const {
    va_status status = {};
    status.struct_size = sizeof status;
    check(va_detector_status(get(), &status));
    return status;
  }

  // The newest level and decision as the byte of RFC 6464's header extension.
  std::uint8_t rfc6464() const {
    const va_status newest = status();
    return va_rfc6464_byte(newest.level_dbov, newest.is_speech);
  }

  // The settings, also those of a restored stream.
  va_config config() const {
    va_config config = {};
    config.struct_size = sizeof config;
    check(va_detector_config(get(), &config));
    return config;
  }

  // THE USER'S OWN LEVEL in the C header.
  struct speaker {
    float level_dbfs;
    std::uint32_t learned_ms;
  };
  speaker speaker_level() const {
    speaker learned = {};
    check(va_detector_speaker_level(get(), &learned.level_dbfs, &learned.learned_ms));
    return learned;
  }
  void set_speaker_level(speaker learned) { check(va_detector_set_speaker_level(get(), learned.level_dbfs, learned.learned_ms)); }
  void set_speaker_margin(float margin_db) { check(va_detector_set_speaker_margin(get(), margin_db)); }
  void change_input_gain(float gain_db) { check(va_detector_change_input_gain(get(), gain_db)); }

  // Null without an echo reference.
  echo_reference *echo() noexcept { return echo_.get(); }
  va_detector *get() const noexcept { return detector_.get(); }

 private:
  explicit detector(detail::owned<va_detector> owned) noexcept : detector_(std::move(owned)) {}

  detail::owned<va_detector> detector_;
  std::unique_ptr<echo_reference> echo_;
  bool is_busy_ = false;  // while callables run

  struct turn {
    explicit turn(bool &is_busy) noexcept : is_busy_(is_busy) { is_busy_ = true; }
    ~turn() { is_busy_ = false; }
    bool &is_busy_;
  };
  void check_idle() const { check(is_busy_ ? VA_ERROR_ARGUMENT : VA_OK); }

  void attach(echo_reference &&echo) {
    check(echo.get() ? VA_OK : VA_ERROR_ARGUMENT);
    echo_ = std::make_unique<echo_reference>(std::move(echo));
  }

  va_echo *echo_of() const noexcept { return echo_ ? echo_->get() : nullptr; }

  // For functions of the library that return no code.
  va_detector *own() const {
    if (!detector_) throw error(VA_ERROR_ARGUMENT);
    return get();
  }

  template <class Call>
  static std::vector<va_event> collect(Call call) {
    std::vector<va_event> events;
    call([&](const va_event &event) { events.push_back(event); });
    return events;
  }

  // One call of the library and its results. True: it has more.
  template <class OnEvent, class OnHop, class Function>
  bool call(OnEvent &on_event, OnHop &on_hop, Function function) {
    check_idle();
    constexpr bool wants_hops = !std::is_same_v<std::decay_t<OnHop>, detail::no_hops>;
    std::array<va_event, 32> events;
    std::array<va_hop, wants_hops ? 32 : 1> hops;
    va_output output = {};
    output.events = events.data();
    output.event_capacity = events.size();
    if (wants_hops) {
      output.hops = hops.data();
      output.hop_capacity = hops.size();
    }
    check(function(&output));
    const turn mine(is_busy_);
    for (std::size_t i = 0; i < output.event_count; i++) on_event(static_cast<const va_event &>(events[i]));
    for (std::size_t i = 0; i < output.hop_count; i++) on_hop(static_cast<const va_hop &>(hops[i]));
    return output.more;
  }

  template <class Function, class Sample, class OnEvent, class OnHop>
  void process_with(Function function, view<Sample> samples, OnEvent &on_event, OnHop &on_hop) {
    for (bool more = true; more;) {
      std::size_t consumed = 0;
      more = call(on_event, on_hop, [&](va_output *output) {
        return function(get(), echo_of(), samples.data(), samples.size(), &consumed, output);
      });
      if (consumed > 0) samples = view<Sample>(samples.data() + consumed, samples.size() - consumed);
    }
  }

  // The results that are waiting.
  template <class OnEvent, class OnHop>
  void fetch(OnEvent &on_event, OnHop &on_hop) {
    process_with(va_detector_process, floats(nullptr, 0), on_event, on_hop);
  }
};

// Turns the results of a detector into segments (CUTTING in the C header), from the beginning of its stream. The cuts do not
// depend on how the stream was cut into chunks.
class cutter {
 public:
  // `config` is that of the detector. The size of the rules is set here.
  cutter(va_cut_rules rules, const va_config &config) : cutter_(make(rules, config)) {}

  // Each of these two calls on_cut(const va_cut &) for what is complete, or returns it in a vector. push() gets the results of
  // one call on the detector. Without hops a cut is complete only when later speech begins, and a limit cuts where it ends.
  // If the callable throws, the cuts that were not passed on are lost: reset both then.
  template <class OnCut>
  void push(view<va_event> events, view<va_hop> hops, OnCut &&on_cut) {
    va_output results = {};
    results.events = const_cast<va_event *>(events.data());
    results.event_count = events.size();
    results.hops = const_cast<va_hop *>(hops.data());
    results.hop_count = hops.size();
    for (va_cut cut; va_cutter_next(own(), &results, &cut);) on_cut(static_cast<const va_cut &>(cut));
  }
  template <class OnCut>
  void finish(std::uint64_t end, OnCut &&on_cut) {
    for (va_cut cut; va_cutter_finish(own(), end, &cut);) on_cut(static_cast<const va_cut &>(cut));
  }
  std::vector<va_cut> push(view<va_event> events, view<va_hop> hops) {
    std::vector<va_cut> cuts;
    push(events, hops, [&](const va_cut &cut) { cuts.push_back(cut); });
    return cuts;
  }
  std::vector<va_cut> finish(std::uint64_t end) {
    std::vector<va_cut> cuts;
    finish(end, [&](const va_cut &cut) { cuts.push_back(cut); });
    return cuts;
  }

  // The first sample that the next cut can contain, and the end of what it surely contains.
  struct beginning {
    std::uint64_t needed, certain;
  };
  beginning next() const {
    beginning next = {};
    next.needed = va_cutter_needed(own(), &next.certain);
    return next;
  }

  // With detector::reset().
  void reset() { va_cutter_reset(own()); }

  va_cutter *get() const noexcept { return cutter_.get(); }

 private:
  detail::owned<va_cutter> cutter_;

  static detail::owned<va_cutter> make(va_cut_rules &rules, const va_config &config) {
    rules.struct_size = sizeof rules;
    return detail::make<va_cutter>(va_cutter_size(&rules, &config), [&](void *memory, std::size_t size, va_cutter **cutter) {
      return va_cutter_init(memory, size, &rules, &config, cutter);
    });
  }

  va_cutter *own() const {
    if (!cutter_) throw error(VA_ERROR_ARGUMENT);
    return get();
  }
};

// Whether the user speaks while muted (SPEAKING WHILE MUTED in the C header). Each function that changes it returns whether
// is_speaking() has changed. A copy is a gate of its own.
class speaking_gate {
 public:
  speaking_gate() noexcept { va_speaking_gate_init(&gate_); }

  bool set(va_requirement requirement, bool is_met) noexcept { return va_speaking_gate_set(&gate_, requirement, is_met); }
  bool handle(const va_event &event) noexcept { return va_speaking_gate_handle(&gate_, event.type); }
  // Muted speech has begun or ended, without an event. Call it only at a change: otherwise speech from before a requirement was
  // met counts.
  bool set_speech(bool is_speech) noexcept { return va_speaking_gate_set_speech(&gate_, is_speech); }
  bool end() noexcept { return va_speaking_gate_end(&gate_); }

  bool is_speaking() const noexcept { return gate_.is_speaking; }
  bool is_detecting() const noexcept { return gate_.unmet == 0; }

 private:
  va_speaking_gate gate_;
};

// Its notice, with the fields of the C struct. Each function but unmuted() returns whether `shown` has changed.
struct muted_notice : va_muted_notice {
  muted_notice() noexcept { va_muted_notice_init(this); }

  bool update(bool speaking, std::int64_t now_ms) noexcept { return va_muted_notice_update(this, speaking, now_ms); }
  bool dismiss(std::uint64_t number) noexcept { return va_muted_notice_dismiss(this, number); }
  void unmuted() noexcept { va_muted_notice_unmuted(this); }
};

}  // namespace voice_activity
