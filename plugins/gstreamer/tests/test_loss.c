/* test_loss.c — packets lost between a payloader and a jitter buffer. The element must continue through every
 * loss, and detect what it detects without losses. */
#include "support.h"

/* The lost ones of the 500 packets of 20 ms, in order, ending with -1: 0, 1, 3 and 10 %, drawn at random once. */
static const gint none[] = {-1};
static const gint one_percent[] = {
    135, 151, 353, 413, 468, -1};
static const gint three_percent[] = {
    39, 69, 78, 98, 118, 121, 275, 331, 336, 344, 378, 436, 437, 448, 458, -1};
static const gint ten_percent[] = {
    10, 18, 46, 63, 67, 74, 78, 112, 122, 134, 137, 144, 153, 163, 180, 185, 189, 222, 223, 226, 232, 233,
    252, 284, 286, 291, 307, 314, 327, 329, 338, 346, 353, 356, 384, 389, 409, 411, 415, 417, 422, 426, 430,
    431, 438, 449, 452, 457, 462, 489, -1};

typedef struct {
  const gint *lost;
  gint packets, dropped;
  GstElement *pipeline, *element;
  guint onsets, offsets;
  gint64 hops, missing;
} Call;

static GstPadProbeReturn drop(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
  Call *call = data;
  (void)pad, (void)info;
  if (call->packets++ != call->lost[call->dropped]) return GST_PAD_PROBE_OK;
  call->dropped++;
  return GST_PAD_PROBE_DROP;
}

/* Payloaders sometimes send lists, which would count as one packet each. This one sends its packets one by one. */
static void drop_behind(Call *call, const gchar *payloader) {
  g_autoptr(GstElement) element = gst_bin_get_by_name(GST_BIN(call->pipeline), payloader);
  g_autoptr(GstPad) pad = gst_element_get_static_pad(element, "src");
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, drop, call, NULL);
}

static void count(Call *call, GstMessage *message) {
  const GstStructure *fields = gst_message_get_structure(message);
  if (!fields || !gst_structure_has_name(fields, "voiceactivity")) return;
  call->onsets += g_str_equal(gst_structure_get_string(fields, "type"), "onset");
  call->offsets += g_str_equal(gst_structure_get_string(fields, "type"), "offset");
}

/* Plays to the end, and then reads `stats`. */
static void finish(Call *call) {
  GstBus *bus = gst_element_get_bus(call->pipeline);
  for (gboolean ended = FALSE; !ended;) {
    g_autoptr(GstMessage) message = gst_bus_timed_pop_filtered(bus, 600 * GST_SECOND,
                                                     GST_MESSAGE_EOS | GST_MESSAGE_ELEMENT | GST_MESSAGE_ERROR);
    fail_unless(message && GST_MESSAGE_TYPE(message) != GST_MESSAGE_ERROR, "the call does not come to its end");
    ended = GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS;
    count(call, message);
  }
  call->hops = stat_of(call->element, "hops");
  call->missing = stat_of(call->element, "missing-samples");
  gst_element_set_state(call->pipeline, GST_STATE_NULL);
  gst_object_unref(bus);
  gst_object_unref(call->element);
  gst_object_unref(call->pipeline);
}

/* MARK: a jitter buffer */

#define SPEECH "filesrc location=%s/speech.flac ! flacparse ! flacdec ! audioconvert ! audioresample ! " \
               "opusenc ! rtpopuspay name=payloader"

/* All calls play at once, because a jitter buffer waits for lost packets in real time. Each packet comes with its own
 * time, so that no other is late, however busy the machine is. */
GST_START_TEST(a_jitter_buffer_with_losses) {
  Call calls[] = {{.lost = none}, {.lost = one_percent}, {.lost = three_percent}, {.lost = ten_percent}};
  g_autofree gchar *text = g_strdup_printf(SPEECH " ! rtpjitterbuffer do-lost=true ! rtpopusdepay ! opusdec ! "
                                           "voiceactivity name=element ! fakesink sync=false",
                                           g_getenv("SAMPLES_DIR"));
  for (guint i = 0; i < G_N_ELEMENTS(calls); i++) {
    calls[i].pipeline = gst_parse_launch(text, NULL);
    calls[i].element = gst_bin_get_by_name(GST_BIN(calls[i].pipeline), "element");
    drop_behind(&calls[i], "payloader");
    gst_element_set_state(calls[i].pipeline, GST_STATE_PLAYING);
  }
  for (guint i = 0; i < G_N_ELEMENTS(calls); i++) {
    finish(&calls[i]);
    fail_unless(calls[i].lost[calls[i].dropped] == -1, "%d of the losses happened", calls[i].dropped);
    fail_unless_equals_uint64(calls[i].missing, calls[i].dropped * 16000 / 50);
    fail_unless_equals_uint64(calls[i].hops, calls[0].hops); /* counted since the last reset: there was none */
    fail_unless(calls[i].onsets >= 4 && calls[i].onsets <= calls[0].onsets + 1, "%u onsets", calls[i].onsets);
    fail_unless_equals_int(calls[i].onsets, calls[i].offsets);
  }
  fail_unless_equals_int(calls[0].onsets, 4);
}
GST_END_TEST

TCase *test_case(void) {
  TCase *tests = tcase_create("loss");
  tcase_add_test(tests, a_jitter_buffer_with_losses);
  return tests;
}
