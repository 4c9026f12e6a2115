/* hop.h — one hop: from its samples to the decision. */
#ifndef VA_HOP_H
#define VA_HOP_H

#include "detector_state.h"

/* Analyses the hop that the framer has complete: measures the window that ends with it and decides the hop that waited
 * for it. There is room for what comes of it: va_has_room said so. */
void va_analyse_hop(va_detector *d, va_output *output);

#endif
