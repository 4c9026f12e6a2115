/* segments.c — the shortest whole program: a WAV in, its segments of speech out, as an Audacity label track.
 *
 *     ./segments meeting.wav > meeting.txt
 *     sox meeting.flac -t wav - | ./segments -
 *
 * Exit codes: 0, 64 wrong usage, 65 no WAV, 66 no such file, 74 reading or writing failed. */
#include <stdio.h>
#include <voice_activity.h>

#include "wav.h"

enum { USAGE = 64, CHUNK = 4096 /* samples; any length gives the same segments */, EVENTS = 64 };

static int failed(int exit_code, const char *sentence) {
  fprintf(stderr, "segments: %s\n", sentence);
  return exit_code;
}

/* A segment is known when it ends. `onset` outlives the call: the end may come many chunks later. */
static void print_segments(const va_output *output, double rate_hz, uint64_t *onset) {
  for (size_t i = 0; i < output->event_count; i++) {
    const va_event *event = &output->events[i];
    if (event->type == VA_EVENT_ONSET) *onset = event->position;
    if (event->type == VA_EVENT_OFFSET)
      printf("%.3f\t%.3f\tspeech\n", (double)*onset / rate_hz, (double)event->position / rate_hz);
  }
}

static void analyse(va_detector *detector, wav_reader *wav) {
  static float samples[CHUNK];
  va_event events[EVENTS];
  va_output output = {.events = events, .event_capacity = EVENTS};
  uint64_t onset = 0;
  size_t count;
  while ((count = wav_read(wav, samples, CHUNK)) > 0) {
    for (size_t done = 0, consumed; done < count || output.more; done += consumed) { /* fewer only if output is full */
      va_detector_process(detector, NULL, samples + done, count - done, &consumed, &output);
      print_segments(&output, wav->rate_hz, &onset);
    }
  }
  do { /* the end: decides what waits for its look-ahead, and ends what is open */
    va_detector_flush(detector, NULL, &output);
    print_segments(&output, wav->rate_hz, &onset);
  } while (output.more);
}

int main(int argc, char **argv) {
  if (argc != 2) return failed(USAGE, "give one WAV file, or - for standard input.");
  wav_reader wav;
  if (!wav_open(&wav, argv[1])) return failed(wav.exit_code, wav.problem);

  va_config config;
  va_config_default(&config, wav.rate_hz);
  va_detector *detector;
  const va_status_code code = va_detector_create(&config, &detector);
  if (code != VA_OK) {
    wav_close(&wav);
    return failed(WAV_BAD_DATA, va_status_text(code));
  }
  analyse(detector, &wav);
  va_detector_destroy(detector);
  wav_close(&wav);

  if (wav.exit_code != 0) return failed(wav.exit_code, wav.problem);
  if (wav.torn) failed(0, "the file ends before its header says; what is there was analysed.");
  if (fflush(stdout) != 0 || ferror(stdout)) return failed(WAV_IO, "the segments cannot be written.");
  return 0;
}
