/* test_reference.c — a muted microphone beside a loudspeaker with a probe: the far end does not count as the user. The
 * far end is a recording of speech, and the microphone hears a delayed, quieter copy of it. */
#include "room.h"

#define RATE 16000

GST_START_TEST(the_far_end_is_not_the_user) {
  g_auto(Pcm) far = speech(), heard = room_echo(&far, 120, NULL);
  g_auto(Room) room = room_new(RATE, 1), deaf = room_new(RATE, 1);
  g_object_set(deaf.microphone.element, "probe", "", NULL);
  room_run_to_the_end(&room, &far, &heard);
  fail_unless_equals_int(room_notices(&room.microphone), 0);
  room_assert_as_library(&room, &far, &heard);
  fail_unless_equals_int(room_delay_ms(&room.microphone), 120);

  room_run_to_the_end(&deaf, &far, &heard);
  fail_unless(room_notices(&deaf.microphone) >= 3, "%u notices without a reference", room_notices(&deaf.microphone));
  room_assert_as_library(&deaf, NULL, &heard);
  fail_unless_equals_int(room_delay_ms(&deaf.microphone), -1);
}
GST_END_TEST

/* There are notices, and the user speaks at each. Labels and onsets are exact to a hop or two. */
GST_START_TEST(the_user_is_heard_over_the_far_end) {
  g_auto(Pcm) far = speech(), near = pcm_load("muted-talk", RATE), heard = room_echo(&far, 120, &near);
  g_autoptr(GArray) labels = labels_load("muted-talk");
  g_auto(Room) room = room_new(RATE, 1);
  room_run_to_the_end(&room, &far, &heard);
  fail_unless(room_notices(&room.microphone) >= 2, "%u notices", room_notices(&room.microphone));
  for (guint i = 0; i < room.microphone.reports->len; i++) {
    const Report *report = report_at(room.microphone.reports, i);
    if (!g_str_equal(report->type, "muted-speech-begin")) continue;
    gdouble at = (gdouble)report->timestamp / GST_SECOND;
    fail_unless(is_labelled(labels, at, 0.02, 0.2), "nobody speaks at %.2f s", at);
  }
  room_assert_as_library(&room, &far, &heard);
}
GST_END_TEST

/* While the far end speaks, most hops are echo. Without a reference, none is. */
GST_START_TEST(level_messages_show_the_echo) {
  g_auto(Pcm) far = speech(), heard = room_echo(&far, 120, NULL);
  g_autoptr(GArray) labels = labels_load("speech");
  for (guint beside = 0; beside < 2; beside++) {
    g_auto(Room) room = room_new(RATE, 1);
    guint spoken = 0, echoes = 0;
    g_object_set(room.microphone.element, "messages", 15, "interval", 10 * GST_MSECOND, NULL);
    if (!beside) g_object_set(room.microphone.element, "probe", "", NULL);
    room_run_to_the_end(&room, &far, &heard);
    for (guint i = 0; i < room.microphone.levels->len; i++) {
      const gboolean speaks = is_labelled(labels, i / 100.0, -0.12, 0.12);
      gboolean echo;
      fail_unless(gst_structure_get_boolean(g_ptr_array_index(room.microphone.levels, i), "echo", &echo));
      fail_unless(!echo || beside);
      spoken += speaks;
      echoes += speaks && echo;
    }
    fail_unless(!beside || echoes > spoken / 2, "of %u hops of speech %u are echo", spoken, echoes);
  }
}
GST_END_TEST

static const struct {
  guint rate, channels;
  gboolean is_opposite;
} loudspeakers[] = {{48000, 2, FALSE}, {8000, 1, FALSE}, {44100, 6, FALSE}, {96000, 1, FALSE},
                    {48000, 2, TRUE},  {16000, 4, TRUE}};

/* What is played at 8 kHz has nothing above 4 kHz: (1 + cos w) / 2, three times, is -18 dB there. */
static void remove_highs(Pcm *pcm) {
  for (guint time = 0; time < 3; time++) {
    gint before = 0;
    for (gsize i = 0; i < pcm->count; i++) {
      const gint now = pcm->samples[i], next = i + 1 < pcm->count ? pcm->samples[i + 1] : 0;
      pcm->samples[i] = (gint16)((before + 2 * now + next) / 4);
      before = now;
    }
  }
}

