/* test_level.c — level messages, the choice of messages, and the level meta of RFC 6464. */
#include <math.h>

#include "support.h"

#define RATE 16000

static gdouble number(const GstStructure *fields, const gchar *name) {
  gdouble value = NAN;
  fail_unless(gst_structure_get_double(fields, name, &value), "%s", name);
  return value;
}

/* Each hop's record, from direct calls of the library. */
static GArray *hops_of(const Pcm *pcm) {
  GArray *hops = g_array_new(FALSE, FALSE, sizeof(va_hop));
  va_config config;
  va_detector *detector;
  va_event events[64];
  va_hop batch[64];
  va_output output = {.events = events, .event_capacity = 64, .hops = batch, .hop_capacity = 64};
  gsize consumed;
  va_config_default(&config, pcm->rate);
  va_detector_create(&config, &detector);
  for (gsize at = 0; at < pcm->count || output.more; at += consumed) {
    va_detector_process_s16(detector, NULL, pcm->samples + at, pcm->count - at, &consumed, &output);
    g_array_append_vals(hops, batch, (guint)output.hop_count);
  }
  do {
    va_detector_flush(detector, NULL, &output);
    g_array_append_vals(hops, batch, (guint)output.hop_count);
  } while (output.more);
  va_detector_destroy(detector);
  return hops;
}

GST_START_TEST(level_messages_come_every_interval) {
  static const guint every[] = {1, 3, 10}; /* hops */
  g_auto(Pcm) pcm = speech();
  g_autoptr(GArray) hops = hops_of(&pcm);
  for (guint i = 0; i < G_N_ELEMENTS(every); i++) {
    const GstClockTime interval = (every[i] * 10 - i) * GST_MSECOND; /* rounds up */
    g_auto(Rig) rig = rig_with("S16LE", RATE, "messages", 8, "interval", interval, NULL);
    rig_play(&rig, &pcm, 0, pcm.count, 777, 0);
    rig_end(&rig);
    fail_unless_equals_int(rig.reports->len, 0);
    fail_unless_equals_int(rig.levels->len, (hops->len + every[i] - 1) / every[i]);
    for (guint n = 0; n < rig.levels->len; n++) {
      const GstStructure *fields = g_ptr_array_index(rig.levels, n);
      va_hop hop = g_array_index(hops, va_hop, n * every[i]);
      GstClockTime time;
      gboolean speaking;
      gst_structure_get_clock_time(fields, "stream-time", &time);
      gst_structure_get_boolean(fields, "speaking", &speaking);
      fail_unless_equals_uint64(time, n * every[i] * 10 * GST_MSECOND);
      fail_unless(fabs(number(fields, "posterior") - hop.posterior) < 1e-6);
      fail_unless(fabs(number(fields, "level") - hop.level_dbfs) < 1e-4);
      fail_unless(fabs(number(fields, "peak") - hop.peak_dbfs) < 1e-4);
      fail_unless(fabs(number(fields, "noise-floor") - hop.noise_floor_dbfs) < 1e-4);
      fail_unless_equals_int(speaking, (hop.flags & VA_HOP_SPEECH) != 0);
    }
  }
}
GST_END_TEST

GST_START_TEST(only_the_messages_that_are_wanted_are_posted) {
  g_auto(Pcm) pcm = speech();
  for (guint wanted = 0; wanted < 16; wanted++) {
    g_auto(Rig) rig = rig_with("S16LE", RATE, "messages", wanted, "muted", TRUE, NULL);
    rig_play(&rig, &pcm, 0, 2 * RATE, 160, 0);
    rig_play(&rig, &pcm, 3 * RATE, pcm.count, 160, 0);
    rig_end(&rig);
    guint seen = rig.levels->len > 0 ? 8 : 0;
    for (guint i = 0; i < rig.reports->len; i++) {
      const gchar *type = report_at(rig.reports, i)->type;
      seen |= g_str_has_prefix(type, "muted") ? 2 : g_str_equal(type, "discontinuity") ? 4 : 1;
    }
    fail_unless_equals_int(seen, wanted);
  }
}
GST_END_TEST

/* Messages come in the order of the decisions, levels among them. */
GST_START_TEST(level_messages_are_in_order) {
  g_auto(Pcm) pcm = speech();
  g_auto(Rig) rig = rig_with("S16LE", RATE, "messages", 9, "interval", 10 * GST_MSECOND, NULL);
  rig_push(&rig, pcm.samples, pcm.count, 0, 0);
  GstMessage *message;
  gboolean speaking = FALSE, said;
  while ((message = gst_bus_pop(rig.bus))) {
    const GstStructure *fields = gst_message_get_structure(message);
    gboolean ours = GST_MESSAGE_TYPE(message) == GST_MESSAGE_ELEMENT;
    const gchar *type = ours ? gst_structure_get_string(fields, "type") : "";
    if (g_str_equal(type, "onset")) speaking = TRUE;
    if (g_str_equal(type, "offset")) speaking = FALSE;
    if (g_str_equal(type, "level")) {
      gst_structure_get_boolean(fields, "speaking", &said);
      fail_unless_equals_int(said, speaking);
    }
    gst_message_unref(message);
  }
}
GST_END_TEST

/* MARK: meta */

