/* test_holes.c — missing audio: timestamps that jump, GAP events, GAP-flagged buffers. The oracle is the C
 * library, to which the test passes the gap directly. */
#include "support.h"

#define RATE 16000
#define SECONDS(x) ((gsize)((x) * RATE))

/* The library's results if the samples from … to are missing. */
static Oracle missing(const Pcm *pcm, gsize from, gsize to) {
  Oracle oracle = oracle_new(RATE);
  oracle_process(&oracle, pcm->samples, from);
  oracle_miss(&oracle, to - from);
  oracle_process(&oracle, pcm->samples + to, pcm->count - to);
  oracle_end(&oracle);
  return oracle;
}

static void finish(Rig *rig, const Oracle *oracle) {
  rig_end(rig);
  assert_reports(rig->reports, oracle->reports, 0, 1);
  for (guint i = 0; i < rig->reports->len; i++) {
    fail_unless(ABS((gdouble)report_at(rig->reports, i)->decided_at -
                    (gdouble)report_at(oracle->reports, i)->decided_at) < 2);
    if (g_str_equal(report_at(rig->reports, i)->type, "discontinuity"))
      fail_unless_equals_uint64(report_at(rig->reports, i)->duration, report_at(oracle->reports, i)->duration);
  }
}

GST_START_TEST(a_hole_in_the_timestamps_is_a_gap) {
  static const struct {
    gdouble from, to;
  } holes[] = {{4.3, 4.8}, {2, 2.05}, {5.6, 6.2}, {1, 8}}; /* in speech, twice; in a pause; nearly all */
  g_auto(Pcm) pcm = speech();
  for (guint i = 0; i < G_N_ELEMENTS(holes); i++) {
    g_auto(Rig) rig = rig_new(RATE);
    g_auto(Oracle) oracle = missing(&pcm, SECONDS(holes[i].from), SECONDS(holes[i].to));
    rig_play(&rig, &pcm, 0, SECONDS(holes[i].from), 160, 0);
    rig_play(&rig, &pcm, SECONDS(holes[i].to), pcm.count, 160, 0);
    fail_unless_equals_int(count_of(oracle.reports, "discontinuity"), 1);
    finish(&rig, &oracle);
  }
}
GST_END_TEST

/* One lost packet of 10 ms shows only as a flagged discontinuity; without the flag it is within the tolerance. */
GST_START_TEST(tolerance_is_tight_where_a_discontinuity_is_flagged) {
  static const struct {
    gsize lost;
    gboolean flagged, hole;
  } cases[] = {{160, TRUE, TRUE}, {80, TRUE, FALSE}, {0, TRUE, FALSE},
               {160, FALSE, FALSE}, {640, FALSE, FALSE}, {641, FALSE, TRUE}};
  g_auto(Pcm) pcm = speech();
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    gsize from = SECONDS(2.5), to = from + cases[i].lost;
    g_auto(Rig) rig = rig_new(RATE);
    rig_play(&rig, &pcm, 0, from, 160, 0);
    rig_push(&rig, pcm.samples + to, 160, time_of(to, RATE), cases[i].flagged ? GST_BUFFER_FLAG_DISCONT : 0);
    rig_collect(&rig);
    fail_unless_equals_int(count_of(rig.reports, "discontinuity"), cases[i].hole);
  }
}
GST_END_TEST

/* After a jump within the tolerance, times are right again. */
GST_START_TEST(times_are_right_behind_a_small_hole) {
  gsize from = SECONDS(2.5), to = from + 480; /* 30 ms inside the second phrase */
  g_auto(Pcm) pcm = speech();
  g_auto(Rig) rig = rig_new(RATE);
  rig_play(&rig, &pcm, 0, from, 160, 0);
  rig_play(&rig, &pcm, to, pcm.count, 160, 0);
  rig_end(&rig);
  g_autoptr(GArray) whole = oracle_of(&pcm);
  assert_reports(rig.reports, whole, 0, 10 * GST_MSECOND);
}
GST_END_TEST

GST_START_TEST(alignment_threshold_can_be_set) {
  static const struct {
    guint lost_ms, threshold_ms;
    gboolean hole;
  } cases[] = {{150, 200, FALSE}, {150, 140, TRUE}, {10, 5, TRUE}, {2, 0, TRUE}};
  g_auto(Pcm) pcm = speech();
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_auto(Rig) rig = rig_with("S16LE", RATE, "alignment-threshold", cases[i].threshold_ms * GST_MSECOND, NULL);
    rig_play(&rig, &pcm, 0, SECONDS(1), 147, 0);
    rig_play(&rig, &pcm, SECONDS(1) + cases[i].lost_ms * RATE / 1000, SECONDS(2), 147, 0);
    rig_collect(&rig);
    fail_unless_equals_int(count_of(rig.reports, "discontinuity"), cases[i].hole);
  }
}
GST_END_TEST

