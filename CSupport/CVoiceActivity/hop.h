/* hop.h — one hop: from its samples to the decision. */
#ifndef VA_HOP_H
#define VA_HOP_H

#include "detector_state.h"

/* Analyses the hop that the framer has complete: if it ends a step, measures the window that ends with it; and decides the
 * hop that waited for it. There is room for what comes of it: va_has_room said so.
 *
 * Of up to VA_STREAMS_AT_ONCE different detectors with the same bodies, whose hops all end a step or all do not; each has
 * its own output. The results are those of one after the other. */
void va_analyse_hops(va_detector *const *detectors, va_output *const *outputs, size_t count);

#endif
