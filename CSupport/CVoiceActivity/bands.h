/* bands.h — which of the triangular bands (tables.h) the input's rate leaves usable. */
#ifndef VA_BANDS_H
#define VA_BANDS_H

/* Returns how many bands, from the lowest, have their centre at or below pass_hz: 1 … VA_BANDS. */
int va_bands_usable(float pass_hz);

#endif