/* At 44.1 kHz few samples fall on a whole nanosecond. These timestamps are rounded up and down in turn. */
GST_START_TEST(no_threshold_is_finer_than_timestamps_are) {
  g_auto(Pcm) silence = {.samples = g_new0(gint16, 44100), .count = 44100, .rate = 44100};
  g_auto(Rig) rig = rig_with("S16LE", silence.rate, "alignment-threshold", (guint64)0, NULL);
  for (gsize at = 0; at < silence.count; at += 100)
    rig_push(&rig, silence.samples, 100, time_of(at, silence.rate) - at / 100 % 2, 0);
  const gint64 hops = stat_of(rig.element, "hops");
  fail_unless(hops >= 96, "heard but %" G_GINT64_FORMAT " hops since it began anew", hops);
}
GST_END_TEST

/* Exactly an hour is a gap, pushed as a whole. */
GST_START_TEST(an_hour_is_a_gap) {
  g_auto(Pcm) pcm = speech();
  g_auto(Rig) rig = rig_new(RATE);
  g_auto(Oracle) oracle = oracle_new(RATE);
  oracle_process(&oracle, pcm.samples, SECONDS(4.5));
  oracle_miss(&oracle, SECONDS(3600));
  oracle_process(&oracle, pcm.samples + SECONDS(4.5), pcm.count - SECONDS(4.5));
  oracle_end(&oracle);
  rig_play(&rig, &pcm, 0, SECONDS(4.5), 160, 0);
  rig_play(&rig, &pcm, SECONDS(4.5), pcm.count, 160, 3600 * GST_SECOND);
  finish(&rig, &oracle);
}
GST_END_TEST

GST_START_TEST(gap_events_are_gaps) {
  g_auto(Pcm) pcm = speech();
  for (guint lasting = 0; lasting < 2; lasting++) { /* without a duration, and then with one */
    g_auto(Rig) rig = rig_new(RATE);
    g_auto(Oracle) oracle = missing(&pcm, SECONDS(4.3), SECONDS(4.7));
    rig_play(&rig, &pcm, 0, SECONDS(4.3), 160, 0);
    GstClockTime duration = lasting ? 20 * GST_MSECOND : GST_CLOCK_TIME_NONE;
    for (gsize at = SECONDS(4.3); at < SECONDS(4.7); at += 320)
      gst_harness_push_event(rig.harness, gst_event_new_gap(time_of(at, RATE), duration));
    rig_play(&rig, &pcm, SECONDS(4.7), pcm.count, 160, 0);
    finish(&rig, &oracle);
  }
}
GST_END_TEST

/* The samples of a GAP-flagged buffer mean nothing, although they are speech here. It passes with its flag. */
GST_START_TEST(gap_flagged_buffers_are_gaps) {
  g_auto(Pcm) pcm = speech();
  g_auto(Rig) rig = rig_new(RATE);
  g_auto(Oracle) oracle = missing(&pcm, SECONDS(4.3), SECONDS(4.7));
  rig_play(&rig, &pcm, 0, SECONDS(4.3), 160, 0);
  for (gsize at = SECONDS(4.3); at < SECONDS(4.7); at += 320)
    rig_push(&rig, pcm.samples + at, 320, time_of(at, RATE), GST_BUFFER_FLAG_GAP);
  rig_play(&rig, &pcm, SECONDS(4.7), pcm.count, 160, 0);
  finish(&rig, &oracle);
  g_auto(Rig) other = rig_new(RATE);
  g_autoptr(GstBuffer) buffer = gst_buffer_new_allocate(NULL, 320, NULL);
  GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_GAP);
  buffer = gst_harness_push_and_pull(other.harness, buffer);
  fail_unless(GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_GAP));
}
GST_END_TEST

/* One lost packet as rtpopusdepay and opusdec of GStreamer 1.22 report it. */
GST_START_TEST(a_loss_that_is_reported_twice_is_one) {
  g_auto(Pcm) pcm = speech();
  gsize from = SECONDS(0.3935), to = from + 320;
  g_auto(Rig) rig = rig_new(RATE);
  g_auto(Oracle) oracle = missing(&pcm, from, to);
  rig_play(&rig, &pcm, 0, from, 8, 0);
  gst_harness_push_event(rig.harness, gst_event_new_gap(393500000, 20 * GST_MSECOND));
  gst_harness_push_event(rig.harness, gst_event_new_gap(393499999, 20000001));
  gst_harness_push_event(rig.harness, gst_event_new_gap(393500000, 20 * GST_MSECOND));
  rig_play(&rig, &pcm, to, pcm.count, 160, 0);
  fail_unless_equals_uint64(stat_of(rig.element, "missing-samples"), 320);
  finish(&rig, &oracle);
}
GST_END_TEST

