/* hop.h — takes one hop from its samples to the decision. */
#ifndef VA_HOP_H
#define VA_HOP_H

#include "ahead.h"
#include "detector_state.h"
#include "echo.h"

/* Analyses the complete hop in each framer. If it ends a step, this measures the window that ends with it and runs the
 * network. Then it decides the hop that was waiting for this one, and writes the results to the outputs, which have
 * room for them (va_has_room).
 *
 * detectors: any number of different ones, each with an output of its own. All use the same SIMD body, and all
 * hops end a step or none does. Each detector gets the results that it would get alone. echoes: each detector's own, or
 * NULL. ahead: what to fetch from memory in the meantime. */
void va_analyse_hops(va_detector *const *detectors, va_echo *const *echoes, va_output *const *outputs, size_t count,
                     va_ahead *ahead);

#endif
