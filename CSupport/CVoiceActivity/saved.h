/* saved.h — the frame of saved bytes: magic, format, model, size │ the fields │ CRC-32 of everything before. */
#ifndef VA_SAVED_H
#define VA_SAVED_H

#include "archive.h"
#include "voice_activity.h"

/* Bounds far beyond what any input causes, in every saved state. Levels of bands and loudness, and their differences,
 * in dB; powers; positions: 760,000 years at 192 kHz, so that sums of positions do not wrap. */
#define VA_DB_MAX 300.0f
#define VA_POWER_MAX 1e30f
#define VA_POSITION_MAX (1ull << 62)

/* What was saved, and which versions can restore it. */
typedef struct va_saved_kind {
  uint32_t magic;
  uint32_t format; /* increases when other fields are saved or a field changes its meaning */
  uint32_t model;  /* of the network, or 0 */
} va_saved_kind;

/* Begins to write fields to `bytes`. capacity: at least the size of an empty frame, 20. */
va_archive va_saved_open(void *bytes, size_t capacity);

/* Completes the frame. Returns VA_ERROR_SAVED_DATA if a field was out of its bounds. */
va_status_code va_saved_close(va_saved_kind kind, va_archive *fields, size_t *size);

/* Checks the frame of bytes that may come from anywhere, and begins to read their fields. */
va_status_code va_saved_read(va_saved_kind kind, const void *bytes, size_t size, va_archive *fields);

/* True if all fields were read and none was out of its bounds. */
static inline bool va_saved_is_whole(const va_archive *fields) { return fields->sound && fields->at == fields->size; }

#endif
