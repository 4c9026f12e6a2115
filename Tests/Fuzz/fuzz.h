/* fuzz.h — shared by the fuzz targets: a reader that takes small numbers from the input, and a check that ends the
 * run. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Reads zeros after the end of the input. */
typedef struct reader {
  const uint8_t *bytes;
  size_t size, at;
} reader;

static inline int is_empty(const reader *in) { return in->at >= in->size; }

static inline uint8_t next_byte(reader *in) { return in->at < in->size ? in->bytes[in->at++] : 0; }

static inline uint32_t next_16_bits(reader *in) {
  uint32_t low = next_byte(in);
  return low | (uint32_t)next_byte(in) << 8;
}

static inline uint32_t next_32_bits(reader *in) {
  uint32_t low = next_16_bits(in);
  return low | next_16_bits(in) << 16;
}

/* Used instead of assert, which optimised builds may drop, and with a text that describes the find. */
#define REQUIRE(holds, what)                                              \
  do {                                                                    \
    if (!(holds)) {                                                       \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, what, #holds); \
      abort();                                                            \
    }                                                                     \
  } while (0)

#endif
