/* tables.h — constant tables, written by Scripts/generate_tables.py; read-only and shared by all detectors. */
#ifndef VA_TABLES_H
#define VA_TABLES_H

#include "geometry.h"

/* Tables start at a cache line, so that no vector crosses from one line into the next. */
#define VA_TABLE _Alignas(64) const float

/* Twiddle factors of the FFT (fft_body.h). */
extern VA_TABLE va_fft_twiddle_cos[256], va_fft_twiddle_sin[256];
extern VA_TABLE va_fft_split_cos[256], va_fft_split_sin[256];

/* The analysis window, scaled so that the powers of the bins add up to the mean square of the samples. */
extern VA_TABLE va_window[VA_WINDOW], va_half_window[VA_WINDOW / 2];

/* Triangular bands on the bins: the weights of all bands, one band after another, padded to whole blocks. The first bin
 * of each band and its number of blocks are in band_layout_generated.h. */
#define VA_BAND_BLOCK 8
#define VA_BAND_WEIGHTS 560
extern VA_TABLE va_band_centres[VA_BANDS]; /* in bins */
extern VA_TABLE va_band_weights[VA_BAND_WEIGHTS];

/* VA_PITCH_COSINE_ONE · cos(2π k m / 256) for the lags m = 1 … VA_PITCH_LAGS, by pairs of bins k: 4g and 4g + 2, then
 * 4g + 1 and 4g + 3. */
#define VA_PITCH_BINS 80
#define VA_PITCH_LAGS 64
#define VA_PITCH_COSINE_ONE 32767
extern _Alignas(64) const int16_t va_pitch_cosines[VA_PITCH_BINS / 4][2][2 * VA_PITCH_LAGS];

/* Kernels of the resampler (resampler.h). Banks for outputs that may lie between two rows have one row more than
 * phases, in blocks of 24 taps: a block has that part of all rows. */
#define VA_BLOCK_TAPS 24
#define VA_BANK_PHASES 16
#define VA_BANK_PHASES_UP 32
extern VA_TABLE va_bank_up[(VA_BANK_PHASES_UP + 1) * VA_BLOCK_TAPS];
extern VA_TABLE va_bank_22k[(VA_BANK_PHASES + 1) * VA_BLOCK_TAPS];
extern VA_TABLE va_bank_below_24k[(VA_BANK_PHASES + 1) * VA_BLOCK_TAPS];
extern VA_TABLE va_bank_below_32k[(VA_BANK_PHASES + 1) * 2 * VA_BLOCK_TAPS];
extern VA_TABLE va_bank_below_48k[(VA_BANK_PHASES + 1) * 2 * VA_BLOCK_TAPS];

/* The others have just the rows that their rate needs. */
#define VA_BANK_PHASES_44K 160
#define VA_BANK_TAPS_24K 24
#define VA_BANK_TAPS_32K 32
#define VA_BANK_TAPS_44K 40
#define VA_BANK_TAPS_48K 48
#define VA_BANK_TAPS_HALVE 28
extern VA_TABLE va_bank_24k[2 * VA_BANK_TAPS_24K];
extern VA_TABLE va_bank_32k[VA_BANK_TAPS_32K];
extern VA_TABLE va_bank_44k[VA_BANK_PHASES_44K * VA_BANK_TAPS_44K];
extern VA_TABLE va_bank_48k[VA_BANK_TAPS_48K];
extern VA_TABLE va_bank_halve[VA_BANK_TAPS_HALVE];

#endif
