// rules.cpp — ownership, threads, and refusals.
#include "support.hpp"

#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

using namespace voice_activity;

static_assert(!std::is_copy_constructible_v<detector> && !std::is_copy_assignable_v<detector>);
static_assert(std::is_nothrow_move_constructible_v<detector> && std::is_nothrow_move_assignable_v<detector>);
static_assert(!std::is_copy_constructible_v<echo_reference> && std::is_nothrow_move_constructible_v<echo_reference>);
static_assert(std::is_convertible_v<std::array<float, 3>, floats> && !std::is_convertible_v<std::vector<float>, int16s>);
static_assert(!std::is_convertible_v<std::vector<double>, floats>);

static void bad_settings_are_refused() {
  for (std::uint32_t rate_hz : {0u, 7999u, 192001u, UINT32_MAX})
    CHECK(refusal([&] { detector{preset(rate_hz)}; }) == VA_ERROR_SAMPLE_RATE);
  CHECK(refusal([] { preset(16000, static_cast<va_preset>(3)); }) == VA_ERROR_ARGUMENT);
  va_config config = preset(16000, VA_PRESET_NOTICE);
  config.onset_threshold = std::nanf("");
  CHECK(refusal([&] { detector{config}; }) == VA_ERROR_THRESHOLD);
  config = preset(16000);
  config.hangover_ms = VA_DURATION_MAX_MS + 1;
  CHECK(refusal([&] { detector{config}; }) == VA_ERROR_DURATION);
  CHECK(refusal([] { detector{va_config{}}; }) == VA_ERROR_STRUCT_SIZE);
  CHECK(refusal([] { echo_reference{7999}; }) == VA_ERROR_SAMPLE_RATE);
}

static void a_detector_that_was_moved_from_refuses() {
  detector first(preset(16000), echo_reference(16000));
  first.process(std::vector<float>(1600));
  detector second = std::move(first);
  CHECK(second.status().hops == 7);  // 100 ms less the look-ahead of 30
  CHECK(second.echo() && !first.echo());
  const std::vector<float> sound(160);
  CHECK(refusal([&] { first.process(sound); }) == VA_ERROR_ARGUMENT);
  CHECK(refusal([&] { first.push_gap(1); }) == VA_ERROR_ARGUMENT);
  CHECK(refusal([&] { first.push_level(1, 1); }) == VA_ERROR_ARGUMENT);
  CHECK(refusal([&] { first.flush(); }) == VA_ERROR_ARGUMENT);
  CHECK(refusal([&] { first.reset(); }) == VA_ERROR_ARGUMENT);
  CHECK(refusal([&] { first.set_muted(true); }) == VA_ERROR_ARGUMENT);
  CHECK(refusal([&] { first.status(); }) == VA_ERROR_ARGUMENT);
  CHECK(refusal([&] { first.save(); }) == VA_ERROR_ARGUMENT);
  CHECK(refusal([&] { first.config(); }) == VA_ERROR_ARGUMENT);
  first = detector(preset(48000));
  CHECK(first.process(std::vector<float>(480)).empty());
  echo_reference echo(8000), moved = std::move(echo);
  CHECK(refusal([&] { echo.push(sound); }) == VA_ERROR_ARGUMENT);
  CHECK(refusal([&] { detector(preset(16000), std::move(echo)); }) == VA_ERROR_ARGUMENT);
  CHECK(refusal([&] { detector::restore(second.save(), std::move(echo)); }) == VA_ERROR_ARGUMENT);
  CHECK(!first.echo() && !detector(preset(16000)).echo());
}

static void a_flushed_detector_takes_nothing_until_it_is_reset() {
  detector detector(preset(16000));
  detector.flush();
  const std::array<std::int16_t, 160> sound = {};
  CHECK(refusal([&] { detector.process(sound); }) == VA_ERROR_ARGUMENT);
  CHECK(refusal([&] { detector.push_gap(1); }) == VA_ERROR_ARGUMENT);
  detector.flush();
  detector.reset();
  detector.process(sound);
}

static void gaps_and_levels_are_counted() {
  detector gaps(preset(16000));
  gaps.process(std::vector<float>(1600));
  std::size_t missing = 0;
  gaps.push_gap(320001, [](const va_event &) {}, [&](const va_hop &hop) { missing += !!(hop.flags & VA_HOP_MISSING); });
  CHECK(missing >= 1995);  // 20 s: more than one call of the library decides
  const std::vector<va_event> events = gaps.process(std::vector<float>(1600));
  CHECK(events.size() == 1 && events[0].type == VA_EVENT_DISCONTINUITY && events[0].length_samples == 320001);
  CHECK(gaps.status().missing_samples == 320001);
  CHECK(refusal([&] { gaps.push_gap(VA_GAP_MAX + 1); }) == VA_ERROR_ARGUMENT);

  detector levels(preset(48000));
  std::vector<va_event> found;
  for (int packet = 0; packet < 20; packet++) append(found, levels.push_level(960, packet < 10 ? 60 : 128 + 30));
  CHECK(found.size() == 1 && found[0].type == VA_EVENT_ONSET && found[0].position == 9600);
  CHECK(levels.rfc6464() == 128 + 30);
  levels.push_level(48000 * 60, 60);  // more results than the library returns at once
  CHECK(levels.status().hops == 40 + 6000 - 3);
}

