/* tables.h — constant tables, written by Scripts/generate_tables.py; read-only and shared by all detectors. */
#ifndef VA_TABLES_H
#define VA_TABLES_H

/* Turns of the FFT (fft_body.h). */
extern const float va_fft_twiddle_cos[256], va_fft_twiddle_sin[256];
extern const float va_fft_split_cos[256], va_fft_split_sin[256];

/* Analysis window; scaled so that powers of bins add up to the mean square of the samples. */
extern const float va_window[512];

/* Bins of 31.25 Hz: band b is va_band_edges[b] … va_band_edges[b + 1] - 1. */
#define VA_BANDS 20
extern const unsigned short va_band_edges[VA_BANDS + 1];

/* Kernels of the resampler (resampler.h): (phases + 1) rows of `taps` floats. */
#define VA_BANK_PHASES 32
#define VA_BANK_PHASES_UP 64
#define VA_BANK_TAPS_UP 36
#define VA_BANK_TAPS_24K 48
#define VA_BANK_TAPS_32K 64
#define VA_BANK_TAPS_48K 96
#define VA_BANK_TAPS_HALVE 36
extern const float va_bank_up[(VA_BANK_PHASES_UP + 1) * VA_BANK_TAPS_UP];
extern const float va_bank_24k[(VA_BANK_PHASES + 1) * VA_BANK_TAPS_24K];
extern const float va_bank_32k[(VA_BANK_PHASES + 1) * VA_BANK_TAPS_32K];
extern const float va_bank_48k[(VA_BANK_PHASES + 1) * VA_BANK_TAPS_48K];
extern const float va_bank_halve[VA_BANK_TAPS_HALVE];

#endif
