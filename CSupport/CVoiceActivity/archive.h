/* archive.h — writes fields of a few types to bytes and reads them, with the same code for both directions.
 *
 * Bytes are little-endian on every machine; floats are stored by their IEEE 754 bits. Each field has bounds. The first
 * field that is outside its bounds or does not fit makes the archive unsound; every field read after that is 0.
 */
#ifndef VA_ARCHIVE_H
#define VA_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct va_archive {
  uint8_t *to;         /* where fields are written, or NULL when reading */
  const uint8_t *from; /* where fields are read, or NULL when writing */
  size_t size;         /* the room, or the number of bytes */
  size_t at;           /* the next byte, 0 … size */
  bool sound;          /* set to true at first */
} va_archive;

/* Each of these writes or reads *value, which must be 0 … most. */
void va_archive_bool(va_archive *archive, bool *value);
void va_archive_u8(va_archive *archive, uint8_t *value, uint8_t most);
void va_archive_u16(va_archive *archive, uint16_t *value, uint16_t most);
void va_archive_u32(va_archive *archive, uint32_t *value, uint32_t most);
void va_archive_u64(va_archive *archive, uint64_t *value, uint64_t most);

/* Writes or reads `count` numbers, each least … most. */
void va_archive_i16s(va_archive *archive, int16_t *values, size_t count, int16_t least, int16_t most);

/* Writes or reads `count` floats, each least … most. NaN is out of bounds. */
void va_archive_floats(va_archive *archive, float *values, size_t count, float least, float most);

/* Makes the archive unsound unless a condition between fields holds. */
void va_archive_require(va_archive *archive, bool holds);

/* Returns the CRC-32 of IEEE 802.3 and zlib. */
uint32_t va_crc32(const uint8_t *bytes, size_t size);

#endif
