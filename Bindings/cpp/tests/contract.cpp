// contract.cpp — replays streams.txt, which every binding replays, from the folder that CONTRACT names.
#include "support.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <sstream>

using namespace voice_activity;

static const char *const events[] = {"", "onset", "offset", "muted_speech_begin", "muted_speech_end", "discontinuity"};
static const char *const states[] = {"silence", "pending_onset", "speech", "hangover"};
static const std::pair<int, const char *> flags[] = {
    {VA_HOP_SPEECH, "speech"},   {VA_HOP_MUTED, "muted"},           {VA_HOP_MUTED_SPEECH, "muted_speech"},
    {VA_HOP_MISSING, "missing"}, {VA_HOP_LEVEL_ONLY, "level_only"}, {VA_HOP_ECHO, "echo"}};

struct stream {
  const std::vector<std::int16_t> &talk;
  va_config config;
  bool has_echo;
  std::optional<detector> own = {};
  std::optional<va_cut_rules> rules = {};
  std::optional<cutter> cutting = {};
  std::uint64_t position = 0;
  std::string answers = {}, cuts = {}, runs = {}, last = {};
  int count = 0;

  void end_run() {
    if (count > 0) runs += "> hops " + std::to_string(count) + " " + last + "\n";
    count = 0;
  }

  void keep(const va_hop &hop) {
    std::string text;
    for (const auto &[bit, name] : flags)
      if (hop.flags & bit) text += (text.empty() ? "" : "+") + std::string(name);
    text = std::string(states[hop.state]) + " " + (text.empty() ? "-" : text);
    if (text != last) end_run();
    last = text;
    count++;
  }

  std::vector<std::int16_t> heard(long first, long samples, int shift) const {
    const auto copies = static_cast<std::size_t>(config.sample_rate_hz / 8000);
    std::vector<std::int16_t> all(static_cast<std::size_t>(samples) * copies);
    for (std::size_t n = 0; n < all.size(); n++) {
      const long at = first + static_cast<long>(n / copies);
      if (at >= 0) all[n] = static_cast<std::int16_t>(talk[static_cast<std::size_t>(at)] >> shift);
    }
    return all;
  }

  void rule(const std::string &name, std::uint32_t ms) {
    if (!rules) rules.emplace();
    const std::map<std::string, std::uint32_t *> lengths = {{"min_silence_ms", &rules->min_silence_ms},
                                                            {"min_speech_ms", &rules->min_speech_ms},
                                                            {"max_length_ms", &rules->max_length_ms},
                                                            {"pad_before_ms", &rules->pad_before_ms},
                                                            {"pad_after_ms", &rules->pad_after_ms}};
    *lengths.at(name) = ms;
  }

  void keep(const std::vector<va_cut> &some) {
    for (const va_cut &cut : some)
      cuts += "> cut " + std::to_string(cut.start) + " " + std::to_string(cut.end) + " " + std::to_string(cut.decided_at) +
              (cut.continues ? " 1\n" : " 0\n");
  }

  void set(const std::string &name, double value) {
    const std::map<std::string, std::uint32_t *> durations = {
        {"onset_debounce_ms", &config.onset_debounce_ms},       {"hangover_ms", &config.hangover_ms},
        {"mute_grace_ms", &config.mute_grace_ms},               {"mute_carry_over_ms", &config.mute_carry_over_ms},
        {"muted_speech_hold_ms", &config.muted_speech_hold_ms}, {"muted_speech_release_ms", &config.muted_speech_release_ms}};
    if (name == "onset_threshold") va_config_move_thresholds(&config, static_cast<float>(value));
    else if (name == "offset_threshold") config.offset_threshold = static_cast<float>(value);
    else *durations.at(name) = static_cast<std::uint32_t>(value);
  }

