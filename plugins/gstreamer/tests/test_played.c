/* test_played.c — what a probe keeps: flushes, seeks, gaps, and what does not play. */
#include "room.h"

#define RATE 16000

/* What was written ahead plays, unless a flush drops it. Then the same sound is the user's. */
GST_START_TEST(a_flush_takes_back_what_has_not_played) {
  g_auto(Pcm) far = speech();
  for (guint flushed = 0; flushed < 2; flushed++) {
    g_auto(Room) room = room_new(RATE, 1);
    room_play(&room, &far, 0, 3 * RATE);
    if (flushed) flush(room.loudspeaker);
    room_run(&room, NULL, &far, 0, 3 * RATE);
    fail_unless_equals_int(room_notices(&room.microphone) > 0, flushed);
  }
}
GST_END_TEST

/* After a seek, both times and echo begin again. */
GST_START_TEST(the_microphone_may_begin_anew) {
  g_auto(Pcm) far = speech(), heard = room_echo(&far, 120, NULL);
  g_auto(Room) room = room_new(RATE, 1);
  for (guint i = 0; i < 2; i++) {
    room_run_to_the_end(&room, &far, &heard);
    fail_unless_equals_int(room_notices(&room.microphone), 0);
    room_assert_as_library(&room, &far, &heard);
    fail_unless_equals_int(room_missing_ms(&room.microphone), 0);
    g_array_set_size(room.microphone.reports, 0);
    flush(room.microphone.harness);
    flush(room.loudspeaker);
  }
}
GST_END_TEST

/* What the sink does not play, or plays at another speed, cannot be echo. The same sound is then the user's. */
GST_START_TEST(what_does_not_play_is_silence) {
  enum { PLAYED, GAP_FLAG, DOUBLE_SPEED, BACKWARDS, OUTSIDE, CASES };
  g_auto(Pcm) far = speech();
  for (guint kind = PLAYED; kind < CASES; kind++) {
    g_auto(Room) room = room_new(RATE, 1);
    Rig loudspeaker = {.harness = room.loudspeaker};
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    if (kind == DOUBLE_SPEED) segment.rate = 2;
    if (kind == BACKWARDS) segment.rate = -1, segment.stop = 10 * GST_SECOND;
    if (kind == OUTSIDE) segment.stop = GST_SECOND / 2;
    rig_segment(&loudspeaker, &segment);
    if (kind == GAP_FLAG) room.flags = GST_BUFFER_FLAG_GAP;
    for (gsize at = 0; at < 3 * RATE; at += 1600) room_play(&room, &far, at, at + 1600);
    room_run(&room, NULL, &far, 0, 3 * RATE);
    fail_unless((room_notices(&room.microphone) > 0) == (kind != PLAYED), "kind %u", kind);
    fail_unless((room_missing_ms(&room.microphone) > 2000) == (kind > GAP_FLAG), "kind %u", kind);
  }
}
GST_END_TEST

/* Another number of channels is the same stream: what was written ahead stays. */
GST_START_TEST(other_channels_go_on) {
  g_auto(Pcm) far = speech();
  g_auto(Room) room = room_new(RATE, 1);
  room_play(&room, &far, 0, 2 * RATE);
  room_played_caps(&room, "S16LE", "interleaved", RATE, 2);
  room_play(&room, &far, 2 * RATE, 3 * RATE);
  room_run(&room, NULL, &far, 0, 3 * RATE);
  fail_unless_equals_int(room_notices(&room.microphone), 0);
  fail_unless_equals_int(room_missing_ms(&room.microphone), 0);
}
GST_END_TEST

/* Every tenth buffer of the far end is a GAP event, and only the first buffer has a timestamp. All of it is played
 * before the microphone hears anything. */
GST_START_TEST(gap_events_take_their_time) {
  g_auto(Pcm) far = speech();
  for (gsize at = 0; at < far.count; at++)
    if (at / 160 % 10 == 9) far.samples[at] = 0;
  g_auto(Pcm) heard = room_echo(&far, 120, NULL);
  g_auto(Room) room = room_new(RATE, 1);
  for (gsize at = 0; at < 3 * RATE; at += 160) {
    GstEvent *gap = gst_event_new_gap(time_of(at, RATE), 10 * GST_MSECOND);
    if (at / 160 % 10 == 9) gst_harness_push_event(room.loudspeaker, gap);
    else gst_event_unref(gap), room_play(&room, &far, at, at + 160);
    room.shift = GST_CLOCK_TIME_NONE;
  }
  room_run(&room, NULL, &heard, 0, 3 * RATE);
  room_assert_followed(&room, 120);
}
GST_END_TEST