static GstBuffer *wave(gboolean square, gfloat amplitude) {
  gfloat *samples = g_new(gfloat, 1600);
  for (guint i = 0; i < 1600; i++) {
    gdouble phase = sin(2 * G_PI * (i + 0.5) / 16);
    samples[i] = amplitude * (gfloat)(square ? copysign(1, phase) : phase);
  }
  return gst_buffer_new_wrapped(samples, 1600 * sizeof *samples);
}

GST_START_TEST(the_meta_is_the_buffers_level) {
  static const struct {
    gboolean square;
    gfloat amplitude;
    guint8 dbov;
  } cases[] = {{TRUE, 1, 0},     {FALSE, 1, 3},      {TRUE, 0.1f, 20},  {FALSE, 0.1f, 23}, {TRUE, 1e-6f, 120},
               {TRUE, 1e-9f, 127}, {TRUE, 0, 127}, {TRUE, 4, 0}, {TRUE, NAN, 127}, {TRUE, INFINITY, 0}};
  g_auto(Rig) rig = rig_with("F32LE", RATE, "audio-level-meta", TRUE, NULL);
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    GstBuffer *in = wave(cases[i].square, cases[i].amplitude), *out = gst_harness_push_and_pull(rig.harness, in);
    fail_unless(out == in); /* nobody else held it */
    GstAudioLevelMeta *meta = gst_buffer_get_audio_level_meta(out);
    fail_unless(meta != NULL);
    fail_unless_equals_int(meta->level, cases[i].dbov);
    gst_buffer_unref(out);
  }
}
GST_END_TEST

static guint metas_of(GstBuffer *buffer) {
  gpointer state = NULL;
  guint count = 0;
  while (gst_buffer_iterate_meta_filtered(buffer, &state, GST_AUDIO_LEVEL_META_API_TYPE)) count++;
  return count;
}

/* A buffer that others hold stays unchanged; a new one with the same memory goes out. */
GST_START_TEST(shared_buffers_stay_as_they_are_and_are_not_copied) {
  g_auto(Rig) rig = rig_with("F32LE", RATE, "audio-level-meta", TRUE, NULL);
  GstBuffer *in = gst_buffer_ref(wave(TRUE, 0.1f)), *out;
  gst_buffer_ref(in);
  GST_BUFFER_PTS(in) = 12345;
  out = gst_harness_push_and_pull(rig.harness, in);
  fail_unless(out != in);
  fail_unless(gst_buffer_peek_memory(out, 0) == gst_buffer_peek_memory(in, 0));
  fail_unless_equals_uint64(GST_BUFFER_PTS(out), 12345);
  fail_unless_equals_int(metas_of(in), 0);
  fail_unless_equals_int(metas_of(out), 1);
  gst_buffer_unref(out);
  gst_buffer_unref(in);
  gst_buffer_unref(in);
}
GST_END_TEST

GST_START_TEST(an_older_meta_is_replaced_and_gaps_are_silent) {
  g_auto(Rig) rig = rig_with("F32LE", RATE, "audio-level-meta", TRUE, NULL);
  for (guint gap = 0; gap < 2; gap++) {
    g_autoptr(GstBuffer) buffer = wave(TRUE, 1);
    gst_buffer_add_audio_level_meta(buffer, 99, TRUE);
    if (gap) GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_GAP);
    buffer = gst_harness_push_and_pull(rig.harness, buffer);
    fail_unless_equals_int(metas_of(buffer), 1);
    fail_unless_equals_int(gst_buffer_get_audio_level_meta(buffer)->level, gap ? 127 : 0);
    fail_unless(!gst_buffer_get_audio_level_meta(buffer)->voice_activity);
  }
}
GST_END_TEST

/* The oracle is the person who labelled the speech: well inside it there is a voice, well outside there is none. */
GST_START_TEST(the_voice_flag_follows_the_speech) {
  g_auto(Pcm) pcm = speech();
  g_autoptr(GArray) labels = labels_load("speech");
  g_auto(Rig) rig = rig_with("S16LE", RATE, "audio-level-meta", TRUE, NULL);
  guint voiced = 0, silent = 0;
  for (gsize at = 0; at + 160 <= pcm.count; at += 160) {
    g_autoptr(GstBuffer) buffer = gst_buffer_new_memdup(pcm.samples + at, 320);
    GST_BUFFER_PTS(buffer) = time_of(at, RATE);
    buffer = gst_harness_push_and_pull(rig.harness, buffer);
    const gdouble time = (gdouble)at / RATE;
    const gboolean inside = is_labelled(labels, time, -0.2, -0.1), outside = !is_labelled(labels, time, 0.1, 0.3);
    gboolean voice = gst_buffer_get_audio_level_meta(buffer)->voice_activity;
    if (inside) voiced += voice, fail_unless(voice, "no voice at %f s", time);
    if (outside) silent += !voice, fail_unless(!voice, "a voice at %f s", time);
  }
  fail_unless(voiced > 100 && silent > 100);
}
GST_END_TEST

TCase *test_case(void) {
  TCase *tests = tcase_create("level");
  tcase_add_test(tests, level_messages_come_every_interval);
  tcase_add_test(tests, only_the_messages_that_are_wanted_are_posted);
  tcase_add_test(tests, level_messages_are_in_order);
  tcase_add_test(tests, the_meta_is_the_buffers_level);
  tcase_add_test(tests, shared_buffers_stay_as_they_are_and_are_not_copied);
  tcase_add_test(tests, an_older_meta_is_replaced_and_gaps_are_silent);
  tcase_add_test(tests, the_voice_flag_follows_the_speech);
  return tests;
}
