/* bands.h — which of the triangular bands (tables.h) an input's rate leaves usable. */
#ifndef VA_BANDS_H
#define VA_BANDS_H

#include "tables.h"

/* How many bands, from the lowest, have their centre below pass_hz (1 … VA_BANDS). */
int va_bands_usable(float pass_hz);

#endif
