// cuts.cpp — the segments that are cut out of the recordings.
#include "support.hpp"

using namespace voice_activity;

static_assert(!std::is_copy_constructible_v<cutter> && std::is_nothrow_move_constructible_v<cutter>);

static va_cut_rules rules_of(std::uint32_t min_silence_ms, std::uint32_t max_length_ms, std::uint32_t pad_ms) {
  va_cut_rules rules = {};
  rules.min_silence_ms = min_silence_ms;
  rules.min_speech_ms = 300;
  rules.max_length_ms = max_length_ms;
  rules.pad_before_ms = rules.pad_after_ms = pad_ms;
  return rules;
}

// The cuts as vadmon writes Audacity's labels.
static std::string cuts_of(const recording &recording, std::size_t chunk, bool &continues) {
  const std::vector<std::int16_t> &samples = recording.samples;
  detector detector(preset(recording.rate_hz));
  cutter cutter(rules_of(2000, 2000, 100), detector.config());
  std::vector<va_event> events;
  std::vector<va_hop> hops;
  const auto on_event = [&](const va_event &event) { events.push_back(event); };
  const auto on_hop = [&](const va_hop &hop) { hops.push_back(hop); };
  std::string text;
  std::uint64_t saved = 0;
  const auto save = [&](const va_cut &cut) {
    char line[64];
    std::snprintf(line, sizeof line, "%.3f\t%.3f\tspeech\n", static_cast<double>(cut.start) / recording.rate_hz,
                  static_cast<double>(cut.end) / recording.rate_hz);
    text += line;
    saved = cut.end;
    continues |= cut.continues;
  };
  const auto take = [&] {
    cutter.push(events, hops, save);
    CHECK(saved <= cutter.next().needed && cutter.next().needed <= cutter.next().certain);
    events.clear();
    hops.clear();
  };
  for (std::size_t at = 0; at < samples.size(); at += chunk) {
    detector.process(int16s(&samples[at], std::min(chunk, samples.size() - at)), on_event, on_hop);
    take();
  }
  detector.flush(on_event, on_hop);
  take();
  cutter.finish(samples.size(), save);
  return text;
}

int main(int, char **argv) {
  bool continues = false;
  for (const recording &recording : recordings(argv[1]))
    for (std::size_t chunk : {std::size_t{recording.rate_hz / 100}, std::size_t{1001}, recording.samples.size()}) {
      const std::string found = cuts_of(recording, chunk, continues);
      if (found == recording.cuts) continue;
      std::fprintf(stderr, "%s: found\n%svadmon finds\n%s", recording.name.c_str(), found.c_str(), recording.cuts.c_str());
      return 1;
    }
  CHECK(continues);

  const va_config config = preset(16000);
  CHECK(refusal([&] { cutter(rules_of(VA_DURATION_MAX_MS + 1, 0, 0), config); }) == VA_ERROR_DURATION);
  CHECK(refusal([&] { cutter(rules_of(0, 1999, 500), config); }) == VA_ERROR_DURATION);
  CHECK(refusal([&] { cutter(rules_of(0, 0, 0), preset(7999)); }) == VA_ERROR_SAMPLE_RATE);

  // A cut without hops, after a reset and a move.
  va_cut_rules joined = {};
  joined.min_silence_ms = 1000;
  cutter first(joined, config);
  va_event events[2] = {};
  events[0].type = VA_EVENT_ONSET, events[0].position = 1600;
  events[1].type = VA_EVENT_OFFSET, events[1].position = 3200;
  CHECK(first.push({events, 2}, {nullptr, 0}).empty());
  first.reset();
  CHECK(first.finish(8000).empty());
  CHECK(first.push({events, 2}, {nullptr, 0}).empty());
  cutter second = std::move(first);
  const std::vector<va_cut> cuts = second.finish(3000);
  CHECK(cuts.size() == 1 && cuts[0].start == 1600 && cuts[0].end == 3000 && !cuts[0].continues);
  CHECK(refusal([&] { first.reset(); }) == VA_ERROR_ARGUMENT);
}
