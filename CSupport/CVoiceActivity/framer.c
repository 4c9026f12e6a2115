#include "framer.h"

#include <string.h>

void va_framer_init(va_framer *framer) { memset(framer, 0, sizeof *framer); }

float *va_framer_tail(va_framer *framer) { return va_framer_hop(framer) + framer->fill; }

size_t va_framer_room(const va_framer *framer) {
  return framer->fill < VA_HOP ? VA_HOP - framer->fill : 0;
}

void va_framer_commit(va_framer *framer, size_t count) {
  framer->fill += (uint32_t)count;
  framer->fresh = framer->fresh + count < VA_WINDOW ? framer->fresh + (uint32_t)count : VA_WINDOW;
}

size_t va_framer_skip(va_framer *framer, uint64_t count) {
  size_t room = va_framer_room(framer), skipped = count < room ? (size_t)count : room;
  memset(framer->samples, 0, sizeof framer->samples);
  framer->fill += (uint32_t)skipped;
  framer->fresh = 0;
  return skipped;
}

bool va_framer_is_whole(const va_framer *framer) { return framer->fresh >= VA_WINDOW; }

void va_framer_advance(va_framer *framer) {
  framer->fill -= VA_HOP;
  framer->hop = (framer->hop + 1) % VA_STEP_HOPS;
  if (framer->hop == 0)
    memmove(framer->samples, framer->samples + VA_WINDOW - VA_PAST, (VA_PAST + VA_FRAMER_SPARE) * sizeof(float));
}
