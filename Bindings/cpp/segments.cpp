// segments.cpp — raw 16-bit PCM in, segments of speech out, as an Audacity label track.
//
//     sox speech.flac -t s16 -c 1 -r 16000 - | ./segments 16000
//
// Exit codes: 0, 64 wrong usage, 74 reading or writing failed.
#include "voice_activity.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

static int run(double rate_hz) {
  voice_activity::detector detector(voice_activity::preset(static_cast<std::uint32_t>(rate_hz)));
  std::uint64_t onset = 0;
  const auto print = [&](const va_event &event) {
    if (event.type == VA_EVENT_ONSET) onset = event.position;
    if (event.type == VA_EVENT_OFFSET)
      std::printf("%.3f\t%.3f\tspeech\n", static_cast<double>(onset) / rate_hz, static_cast<double>(event.position) / rate_hz);
  };

  std::array<std::int16_t, 4096> samples;
  std::size_t count;
  while ((count = std::fread(samples.data(), sizeof samples[0], samples.size(), stdin)) > 0)
    detector.process({samples.data(), count}, print);
  detector.flush(print);
  if (std::ferror(stdin)) return std::fputs("segments: standard input cannot be read.\n", stderr), 74;
  if (std::fflush(stdout) != 0) return std::fputs("segments: the segments cannot be written.\n", stderr), 74;
  return 0;
}

int main(int argc, char **argv) {
  char *end = nullptr;
  const long rate_hz = argc == 2 ? std::strtol(argv[1], &end, 10) : 0;
  if (argc != 2 || end == argv[1] || *end != '\0' || rate_hz < 0 || rate_hz > UINT32_MAX)
    return std::fputs("segments: give the sample rate in Hz; the sound is raw 16-bit PCM on standard input.\n", stderr), 64;
  try {
    return run(static_cast<double>(rate_hz));
  } catch (const voice_activity::error &error) {
    std::fprintf(stderr, "segments: %s\n", error.what());
    return 64;
  }
}