  void take(const std::string &line) {
    std::istringstream words(line);
    std::string step, name;
    words >> step;
    if (step == "set" || step == "rule") {
      double value = 0;
      words >> name >> value;
      return step == "set" ? set(name, value) : rule(name, static_cast<std::uint32_t>(value));
    }
    if (!own) {
      if (has_echo) own.emplace(config, echo_reference(config.sample_rate_hz));
      else own.emplace(config);
      if (rules) cutting.emplace(*rules, config);
    }
    double numbers[4] = {};
    for (double &number : numbers)
      if (words >> name) number = name == "inf" ? INFINITY : std::stod(name);
    const auto [a, b, c, d] = numbers;
    const long first = std::isinf(a) ? 0 : std::lround(a), length = std::lround(b);
    std::vector<va_event> found;
    std::vector<va_hop> hops;
    const auto on_event = [&](const va_event &event) {
      found.push_back(event);
      answers += std::string("> event ") + events[event.type] + " " + std::to_string(event.position) + " " +
                 std::to_string(event.decided_at) + " " + std::to_string(event.length_samples) + "\n";
    };
    const auto on_hop = [&](const va_hop &hop) {
      hops.push_back(hop);
      keep(hop);
    };
    if (step == "hear") {
      const auto samples = heard(first, length, static_cast<int>(c));
      own->process(samples, on_event, on_hop);
      position += samples.size();
    } else if (step == "echo") {
      for (long at = first; at < first + length; at += 80) {
        own->echo()->push(heard(at, 80, 0));
        own->process(heard(at - std::lround(c), 80, static_cast<int>(d)), on_event, on_hop);
      }
    } else if (step == "level") {
      for (long n = 0; n < first; n++)
        own->push_level(static_cast<std::uint64_t>(b), va_rfc6464_byte(static_cast<std::uint8_t>(c), d != 0), on_event, on_hop);
    } else if (step == "mute") {
      own->set_muted(a != 0);
    } else if (step == "gap") {
      own->push_gap(static_cast<std::uint64_t>(first), on_event, on_hop);
      position += static_cast<std::uint64_t>(first);
    } else if (step == "margin") {
      own->set_speaker_margin(static_cast<float>(a));
    } else if (step == "speaker") {
      own->set_speaker_level({static_cast<float>(a), static_cast<std::uint32_t>(b)});
    } else if (step == "gain") {
      own->change_input_gain(static_cast<float>(a));
    } else {
      CHECK(step == "flush");
      own->flush(on_event, on_hop);
    }
    if (cutting) keep(cutting->push(found, hops));
  }

  std::string all() {
    end_run();
    if (cutting) keep(cutting->finish(position));
    const va_status status = own->status();
    return answers + cuts + runs + "> status " + std::to_string(status.hops) + " " + std::to_string(status.missing_samples) + "\n";
  }
};

int main() {
  const char *folder = std::getenv("CONTRACT");
  if (!folder) return std::puts("CONTRACT names no folder with the streams"), 0;
  const std::string sound = contents(std::string(folder) + "/talk.s16");
  std::vector<std::int16_t> talk(sound.size() / 2);
  std::memcpy(talk.data(), sound.data(), sound.size());
  const std::map<std::string, va_preset> presets = {{"conversation", VA_PRESET_CONVERSATION}, {"notice", VA_PRESET_NOTICE},
                                                    {"transcription", VA_PRESET_TRANSCRIPTION}};
  std::istringstream lines(contents(std::string(folder) + "/streams.txt") + "\n");
  std::optional<stream> replayed;
  std::string head, line, expected;
  while (std::getline(lines, line)) {
    if (line.rfind("stream ", 0) == 0) {
      head = line;
      std::istringstream words(line);
      std::string name, preset_name;
      std::uint32_t rate_hz = 0;
      words >> name >> name >> rate_hz >> preset_name;
      replayed.emplace(stream{talk, preset(rate_hz, presets.at(preset_name)), name.find("echo") != std::string::npos});
      expected.clear();
    } else if (line.rfind(">", 0) == 0) {
      expected += line + "\n";
    } else if (!line.empty() && line[0] != '#') {
      replayed->take(line);
    } else if (line.empty() && replayed) {
      const std::string answers = replayed->all();
      if (answers != expected) std::fprintf(stderr, "%s\nanswers\n%sinstead of\n%s", head.c_str(), answers.c_str(), expected.c_str());
      CHECK(answers == expected);
      replayed.reset();
    }
  }
  CHECK(!replayed && !head.empty());
}
