// muted.cpp — speaking while muted, by the rows that the tests of every language replay; their head says what the columns mean.
#include "support.hpp"

#include <map>
#include <sstream>

using namespace voice_activity;

static const std::map<std::string, va_requirement> requirements = {
    {"supported_by_runtime", VA_REQUIREMENT_SUPPORTED_BY_RUNTIME},
    {"enabled", VA_REQUIREMENT_ENABLED},
    {"session_active", VA_REQUIREMENT_SESSION_ACTIVE},
    {"session_records", VA_REQUIREMENT_SESSION_RECORDS},
    {"session_is_conversation", VA_REQUIREMENT_SESSION_IS_CONVERSATION},
    {"allowed_to_send_audio", VA_REQUIREMENT_ALLOWED_TO_SEND_AUDIO},
    {"recording_permitted", VA_REQUIREMENT_RECORDING_PERMITTED},
    {"playout_is_not_stereo", VA_REQUIREMENT_PLAYOUT_IS_NOT_STEREO},
    {"microphone_muted", VA_REQUIREMENT_MICROPHONE_MUTED},
    {"data_flowing", VA_REQUIREMENT_DATA_FLOWING},
};

static bool take(speaking_gate &gate, muted_notice &notice, const std::string &input, int on) {
  va_event event = {};
  event.type = on ? VA_EVENT_MUTED_SPEECH_BEGIN : VA_EVENT_MUTED_SPEECH_END;
  if (input == "speech") return gate.handle(event);
  if (input == "input_replaced") return gate.set_speech(false);
  if (input == "end") return gate.end();
  if (input == "dismiss") return notice.dismiss(static_cast<std::uint64_t>(on)), false;
  if (input == "is_enabled") return notice.is_enabled = on != 0, false;
  if (input == "is_once_per_mute") return notice.is_once_per_mute = on != 0, false;
  if (input == "interval_ms") return notice.interval_ms = on, false;
  if (input == "wait") return false;
  if (input == "microphone_muted" && on == 0) notice.unmuted();
  return gate.set(requirements.at(input), on != 0);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  std::istringstream table(contents(std::filesystem::path(argv[1]) / "speaking-while-muted.txt"));
  speaking_gate gate;
  muted_notice notice;
  std::string row;
  int rows = 0;
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line.rfind("row ", 0) == 0) {
      row = line, gate = {}, notice = {};
      rows += line.rfind("row SM-", 0) == 0;
    } else if (line.rfind("text ", 0) == 0) {
      CHECK(line == "text " VA_NOTICE_TEXT);
    } else {
      std::istringstream words(line);
      std::int64_t ms;
      std::string input, expected;
      int on;
      words >> ms >> input >> on >> std::ws;
      std::getline(words, expected);
      const bool changed = take(gate, notice, input, on);
      notice.update(gate.is_speaking(), ms);
      std::ostringstream found;
      found << changed << ' ' << gate.is_speaking() << ' ' << gate.is_detecting() << ' ' << notice.shown << ' '
            << (notice.is_speaking && notice.shown == 0);
      if (found.str() == expected) continue;
      std::fprintf(stderr, "%s: '%s' gave %s\n", row.c_str(), line.c_str(), found.str().c_str());
      return 1;
    }
  }
  CHECK(rows == 19);
  speaking_gate known;
  known.set(VA_REQUIREMENT_MICROPHONE_MUTED, true);
  for (int unknown : {VA_REQUIREMENT_DATA_FLOWING + 1, 15}) // an enum in C++ has no more bits
    CHECK(!known.set(static_cast<va_requirement>(unknown), false) && known.is_detecting());
}
