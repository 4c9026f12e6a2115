/* archive.h — a few types of field as bytes, the same code for both directions.
 *
 * Little-endian whatever the machine is; floats by their IEEE 754 bits. Each field has its bounds. The first that is
 * outside, or does not fit, makes the archive unsound; what is read from then on is 0.
 */
#ifndef VA_ARCHIVE_H
#define VA_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct va_archive {
  uint8_t *to;         /* where fields are written, or NULL */
  const uint8_t *from; /* where they are read, or NULL */
  size_t size;         /* room, or bytes there */
  size_t at;
  bool sound;
} va_archive;

/* Each transfers *value, 0 … most. */
void va_archive_bool(va_archive *archive, bool *value);
void va_archive_u16(va_archive *archive, uint16_t *value, uint16_t most);
void va_archive_u32(va_archive *archive, uint32_t *value, uint32_t most);
void va_archive_u64(va_archive *archive, uint64_t *value, uint64_t most);

/* Transfers `count` numbers, each least … most. */
void va_archive_i16s(va_archive *archive, int16_t *values, size_t count, int16_t least, int16_t most);

/* Transfers `count` floats, each least … most; NaN is never within bounds. */
void va_archive_floats(va_archive *archive, float *values, size_t count, float least, float most);

/* What else has to hold. */
void va_archive_require(va_archive *archive, bool holds);

/* CRC-32 as in IEEE 802.3 and zlib. */
uint32_t va_crc32(const uint8_t *bytes, size_t size);

#endif
