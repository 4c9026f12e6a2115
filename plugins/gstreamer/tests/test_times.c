/* test_times.c — stream time, running time and timestamps, after seeks, in every segment and with drift. */
#include "support.h"

#define HOP (10 * GST_MSECOND)
#define RATE 16000

static GstSegment segment_at(GstClockTime start, GstClockTime time, GstClockTime base) {
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  segment.start = segment.position = start;
  segment.time = time;
  segment.base = base;
  return segment;
}

GST_START_TEST(times_follow_the_segment) {
  static const struct {
    gdouble rate, applied_rate;
  } speeds[] = {{1, 1}, {2, 1}, {0.5, 1}, {1, 2}, {1, -1}};
  g_auto(Pcm) pcm = speech();
  g_autoptr(GArray) expected = oracle_of(&pcm);
  for (guint i = 0; i < G_N_ELEMENTS(speeds); i++) {
    GstSegment segment = segment_at(5 * GST_SECOND, 65 * GST_SECOND, 100 * GST_SECOND);
    segment.stop = segment.start + time_of(pcm.count, RATE);
    segment.rate = speeds[i].rate;
    segment.applied_rate = speeds[i].applied_rate;
    g_auto(Rig) rig = rig_new(RATE);
    rig_segment(&rig, &segment);
    rig_play(&rig, &pcm, 0, pcm.count, 320, segment.start);
    rig_end(&rig);
    assert_reports(rig.reports, expected, 5 * GST_SECOND, 1);
    for (guint n = 0; n < rig.reports->len; n++) {
      gdouble since = (gdouble)report_at(expected, n)->timestamp / 1e9, whole = (gdouble)pcm.count / RATE;
      gdouble stream = 65 + (speeds[i].applied_rate < 0 ? whole - since : since * speeds[i].applied_rate);
      gdouble running = 100 + since / speeds[i].rate;
      fail_unless(ABS((gdouble)report_at(rig.reports, n)->stream_time / 1e9 - stream) < 1e-6, "%f %f",
                  (gdouble)report_at(rig.reports, n)->stream_time / 1e9, stream);
      fail_unless(ABS((gdouble)report_at(rig.reports, n)->running_time / 1e9 - running) < 1e-6);
      fail_unless(ABS((gdouble)report_at(rig.reports, n)->decided_at -
                      (gdouble)report_at(expected, n)->decided_at - 5e9) < 2);
    }
  }
}
GST_END_TEST

/* Pushes a segment with a sequence number of its own. */
static void push_segment(Rig *rig, const GstSegment *segment, guint32 seqnum) {
  GstEvent *event = gst_event_new_segment(segment);
  gst_event_set_seqnum(event, seqnum);
  gst_harness_push_event(rig->harness, event);
}

static gboolean is_speaking(const Rig *rig) {
  gboolean speaking;
  g_object_get(rig->element, "speaking", &speaking, NULL);
  return speaking;
}

/* Lets the oracle hear the audio up to `cut` and, from nothing, that from `target` on, which keeps its place. Returns
 * how many results belong to the first part. */
static guint hear_around(Oracle *oracle, const Pcm *pcm, gsize cut, gsize target) {
  oracle_process(oracle, pcm->samples, cut);
  oracle_end(oracle);
  guint old = oracle->reports->len;
  oracle_process(oracle, pcm->samples + target, pcm->count - target);
  oracle_end(oracle);
  for (guint i = old; i < oracle->reports->len; i++) report_at(oracle->reports, i)->timestamp += time_of(target, RATE);
  return old;
}

/* Open speech ends where the audio was cut off, reported with the seqnum of its own segment. What comes after the seek
 * is analysed from nothing, at its own place. */
GST_START_TEST(a_flushing_seek_ends_speech_and_begins_anew) {
  const gsize cut = 43 * RATE / 10, target = 63 * RATE / 10; /* inside the third and before the fourth phrase */
  g_auto(Pcm) pcm = speech();
  g_auto(Rig) rig = rig_new(RATE);
  GstSegment before = segment_at(0, 0, 0), after = segment_at(63 * GST_SECOND / 10, 63 * GST_SECOND / 10, 0);
  push_segment(&rig, &before, 4711);
  rig_play(&rig, &pcm, 0, cut, 160, 0);
  rig_collect(&rig);
  fail_unless(is_speaking(&rig));
  fail_unless_equals_string(report_at(rig.reports, rig.reports->len - 1)->type, "onset");
  flush(rig.harness);
  fail_unless(!is_speaking(&rig));
  push_segment(&rig, &after, 4712);
  rig_play(&rig, &pcm, target, pcm.count, 160, 0);
  rig_end(&rig);
  g_auto(Oracle) oracle = oracle_new(RATE);
  guint old = hear_around(&oracle, &pcm, cut, target);
  assert_reports(rig.reports, oracle.reports, 0, 1);
  fail_unless(old % 2 == 0 && oracle.reports->len == old + 2);
  for (guint i = 0; i < rig.reports->len; i++) {
    Report *report = report_at(rig.reports, i);
    fail_unless_equals_int(report->seqnum, i < old ? 4711 : 4712);
    fail_unless_equals_uint64(report->stream_time, report->timestamp);
    fail_unless_equals_uint64(report->running_time, report->timestamp - (i < old ? 0 : after.start));
  }
  g_autoptr(GArray) labels = labels_load("speech");
  Label last = g_array_index(labels, Label, 3);
  fail_unless(ABS((gdouble)report_at(rig.reports, old)->stream_time / 1e9 - last.start) < 0.1);
}
GST_END_TEST

