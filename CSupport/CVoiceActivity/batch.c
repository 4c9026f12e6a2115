/* batch.c — many streams' newest samples in one call. */
#include "results.h"
#include "stream.h"

/* Brings what the caller will read next into the cache while this stream is analysed. */
static void prefetch(const va_detector *d) {
  const char *state = (const char *)d;
  for (size_t at = 0; at < sizeof *d; at += VA_DETECTOR_ALIGNMENT) __builtin_prefetch(state + at, 1);
}

static va_status_code process(va_batch_item *item) {
  va_detector *d = item->detector;
  va_input input = {.f32 = item->samples, .s16 = item->samples_s16, .count = item->count};
  item->consumed = 0;
  if (!d || d->end != UINT64_MAX || item->missing > VA_GAP_MAX || item->reserved) return VA_ERROR_ARGUMENT;
  if (item->count && !item->samples == !item->samples_s16) return VA_ERROR_ARGUMENT;
  va_status_code code = va_open_output(item->output);
  if (code != VA_OK) return code;
  va_stream_miss(d, item->missing);
  item->missing = 0;
  va_stream_take(d, &input, item->output);
  item->consumed = input.done;
  return VA_OK;
}

va_status_code va_process_batch(va_batch_item *items, size_t count) {
  va_status_code first = VA_OK;
  if (count && !items) return VA_ERROR_ARGUMENT;
  for (size_t i = 0; i < count; i++) {
    if (i + 1 < count && items[i + 1].detector) prefetch(items[i + 1].detector);
    items[i].status = process(&items[i]);
    if (first == VA_OK) first = items[i].status;
  }
  return first;
}
