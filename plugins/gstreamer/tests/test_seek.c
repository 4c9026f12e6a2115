/* test_seek.c — seeks in a pipeline that reads and decodes a file, and timestamps that begin again. The oracle is the
 * person who labelled the speech, or the C library. */
#include "support.h"

#define RATE 16000
#define WITHIN 0.1 /* s, the tolerance between a label and the detector */

typedef struct {
  GstElement *pipeline;
  GstBus *bus;
  GArray *reports; /* of Report, from the newest seek on */
} Player;

static Player player_new(void) {
  Player player = {.reports = g_array_new(FALSE, TRUE, sizeof(Report))};
  gchar *text = g_strdup_printf(
      "filesrc location=%s/speech.flac ! flacparse ! flacdec ! voiceactivity ! fakesink sync=false",
      g_getenv("SAMPLES_DIR"));
  player.pipeline = gst_parse_launch(text, NULL);
  player.bus = gst_element_get_bus(player.pipeline);
  g_free(text);
  gst_element_set_state(player.pipeline, GST_STATE_PAUSED);
  fail_unless_equals_int(gst_element_get_state(player.pipeline, NULL, NULL, GST_CLOCK_TIME_NONE),
                         GST_STATE_CHANGE_SUCCESS);
  return player;
}

static void player_free(Player *player) {
  gst_element_set_state(player->pipeline, GST_STATE_NULL);
  gst_object_unref(player->pipeline);
  gst_object_unref(player->bus);
  g_array_unref(player->reports);
}

static guint32 seek(Player *player, gdouble rate, GstSeekFlags flags, gdouble from, gdouble to) {
  GstEvent *event = gst_event_new_seek(rate, GST_FORMAT_TIME, flags | GST_SEEK_FLAG_ACCURATE,     //
                                       GST_SEEK_TYPE_SET, (gint64)(from * 1e9),                   //
                                       to > 0 ? GST_SEEK_TYPE_SET : GST_SEEK_TYPE_NONE, (gint64)(to * 1e9));
  guint32 seqnum = gst_event_get_seqnum(event);
  fail_unless(gst_element_send_event(player->pipeline, event));
  return seqnum;
}

/* Plays until a message of that type, and keeps the messages with the seek's seqnum, so none from before it. */
static void play_until(Player *player, GstMessageType end, guint32 seqnum) {
  gst_element_set_state(player->pipeline, GST_STATE_PLAYING);
  for (gboolean ended = FALSE; !ended;) {
    g_autoptr(GstMessage) message =
        gst_bus_timed_pop_filtered(player->bus, 600 * GST_SECOND, end | GST_MESSAGE_ELEMENT | GST_MESSAGE_ERROR);
    fail_unless(message && GST_MESSAGE_TYPE(message) != GST_MESSAGE_ERROR);
    ended = GST_MESSAGE_TYPE(message) == end;
    if (!ended && gst_message_get_seqnum(message) == seqnum) {
      const GstStructure *fields = gst_message_get_structure(message);
      Report report = {0};
      g_strlcpy(report.type, gst_structure_get_string(fields, "type"), sizeof report.type);
      gst_structure_get_clock_time(fields, "stream-time", &report.stream_time);
      gst_structure_get_clock_time(fields, "running-time", &report.running_time);
      g_array_append_val(player->reports, report);
    }
  }
}

/* Expects the labels from that number on, and running times that follow from the stream times. */
static void expect(Player *player, guint number, gdouble from, gdouble rate, gdouble base) {
  g_autoptr(GArray) labels = labels_load("speech");
  fail_unless_equals_int(player->reports->len, 2 * (labels->len - number));
  for (guint i = 0; i < player->reports->len; i++) {
    Report *report = report_at(player->reports, i);
    Label label = g_array_index(labels, Label, number + i / 2);
    gdouble time = (gdouble)report->stream_time / 1e9;
    fail_unless(ABS(time - (i % 2 ? label.end : label.start)) < WITHIN, "%s at %f s", report->type, time);
    fail_unless(ABS((gdouble)report->running_time / 1e9 - base - (time - from) / rate) < 1e-6);
  }
}