/* Segments of a live playlist: the same audio continues under other timestamps. The cuts are inside speech, in the
 * onset debounce and in the hangover, where events reported after the cut lie before it. Nothing is lost. */
GST_START_TEST(a_segment_that_goes_on_does_not_interrupt) {
  static const guint cuts_ms[] = {4500, 3940, 5420};
  g_auto(Pcm) pcm = speech();
  g_autoptr(GArray) expected = oracle_of(&pcm);
  guint decided_late = 0;
  for (guint c = 0; c < G_N_ELEMENTS(cuts_ms); c++) {
    gsize cut = cuts_ms[c] * RATE / 1000;
    GstClockTime cut_time = time_of(cut, RATE);
    GstSegment segment = segment_at(0, 0, 0), next = segment_at(1000 * GST_SECOND, cut_time, cut_time);
    g_auto(Rig) rig = rig_new(RATE);
    rig_segment(&rig, &segment);
    rig_play(&rig, &pcm, 0, cut, 160, 0);
    rig_segment(&rig, &next);
    rig_play(&rig, &pcm, cut, pcm.count, 160, next.start - cut_time);
    rig_end(&rig);
    fail_unless_equals_int(rig.reports->len, expected->len);
    for (guint i = 0; i < expected->len; i++) {
      Report *report = report_at(rig.reports, i), *want = report_at(expected, i);
      GstClockTime at = want->timestamp;
      fail_unless_equals_uint64(report->stream_time, at);
      fail_unless_equals_uint64(report->running_time, at);
      fail_unless_equals_uint64(report->timestamp, at < cut_time ? at : at - cut_time + next.start);
      decided_late += at < cut_time && want->decided_at > cut_time;
    }
  }
  fail_unless_equals_int(decided_late, 2);
}
GST_END_TEST

/* A loop, a skip and a pause without a flush: the running time continues and the stream time does not, or vice versa.
 * Neither is a hole. */
GST_START_TEST(a_segment_that_jumps_begins_anew) {
  static const struct {
    guint time_ms, base_ms;
  } jumps[] = {{0, 4500}, {5000, 4500}, {4500, 5000}, {4500, 0}};
  const gsize cut = 45 * RATE / 10;
  g_auto(Pcm) pcm = speech();
  for (guint j = 0; j < G_N_ELEMENTS(jumps); j++) {
    GstSegment segments[] = {segment_at(0, 0, 0),
                             segment_at(0, jumps[j].time_ms * GST_MSECOND, jumps[j].base_ms * GST_MSECOND)};
    g_auto(Rig) rig = rig_new(RATE);
    g_auto(Oracle) oracle = oracle_new(RATE);
    for (guint i = 0; i < 2; i++) {
      rig_segment(&rig, &segments[i]);
      rig_play(&rig, &pcm, 0, cut, 160, 0);
      oracle_process(&oracle, pcm.samples, cut);
      oracle_end(&oracle);
    }
    rig_end(&rig);
    assert_reports(rig.reports, oracle.reports, 0, 1);
    for (guint i = 0; i < rig.reports->len; i++) {
      Report *report = report_at(rig.reports, i);
      fail_unless_equals_uint64(report->running_time, report->timestamp + segments[i >= rig.reports->len / 2].base);
      fail_unless_equals_uint64(report->stream_time, report->timestamp + segments[i >= rig.reports->len / 2].time);
    }
  }
}
GST_END_TEST

/* A capture clock that is 0.2 % fast against the timestamps: 20 ms over the recording, never 40 at once. The reference
 * is the time of the buffer that held the sample. */
