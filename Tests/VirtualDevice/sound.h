/* sound.h — the sound of the virtual world: a ramp or an audio file. */
#ifndef SOUND_H
#define SOUND_H

#include <alsa/asoundlib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  int32_t *samples; /* a file's samples, interleaved, in the upper bits; NULL for the ramp */
  uint64_t frame_count;
  unsigned channel_count;
  bool is_looped; /* whether a file starts again at its end */
} sound;

/* Opens a sound. `name` is "ramp", or the path of a file for libsndfile. Silence follows a file that does not loop.
 * Returns 0 or a negative errno. */
int sound_open(sound *s, const char *name, bool is_looped);
void sound_close(sound *s);

/* Writes one sample in the device's storage format. */
void sound_write(const sound *s, uint64_t frame, unsigned channel, snd_pcm_format_t format, unsigned char *to);

#endif
