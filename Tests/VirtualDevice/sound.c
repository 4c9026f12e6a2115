#include "sound.h"

#include <errno.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

#include "virtual_device.h"

int sound_open(sound *s, const char *name, bool is_looped) {
  *s = (sound){.is_looped = is_looped};
  if (strcmp(name, "ramp") == 0) return 0;
  SF_INFO info = {0};
  SNDFILE *file = sf_open(name, SFM_READ, &info);
  if (!file) return -ENOENT;
  s->samples = calloc((size_t)info.frames + 1, sizeof(int32_t) * (size_t)info.channels);
  s->channel_count = (unsigned)info.channels;
  if (s->samples) s->frame_count = (uint64_t)sf_readf_int(file, s->samples, info.frames);
  sf_close(file);
  return s->samples ? 0 : -ENOMEM;
}

void sound_close(sound *s) { free(s->samples); }

/* Returns a sample in the upper bits of 32. */
static uint32_t sample(const sound *s, uint64_t frame, unsigned channel, unsigned bits) {
  if (!s->samples) return (uint32_t)(frame + (uint64_t)VIRTUAL_CHANNEL_STEP * channel) << (32 - bits);
  if (s->is_looped && s->frame_count > 0) frame %= s->frame_count;
  if (frame >= s->frame_count) return 0;
  return (uint32_t)s->samples[frame * s->channel_count + channel % s->channel_count];
}

static void put(uint32_t value, unsigned bytes, unsigned char *to) {
  for (unsigned i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> 8 * i);
}

void sound_write(const sound *s, uint64_t frame, unsigned channel, snd_pcm_format_t format, unsigned char *to) {
  uint32_t value = sample(s, frame, channel, format == SND_PCM_FORMAT_S16_LE ? 16 : 24);
  switch (format) {
  case SND_PCM_FORMAT_S16_LE: put(value >> 16, 2, to); break;
  case SND_PCM_FORMAT_S24_3LE: put(value >> 8, 3, to); break;
  /* The top byte has no meaning: real devices leave anything in it. */
  case SND_PCM_FORMAT_S24_LE: put(value >> 8 | 0x5A000000u, 4, to); break;
  case SND_PCM_FORMAT_FLOAT_LE: {
    float scaled = (float)(int32_t)value / 2147483648.0f;
    memcpy(to, &scaled, sizeof scaled);
    break;
  }
  default: put(value, 4, to);
  }
}