GST_START_TEST(times_follow_timestamps_that_drift_and_jitter) {
  g_auto(Pcm) pcm = speech();
  g_autoptr(GArray) expected = oracle_of(&pcm);
  g_auto(Rig) rig = rig_new(RATE);
  GRand *random = g_rand_new_with_seed(1);
  for (gsize at = 0; at < pcm.count; at += 160) {
    GstClockTime jitter = (GstClockTime)g_rand_int_range(random, 0, 8) * GST_MSECOND;
    rig_push(&rig, pcm.samples + at, MIN(160, pcm.count - at), time_of(at, RATE) * 1002 / 1000 + jitter, 0);
  }
  rig_end(&rig);
  fail_unless_equals_int(rig.reports->len, expected->len);
  for (guint i = 0; i < expected->len; i++) {
    GstClockTime true_time = report_at(expected, i)->timestamp * 1002 / 1000;
    GstClockTimeDiff off = GST_CLOCK_DIFF(true_time, report_at(rig.reports, i)->timestamp);
    fail_unless(off >= 0 && off <= (GstClockTimeDiff)HOP, "%" G_GINT64_FORMAT, off);
  }
  g_rand_free(random);
}
GST_END_TEST

GST_START_TEST(without_timestamps_samples_are_counted_from_the_segments_start) {
  g_auto(Pcm) pcm = speech();
  g_autoptr(GArray) expected = oracle_of(&pcm);
  for (guint timed = 0; timed < 2; timed++) {
    GstSegment segment = segment_at(3 * GST_SECOND, 3 * GST_SECOND, 0);
    if (!timed) gst_segment_init(&segment, GST_FORMAT_BYTES);
    g_auto(Rig) rig = rig_new(RATE);
    rig_segment(&rig, &segment);
    for (gsize at = 0; at < pcm.count; at += 320)
      rig_push(&rig, pcm.samples + at, MIN(320, pcm.count - at), GST_CLOCK_TIME_NONE,
               at == 0 ? GST_BUFFER_FLAG_DISCONT : 0);
    rig_end(&rig);
    assert_reports(rig.reports, expected, timed ? 3 * GST_SECOND : 0, 1);
    fail_unless_equals_int(GST_CLOCK_TIME_IS_VALID(report_at(rig.reports, 0)->stream_time), timed);
  }
}
GST_END_TEST

GST_START_TEST(a_late_first_timestamp_is_no_hole) {
  g_auto(Pcm) pcm = speech();
  g_autoptr(GArray) expected = oracle_of(&pcm);
  g_auto(Rig) rig = rig_new(RATE);
  rig_push(&rig, pcm.samples, 160, GST_CLOCK_TIME_NONE, 0);
  rig_play(&rig, &pcm, 160, pcm.count, 160, 7 * GST_SECOND);
  rig_end(&rig);
  assert_reports(rig.reports, expected, 7 * GST_SECOND, 1);
}
GST_END_TEST

GST_START_TEST(reverse_playback_passes_unheard) {
  g_auto(Pcm) pcm = speech();
  g_auto(Rig) rig = rig_new(RATE);
  GstSegment forward = segment_at(0, 0, 0), back = segment_at(0, 0, 0);
  back.rate = -1;
  back.stop = time_of(pcm.count, RATE);
  rig_segment(&rig, &forward);
  rig_play(&rig, &pcm, 0, 45 * RATE / 10, 1600, 0);
  rig_segment(&rig, &back);
  for (gsize at = pcm.count / 1600 * 1600; at > 0; at -= 1600)
    rig_push(&rig, pcm.samples + at - 1600, 1600, time_of(at - 1600, RATE), 0);
  rig_collect(&rig);
  fail_unless_equals_int(rig.reports->len, 6); /* two phrases, and the third cut off */
  fail_unless_equals_string(report_at(rig.reports, 5)->type, "offset");
  rig_segment(&rig, &forward);
  rig_play(&rig, &pcm, 0, pcm.count, 1600, 0);
  rig_end(&rig);
  fail_unless_equals_int(rig.reports->len, 6 + 8);
}
GST_END_TEST

TCase *test_case(void) {
  TCase *tests = tcase_create("times");
  tcase_add_test(tests, times_follow_the_segment);
  tcase_add_test(tests, a_flushing_seek_ends_speech_and_begins_anew);
  tcase_add_test(tests, a_segment_that_goes_on_does_not_interrupt);
  tcase_add_test(tests, a_segment_that_jumps_begins_anew);
  tcase_add_test(tests, times_follow_timestamps_that_drift_and_jitter);
  tcase_add_test(tests, without_timestamps_samples_are_counted_from_the_segments_start);
  tcase_add_test(tests, a_late_first_timestamp_is_no_hole);
  tcase_add_test(tests, reverse_playback_passes_unheard);
  return tests;
}
