/* batch.h — many streams in one call. */
#ifndef VAPY_BATCH_H
#define VAPY_BATCH_H

#include "limited.h"

/* The module's function process_batch(detectors, chunks). */
PyObject *batch_process(PyObject *module, PyObject *arguments);

#endif
