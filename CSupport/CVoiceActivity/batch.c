/* batch.c — many streams' newest samples in one call: their steps are taken VA_STREAMS_AT_ONCE at a time.
 *
 * The samples of the next ones are asked for meanwhile. States are not: the processor sees by itself that they are read
 * from beginning to end, and at 10,000 streams asking for them beforehand cost more than it saved (Benchmarks/streams). */
#include "hop.h"
#include "results.h"
#include "stream.h"

/* The items in work, and those still to come. */
typedef struct va_batch {
  va_batch_item *next, *end;
  size_t lanes;
  va_detector *detectors[VA_STREAMS_AT_ONCE];
  va_output *outputs[VA_STREAMS_AT_ONCE];
  va_input inputs[VA_STREAMS_AT_ONCE];
  va_batch_item *items[VA_STREAMS_AT_ONCE];
} va_batch;

static va_status_code begin(va_batch_item *item) {
  va_detector *d = item->detector;
  va_status_code code = va_open_output(item->output);
  item->consumed = 0;
  if (!d || d->end != UINT64_MAX || item->missing > VA_GAP_MAX || item->reserved) return VA_ERROR_ARGUMENT;
  if (item->count && !item->samples == !item->samples_s16) return VA_ERROR_ARGUMENT;
  if (code != VA_OK) return code;
  va_stream_miss(d, item->missing);
  item->missing = 0;
  return VA_OK;
}

/* A detector has one item in work at a time, and so has an output: room is looked for in all of them before anything is
 * written. Those in work have the same bodies. */
static bool may_join(const va_batch *batch, const va_batch_item *item) {
  const va_detector *d = item->detector;
  for (size_t lane = 0; d && lane < batch->lanes; lane++)
    if (batch->detectors[lane] == d || batch->outputs[lane] == item->output || batch->detectors[lane]->simd != d->simd)
      return false;
  return true;
}

/* 10 ms; of more the rest is found to be coming. */
static void prefetch_samples(const va_batch_item *item) {
  enum { LINE = 64, MOST = 480 * sizeof(float) };
  const char *bytes = item->samples ? (const char *)item->samples : (const char *)item->samples_s16;
  if (!bytes) return;
  size_t size = item->count * (item->samples ? sizeof *item->samples : sizeof *item->samples_s16);
  for (size_t at = 0; at < size && at < MOST; at += LINE) __builtin_prefetch(bytes + at);
}

/* Begins with the next item; false if it has to wait, or if there is none. */
static bool take_on(va_batch *batch) {
  va_batch_item *item = batch->next;
  size_t lane = batch->lanes;
  if (item == batch->end || lane == VA_STREAMS_AT_ONCE || !may_join(batch, item)) return false;
  batch->next++;
  if (batch->end - item > VA_STREAMS_AT_ONCE) prefetch_samples(item + VA_STREAMS_AT_ONCE);
  item->status = begin(item);
  if (item->status != VA_OK) return true;
  batch->items[lane] = item;
  batch->detectors[lane] = item->detector;
  batch->outputs[lane] = item->output;
  batch->inputs[lane] = (va_input){.f32 = item->samples, .s16 = item->samples_s16, .count = item->count};
  batch->lanes++;
  return true;
}

/* Ends with the item of a lane, which the last one takes. */
static void leave(va_batch *batch, size_t lane) {
  size_t last = --batch->lanes;
  batch->items[lane]->consumed = batch->inputs[lane].done;
  batch->items[lane] = batch->items[last];
  batch->detectors[lane] = batch->detectors[last];
  batch->outputs[lane] = batch->outputs[last];
  batch->inputs[lane] = batch->inputs[last];
}

va_status_code va_process_batch(va_batch_item *items, size_t count) {
  if (count == 0) return VA_OK;
  if (!items) return VA_ERROR_ARGUMENT;
  va_batch batch = {.next = items, .end = items + count};
  do {
    size_t lane = 0; /* those below have a hop complete that ends a step */
    while (lane < batch.lanes || take_on(&batch)) {
      if (lane == batch.lanes) continue; /* the item was refused */
      if (!va_stream_next_hop(batch.detectors[lane], &batch.inputs[lane], batch.outputs[lane]))
        leave(&batch, lane);
      else if (va_framer_ends_step(&batch.detectors[lane]->framer))
        lane++;
      else
        va_analyse_hops(&batch.detectors[lane], &batch.outputs[lane], 1); /* it asks nothing of the network */
    }
    if (batch.lanes) va_analyse_hops(batch.detectors, batch.outputs, batch.lanes);
  } while (batch.lanes || batch.next < batch.end);
  for (size_t i = 0; i < count; i++)
    if (items[i].status != VA_OK) return items[i].status;
  return VA_OK;
}
