/* test_rtp.c — the level in RTP. A whole pipeline runs through GStreamer's own header extension of RFC 6464; the tests
 * read its byte from the packets, and the meta after the depayloader. */
#include <math.h>

#include <gst/rtp/rtp.h>

#include "support.h"

typedef struct {
  guint packets, voiced, metas;
  gboolean l16;
} Seen;

/* The level of a packet of L16, computed from its own payload. */
static guint8 level_of(const gint16 *samples, gsize count) {
  gdouble sum = 0;
  for (gsize i = 0; i < count; i++) {
    gdouble sample = (gint16)GUINT16_FROM_BE((guint16)samples[i]) / 32768.0;
    sum += sample * sample;
  }
  return sum > 0 ? (guint8)CLAMP(round(-10 * log10(sum / (gdouble)count)), 0, 127) : 127;
}

static GstPadProbeReturn see_packet(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
  (void)pad;
  Seen *seen = data;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gpointer byte;
  guint size;
  fail_unless(gst_rtp_buffer_map(GST_PAD_PROBE_INFO_BUFFER(info), GST_MAP_READ, &rtp));
  fail_unless(gst_rtp_buffer_get_extension_onebyte_header(&rtp, 1, 0, &byte, &size), "a packet without the extension");
  fail_unless_equals_int(size, 1);
  seen->packets++;
  seen->voiced += *(guint8 *)byte >> 7;
  if (seen->l16)
    fail_unless_equals_int(*(guint8 *)byte & 0x7f,
                           level_of(gst_rtp_buffer_get_payload(&rtp), gst_rtp_buffer_get_payload_len(&rtp) / 2));
  gst_rtp_buffer_unmap(&rtp);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn see_meta(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
  (void)pad;
  Seen *seen = data;
  GstAudioLevelMeta *meta = gst_buffer_get_audio_level_meta(GST_PAD_PROBE_INFO_BUFFER(info));
  seen->metas += meta != NULL;
  return GST_PAD_PROBE_OK;
}

static void probe(GstElement *pipeline, const gchar *name, GstPadProbeCallback callback, Seen *seen) {
  g_autoptr(GstElement) element = gst_bin_get_by_name(GST_BIN(pipeline), name);
  g_autoptr(GstPad) pad = gst_element_get_static_pad(element, "src");
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, callback, seen, NULL);
}

/* Adds the extension as README.md shows; a depayloader takes it the same way. */
static void add_extension(GstElement *pipeline, const gchar *name) {
  GstElement *payloader = gst_bin_get_by_name(GST_BIN(pipeline), name);
#include "readme-1.h"
  gst_object_unref(payloader);
}

static Seen run(const gchar *middle, gboolean l16) {
  Seen seen = {.l16 = l16};
  g_autoptr(GError) error = NULL;
  g_autofree gchar *text = g_strdup_printf(
      "filesrc location=%s/speech.flac ! flacparse ! flacdec ! voiceactivity audio-level-meta=true ! %s",
      g_getenv("SAMPLES_DIR"), middle);
  g_autoptr(GstElement) pipeline = gst_parse_launch(text, &error);
  fail_unless(error == NULL, "%s", error ? error->message : "");
  add_extension(pipeline, "pay");
  add_extension(pipeline, "depay");
  probe(pipeline, "pay", see_packet, &seen);
  probe(pipeline, "depay", see_meta, &seen);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  g_autoptr(GstBus) bus = gst_element_get_bus(pipeline);
  g_autoptr(GstMessage) message =
      gst_bus_timed_pop_filtered(bus, 600 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless(message && GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS);
  gst_element_set_state(pipeline, GST_STATE_NULL);
  return seen;
}

GST_START_TEST(l16_carries_each_packets_level) {
  Seen seen = run("audioconvert ! rtpL16pay name=pay mtu=60000 ! rtpL16depay name=depay ! fakesink", TRUE);
  fail_unless(seen.packets > 10);
  fail_unless_equals_int(seen.metas, seen.packets);
  fail_unless(seen.voiced > seen.packets / 4 && seen.voiced < seen.packets);
}
GST_END_TEST

GST_START_TEST(opus_carries_it_through_the_encoder) {
  Seen seen = run("opusenc ! rtpopuspay name=pay ! rtpopusdepay name=depay ! fakesink", FALSE);
  fail_unless(seen.packets > 450); /* 10 s of 20 ms */
  fail_unless_equals_int(seen.metas, seen.packets);
  fail_unless(seen.voiced > seen.packets / 4 && seen.voiced < seen.packets);
}
GST_END_TEST

TCase *test_case(void) {
  TCase *tests = tcase_create("rtp");
  tcase_add_test(tests, l16_carries_each_packets_level);
  tcase_add_test(tests, opus_carries_it_through_the_encoder);
  return tests;
}
