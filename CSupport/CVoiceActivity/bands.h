/* bands.h — power of the analysis bands: 20 bands of about one ERB, 94 … 6406 Hz. */
#ifndef VA_BANDS_H
#define VA_BANDS_H

#include "tables.h"

/* How many bands, from the lowest, lie wholly below pass_hz (1 … VA_BANDS). */
int va_bands_usable(float pass_hz);

/* Mean square of each band in dBFS, at least VA_BAND_FLOOR_DB, from the 257 powers of va_kernels. */
void va_bands_db(const float *power, float *bands_db);

/* What a band of 16-bit silence with dither would hold; nothing below it carries information. */
#define VA_BAND_FLOOR_DB (-110.0f)

#endif
