/* test_probe.c — the element voiceactivityprobe: it passes audio unchanged, and detectors find it. */
#include "room.h"

#define RATE 16000

/* MARK: audio */

static const struct {
  const gchar *format, *layout;
  guint rate, channels;
} forms[] = {
    {"U8", "interleaved", 8000, 1},       {"S24LE", "interleaved", 192000, 2}, {"S16BE", "non-interleaved", 11025, 2},
    {"F64BE", "interleaved", 44100, 6},   {"F32LE", "non-interleaved", 48000, 3}, {"S32LE", "interleaved", 96000, 1},
};

/* Bytes of every value, in buffers that have another owner. Some are longer than what the probe keeps. */
GST_START_TEST(every_format_passes_untouched) {
  GstHarness *harness = gst_harness_new("voiceactivityprobe");
  Rig rig = {.harness = harness};
  GstAudioInfo info;
  rig_caps(&rig, forms[__i__].format, forms[__i__].layout, forms[__i__].rate, forms[__i__].channels);
  GstPad *pad = gst_element_get_static_pad(harness->element, "src");
  GstCaps *caps = gst_pad_get_current_caps(pad);
  fail_unless(gst_audio_info_from_caps(&info, caps));
  for (guint seconds = 0; seconds <= 5; seconds += 5) {
    const gsize frames = forms[__i__].rate * seconds + 441, size = frames * (gsize)info.bpf;
    g_autofree guint8 *bytes = g_malloc(size);
    for (gsize i = 0; i < size; i++) bytes[i] = (guint8)(i * 2654435761u >> 13);
    g_autoptr(GstBuffer) buffer = gst_buffer_new_memdup(bytes, size);
    if (info.layout == GST_AUDIO_LAYOUT_NON_INTERLEAVED) gst_buffer_add_audio_meta(buffer, &info, frames, NULL);
    fail_unless_equals_int(gst_harness_push(harness, gst_buffer_ref(buffer)), GST_FLOW_OK);
    g_autoptr(GstBuffer) out = gst_harness_pull(harness);
    fail_unless(out == buffer && gst_buffer_get_size(out) == size && gst_buffer_memcmp(out, 0, bytes, size) == 0);
  }
  gst_caps_unref(caps);
  gst_object_unref(pad);
  gst_harness_teardown(harness);
}
GST_END_TEST

GST_START_TEST(planar_audio_without_its_meta_is_an_error) {
  GstHarness *harness = gst_harness_new("voiceactivityprobe");
  Rig rig = {.harness = harness};
  rig_caps(&rig, "S16LE", "non-interleaved", RATE, 2);
  fail_unless_equals_int(gst_harness_push(harness, gst_buffer_new_allocate(NULL, 640, NULL)), GST_FLOW_ERROR);
  gst_harness_teardown(harness);
}
GST_END_TEST

GST_START_TEST(the_latency_passes) {
  GstHarness *harness = gst_harness_new("voiceactivityprobe");
  Rig rig = {.harness = harness};
  rig_caps(&rig, "S16LE", "interleaved", RATE, 1);
  gst_harness_set_upstream_latency(harness, 30 * GST_MSECOND);
  fail_unless_equals_uint64(gst_harness_query_latency(harness), 30 * GST_MSECOND);
  fail_unless(gst_harness_push_upstream_event(harness, gst_event_new_latency(70 * GST_MSECOND)));
  GstEvent *event = gst_harness_pull_upstream_event(harness);
  while (GST_EVENT_TYPE(event) != GST_EVENT_LATENCY) {
    gst_event_unref(event);
    event = gst_harness_pull_upstream_event(harness);
  }
  GstClockTime latency = 0;
  gst_event_parse_latency(event, &latency);
  fail_unless_equals_uint64(latency, 70 * GST_MSECOND);
  gst_event_unref(event);
  gst_harness_teardown(harness);
}
GST_END_TEST

/* MARK: search */

/* About a probe that was not found. */
static void expect(GstBus *bus, GstMessageType type, const gchar *part) {
  expect_message(bus, type, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND, part);
}

/* The pipeline does not start, however often it is tried. An element of another kind is not a probe. Bins may contain
 * two of the same name. */
