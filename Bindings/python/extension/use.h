/* use.h — one thread at a time: what one thread uses without the GIL, another must not use. */
#ifndef VAPY_USE_H
#define VAPY_USE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "limited.h"

/* Samples, or hops of a gap or a level, from which on a call releases the GIL: below that, releasing costs more than
 * the call, and above that a waiting thread would notice. */
enum { USE_LONG_SAMPLES = 4800 };

/* Work between two looks for signals, in samples: some ten milliseconds. A look waits for the GIL, so more of them
 * would slow calls beside other threads. */
enum { USE_WORK_SAMPLES = 1 << 21 };

typedef atomic_flag use;

/* Takes the object for this thread. If another has it, raises RuntimeError and returns false. Acquire: what the last
 * user wrote is visible; release: it is left so. */
static inline bool use_begin(use *use) {
  if (!atomic_flag_test_and_set_explicit(use, memory_order_acquire)) return true;
  PyErr_SetString(PyExc_RuntimeError,
                  "Another thread is using this detector, its frames or its echo reference: give each thread its "
                  "own, or take turns.");
  return false;
}
static inline void use_end(use *use) { atomic_flag_clear_explicit(use, memory_order_release); }

/* Of a call that has released the GIL: takes it for a moment, and lets Python handle signals. False: one of them raised
 * an exception, such as KeyboardInterrupt, and the call must end. */
static inline bool use_goes_on(PyThreadState **thread) {
  PyEval_RestoreThread(*thread);
  const bool goes_on = PyErr_CheckSignals() == 0;
  *thread = PyEval_SaveThread();
  return goes_on;
}

#endif
