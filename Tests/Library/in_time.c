/* in_time.c — a reference whose samples come with those of the microphone, one by one, is never late, whatever both
 * rates are. Built and run by Scripts/check-library.sh. */
#include <stdio.h>
#include <voice_activity.h>

static const uint32_t rates_hz[] = {8000,  11025, 16000, 22050, 32000,  37800,  44100,  48000,  64000,
                                    75600, 88200, 96000, 96001, 139975, 144000, 176400, 191999, 192000};
enum { RATES = sizeof rates_hz / sizeof *rates_hz };

/* Returns how many samples of the reference are late in a tenth of a second. */
static uint64_t late_samples(uint32_t rate_hz, uint32_t reference_hz) {
  va_config config;
  va_detector *detector = NULL;
  va_echo *echo = NULL;
  va_event events[VA_EVENTS_PER_HOP_MAX];
  va_output output = {.events = events, .event_capacity = VA_EVENTS_PER_HOP_MAX};
  va_echo_status status = {.struct_size = sizeof status, .late_samples = UINT64_MAX};
  va_config_default(&config, rate_hz);
  bool is_taken = va_detector_create(&config, &detector) == VA_OK && va_echo_create(reference_hz, &echo) == VA_OK;
  for (uint64_t heard = 0, played = 0, due; is_taken && heard < rate_hz / 10; heard++, played = due) {
    static const float samples[VA_SAMPLE_RATE_MAX_HZ / VA_SAMPLE_RATE_MIN_HZ];
    size_t consumed;
    due = ((heard + 1) * reference_hz + rate_hz - 1) / rate_hz; /* what begins before this sample ends */
    is_taken = va_echo_push(echo, samples, (size_t)(due - played)) == VA_OK &&
               va_detector_process(detector, echo, samples, 1, &consumed, &output) == VA_OK;
  }
  if (is_taken) va_echo_state(echo, &status);
  va_detector_destroy(detector);
  va_echo_destroy(echo);
  return status.late_samples;
}

int main(void) {
  int faults = 0;
  for (int i = 0; i < RATES; i++) {
    for (int j = 0; j < RATES; j++) {
      if (late_samples(rates_hz[i], rates_hz[j]) == 0) continue;
      fprintf(stderr, "in_time: at %u Hz, what comes in time of a reference at %u Hz is late\n", rates_hz[i],
              rates_hz[j]);
      faults++;
    }
  }
  return faults > 0;
}