GST_START_TEST(a_loudspeaker_may_have_another_rate_and_more_channels) {
  g_auto(Pcm) far = speech();
  if (loudspeakers[__i__].rate < RATE) remove_highs(&far);
  g_auto(Pcm) heard = room_echo(&far, 200, NULL);
  g_auto(Room) room = room_new(loudspeakers[__i__].rate, loudspeakers[__i__].channels);
  room.is_opposite = loudspeakers[__i__].is_opposite;
  room_run_to_the_end(&room, &far, &heard);
  room_assert_followed(&room, 200);
}
GST_END_TEST

/* A second microphone hears the same later. */
GST_START_TEST(two_detectors_share_a_probe) {
  g_auto(Pcm) far = speech(), soon = room_echo(&far, 60, NULL), late = room_echo(&far, 300, NULL);
  g_auto(Room) room = room_new(48000, 2);
  GstElement *element = gst_element_factory_make("voiceactivity", NULL);
  gst_bin_add(GST_BIN(room.pipeline), element);
  g_object_set(element, "muted", TRUE, "probe", "loudspeaker", NULL);
  g_auto(Rig) other = rig_on(element);
  rig_caps(&other, "S16LE", "interleaved", RATE, 1);
  for (gsize at = 0; at + 1600 <= far.count; at += 1600) {
    room_run(&room, &far, &soon, at, at + 1600);
    rig_play(&other, &late, at, at + 1600, 320, 0);
  }
  rig_end(&room.microphone);
  rig_end(&other);
  fail_unless_equals_int(room_notices(&room.microphone) + room_notices(&other), 0);
  fail_unless_equals_int(room_delay_ms(&room.microphone), 60);
  fail_unless_equals_int(room_delay_ms(&other), 300);
}
GST_END_TEST

/* The sink plays a sample at its running time plus the latency of the pipeline, whatever its timestamp is. */
GST_START_TEST(what_plays_is_found_by_its_running_time) {
  g_auto(Pcm) far = speech(), heard = room_echo(&far, 280, NULL);
  g_auto(Room) room = room_new(RATE, 1);
  GstSegment segment;
  Rig loudspeaker = {.harness = room.loudspeaker};
  gst_segment_init(&segment, GST_FORMAT_TIME);
  segment.start = room.shift = 500 * GST_SECOND;
  rig_segment(&loudspeaker, &segment);
  gst_harness_push_upstream_event(room.loudspeaker, gst_event_new_latency(200 * GST_MSECOND));
  room_run_to_the_end(&room, &far, &heard);
  room_assert_followed(&room, 80);
}
GST_END_TEST

/* A sink that starts 1.2 s late plays everything 1.2 s later than the timestamps say. The probe gets it as late, 80 ms
 * before it is heard. */
GST_START_TEST(a_late_sink_is_followed) {
  g_auto(Pcm) far = speech(), heard = room_echo(&far, 1280, NULL);
  const gsize late = 1200 * RATE / 1000;
  g_auto(Room) room = room_new(RATE, 1);
  for (gsize at = 0; at + 160 <= far.count; at += 160) {
    if (at >= late) room_play(&room, &far, at - late, at - late + 160);
    rig_play(&room.microphone, &heard, at, at + 160, 160, 0);
  }
  rig_end(&room.microphone);
  room_assert_followed(&room, 80);
}
GST_END_TEST

/* In mid-stream, the sink falls 30 ms behind. The timestamps do not show this either. */
GST_START_TEST(a_sink_that_falls_behind_is_followed) {
  g_auto(Pcm) far = speech(), heard = room_echo(&far, 80, NULL), later = room_echo(&far, 110, NULL);
  const gsize falls = 2 * RATE, late = 30 * RATE / 1000;
  g_auto(Room) room = room_new(RATE, 1);
  for (gsize i = falls; i < heard.count; i++) heard.samples[i] = later.samples[i];
  for (gsize at = 0; at + 160 <= far.count; at += 160) {
    const gsize played = at < falls ? at : at - late;
    if (at < falls || at >= falls + late) room_play(&room, &far, played, played + 160);
    rig_play(&room.microphone, &heard, at, at + 160, 160, 0);
  }
  rig_end(&room.microphone);
  room_assert_followed(&room, 80);
}
GST_END_TEST

