/* sound.h — what the world sounds like: a ramp or an audio file. */
#ifndef SOUND_H
#define SOUND_H

#include <alsa/asoundlib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  int32_t *samples; /* of a file, interleaved, in the upper bits; NULL: the ramp */
  uint64_t frame_count;
  unsigned channel_count;
  bool is_looped; /* a file that begins again at its end */
} sound;

/* `name`: "ramp", or the path of a file for libsndfile. A file that does not loop is followed by silence. 0 or a
 * negative errno. */
int sound_open(sound *s, const char *name, bool is_looped);
void sound_close(sound *s);

/* Writes one sample as the device stores it. */
void sound_write(const sound *s, uint64_t frame, unsigned channel, snd_pcm_format_t format, unsigned char *to);

#endif
