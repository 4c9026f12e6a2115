/* use.h — one thread at a time: what one thread uses without the GIL, another must not use. */
#ifndef VAPY_USE_H
#define VAPY_USE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "limited.h"

/* Samples, or hops of a gap or a level, from which on a call releases the GIL: below that, releasing costs more than
 * the call, and above that a waiting thread would notice. */
enum { USE_LONG_SAMPLES = 4800 };

typedef atomic_flag use;

/* Takes the object for this thread. If another has it, raises RuntimeError and returns false. Acquire: what the last
 * user wrote is visible; release: it is left so. */
static inline bool use_begin(use *use) {
  if (!atomic_flag_test_and_set_explicit(use, memory_order_acquire)) return true;
  PyErr_SetString(PyExc_RuntimeError,
                  "Another thread is using this detector or echo reference: give each thread its own, or take turns.");
  return false;
}
static inline void use_end(use *use) { atomic_flag_clear_explicit(use, memory_order_release); }

#endif