static void samples_that_are_no_numbers_do_no_harm(const recording &speech) {
  std::vector<float> hostile;
  for (int i = 0; i < 1200; i++)
    for (float sample : {std::nanf(""), INFINITY, -INFINITY, std::numeric_limits<float>::max()}) hostile.push_back(sample);
  detector detector(preset(speech.rate_hz));
  const auto sound = [](const va_hop &hop) {
    CHECK(hop.posterior >= 0 && hop.posterior <= 1 && hop.level_dbfs >= -127 && hop.level_dbfs <= 12);
  };
  for (const std::vector<float> &samples : {std::vector<float>(), hostile, speech.floats()})
    detector.process(samples, [](const va_event &) {}, sound);
  CHECK(detector.status().non_finite_samples == 3600 && detector.status().clipped_samples >= 1200);
  CHECK(detector.process(floats(nullptr, 0)).empty());
}

static void a_callable_may_throw(const recording &speech) {
  detector detector(preset(speech.rate_hz));
  bool thrown = false;
  try {
    detector.process(speech.samples, [](const va_event &event) { throw event.position; });
  } catch (std::uint64_t position) {
    thrown = position > 0;
  }
  CHECK(thrown);
  detector.reset();
  std::vector<va_event> events = detector.process(speech.samples);
  append(events, detector.flush());
  CHECK(events == analyse(speech, 160, preset(speech.rate_hz)));
}

static void a_callable_cannot_use_the_stream(const recording &speech) {
  detector detector(preset(speech.rate_hz));
  const std::vector<float> sound(160);
  std::size_t hops = 0;
  const auto expected = detector.process(speech.samples);
  detector.reset();
  std::vector<va_event> events;
  detector.process(speech.samples, [&](const va_event &event) { events.push_back(event); }, [&](const va_hop &) {
    hops++;
    CHECK(refusal([&] { detector.process(sound); }) == VA_ERROR_ARGUMENT);
    CHECK(refusal([&] { detector.push_gap(1); }) == VA_ERROR_ARGUMENT);
    CHECK(refusal([&] { detector.push_level(1, 1); }) == VA_ERROR_ARGUMENT);
    CHECK(refusal([&] { detector.flush(); }) == VA_ERROR_ARGUMENT);
    CHECK(refusal([&] { detector.reset(); }) == VA_ERROR_ARGUMENT);
    CHECK(refusal([&] { detector.save(); }) == VA_ERROR_ARGUMENT);
    detector.set_muted(detector.status().is_muted);
  });
  CHECK(hops == detector.status().hops && events == expected);
}

static void muting_is_for_every_thread(const recording &speech) {
  detector detector(preset(speech.rate_hz, VA_PRESET_NOTICE));
  detector.set_muted(true);
  std::vector<va_event> events;
  std::atomic<bool> done = false;
  std::thread other([&] {
    events = detector.process(speech.samples);
    done = true;
  });
  while (!done) CHECK(detector.status().is_muted);
  other.join();
  const auto has = [&](std::uint32_t type) {
    return std::any_of(events.begin(), events.end(), [&](const va_event &event) { return event.type == type; });
  };
  CHECK(has(VA_EVENT_MUTED_SPEECH_BEGIN) && has(VA_EVENT_MUTED_SPEECH_END));
}

static void foreign_torn_and_changed_bytes_are_refused() {
  const std::vector<std::uint8_t> saved = detector(preset(16000)).save();
  std::vector<std::uint8_t> changed = saved, longer = saved;
  changed[saved.size() / 2] ^= 1;
  longer.push_back(0);
  for (const std::vector<std::uint8_t> &bytes :
       {std::vector<std::uint8_t>(), std::vector<std::uint8_t>(saved.begin() + 1, saved.end()),
        std::vector<std::uint8_t>(saved.begin(), saved.end() - 1), changed, longer, std::vector<std::uint8_t>(3000, 7)}) {
    const va_status_code code = refusal([&] { detector::restore(bytes); });
    CHECK(code == VA_ERROR_SAVED_DATA || code == VA_ERROR_SAVED_VERSION);
    CHECK(!bytes.empty() || code == VA_ERROR_SAVED_DATA);
    const va_status_code echo_code = refusal([&] { echo_reference::restore(bytes); });
    CHECK(echo_code == VA_ERROR_SAVED_DATA || echo_code == VA_ERROR_SAVED_VERSION);
  }
}

