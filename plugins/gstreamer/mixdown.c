/* mixdown.c — converts any raw audio format to mono or stereo floats. */
#include "mixdown.h"

#include <string.h>

#define CAPS                                                              \
  GST_STATIC_CAPS("audio/x-raw, format = (string) " GST_AUDIO_FORMATS_ALL \
                  ", rate = (int) [ 8000, 192000 ], channels = (int) [ 1, MAX ]," \
                  " layout = (string) { interleaved, non-interleaved }")

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS, CAPS);
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE("src", GST_PAD_SRC, GST_PAD_ALWAYS, CAPS);

void mixdown_add_pads(GstElementClass *klass) {
  gst_element_class_add_static_pad_template(klass, &sink_template);
  gst_element_class_add_static_pad_template(klass, &src_template);
}

void mixdown_clear(Mixdown *mixdown) { g_clear_pointer(&mixdown->unpacked, g_free); }

void mixdown_set(Mixdown *mixdown, const GstAudioInfo *info, guint channel) {
  mixdown_clear(mixdown);
  mixdown->info = *info;
  mixdown->channel = channel;
  gsize channels = GST_AUDIO_INFO_LAYOUT(info) == GST_AUDIO_LAYOUT_INTERLEAVED ? GST_AUDIO_INFO_CHANNELS(info) : 1;
  mixdown->unpacked = g_malloc_n(MIXDOWN_FRAMES * channels, sizeof(gdouble));
}

static gboolean is_planar(const Mixdown *mixdown) {
  return GST_AUDIO_INFO_LAYOUT(&mixdown->info) == GST_AUDIO_LAYOUT_NON_INTERLEAVED;
}

gboolean mixdown_count(const Mixdown *mixdown, gpointer element, GstBuffer *buffer, gsize *count) {
  const GstAudioMeta *meta = gst_buffer_get_audio_meta(buffer);
  *count = meta ? meta->samples : gst_buffer_get_size(buffer) / (gsize)GST_AUDIO_INFO_BPF(&mixdown->info);
  if (meta || !is_planar(mixdown)) return TRUE;
  GST_ELEMENT_ERROR(element, STREAM, FORMAT, ("Planar audio came without its GstAudioMeta."), (NULL));
  return FALSE;
}

gboolean mixdown_map(const Mixdown *mixdown, gpointer element, GstBuffer *buffer, GstAudioBuffer *audio) {
  if (gst_audio_buffer_map(audio, &mixdown->info, buffer, GST_MAP_READ)) return TRUE;
  GST_ELEMENT_ERROR(element, RESOURCE, READ, ("A buffer of audio could not be read."), (NULL));
  return FALSE;
}

/* Formats with fewer bits leave the low bits 0: 16-bit samples become s / 32768 exactly. */
static void unpack(const Mixdown *mixdown, const guint8 *samples, gsize count) {
  const GstAudioFormatInfo *format = mixdown->info.finfo;
  format->unpack_func(format, GST_AUDIO_PACK_FLAG_TRUNCATE_RANGE, mixdown->unpacked, (gpointer)samples, (gint)count);
}

/* Unpacks interleaved frames; channels that lie apart are unpacked one by one. */
static void unpack_frames(const Mixdown *mixdown, const GstAudioBuffer *buffer, gsize first, gsize count) {
  const GstAudioInfo *info = &mixdown->info;
  const guint8 *frames = (const guint8 *)buffer->planes[0] + first * (gsize)GST_AUDIO_INFO_BPF(info);
  if (!is_planar(mixdown)) unpack(mixdown, frames, count * (gsize)GST_AUDIO_INFO_CHANNELS(info));
}

/* Adds a channel of the buffer to every `stride`th float from `sums` on. */
static void add(const Mixdown *mixdown, const GstAudioBuffer *buffer, gsize channel, gsize first, gsize count,
                gfloat *sums, gsize stride) {
  const GstAudioInfo *info = &mixdown->info;
  const gboolean is_float = info->finfo->unpack_format == GST_AUDIO_FORMAT_F64, planar = is_planar(mixdown);
  const gsize at = planar ? 0 : channel, step = planar ? 1 : (gsize)GST_AUDIO_INFO_CHANNELS(info);
  const gdouble *floats = (const gdouble *)mixdown->unpacked + at;
  const gint32 *integers = (const gint32 *)mixdown->unpacked + at;
  if (planar)
    unpack(mixdown, (const guint8 *)buffer->planes[channel] + first * (gsize)GST_AUDIO_INFO_WIDTH(info) / 8, count);
  for (gsize i = 0; i < count; i++)
    sums[i * stride] += is_float ? (gfloat)floats[i * step] : (gfloat)integers[i * step] * 0x1p-31f;
}

void mixdown_read(Mixdown *mixdown, const GstAudioBuffer *buffer, gsize first, gsize count) {
  const gsize channels = (gsize)GST_AUDIO_INFO_CHANNELS(&mixdown->info);
  const gsize from = mixdown->channel > 0 ? mixdown->channel - 1 : 0, to = mixdown->channel > 0 ? from + 1 : channels;
  memset(mixdown->mono, 0, count * sizeof *mixdown->mono);
  unpack_frames(mixdown, buffer, first, count);
  for (gsize channel = from; channel < to; channel++) add(mixdown, buffer, channel, first, count, mixdown->mono, 1);
  for (gsize i = 0; i < count && to - from > 1; i++) mixdown->mono[i] *= 1 / (gfloat)channels;
}

void mixdown_read_stereo(Mixdown *mixdown, const GstAudioBuffer *buffer, gsize first, gsize count, gfloat *stereo) {
  const gsize channels = (gsize)GST_AUDIO_INFO_CHANNELS(&mixdown->info);
  memset(stereo, 0, 2 * count * sizeof *stereo);
  unpack_frames(mixdown, buffer, first, count);
  for (gsize channel = 0; channel < channels; channel++)
    add(mixdown, buffer, channel, first, count, stereo + channel % 2, 2);
  for (gsize i = 0; i < 2 * count && channels != 2; i++) stereo[i] *= 2 / (gfloat)channels;
}
