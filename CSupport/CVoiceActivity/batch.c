/* batch.c — analyses the newest samples of many streams in one call.
 *
 * Up to VA_LANES_OF_BATCH streams are in work, each in a lane. Every stream is brought to its next hop that ends a
 * step; then all of these hops are analysed together, so that the network's weights are loaded once for all of them.
 *
 * What later items need is fetched from memory in the meantime: their samples here, their detectors by ahead.h.
 */
#include "ahead.h"
#include "hop.h"
#include "results.h"
#include "stream.h"

/* More than take their steps together: what ahead.h fetches in the meantime then comes in a steadier stream. */
#define VA_LANES_OF_BATCH 8

/* All pointers are the caller's, and the batch lives no longer than the call. */
typedef struct va_batch {
  va_batch_item *next, *end; /* the items that are not in work yet */
  size_t lanes;               /* how many are in use: the first ones */
  va_detector *detectors[VA_LANES_OF_BATCH];
  va_echo *echoes[VA_LANES_OF_BATCH];
  va_output *outputs[VA_LANES_OF_BATCH];
  va_input inputs[VA_LANES_OF_BATCH];
  va_batch_item *items[VA_LANES_OF_BATCH];
  va_ahead ahead;
} va_batch;

/* Detectors are fetched for this many items after the newest one in work: from the nearest to the farthest. */
enum { VA_NEAREST = 4, VA_FARTHEST = 16 };

/* Checks an item and takes its gap. */
static va_status_code begin(va_batch_item *item) {
  va_detector *d = item->detector;
  va_status_code code = va_open_output(item->output);
  item->consumed = 0;
  if (!d || va_is_ended(d) || item->missing > VA_GAP_MAX || item->reserved) return VA_ERROR_ARGUMENT;
  if (item->count && !item->samples == !item->samples_s16) return VA_ERROR_ARGUMENT; /* both or none */
  if (code != VA_OK) return code;
  va_stream_add_gap(d, item->missing);
  item->missing = 0;
  return VA_OK;
}

/* Lanes share nothing that is written: two items of one detector run one after the other, and so do two with one
 * output or one echo, though that is not allowed. The streams in work use the same SIMD body. */
static bool may_join(const va_batch *batch, const va_batch_item *item) {
  const va_detector *d = item->detector;
  const va_echo *echo = item->echo;
  if (!d) return true; /* it will be refused */
  for (size_t lane = 0; lane < batch->lanes; lane++)
    if (batch->detectors[lane] == d || batch->outputs[lane] == item->output || (echo && batch->echoes[lane] == echo) ||
        batch->detectors[lane]->simd != d->simd)
      return false;
  return true;
}

static bool can_begin_next(const va_batch *batch) {
  return batch->next != batch->end && batch->lanes < VA_LANES_OF_BATCH && may_join(batch, batch->next);
}

/* Prefetches up to 10 ms of f32 at 48 kHz; the processor recognises how it goes on. Prefetching never faults, so the
 * pointer may be wrong. */
static void prefetch_samples(const va_batch_item *item) {
  enum { LINE = 64, MOST = 480 * sizeof(float) };
  const char *bytes = item->samples ? (const char *)item->samples : (const char *)item->samples_s16;
  if (!bytes) return;
  size_t size = item->count * (item->samples ? sizeof *item->samples : sizeof *item->samples_s16);
  for (size_t at = 0; at < size && at < MOST; at += LINE) __builtin_prefetch(bytes + at);
}

static const va_batch_item *later(const va_batch *batch, ptrdiff_t items) {
  return batch->end - batch->next < items ? batch->end : batch->next + items;
}

/* Items that come before the nearest one are left out: memory would answer too late. */
static void move_ahead(va_batch *batch) {
  const va_batch_item *nearest = later(batch, VA_NEAREST);
  if (batch->ahead.item < nearest) batch->ahead.item = nearest, batch->ahead.done = 0;
  batch->ahead.end = later(batch, VA_FARTHEST);
}

/* Puts the next item into a lane, or refuses it. */
static void begin_next(va_batch *batch) {
  va_batch_item *item = batch->next;
  size_t lane = batch->lanes;
  if (batch->end - item > VA_LANES_OF_BATCH) prefetch_samples(item + VA_LANES_OF_BATCH);
  move_ahead(batch);
  va_look_ahead(&batch->ahead);
  batch->next++;
  item->status = begin(item);
  if (item->status != VA_OK) return;
  batch->items[lane] = item;
  batch->detectors[lane] = item->detector;
  batch->echoes[lane] = item->echo;
  batch->outputs[lane] = item->output;
  batch->inputs[lane] =
      (va_input){.f32 = item->samples, .s16 = item->samples_s16, .count = item->count, .echo = item->echo};
  batch->lanes++;
}

/* Finishes the item of a lane and moves the last lane into its place. */
static void leave(va_batch *batch, size_t lane, bool more) {
  size_t last = batch->lanes - 1;
  batch->items[lane]->consumed = batch->inputs[lane].done;
  batch->outputs[lane]->more = more;
  batch->items[lane] = batch->items[last];
  batch->detectors[lane] = batch->detectors[last];
  batch->echoes[lane] = batch->echoes[last];
  batch->outputs[lane] = batch->outputs[last];
  batch->inputs[lane] = batch->inputs[last];
  batch->lanes = last;
}

/* Brings a stream to its next hop that ends a step. Hops that do not end one need no network and are analysed here.
 * Returns false if the item is finished before that: the lane then has another item, or is free. */
static bool reach_step(va_batch *batch, size_t lane) {
  va_detector *d = batch->detectors[lane];
  va_output *output = batch->outputs[lane];
  for (;;) {
    va_stream_need need = va_stream_advance(d, &batch->inputs[lane], output);
    if (need != VA_NEEDS_ANALYSIS) {
      leave(batch, lane, need == VA_NEEDS_CALL);
      return false;
    }
    if (va_framer_ends_step(&d->framer)) return true;
    va_analyse_hops(&d, &batch->echoes[lane], &output, 1, &batch->ahead);
  }
}

/* Fills the lanes with streams whose next hop ends a step, as far as there are items. */
static void fill_lanes(va_batch *batch) {
  size_t ready = 0; /* the lanes below this one have such a hop */
  for (;;) {
    if (ready < batch->lanes) {
      if (reach_step(batch, ready)) ready++;
    } else if (can_begin_next(batch)) {
      begin_next(batch);
    } else {
      return;
    }
  }
}

va_status_code va_process_batch(va_batch_item *items, size_t count) {
  if (count == 0) return VA_OK;
  if (!items) return VA_ERROR_ARGUMENT;
  va_batch batch = {.next = items, .end = items + count, .ahead = {.item = items, .end = items}};
  while (batch.next < batch.end || batch.lanes > 0) {
    fill_lanes(&batch);
    if (batch.lanes > 0) va_analyse_hops(batch.detectors, batch.echoes, batch.outputs, batch.lanes, &batch.ahead);
  }
  for (size_t i = 0; i < count; i++)
    if (items[i].status != VA_OK) return items[i].status;
  return VA_OK;
}
