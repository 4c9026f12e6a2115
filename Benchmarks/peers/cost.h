/* What cost.c times: one detector behind two functions. A program is cost.c with one cost_NAME.c. */
#ifndef COST_H
#define COST_H

#include <stddef.h>
#include <stdint.h>

#ifndef RATE_HZ
#define RATE_HZ 16000
#endif

enum { HOP_SAMPLES = RATE_HZ / 100 /* 10 ms */ };

/* Bytes of state that one stream needs. */
size_t stream_bytes(void);

/* The SIMD body that this machine runs. */
const char *simd_body(void);

/* Follows one recording from its beginning to its end, hop by hop; returns how many hops it takes for speech. */
size_t count_speech_hops(const int16_t *samples, size_t count);

#endif
