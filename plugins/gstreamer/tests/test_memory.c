/* test_memory.c — each allocation of the C core fails once: an error message or an echo that begins later, and
 * another element goes on. GLib ends the process where it finds no memory, so that its allocations do not fail here. */
#include "allocation_counter.h"
#include "room.h"
#include "support.h"

#define RATE 16000

/* Lets the C core's nth allocation from now on fail, compiled in or installed. Returns whether the one before has. */
static gboolean fail_core(glong nth) { return allocation_counter_fail_in(nth, "voiceactivity.so"); }

static void assert_error(GstBus *bus) {
  GError *error = NULL;
  GstMessage *message = gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR);
  fail_unless(message != NULL, "no error message");
  gst_message_parse_error(message, &error, NULL);
  fail_unless(strstr(error->message, va_status_text(VA_ERROR_MEMORY)) != NULL, "%s", error->message);
  g_error_free(error);
  gst_message_unref(message);
}

GST_START_TEST(an_element_without_memory_does_not_start) {
  GstElement *element = gst_object_ref_sink(gst_element_factory_make("voiceactivity", NULL));
  GstBus *bus = gst_bus_new();
  gst_element_set_bus(element, bus);
  fail_core(1);
  fail_unless_equals_int(gst_element_set_state(element, GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  fail_unless(fail_core(0));
  assert_error(bus);
  fail_unless(gst_element_set_state(element, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE);
  gst_element_set_state(element, GST_STATE_NULL);
  gst_element_set_bus(element, NULL);
  gst_object_unref(bus);
  gst_object_unref(element);
}
GST_END_TEST

/* A program that does not stop at the error may go on. */
GST_START_TEST(a_stream_without_memory_is_an_error_and_others_go_on) {
  Pcm pcm = speech();
  GArray *expected = oracle_of(&pcm);
  Rig beside = rig_new(RATE), rig = rig_with("S16LE", 0, "muted", FALSE, NULL);
  const gsize half = pcm.count / 882 * 441;
  rig_play(&beside, &pcm, 0, half, 441, 0);
  fail_core(1);
  rig_caps(&rig, "S16LE", "interleaved", RATE, 1);
  fail_unless(fail_core(0));
  assert_error(rig.bus);
  rig_play(&beside, &pcm, half, pcm.count, 441, 0);
  rig_play(&rig, &pcm, 0, pcm.count, 441, 0);
  rig_end(&beside);
  rig_end(&rig);
  assert_reports(beside.reports, expected, 0, 1);
  assert_reports(rig.reports, expected, 0, 1);
  rig_free(&rig);
  rig_free(&beside);
  g_array_unref(expected);
  g_free(pcm.samples);
}
GST_END_TEST

GST_START_TEST(an_echo_without_memory_begins_when_there_is_some) {
  Pcm far = speech(), heard = room_echo(&far, 200, NULL);
  Room room = room_new(48000, 2);
  fail_core(1);
  room_run(&room, &far, &heard, 0, RATE / 100);
  fail_unless(fail_core(0));
  room_run(&room, &far, &heard, RATE / 100, far.count / 160 * 160);
  rig_end(&room.microphone);
  room_assert_followed(&room, 200);
  room_free(&room);
  g_free(heard.samples);
  g_free(far.samples);
}
GST_END_TEST

TCase *test_case(void) {
  TCase *tests = tcase_create("memory");
  if (!allocation_counter_works()) return tests; /* sanitizers have a malloc of their own */
  tcase_add_test(tests, an_element_without_memory_does_not_start);
  tcase_add_test(tests, a_stream_without_memory_is_an_error_and_others_go_on);
  tcase_add_test(tests, an_echo_without_memory_begins_when_there_is_some);
  return tests;
}