/* Losses on either side leave both aligned. */
GST_START_TEST(holes_move_nothing) {
  g_auto(Pcm) far = speech(), heard = room_echo(&far, 120, NULL);
  g_auto(Room) room = room_new(RATE, 1);
  for (gsize at = 0; at + 320 <= far.count; at += 320) {
    const gsize second = at / RATE, within = at % RATE;
    if (second != 3 || within > 9600) room_play(&room, &far, at, at + 320);
    if (second != 5 || within > 1600) rig_play(&room.microphone, &heard, at, at + 320, 320, 0);
  }
  rig_end(&room.microphone);
  fail_unless_equals_int(room_delay_ms(&room.microphone), 120);
  const Report *begin = NULL; /* only what the probe did not get is muted speech */
  for (guint i = 0; i < room.microphone.reports->len; i++) {
    const Report *report = report_at(room.microphone.reports, i);
    if (g_str_equal(report->type, "muted-speech-begin")) begin = report;
    fail_unless(!begin || (begin->timestamp > 3 * GST_SECOND && begin->timestamp < 4 * GST_SECOND));
  }
  fail_unless_equals_int(count_of(room.microphone.reports, "discontinuity"), 1);
}
GST_END_TEST

static void check_stops(gboolean eos) {
  g_auto(Pcm) far = speech(), near = speech(), heard = room_echo(&far, 120, NULL);
  const gsize half = far.count / 320 * 160;
  for (gsize i = half; i < heard.count; i++) heard.samples[i] = near.samples[i];
  g_auto(Room) room = room_new(48000, 1);
  room_run(&room, &far, &heard, 0, half);
  fail_unless_equals_int(room_notices(&room.microphone), 0);
  if (eos) gst_harness_push_event(room.loudspeaker, gst_event_new_eos());
  else room_remove_loudspeaker(&room);
  room_run(&room, NULL, &heard, half, heard.count / 160 * 160);
  rig_end(&room.microphone);
  fail_unless(room_notices(&room.microphone) > 0);
}

/* After that, the loudspeaker is silent, and only the user speaks. */
GST_START_TEST(a_far_end_may_end) {
  check_stops(TRUE);
  check_stops(FALSE);
}
GST_END_TEST

/* The far end joins late, in the middle of a hop, leaves, and returns with another rate. */
GST_START_TEST(a_far_end_may_come_and_go) {
  g_auto(Pcm) far = speech(), heard = room_echo(&far, 120, NULL);
  const gsize joins = 5550, leaves = 5 * RATE, returns = 6 * RATE; /* the first word begins at 0.7 s */
  g_auto(Room) room = room_new(0, 0);
  rig_play(&room.microphone, &heard, 0, joins, 111, 0);
  fail_unless_equals_int(room_delay_ms(&room.microphone), -1);
  room_add_loudspeaker(&room, "first");
  room_played_caps(&room, "S16LE", "interleaved", RATE, 1);
  room_run(&room, &far, &heard, joins, leaves + joins % 160);
  fail_unless_equals_int(room_delay_ms(&room.microphone), 120);
  room_remove_loudspeaker(&room);
  room_run(&room, NULL, &heard, leaves + joins % 160, returns + joins % 160);
  room_add_loudspeaker(&room, "second");
  room_played_caps(&room, "S16LE", "interleaved", 32000, 2);
  room_run(&room, &far, &heard, returns + joins % 160, heard.count / 160 * 160 - 160 + joins % 160);
  rig_end(&room.microphone);
  fail_unless_equals_int(room_delay_ms(&room.microphone), 120);
  for (guint i = 0; i < room.microphone.reports->len; i++) {
    const Report *report = report_at(room.microphone.reports, i);
    if (!g_str_equal(report->type, "muted-speech-begin")) continue;
    fail_unless(report->timestamp >= time_of(leaves, RATE) &&
                    report->timestamp < time_of(returns, RATE) + GST_SECOND / 2,
                "a notice at %" GST_TIME_FORMAT, GST_TIME_ARGS(report->timestamp));
  }
}
GST_END_TEST

TCase *test_case(void) {
  TCase *tests = tcase_create("reference");
  tcase_add_test(tests, the_far_end_is_not_the_user);
  tcase_add_test(tests, the_user_is_heard_over_the_far_end);
  tcase_add_test(tests, level_messages_show_the_echo);
  tcase_add_loop_test(tests, a_loudspeaker_may_have_another_rate_and_more_channels, 0, G_N_ELEMENTS(loudspeakers));
  tcase_add_test(tests, two_detectors_share_a_probe);
  tcase_add_test(tests, what_plays_is_found_by_its_running_time);
  tcase_add_test(tests, a_late_sink_is_followed);
  tcase_add_test(tests, a_sink_that_falls_behind_is_followed);
  tcase_add_test(tests, holes_move_nothing);
  tcase_add_test(tests, a_far_end_may_end);
  tcase_add_test(tests, a_far_end_may_come_and_go);
  return tests;
}