/* Where two reports overlap, the shared part counts once. */
GST_START_TEST(gaps_that_overlap_count_once) {
  g_auto(Rig) rig = rig_new(RATE);
  gst_harness_push_event(rig.harness, gst_event_new_gap(0, 100 * GST_MSECOND));
  gst_harness_push_event(rig.harness, gst_event_new_gap(60 * GST_MSECOND, 100 * GST_MSECOND));
  gst_harness_push_event(rig.harness, gst_event_new_gap(20 * GST_MSECOND, 50 * GST_MSECOND));
  rig_eos(&rig);
  fail_unless_equals_uint64(stat_of(rig.element, "missing-samples"), 160 * RATE / 1000);
}
GST_END_TEST

/* Up to a second back, the detector continues and what follows has the corrected times. */
GST_START_TEST(small_steps_back_go_on) {
  static const GstClockTime steps[] = {1, 5 * GST_MSECOND, 41 * GST_MSECOND, 400 * GST_MSECOND, GST_SECOND};
  g_auto(Pcm) pcm = speech();
  for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
    g_auto(Rig) rig = rig_new(RATE);
    g_autoptr(GArray) whole = oracle_of(&pcm);
    gsize half = SECONDS(5.5); /* in a pause: two phrases before it, two after */
    rig_play(&rig, &pcm, 0, half, 160, 0);
    for (gsize at = half; at < pcm.count; at += 160)
      rig_push(&rig, pcm.samples + at, MIN(160, pcm.count - at), time_of(at, RATE) - steps[i],
               at == half ? GST_BUFFER_FLAG_DISCONT : 0);
    rig_eos(&rig);
    fail_unless_equals_uint64(stat_of(rig.element, "hops"), pcm.count / 160);
    fail_unless_equals_uint64(stat_of(rig.element, "missing-samples"), 0);
    rig_collect(&rig);
    fail_unless_equals_int(rig.reports->len, whole->len);
    for (guint n = 0; n < whole->len; n++) {
      GstClockTime at = report_at(whole, n)->timestamp;
      GstClockTime expected = at > time_of(half, RATE) ? at - steps[i] : at;
      fail_unless(ABS(GST_CLOCK_DIFF(expected, report_at(rig.reports, n)->timestamp)) <= GST_MSECOND);
    }
  }
}
GST_END_TEST

/* The counts stay until something new is heard. */
GST_START_TEST(stats_outlive_the_end) {
  g_auto(Pcm) pcm = speech();
  g_auto(Rig) rig = rig_new(RATE);
  rig_play(&rig, &pcm, 0, pcm.count, 160, 0);
  rig_end(&rig);
  fail_unless_equals_uint64(stat_of(rig.element, "hops"), pcm.count / 160);
  flush(rig.harness);
  rig_play(&rig, &pcm, 0, SECONDS(1), 160, 0);
  rig_end(&rig);
  fail_unless_equals_uint64(stat_of(rig.element, "hops"), 100);
}
GST_END_TEST

GST_START_TEST(gaps_before_anything_else) {
  g_auto(Rig) rig = rig_new(0);
  gst_harness_push_event(rig.harness, gst_event_new_stream_start("before caps"));
  rig_eos(&rig); /* caps never came */
  g_auto(Rig) other = rig_new(RATE);
  gst_harness_push_event(other.harness, gst_event_new_gap(0, GST_SECOND));
  rig_end(&other);
  fail_unless_equals_int(other.reports->len, 1);
  fail_unless_equals_string(report_at(other.reports, 0)->type, "discontinuity");
  fail_unless_equals_uint64(report_at(other.reports, 0)->duration, GST_SECOND);
}
GST_END_TEST

TCase *test_case(void) {
  TCase *tests = tcase_create("holes");
  tcase_add_test(tests, a_hole_in_the_timestamps_is_a_gap);
  tcase_add_test(tests, tolerance_is_tight_where_a_discontinuity_is_flagged);
  tcase_add_test(tests, times_are_right_behind_a_small_hole);
  tcase_add_test(tests, alignment_threshold_can_be_set);
  tcase_add_test(tests, no_threshold_is_finer_than_timestamps_are);
  tcase_add_test(tests, an_hour_is_a_gap);
  tcase_add_test(tests, gap_events_are_gaps);
  tcase_add_test(tests, gap_flagged_buffers_are_gaps);
  tcase_add_test(tests, a_loss_that_is_reported_twice_is_one);
  tcase_add_test(tests, gaps_that_overlap_count_once);
  tcase_add_test(tests, small_steps_back_go_on);
  tcase_add_test(tests, stats_outlive_the_end);
  tcase_add_test(tests, gaps_before_anything_else);
  return tests;
}
