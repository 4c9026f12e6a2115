#include "framer.h"

#include <string.h>

void va_framer_init(va_framer *framer, uint32_t rate_hz) {
  memset(framer, 0, sizeof *framer);
  framer->length = (uint16_t)(rate_hz / VA_HOPS_PER_SECOND);
}

void va_framer_commit(va_framer *framer, size_t count) {
  size_t fresh = framer->fresh + count;
  framer->fill = (uint16_t)(framer->fill + count);
  framer->fresh = (uint16_t)(fresh < VA_WINDOW ? fresh : VA_WINDOW);
}

size_t va_framer_skip(va_framer *framer, uint64_t count) {
  size_t room = va_framer_room(framer), skipped = count < room ? (size_t)count : room;
  memset(framer->samples, 0, sizeof framer->samples);
  memset(framer->past, 0, sizeof framer->past);
  framer->fill = (uint16_t)(framer->fill + skipped);
  framer->fresh = 0;
  return skipped;
}

bool va_framer_is_whole(const va_framer *framer) { return framer->fresh >= va_framer_window(framer); }

/* The newest samples of the step become those that the next window shares. */
static void remember(va_framer *framer, const va_kernels *kernels, float peak) {
  size_t step = (size_t)VA_STEP_HOPS * framer->length, past = va_framer_past(framer);
  framer->unit = peak * (1.0f / INT16_MAX);
  kernels->to_16_bits(framer->samples + step - past, past, peak > 0 ? INT16_MAX / peak : 0, framer->past);
  memmove(framer->samples, framer->samples + step, VA_FRAMER_SPARE * sizeof(float));
}

void va_framer_advance(va_framer *framer, const va_kernels *kernels, float peak) {
  framer->fill = (uint16_t)(framer->fill - framer->length);
  framer->hop = (uint16_t)((framer->hop + 1) % VA_STEP_HOPS);
  if (framer->hop == 0) remember(framer, kernels, peak);
}
