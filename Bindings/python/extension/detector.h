/* detector.h — the type Detector. detector.c makes and saves it, stream.c feeds it, status.c looks at it. */
#ifndef VAPY_DETECTOR_H
#define VAPY_DETECTOR_H

#include "echo.h"
#include "results.h"

typedef struct detector_object {
  PyObject_HEAD
  aligned memory; /* of `detector`, freed with the object */
  va_detector *detector;
  echo_object *echo; /* or NULL */
  smoothing *smoothing; /* or NULL: a live detector */
  double rate_hz;
  unsigned long long earlier_hops; /* of streams before the last reset */
  use use;
} detector_object;

extern PyGetSetDef status_fields[];
PyObject *status_repr(PyObject *object);

/* Takes the detector and its echo for this thread, as use_begin does. */
bool detector_use(detector_object *self);
void detector_leave(detector_object *self);

#endif
