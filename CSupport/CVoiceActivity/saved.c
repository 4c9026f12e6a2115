#include "saved.h"

/* The bytes of magic, format, model and size, and of the checksum at the end. */
#define VA_SAVED_HEADER 16
#define VA_SAVED_CHECKSUM 4

static void archive_header(va_archive *a, va_saved_kind *kind, uint32_t *size) {
  va_archive_u32(a, &kind->magic, UINT32_MAX);
  va_archive_u32(a, &kind->format, UINT32_MAX);
  va_archive_u32(a, &kind->model, UINT32_MAX);
  va_archive_u32(a, size, UINT32_MAX);
}

va_archive va_saved_open(void *bytes, size_t capacity) {
  return (va_archive){.to = bytes, .size = capacity - VA_SAVED_CHECKSUM, .at = VA_SAVED_HEADER, .sound = true};
}

va_status_code va_saved_close(va_saved_kind kind, va_archive *fields, size_t *size) {
  if (!fields->sound) return VA_ERROR_SAVED_DATA;
  uint32_t whole = (uint32_t)(fields->at + VA_SAVED_CHECKSUM);
  va_archive header = {.to = fields->to, .size = VA_SAVED_HEADER, .sound = true};
  archive_header(&header, &kind, &whole);
  uint32_t checksum = va_crc32(fields->to, fields->at);
  fields->size += VA_SAVED_CHECKSUM;
  va_archive_u32(fields, &checksum, UINT32_MAX);
  *size = fields->at;
  return VA_OK;
}

va_status_code va_saved_read(va_saved_kind kind, const void *bytes, size_t size, va_archive *fields) {
  va_saved_kind found = {0};
  uint32_t whole = 0, checksum = 0;
  va_archive header = {.from = bytes, .size = size, .sound = true};
  archive_header(&header, &found, &whole);
  if (!header.sound || found.magic != kind.magic) return VA_ERROR_SAVED_DATA;
  if (found.format != kind.format || found.model != kind.model) return VA_ERROR_SAVED_VERSION;
  if (whole != size || size < VA_SAVED_HEADER + VA_SAVED_CHECKSUM) return VA_ERROR_SAVED_DATA;
  va_archive end = {.from = bytes, .size = size, .at = size - VA_SAVED_CHECKSUM, .sound = true};
  va_archive_u32(&end, &checksum, UINT32_MAX);
  if (checksum != va_crc32(bytes, size - VA_SAVED_CHECKSUM)) return VA_ERROR_SAVED_DATA;
  *fields = (va_archive){.from = bytes, .size = size - VA_SAVED_CHECKSUM, .at = VA_SAVED_HEADER, .sound = true};
  return VA_OK;
}
