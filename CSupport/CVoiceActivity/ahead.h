/* ahead.h — fetches the detectors of a batch's next items from memory, a few cache lines at a time.
 *
 * With thousands of streams, a detector's 48 lines and more are nowhere near when its turn comes. A processor has some
 * 20 requests to memory under way; the others wait, and so does the work in progress. So many places in a hop's
 * analysis fetch a portion each, into the second-level cache, for the first has no room for detectors that wait.
 */
#ifndef VA_AHEAD_H
#define VA_AHEAD_H

#include <stddef.h>
#include <stdint.h>

#include "detector_state.h"

/* Lines of a portion. */
#define VA_AHEAD_LINES 12

/* Where the next portion comes from. All zeros: there is nothing to fetch. */
typedef struct va_ahead {
  const va_batch_item *item, *end; /* the items from which detectors are fetched */
  size_t done;                     /* bytes of the first one's detector that were fetched */
} va_ahead;

/* Fetches a portion. Fetching never faults, so pointers may be wrong. */
static inline void va_look_ahead(va_ahead *ahead) {
  enum { LINE = 64 };
  if (ahead->item == ahead->end) return;
  uintptr_t next = (uintptr_t)ahead->item->detector + ahead->done;
  for (size_t i = 0; i < VA_AHEAD_LINES; i++) __builtin_prefetch((const void *)(next + i * LINE), 0, 2);
  ahead->done += VA_AHEAD_LINES * LINE;
  if (ahead->done < va_detector_bytes(1)) return;
  ahead->item++;
  ahead->done = 0;
}

#endif