static void the_speakers_level_is_learned_and_kept(const recording &speech) {
  detector detector(preset(speech.rate_hz));
  detector.process(speech.samples);
  const auto learned = detector.speaker_level();
  CHECK(learned.level_dbfs > -60 && learned.level_dbfs < 0 && learned.learned_ms >= VA_SPEAKER_LEAST_MS);
  detector.change_input_gain(6);
  CHECK(std::abs(detector.speaker_level().level_dbfs - learned.level_dbfs - 6) < 0.01f);
  detector.set_speaker_level({-30, 3600000});
  CHECK(detector.speaker_level().learned_ms == VA_SPEAKER_MOST_MS);
  detector.set_speaker_margin(INFINITY);
  CHECK(refusal([&] { detector.set_speaker_margin(std::nanf("")); }) == VA_ERROR_ARGUMENT);
  CHECK(refusal([&] { detector.set_speaker_level({13, 1}); }) == VA_ERROR_ARGUMENT);
  CHECK(refusal([&] { detector.change_input_gain(61); }) == VA_ERROR_ARGUMENT);
}

static void an_onset_threshold_alone_moves_the_offset_threshold() {
  va_config config = preset(16000);
  va_config_move_thresholds(&config, 0.3f);
  const va_config used = detector(config).config();
  CHECK(used.onset_threshold == 0.3f && used.offset_threshold == 0.1f);
}

// The microphone hears nothing but the loudspeaker, 100 ms later and 6 dB softer. Two channels are in opposite phase.
static void the_far_end_is_no_speech_beside_its_reference(const recording &speech, std::uint32_t channels) {
  const std::vector<std::int16_t> &played = speech.samples;
  const std::size_t hop = speech.rate_hz / 100;
  std::vector<std::int16_t> heard(played.size());
  for (std::size_t i = 10 * hop; i < heard.size(); i++) heard[i] = static_cast<std::int16_t>(played[i - 10 * hop] / 2);
  const va_config config = preset(speech.rate_hz, VA_PRESET_NOTICE);
  detector beside(config, echo_reference(speech.rate_hz));
  for (std::size_t at = 0; at + hop <= played.size(); at += hop) {
    if (at == 500 * hop) beside = detector::restore(beside.save(), echo_reference::restore(beside.echo()->save()));
    std::vector<std::int16_t> frames;
    for (std::size_t i = 0; i < channels * hop; i++)
      frames.push_back(static_cast<std::int16_t>(i % channels == 0 ? played[at + i / channels] : -played[at + i / channels]));
    beside.echo()->push(frames, channels);
    CHECK(beside.process(int16s(&heard[at], hop)).empty());
  }
  const va_echo_status found = beside.echo()->status();
  CHECK(found.delay_ms >= 80 && found.delay_ms <= 120 && found.fit > 0.15f);
  beside.reset();
  CHECK(beside.echo()->status().fit == 0);
  CHECK(!detector(config).process(heard).empty());

  echo_reference echo(48000);
  echo.push(std::vector<float>());
  echo.push_silence(480);
  echo.push(std::vector<float>(480), 2);
  CHECK(refusal([&] { echo.push(std::vector<float>(9), 9); }) == VA_ERROR_ARGUMENT);
  CHECK(refusal([&] { echo.push(std::vector<float>(9), 0); }) == VA_ERROR_ARGUMENT);
  CHECK(refusal([&] { echo.push(std::vector<std::int16_t>(9), 2); }) == VA_ERROR_ARGUMENT);
  CHECK(refusal([&] { echo.push(std::vector<std::int16_t>(9600)); }) == VA_ERROR_REFERENCE_EARLY);
}

int main(int, char **argv) {
  const recording speech = read(std::filesystem::path(argv[1]) / "speech.wav");
  bad_settings_are_refused();
  a_detector_that_was_moved_from_refuses();
  a_flushed_detector_takes_nothing_until_it_is_reset();
  gaps_and_levels_are_counted();
  samples_that_are_no_numbers_do_no_harm(speech);
  a_callable_may_throw(speech);
  a_callable_cannot_use_the_stream(speech);
  muting_is_for_every_thread(speech);
  foreign_torn_and_changed_bytes_are_refused();
  the_speakers_level_is_learned_and_kept(speech);
  an_onset_threshold_alone_moves_the_offset_threshold();
  for (std::uint32_t channels : {1u, 2u}) the_far_end_is_no_speech_beside_its_reference(speech, channels);
}
