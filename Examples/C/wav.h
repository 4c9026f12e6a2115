/* wav.h — the little of WAV that the examples need: 16-bit PCM or 32-bit float, any rate, any number of channels,
 * from a file or from a pipe. A program of yours has libsndfile, a codec or a sound card in its place. */
#ifndef EXAMPLES_WAV_H
#define EXAMPLES_WAV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { WAV_CHANNELS_MAX = 32, WAV_BAD_DATA = 65, WAV_NO_INPUT = 66, WAV_IO = 74 };

typedef struct wav_reader {
  FILE *file;
  const char *name;        /* for messages */
  uint32_t rate_hz;
  uint32_t channels;
  uint32_t bytes_per_sample; /* 2: signed PCM; 4: float */
  uint64_t frames_left;    /* UINT64_MAX: the header does not know (it was written to a pipe) */
  bool torn;               /* the file ended before its header says */
  int exit_code;           /* 0, or one of the above with the sentence below */
  char problem[256];
} wav_reader;

/* Opens a file, or standard input for "-". False: see problem and exit_code. */
bool wav_open(wav_reader *wav, const char *path);

/* Reads up to `capacity` frames as mono, the mean of the channels, full scale ±1. 0 at the end, or on an error
 * (exit_code is not 0 then). */
size_t wav_read(wav_reader *wav, float *mono, size_t capacity);

void wav_close(wav_reader *wav);

#endif
