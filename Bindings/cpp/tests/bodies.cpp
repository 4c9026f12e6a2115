// bodies.cpp — the SIMD bodies: the processor's is used, and the portable one agrees with it.
#include "support.hpp"

#include <cmath>

using namespace voice_activity;

static std::vector<float> posteriors(const recording &recording) {
  std::vector<float> all;
  const auto keep = [&](const va_hop &hop) { all.push_back(hop.posterior); };
  detector detector(preset(recording.rate_hz));
  detector.process(recording.samples, [](const va_event &) {}, keep);
  detector.flush([](const va_event &) {}, keep);
  return all;
}

int main(int, char **argv) {
  if (std::getenv("VA_CPU")) return 0;  // the whole run is limited
  const std::string body = simd_name();
#if defined(__x86_64__)
  CHECK((body != "portable") == !!__builtin_cpu_supports("avx2"));
#endif
  const std::vector<recording> all = recordings(argv[1]);
  std::vector<std::vector<float>> fast;
  for (const recording &recording : all) fast.push_back(posteriors(recording));
  setenv("VA_CPU", "portable", 1);
  CHECK(std::string(simd_name()) == "portable");
  for (std::size_t i = 0; i < all.size(); i++) {
    const std::vector<float> slow = posteriors(all[i]);
    CHECK(slow.size() == fast[i].size());
    // The header's bound is 5e-3, and 0.01 for some seconds after a silence.
    for (std::size_t hop = 0; hop < slow.size(); hop++) CHECK(std::abs(slow[hop] - fast[i][hop]) <= 0.01f);
  }
}
