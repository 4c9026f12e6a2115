/* test_memory.c — each allocation of the C core fails once: an error message or an echo that begins later, and
 * another element goes on. GLib ends the process where it finds no memory, so that its allocations do not fail here. */
#include "allocation_counter.h"
#include "room.h"
#include "support.h"

#define RATE 16000

/* Lets the C core's nth allocation from now on fail, compiled in or installed. Returns whether the one before has. */
static gboolean fail_core(glong nth) { return allocation_counter_fail_in(nth, "voiceactivity.so"); }

static void assert_error(GstBus *bus) {
  const gchar *text = va_status_text(VA_ERROR_MEMORY);
  expect_message(bus, GST_MESSAGE_ERROR, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS, text);
}

GST_START_TEST(an_element_without_memory_does_not_start) {
  g_autoptr(GstElement) element = gst_object_ref_sink(gst_element_factory_make("voiceactivity", NULL));
  g_autoptr(GstBus) bus = gst_bus_new();
  gst_element_set_bus(element, bus);
  fail_core(1);
  fail_unless_equals_int(gst_element_set_state(element, GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  fail_unless(fail_core(0));
  assert_error(bus);
  fail_unless(gst_element_set_state(element, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE);
  gst_element_set_state(element, GST_STATE_NULL);
  gst_element_set_bus(element, NULL);
}
GST_END_TEST

/* A program that does not stop at the error may go on. */
GST_START_TEST(a_stream_without_memory_is_an_error_and_others_go_on) {
  g_auto(Pcm) pcm = speech();
  g_autoptr(GArray) expected = oracle_of(&pcm);
  g_auto(Rig) beside = rig_new(RATE), rig = rig_with("S16LE", 0, "muted", FALSE, NULL);
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
}
GST_END_TEST

GST_START_TEST(an_echo_without_memory_begins_when_there_is_some) {
  g_auto(Pcm) far = speech(), heard = room_echo(&far, 200, NULL);
  g_auto(Room) room = room_new(48000, 2);
  fail_core(1);
  room_run(&room, &far, &heard, 0, RATE / 100);
  fail_unless(fail_core(0));
  room_run(&room, &far, &heard, RATE / 100, far.count / 160 * 160);
  rig_end(&room.microphone);
  room_assert_followed(&room, 200);
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