/* Where a discontinuity is flagged, even a loss of 30 ms delays what follows, as in the sink. */
GST_START_TEST(a_flagged_hole_takes_its_time) {
  g_auto(Pcm) far = speech();
  g_auto(Room) room = room_new(RATE, 1);
  room_play(&room, &far, 0, RATE);
  room.flags = GST_BUFFER_FLAG_DISCONT;
  room_play(&room, &far, RATE + 480, 3 * RATE);
  room_run(&room, NULL, &far, 0, 3 * RATE);
  rig_push(&room.microphone, far.samples, 160, 3 * GST_SECOND, 0); /* the stats are a buffer old */
  fail_unless_equals_int(room_missing_ms(&room.microphone), 0);
}
GST_END_TEST

/* A probe keeps four seconds. Playing again from 8 s on does not change what came before. */
GST_START_TEST(it_remembers_the_newest) {
  g_auto(Pcm) far = speech();
  for (guint again = 0; again < 2; again++) {
    g_auto(Room) room = room_new(RATE, 1);
    for (gsize at = 0; at < 9 * RATE; at += RATE) room_play(&room, &far, at, at + RATE);
    if (again) room_play(&room, &far, 8 * RATE, 9 * RATE);
    rig_play(&room.microphone, &far, 0, 9 * RATE, 160, 0);
    rig_collect(&room.microphone);
    fail_unless_equals_int(room_missing_ms(&room.microphone), 5000);
  }
}
GST_END_TEST

/* Wherever the audio ends, the last hops are decided with the reference. */
GST_START_TEST(the_end_knows_the_reference) {
  g_auto(Pcm) far = speech(), heard = room_echo(&far, 120, NULL);
  guint echoes = 0;
  for (gsize end = RATE; end < 4 * RATE; end += 800) {
    Pcm part = heard;
    gboolean echo = FALSE;
    g_auto(Room) room = room_new(RATE, 1);
    g_object_set(room.microphone.element, "messages", 15, "interval", 10 * GST_MSECOND, NULL);
    part.count = end;
    room_run_to_the_end(&room, &far, &part);
    room_assert_as_library(&room, &far, &part);
    const GstStructure *last = g_ptr_array_index(room.microphone.levels, room.microphone.levels->len - 1);
    gst_structure_get_boolean(last, "echo", &echo);
    echoes += echo;
  }
  fail_unless(echoes > 10, "the last hop is echo at %u of 60 ends", echoes);
}
GST_END_TEST

/* Times before 0, and gaps that seem to last longer than a signed difference holds. Nothing of them is played. */
GST_START_TEST(wild_times_are_survived) {
  const GstClockTime before = (GstClockTime) - (gint64)GST_SECOND;
  g_auto(Pcm) far = speech();
  for (guint gap = 0; gap < 2; gap++) {
    g_auto(Room) room = room_new(RATE, 1);
    gst_harness_push_upstream_event(room.loudspeaker, gst_event_new_latency(3 * GST_SECOND));
    room_run(&room, NULL, &far, 0, RATE / 100);
    if (gap) {
      room_play(&room, &far, 0, RATE / 100);
      gst_harness_push_event(room.loudspeaker, gst_event_new_gap(10 * GST_MSECOND, before));
      room.shift = GST_CLOCK_TIME_NONE;
    } else {
      room.shift = before;
    }
    room_play(&room, &far, RATE / 100, RATE);
    room_run(&room, NULL, &far, RATE / 100, 3 * RATE);
    fail_unless(room_notices(&room.microphone) > 0, "far end as the user");
  }
}
GST_END_TEST

TCase *test_case(void) {
  TCase *tests = tcase_create("played");
  tcase_add_test(tests, a_flush_takes_back_what_has_not_played);
  tcase_add_test(tests, the_microphone_may_begin_anew);
  tcase_add_test(tests, what_does_not_play_is_silence);
  tcase_add_test(tests, other_channels_go_on);
  tcase_add_test(tests, gap_events_take_their_time);
  tcase_add_test(tests, a_flagged_hole_takes_its_time);
  tcase_add_test(tests, it_remembers_the_newest);
  tcase_add_test(tests, the_end_knows_the_reference);
  tcase_add_test(tests, wild_times_are_survived);
  return tests;
}
