// support.hpp — what the tests share: recordings, and a check that says what failed.
#pragma once

#include "voice_activity.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#define CHECK(condition)                                                              \
  do {                                                                                \
    if (!(condition)) {                                                               \
      std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);  \
      std::exit(1);                                                                   \
    }                                                                                 \
  } while (false)

// The library's code for which a call throws; VA_OK if it does not.
template <class Call>
va_status_code refusal(Call call) {
  try {
    call();
  } catch (const voice_activity::error &error) {
    CHECK(std::strcmp(error.what(), va_status_text(error.code)) == 0);
    return error.code;
  }
  return VA_OK;
}

struct recording {
  std::string name, labels, cuts;
  std::uint32_t rate_hz;
  std::vector<std::int16_t> samples;

  std::vector<float> floats() const {
    std::vector<float> floats;
    for (std::int16_t sample : samples) floats.push_back(static_cast<float>(sample) / 32768);
    return floats;
  }
};

inline std::string contents(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s cannot be read; make cpp writes the recordings\n", path.c_str());
    std::exit(1);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

// A mono WAV file of 16 bits with a header of 44 bytes, on a little-endian machine.
inline recording read(const std::filesystem::path &wav) {
  const std::string bytes = contents(wav);
  CHECK(bytes.size() > 44 && bytes.compare(36, 4, "data") == 0 && bytes[22] == 1 && bytes[34] == 16);
  recording recording;
  recording.name = wav.stem().string();
  recording.labels = contents(std::filesystem::path(wav).replace_extension("txt"));
  recording.cuts = contents(std::filesystem::path(wav).replace_extension("cuts"));
  std::memcpy(&recording.rate_hz, &bytes[24], 4);
  recording.samples.resize((bytes.size() - 44) / 2);
  std::memcpy(recording.samples.data(), &bytes[44], recording.samples.size() * 2);
  return recording;
}

inline std::vector<recording> recordings(const std::filesystem::path &folder) {
  std::vector<recording> all;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".wav") all.push_back(read(entry.path()));
  CHECK(!all.empty());
  return all;
}

inline bool operator==(const va_event &a, const va_event &b) {
  return a.type == b.type && a.position == b.position && a.decided_at == b.decided_at && a.length_samples == b.length_samples;
}

inline void append(std::vector<va_event> &all, const std::vector<va_event> &more) {
  all.insert(all.end(), more.begin(), more.end());
}

inline std::vector<va_event> analyse(const recording &recording, std::size_t chunk, const va_config &config) {
  voice_activity::detector detector(config);
  std::vector<va_event> events;
  for (std::size_t at = 0; at < recording.samples.size(); at += chunk)
    append(events, detector.process({&recording.samples[at], std::min(chunk, recording.samples.size() - at)}));
  append(events, detector.flush());
  return events;
}
