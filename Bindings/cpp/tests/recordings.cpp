// recordings.cpp — what is found in the recordings.
#include "support.hpp"

using namespace voice_activity;

// As vadmon writes Audacity's labels.
static std::string labels(const std::vector<va_event> &events, double rate_hz) {
  std::string text;
  double onset = 0;
  for (const va_event &event : events) {
    const double seconds = static_cast<double>(event.position) / rate_hz;
    if (event.type == VA_EVENT_ONSET) onset = seconds;
    if (event.type != VA_EVENT_OFFSET) continue;
    char line[64];
    std::snprintf(line, sizeof line, "%.3f\t%.3f\tspeech\n", onset, seconds);
    text += line;
  }
  return text;
}

int main(int, char **argv) {
  for (const recording &recording : recordings(argv[1])) {
    const va_config config = preset(recording.rate_hz);
    const std::vector<std::int16_t> &samples = recording.samples;
    const std::vector<va_event> whole = analyse(recording, samples.size(), config);
    for (std::size_t chunk : {std::size_t{1}, std::size_t{7}, std::size_t{recording.rate_hz / 100}, std::size_t{1001}})
      CHECK(analyse(recording, chunk, config) == whole);
    if (labels(whole, recording.rate_hz) != recording.labels) {
      std::fprintf(stderr, "%s: found\n%svadmon finds\n%s", recording.name.c_str(),
                   labels(whole, recording.rate_hz).c_str(), recording.labels.c_str());
      return 1;
    }

    // Floats are the same sound, and callables get the same events.
    detector callable(config);
    std::vector<va_event> events;
    std::size_t hops = 0;
    const auto keep = [&](const va_event &event) { events.push_back(event); };
    const auto count = [&](const va_hop &hop) { CHECK(hop.position == hops++ * recording.rate_hz / 100); };
    callable.process(recording.floats(), keep, count);
    callable.flush(keep, count);
    CHECK(events == whole);
    CHECK(hops == samples.size() * 100 / recording.rate_hz);

    // A saved stream continues as if it had not moved.
    for (std::size_t at : {std::size_t{0}, std::size_t{1}, samples.size() / 3, samples.size() / 2 + 77}) {
      detector first(config);
      events = first.process({samples.data(), at});
      detector second = detector::restore(first.save());
      CHECK(second.config().sample_rate_hz == recording.rate_hz && second.config().hangover_ms == config.hangover_ms);
      append(events, second.process({samples.data() + at, samples.size() - at}));
      append(events, second.flush());
      CHECK(events == whole);
    }
  }
}
