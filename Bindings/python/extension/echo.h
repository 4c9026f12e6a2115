/* echo.h — the type EchoReference: what the loudspeaker beside the microphone plays. */
#ifndef VAPY_ECHO_H
#define VAPY_ECHO_H

#include <stdbool.h>

#include "aligned.h"
#include "state.h"
#include "use.h"

typedef struct echo_object {
  PyObject_HEAD
  aligned memory; /* of `echo`, freed with the object */
  va_echo *echo;
  use use;
  atomic_flag has_detector; /* an echo belongs to one detector */
} echo_object;

#endif
