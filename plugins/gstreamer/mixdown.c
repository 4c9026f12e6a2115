/* mixdown.c — converts any raw audio format to mono floats. */
#include "mixdown.h"

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

gboolean mixdown_count(const Mixdown *mixdown, GstBuffer *buffer, gsize *count) {
  const GstAudioMeta *meta = gst_buffer_get_audio_meta(buffer);
  *count = meta ? meta->samples : gst_buffer_get_size(buffer) / (gsize)GST_AUDIO_INFO_BPF(&mixdown->info);
  return meta || GST_AUDIO_INFO_LAYOUT(&mixdown->info) == GST_AUDIO_LAYOUT_INTERLEAVED;
}

/* Adds every `stride`th unpacked sample from `first` on to the mono ones; the first channel replaces them. */
static void add(Mixdown *mixdown, gsize first, gsize stride, gsize count, gboolean replace) {
  gboolean is_float = mixdown->info.finfo->unpack_format == GST_AUDIO_FORMAT_F64;
  const gdouble *floats = (const gdouble *)mixdown->unpacked + first;
  const gint32 *integers = (const gint32 *)mixdown->unpacked + first;
  for (gsize i = 0; i < count; i++) {
    gfloat sample = is_float ? (gfloat)floats[i * stride] : (gfloat)integers[i * stride] * 0x1p-31f;
    mixdown->mono[i] = replace ? sample : mixdown->mono[i] + sample;
  }
}

/* Formats with fewer bits leave the low bits 0: 16-bit samples become s / 32768 exactly. */
static void unpack(const Mixdown *mixdown, const guint8 *samples, gsize count) {
  const GstAudioFormatInfo *format = mixdown->info.finfo;
  format->unpack_func(format, GST_AUDIO_PACK_FLAG_TRUNCATE_RANGE, mixdown->unpacked, (gpointer)samples, (gint)count);
}

void mixdown_read(Mixdown *mixdown, const GstAudioBuffer *buffer, gsize first, gsize count) {
  const GstAudioInfo *info = &mixdown->info;
  gboolean planar = GST_AUDIO_INFO_LAYOUT(info) == GST_AUDIO_LAYOUT_NON_INTERLEAVED;
  gsize channels = GST_AUDIO_INFO_CHANNELS(info);
  gsize from = mixdown->channel > 0 ? mixdown->channel - 1 : 0, to = mixdown->channel > 0 ? from + 1 : channels;
  gsize step = planar ? GST_AUDIO_INFO_WIDTH(info) / 8 : GST_AUDIO_INFO_BPF(info); /* bytes to the next frame */
  if (!planar) unpack(mixdown, (const guint8 *)buffer->planes[0] + first * step, count * channels);
  for (gsize channel = from; channel < to; channel++) {
    if (planar) unpack(mixdown, (const guint8 *)buffer->planes[channel] + first * step, count);
    add(mixdown, planar ? 0 : channel, planar ? 1 : channels, count, channel == from);
  }
  for (gsize i = 0; i < count && to - from > 1; i++) mixdown->mono[i] *= 1 / (gfloat)channels;
}
