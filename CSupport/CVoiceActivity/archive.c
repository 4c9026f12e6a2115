#include "archive.h"

#include <string.h>

void va_archive_require(va_archive *archive, bool holds) { archive->sound = archive->sound && holds; }

static void put(uint8_t *to, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) to[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get(const uint8_t *from, size_t bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; i++) value |= (uint64_t)from[i] << 8 * i;
  return value;
}

/* Writes `value` and returns it, or reads a value and returns that. */
static uint64_t transfer(va_archive *archive, uint64_t value, size_t bytes) {
  va_archive_require(archive, bytes <= archive->size - archive->at); /* at <= size: this cannot wrap */
  if (!archive->sound) return 0;
  if (archive->to) put(archive->to + archive->at, value, bytes);
  else value = get(archive->from + archive->at, bytes);
  archive->at += bytes;
  return value;
}

static uint64_t bounded(va_archive *archive, uint64_t value, size_t bytes, uint64_t most) {
  value = transfer(archive, value, bytes);
  va_archive_require(archive, value <= most);
  return archive->sound ? value : 0;
}

void va_archive_bool(va_archive *archive, bool *value) { *value = bounded(archive, *value, 1, 1) != 0; }

void va_archive_u8(va_archive *archive, uint8_t *value, uint8_t most) {
  *value = (uint8_t)bounded(archive, *value, 1, most);
}

void va_archive_u16(va_archive *archive, uint16_t *value, uint16_t most) {
  *value = (uint16_t)bounded(archive, *value, 2, most);
}

void va_archive_u32(va_archive *archive, uint32_t *value, uint32_t most) {
  *value = (uint32_t)bounded(archive, *value, 4, most);
}

void va_archive_u64(va_archive *archive, uint64_t *value, uint64_t most) {
  *value = bounded(archive, *value, 8, most);
}

void va_archive_i16s(va_archive *archive, int16_t *values, size_t count, int16_t least, int16_t most) {
  for (size_t i = 0; i < count; i++) {
    values[i] = (int16_t)transfer(archive, (uint16_t)values[i], 2);
    va_archive_require(archive, values[i] >= least && values[i] <= most);
  }
}

void va_archive_floats(va_archive *archive, float *values, size_t count, float least, float most) {
  for (size_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    bits = (uint32_t)transfer(archive, bits, 4);
    memcpy(&values[i], &bits, sizeof bits);
    va_archive_require(archive, values[i] >= least && values[i] <= most); /* false for NaN */
  }
}

/* Takes four bits at a time, which needs a table of 64 bytes instead of 1024. */
uint32_t va_crc32(const uint8_t *bytes, size_t size) {
  static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                     0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                     0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  uint32_t crc = 0xffffffff;
  for (size_t i = 0; i < size; i++) {
    crc ^= bytes[i];
    crc = crc >> 4 ^ table[crc & 15];
    crc = crc >> 4 ^ table[crc & 15];
  }
  return ~crc;
}