GST_START_TEST(stream_times_are_right_after_a_flushing_seek) {
  static const struct {
    gdouble rate, from;
    guint first;
  } seeks[] = {{1, 0, 0}, {1, 1.6, 1}, {1, 6.3, 3}, {2, 3.6, 2}, {0.5, 6.3, 3}};
  for (guint i = 0; i < G_N_ELEMENTS(seeks); i++) {
    Player player = player_new();
    guint32 seqnum = seek(&player, seeks[i].rate, GST_SEEK_FLAG_FLUSH, seeks[i].from, -1);
    play_until(&player, GST_MESSAGE_EOS, seqnum);
    expect(&player, seeks[i].first, seeks[i].from, seeks[i].rate, 0);
    player_free(&player);
  }
}
GST_END_TEST

GST_START_TEST(many_seeks_while_playing) {
  Player player = player_new();
  guint32 seqnum = 0;
  gst_element_set_state(player.pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < 40; i++) seqnum = seek(&player, 1, GST_SEEK_FLAG_FLUSH, (i * 7 % 9) + 0.5, -1);
  /* One of the earlier seeks may have reached its end. Its EOS must not pass for that of the last one. */
  gst_element_set_state(player.pipeline, GST_STATE_PAUSED);
  gst_element_get_state(player.pipeline, NULL, NULL, GST_CLOCK_TIME_NONE);
  gst_bus_set_flushing(player.bus, TRUE);
  gst_bus_set_flushing(player.bus, FALSE);
  seqnum = seek(&player, 1, GST_SEEK_FLAG_FLUSH, 6.3, -1);
  play_until(&player, GST_MESSAGE_EOS, seqnum);
  expect(&player, 3, 6.3, 1, 0);
  player_free(&player);
}
GST_END_TEST

/* A loop from 6.3 s to the end, without a flush. */
GST_START_TEST(segment_seeks_loop) {
  Player player = player_new();
  guint32 seqnum = seek(&player, 1, GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_SEGMENT, 6.3, 10);
  for (guint i = 0; i < 3; i++) {
    play_until(&player, GST_MESSAGE_SEGMENT_DONE, seqnum);
    expect(&player, 3, 6.3, 1, i * 3.7);
    g_array_set_size(player.reports, 0);
    seqnum = seek(&player, 1, GST_SEEK_FLAG_SEGMENT, 6.3, 10);
  }
  player_free(&player);
}
GST_END_TEST

GST_START_TEST(timestamps_that_go_back_begin_anew) {
  g_auto(Pcm) pcm = speech();
  g_auto(Rig) rig = rig_new(RATE);
  g_auto(Oracle) oracle = oracle_new(RATE);
  const gsize half = 9 * RATE / 2;
  for (guint i = 0; i < 2; i++) {
    rig_play(&rig, &pcm, 0, half, 160, 0);
    oracle_process(&oracle, pcm.samples, half);
    oracle_end(&oracle);
  }
  rig_end(&rig);
  assert_reports(rig.reports, oracle.reports, 0, 1);
}
GST_END_TEST

/* An hour away or more is another recording. Deciding the hops between would delay the pipeline. */
GST_START_TEST(a_hole_without_end_begins_anew) {
  g_auto(Pcm) pcm = speech();
  g_auto(Rig) rig = rig_new(RATE);
  rig_play(&rig, &pcm, 0, pcm.count, 160, 0);
  rig_play(&rig, &pcm, 0, pcm.count, 160, 1000 * 3600 * GST_SECOND);
  fail_unless(gst_harness_push_event(rig.harness, gst_event_new_gap(2000 * 3600 * GST_SECOND, G_MAXUINT64 / 4)));
  rig_play(&rig, &pcm, 0, pcm.count, 160, 0);
  rig_end(&rig);
  fail_unless_equals_int(rig.reports->len, 3 * 8);
  fail_unless_equals_uint64(report_at(rig.reports, 8)->timestamp - report_at(rig.reports, 0)->timestamp,
                            1000 * 3600 * GST_SECOND);
}
GST_END_TEST

TCase *test_case(void) {
  TCase *tests = tcase_create("seek");
  tcase_add_test(tests, stream_times_are_right_after_a_flushing_seek);
  tcase_add_test(tests, many_seeks_while_playing);
  tcase_add_test(tests, segment_seeks_loop);
  tcase_add_test(tests, timestamps_that_go_back_begin_anew);
  tcase_add_test(tests, a_hole_without_end_begins_anew);
  return tests;
}
