#include "wav.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

/* Format tags of the fmt chunk. EXTENSIBLE carries the true one in the first two bytes of its GUID. */
enum { TAG_PCM = 1, TAG_FLOAT = 3, TAG_EXTENSIBLE = 0xFFFE, FMT_BYTES_MAX = 40 };

__attribute__((format(printf, 3, 4))) static bool fail(wav_reader *wav, int exit_code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(wav->problem, sizeof wav->problem, format, arguments);
  va_end(arguments);
  wav->exit_code = exit_code;
  return false;
}

static uint32_t little16(const uint8_t *bytes) { return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8; }
static uint32_t little32(const uint8_t *bytes) { return little16(bytes) | little16(bytes + 2) << 16; }

static bool read_exactly(wav_reader *wav, uint8_t *bytes, size_t count) {
  if (fread(bytes, 1, count, wav->file) == count) return true;
  if (ferror(wav->file)) return fail(wav, WAV_IO, "%s cannot be read: %s.", wav->name, strerror(errno));
  return fail(wav, WAV_BAD_DATA, "%s is no WAV file, or ends within its header.", wav->name);
}

static bool skip(wav_reader *wav, uint64_t count) { /* by reading, for pipes cannot seek */
  uint8_t bytes[512];
  for (; count > 0; count -= count < sizeof bytes ? count : sizeof bytes)
    if (!read_exactly(wav, bytes, count < sizeof bytes ? (size_t)count : sizeof bytes)) return false;
  return true;
}

static bool read_format(wav_reader *wav, uint32_t size) {
  uint8_t fmt[FMT_BYTES_MAX] = {0};
  const uint32_t kept = size < FMT_BYTES_MAX ? size : FMT_BYTES_MAX;
  if (size < 16) return fail(wav, WAV_BAD_DATA, "%s has a format chunk of %u bytes; it needs 16.", wav->name, size);
  if (!read_exactly(wav, fmt, kept) || !skip(wav, (uint64_t)size - kept + (size & 1))) return false;

  const uint32_t tag = little16(fmt) == TAG_EXTENSIBLE ? little16(fmt + 24) : little16(fmt);
  const uint32_t bits = little16(fmt + 14);
  wav->channels = little16(fmt + 2);
  wav->rate_hz = little32(fmt + 4);
  wav->bytes_per_sample = bits / 8;
  if (!(tag == TAG_PCM && bits == 16) && !(tag == TAG_FLOAT && bits == 32))
    return fail(wav, WAV_BAD_DATA, "%s has format %u with %u bits; this example reads 16-bit PCM and 32-bit float: "
                "sox IN -e signed -b 16 OUT.wav converts it.", wav->name, tag, bits);
  if (wav->channels < 1 || wav->channels > WAV_CHANNELS_MAX)
    return fail(wav, WAV_BAD_DATA, "%s has %u channels; 1 to %d are read.", wav->name, wav->channels, WAV_CHANNELS_MAX);
  return true;
}

/* Chunks up to the sound. Every chunk but the data is padded to an even size. */
static bool read_header(wav_reader *wav) {
  uint8_t head[12];
  if (!read_exactly(wav, head, sizeof head)) return false;
  if (memcmp(head, "RIFF", 4) != 0 || memcmp(head + 8, "WAVE", 4) != 0)
    return fail(wav, WAV_BAD_DATA, "%s is no WAV file.", wav->name);
  for (;;) {
    if (!read_exactly(wav, head, 8)) return false;
    const uint32_t size = little32(head + 4);
    if (memcmp(head, "data", 4) == 0) {
      if (wav->channels == 0) return fail(wav, WAV_BAD_DATA, "%s has sound before its format.", wav->name);
      const bool unknown = size == 0 || size >= UINT32_MAX - 4096; /* what ffmpeg, sox and arecord write to a pipe */
      wav->frames_left = unknown ? UINT64_MAX : size / (wav->channels * wav->bytes_per_sample);
      return true;
    }
    const bool known = memcmp(head, "fmt ", 4) == 0;
    if (known ? !read_format(wav, size) : !skip(wav, (uint64_t)size + (size & 1))) return false;
  }
}

bool wav_open(wav_reader *wav, const char *path) {
  const bool is_standard_input = strcmp(path, "-") == 0;
  *wav = (wav_reader){.name = is_standard_input ? "standard input" : path};
  wav->file = is_standard_input ? stdin : fopen(path, "rb");
  if (wav->file == NULL) return fail(wav, WAV_NO_INPUT, "%s cannot be opened: %s.", path, strerror(errno));
  if (read_header(wav)) return true;
  wav_close(wav);
  return false;
}

static float sample_at(const wav_reader *wav, const uint8_t *bytes) {
  if (wav->bytes_per_sample == 2) return (float)(int16_t)little16(bytes) / 32768.0f;
  const uint32_t bits = little32(bytes);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

size_t wav_read(wav_reader *wav, float *mono, size_t capacity) {
  uint8_t frame[WAV_CHANNELS_MAX * 4];
  const size_t frame_bytes = wav->channels * wav->bytes_per_sample;
  size_t count = 0;
  while (count < capacity && wav->frames_left > 0 && fread(frame, frame_bytes, 1, wav->file) == 1) {
    float sum = 0;
    for (size_t i = 0; i < frame_bytes; i += wav->bytes_per_sample) sum += sample_at(wav, frame + i);
    mono[count++] = sum / (float)wav->channels;
    if (wav->frames_left != UINT64_MAX) wav->frames_left--;
  }
  if (ferror(wav->file)) fail(wav, WAV_IO, "%s cannot be read: %s.", wav->name, strerror(errno));
  wav->torn = feof(wav->file) && wav->frames_left > 0 && wav->frames_left != UINT64_MAX;
  return count;
}

void wav_close(wav_reader *wav) {
  if (wav->file != NULL && wav->file != stdin) fclose(wav->file);
  wav->file = NULL;
}
