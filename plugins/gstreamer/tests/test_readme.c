/* test_readme.c — README.md's bus handler, as its readers copy it. test_rtp.c runs the page's other block. */
#include "support.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter" /* a signal handler takes all parameters of its signal */
#include "readme-2.h"
#pragma GCC diagnostic pop

static GString *printed;

static void keep(const gchar *text) { g_string_append(printed, text); }

static void end(GstBus *bus, GstMessage *message, gpointer loop) {
  (void)bus;
  fail_unless_equals_int(GST_MESSAGE_TYPE(message), GST_MESSAGE_EOS);
  g_main_loop_quit(loop);
}

/* What the page's handler should print for the C library's own onsets and offsets. */
static GString *expected(void) {
  g_auto(Pcm) pcm = speech();
  g_autoptr(GArray) reports = oracle_of(&pcm);
  GString *text = g_string_new(NULL);
  for (guint i = 0; i < reports->len; i++)
    g_string_append_printf(text, "%s at %.2f s\n", report_at(reports, i)->type,
                           (gdouble)report_at(reports, i)->timestamp / GST_SECOND);
  return text;
}

GST_START_TEST(the_page_prints_the_messages) {
  printed = g_string_new(NULL);
  g_autofree gchar *text =
      g_strdup_printf("filesrc location=%s/speech.flac ! flacparse ! flacdec ! voiceactivity ! fakesink",
                      g_getenv("SAMPLES_DIR"));
  g_autoptr(GstElement) pipeline = gst_parse_launch(text, NULL);
  g_autoptr(GstBus) bus = gst_element_get_bus(pipeline);
  g_autoptr(GMainLoop) loop = g_main_loop_new(NULL, FALSE);
  gst_bus_add_signal_watch(bus);
  g_signal_connect(bus, "message::element", G_CALLBACK(on_message), NULL);
  g_signal_connect(bus, "message::eos", G_CALLBACK(end), loop);
  g_signal_connect(bus, "message::error", G_CALLBACK(end), loop);
  GPrintFunc standard = g_set_print_handler(keep);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  g_main_loop_run(loop);
  g_set_print_handler(standard);
  g_autoptr(GString) wanted = expected();
  fail_unless(wanted->len > 0);
  fail_unless_equals_string(printed->str, wanted->str);

  gst_bus_remove_signal_watch(bus);
  gst_element_set_state(pipeline, GST_STATE_NULL);
  g_string_free(printed, TRUE);
}
GST_END_TEST

TCase *test_case(void) {
  TCase *tests = tcase_create("readme");
  tcase_add_test(tests, the_page_prints_the_messages);
  return tests;
}