GST_START_TEST(a_missing_probe_is_an_error_before_anything_flows) {
  static const struct {
    const gchar *kind, *name, *message;
  } cases[] = {{"voiceactivityprobe", "somewhere", "no voiceactivityprobe named nowhere"},
               {"identity", "nowhere", "no voiceactivityprobe named nowhere"},
               {"voiceactivityprobe", "nowhere", "2 probes in this pipeline match"}};
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    GstElement *pipeline = gst_pipeline_new(NULL), *element = gst_element_factory_make("voiceactivity", NULL);
    gst_bin_add(GST_BIN(pipeline), element);
    for (guint j = 0; j < 2; j++) {
      GstElement *bin = gst_bin_new(NULL);
      gst_bin_add(GST_BIN(bin), gst_element_factory_make(cases[i].kind, cases[i].name));
      gst_bin_add(GST_BIN(pipeline), bin);
    }
    g_object_set(element, "probe", "nowhere", NULL);
    g_autoptr(GstBus) bus = gst_element_get_bus(pipeline);
    for (guint attempt = 0; attempt < 2; attempt++) {
      fail_unless_equals_int(gst_element_set_state(pipeline, GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
      expect(bus, GST_MESSAGE_ERROR, cases[i].message);
      gst_element_set_state(pipeline, GST_STATE_NULL);
    }
    gst_object_unref(pipeline);
  }
}
GST_END_TEST

/* The probe of another pipeline changes nothing. */
GST_START_TEST(no_probe_is_no_reference) {
  g_auto(Pcm) far = speech();
  g_auto(Room) elsewhere = room_new(RATE, 1), room = room_new(0, 0);
  room_run(&elsewhere, &far, &far, 0, far.count / 160 * 160);
  room_run(&room, NULL, &far, 0, far.count / 160 * 160);
  rig_end(&room.microphone);
  fail_unless_equals_int(room_delay_ms(&room.microphone), -1);
  room_assert_as_library(&room, NULL, &far);
}
GST_END_TEST

/* One of two is in a bin. Only the property can choose between them, and may do so at any time. */
GST_START_TEST(the_name_chooses_among_several) {
  g_auto(Pcm) far = speech(), heard = room_echo(&far, 120, NULL);
  g_auto(Room) room = room_new(RATE, 1);
  GstElement *bin = gst_bin_new(NULL), *inner = gst_element_factory_make("voiceactivityprobe", "other");
  gst_bin_add(GST_BIN(bin), inner);
  gst_bin_add(GST_BIN(room.pipeline), bin);
  GstHarness *other = gst_harness_new_with_element(inner, "sink", "src");
  Rig rig = {.harness = other};
  rig_caps(&rig, "S16LE", "interleaved", 48000, 1);
  room_play(&room, &far, 0, RATE);
  rig_play(&room.microphone, &heard, 0, 320, 160, 0);
  expect(room.microphone.bus, GST_MESSAGE_WARNING, "2 probes");
  fail_unless_equals_int(room_delay_ms(&room.microphone), -1);

  rig_caps(&rig, "S16LE", "interleaved", 32000, 1); /* causes another search, but no other warning */
  rig_play(&room.microphone, &heard, 320, 480, 160, 0);
  g_object_set(room.microphone.element, "probe", "nowhere", NULL);
  rig_play(&room.microphone, &heard, 480, 640, 160, 0);
  expect(room.microphone.bus, GST_MESSAGE_WARNING, "named nowhere");

  const gchar *const names[] = {"loudspeaker", "other"};
  for (guint i = 0; i < 2; i++) {
    g_object_set(room.microphone.element, "probe", names[i], NULL);
    rig_play(&room.microphone, &heard, 640 + 320 * i, 960 + 320 * i, 160, 0);
    fail_unless(room_delay_ms(&room.microphone) >= 0);
  }
  fail_unless_equals_int(room_missing_ms(&room.microphone), 10); /* `other` plays nothing; a buffer late */
  gst_bin_remove(GST_BIN(room.pipeline), gst_object_ref(bin));
  gst_harness_teardown(other); /* to NULL */
  rig_play(&room.microphone, &heard, 1280, 1600, 160, 0);
  expect(room.microphone.bus, GST_MESSAGE_WARNING, "named other");
  g_object_set(room.microphone.element, "probe", NULL, NULL);
  rig_play(&room.microphone, &heard, 1600, 1920, 160, 0); /* the only one is left */
  const gint missing = room_missing_ms(&room.microphone);
  rig_play(&room.microphone, &heard, 1920, 2240, 160, 0);
  fail_unless_equals_int(room_missing_ms(&room.microphone), missing);
  rig_collect(&room.microphone);
  gst_object_unref(bin);
}
GST_END_TEST

/* MARK: threads */

typedef struct {
  Room *room;
  const Pcm *far;
  gint stop;
  gint rounds;
} Player;

static gpointer play(gpointer data) {
  Player *player = data;
  while (!g_atomic_int_get(&player->stop)) {
    for (gsize at = 0; at + 320 <= player->far->count && !g_atomic_int_get(&player->stop); at += 320)
      room_play(player->room, player->far, at, at + 320);
    room_played_caps(player->room, "S16LE", "interleaved", player->rounds % 2 ? RATE : 48000, 1);
    flush(player->room->loudspeaker);
    g_atomic_int_inc(&player->rounds);
  }
  return NULL;
}

/* The loudspeaker plays, flushes and changes its rate as fast as possible. Whatever this makes of the reference, the
 * microphone's audio passes, no position is lost, and every onset has its offset. */
GST_START_TEST(any_thread_may_play) {
  g_auto(Pcm) far = speech();
  g_auto(Room) room = room_new(RATE, 1);
  Player player = {.room = &room, .far = &far};
  GThread *thread = g_thread_new("loudspeaker", play, &player);
  for (gint i = 0; i < 10 || g_atomic_int_get(&player.rounds) < 3; i++) {
    rig_play(&room.microphone, &far, 0, far.count, 160, time_of((gsize)i * far.count, RATE));
    g_object_set(room.microphone.element, "probe", i % 3 == 0 ? "" : i % 3 == 1 ? "loudspeaker" : NULL, NULL);
  }
  g_atomic_int_set(&player.stop, 1);
  g_thread_join(thread);
  rig_end(&room.microphone);
  fail_unless_equals_int(count_of(room.microphone.reports, "onset"), count_of(room.microphone.reports, "offset"));
  fail_unless_equals_int(count_of(room.microphone.reports, "discontinuity"), 0);
}
GST_END_TEST

TCase *test_case(void) {
  TCase *tests = tcase_create("probe");
  tcase_add_loop_test(tests, every_format_passes_untouched, 0, G_N_ELEMENTS(forms));
  tcase_add_test(tests, planar_audio_without_its_meta_is_an_error);
  tcase_add_test(tests, the_latency_passes);
  tcase_add_test(tests, a_missing_probe_is_an_error_before_anything_flows);
  tcase_add_test(tests, no_probe_is_no_reference);
  tcase_add_test(tests, the_name_chooses_among_several);
  tcase_add_test(tests, any_thread_may_play);
  return tests;
}
