// memory.cpp — each allocation fails once: the call throws std::bad_alloc and holds nothing, and the objects that were
// there go on.
#include "support.hpp"

extern "C" {
#include "allocation_counter.h"
}

using namespace voice_activity;

// The linker directs the malloc of this file to the counter, also where a sanitizer has an operator new of its own.
static void *allocated(void *memory) {
  if (!memory) throw std::bad_alloc();
  return memory;
}
void *operator new(std::size_t size) { return allocated(std::malloc(size)); }
void *operator new(std::size_t size, std::align_val_t alignment) {
  const std::size_t unit = static_cast<std::size_t>(alignment);
  return allocated(std::aligned_alloc(unit, (size + unit - 1) / unit * unit));
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

// Returns how many allocations the call makes; a compiler may leave out those of what nobody uses. `reset` comes before
// each try.
template <class Call, class Reset>
static long fail_each(Call call, Reset reset) {
  for (long nth = 1;; nth++) {
    reset();
    const long held = allocation_counter_held();
    bool has_thrown = false;
    allocation_counter_fail(nth);
    try {
      call();
    } catch (const std::bad_alloc &) {
      has_thrown = true;
    }
    const bool has_failed = allocation_counter_fail(0);
    CHECK(has_thrown == has_failed);
    CHECK(allocation_counter_held() == held);
    if (!has_failed) return nth - 1;
  }
}
template <class Call>
static long fail_each(Call call) {
  return fail_each(call, [] {});
}

static va_cut_rules joining(std::uint32_t min_silence_ms) {
  va_cut_rules rules = {};
  rules.min_silence_ms = min_silence_ms;
  return rules;
}
static const va_cut_rules rules = joining(100);

// What is made, saved or restored leaves nothing behind, and nothing else is changed.
static void objects_are_made_whole_or_not_at_all(const recording &speech) {
  const va_config config = preset(speech.rate_hz);
  detector heard(config, echo_reference(speech.rate_hz));
  heard.echo()->push(int16s(speech.samples.data(), speech.rate_hz / 100));
  heard.process({speech.samples.data(), speech.samples.size() / 2});
  const std::vector<std::uint8_t> saved = heard.save(), echo = heard.echo()->save();

  CHECK(fail_each([&] { detector{config}; }) == 1);
  CHECK(fail_each([&] { echo_reference{speech.rate_hz}; }) == 1);
  CHECK(fail_each([&] { detector(config, echo_reference(speech.rate_hz)); }) >= 2);
  CHECK(fail_each([&] { cutter(rules, config); }) == 1);
  CHECK(fail_each([&] { heard.save(); }) == 1);
  CHECK(fail_each([&] { heard.echo()->save(); }) == 1);
  CHECK(fail_each([&] { detector::restore(saved); }) == 1);
  CHECK(fail_each([&] { echo_reference::restore(echo); }) == 1);
  CHECK(fail_each([&] { detector::restore(saved, echo_reference::restore(echo)); }) >= 2);
  CHECK(heard.save() == saved && heard.echo()->save() == echo);

  // One that is to be replaced stays until the other is complete.
  detector replaced(config, echo_reference(speech.rate_hz));
  const std::vector<std::uint8_t> before = replaced.save();
  bool is_first = true;
  CHECK(fail_each([&] { replaced = detector::restore(saved, echo_reference::restore(echo)); }, [&] {
    CHECK(is_first || replaced.save() == before);
    is_first = false;
  }) == 3);
  CHECK(replaced.save() == saved && replaced.echo()->save() == echo);
}

// The sentence of a refusal needs memory too.
static void a_refusal_frees_what_it_has_taken() {
  CHECK(fail_each([] { CHECK(refusal([] { detector{va_config{}}; }) == VA_ERROR_STRUCT_SIZE); }) >= 2);
  const std::vector<std::uint8_t> torn(3000, 7);
  CHECK(fail_each([&] { CHECK(refusal([&] { detector::restore(torn); }) == VA_ERROR_SAVED_DATA); }) >= 2);
}

// Events and cuts that come in a vector are lost, and after reset() a new stream is heard as by a new detector. Callables
// get them without a vector: nothing is allocated.
static void a_stream_can_begin_again(const recording &speech) {
  const va_config config = preset(speech.rate_hz);
  const std::vector<va_event> expected = analyse(speech, 160, config);
  std::vector<va_event> found;
  detector again(config);
  const auto hear = [&] {
    std::vector<va_event> events = again.process(speech.samples);
    const std::vector<va_event> last = again.flush(), none = again.flush();
    CHECK(none.empty());
    append(events, last);
    found = std::move(events);
  };
  const auto reset = [&] {
    again.reset();
    found = std::vector<va_event>();
  };
  CHECK(fail_each([&] { hear(), found = std::vector<va_event>(); }, reset) >= 4);
  again.reset(), hear();
  CHECK(found == expected && found.size() > 6);

  std::vector<va_hop> hops;
  again.reset();
  again.process(speech.samples, [](const va_event &) {}, [&](const va_hop &hop) { hops.push_back(hop); });
  cutter cutter(rules, config);
  const std::vector<va_cut> cuts = cutter.push(found, hops);
  CHECK(cuts.size() > 1);
  CHECK(fail_each([&] { cutter.push(found, hops); }, [&] { cutter.reset(); }) >= 1);
  CHECK(fail_each([&] { cutter.push(found, hops, [](const va_cut &) {}); }, [&] { cutter.reset(); }) == 0);
  cutter.reset();
  CHECK(cutter.push(found, hops).size() == cuts.size());

  const auto ignore = [](const auto &) {};
  again.reset();
  CHECK(fail_each([&] {
    again.process(speech.samples, ignore, ignore), again.push_gap(16000, ignore, ignore);
    again.push_level(16000, 30, ignore, ignore), again.flush(ignore, ignore);
  }) == 0);
}

// Others fail and are freed beside a stream.
static void a_stream_goes_on_beside_failures(const recording &speech) {
  const va_config config = preset(speech.rate_hz);
  const std::vector<va_event> expected = analyse(speech, 160, config);
  detector beside(config);
  std::vector<va_event> events;
  for (std::size_t at = 0; at < speech.samples.size(); at += 160) {
    append(events, beside.process({&speech.samples[at], std::min<std::size_t>(160, speech.samples.size() - at)}));
    if (at % 16000 == 0) fail_each([&] { detector::restore(beside.save(), echo_reference(48000)); });
  }
  append(events, beside.flush());
  CHECK(events == expected);
}

int main(int, char **argv) {
  const recording speech = read(std::filesystem::path(argv[1]) / "speech.wav");
  CHECK(allocation_counter_works());
  objects_are_made_whole_or_not_at_all(speech);
  a_refusal_frees_what_it_has_taken();
  a_stream_can_begin_again(speech);
  a_stream_goes_on_beside_failures(speech);
}
