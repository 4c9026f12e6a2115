/* played_mix.h — makes one channel of what several loudspeakers play: the mean of all channels, in which left and right
 * do not cancel.
 *
 * A microphone hears loudspeakers in opposite phase over two paths, where they do not cancel either. So the
 * odd-numbered channels, which are those on the right in most layouts, count inverted together where their sum is most
 * of the time the opposite of that of the even-numbered ones. Numbers begin at 0. Signs change only after every 10 ms
 * of such frames, whatever the chunks.
 */
#ifndef VA_PLAYED_MIX_H
#define VA_PLAYED_MIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of two sums: of the even-numbered channels, and of the odd-numbered ones. */
typedef struct va_played_powers {
  float product;   /* of both */
  float even, odd; /* the squares */
} va_played_powers;

/* Zeros are the state of a new stream. */
typedef struct va_played_mix {
  va_played_powers present; /* sums over the present 10 ms */
  va_played_powers mean;    /* of such sums, over a second */
  uint16_t filled;          /* frames of the present 10 ms so far */
  bool is_inverted;         /* the odd-numbered channels */
} va_played_mix;

/* No sum over 10 ms at the highest rate is larger, and no mean of such sums. */
#define VA_PLAYED_POWER_MAX 1e34f

/* Takes `count` frames of interleaved channels, and writes their mix to the beginning of `frames`. rate_hz: at least
 * 100. */
void va_played_mix_take(va_played_mix *mix, uint32_t rate_hz, float *frames, size_t count, uint32_t channels);

#endif
