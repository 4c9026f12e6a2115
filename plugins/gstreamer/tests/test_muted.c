/* test_muted.c — speech while muted; the mute comes from a property, a controller or another thread. */
#include <gst/controller/controller.h>
#include <math.h>

#include "support.h"

#define RATE 16000

/* A user who forgets to unmute: muted from 4 to 10 s. */
static const gsize mute_at = 4 * RATE, unmute_at = 10 * RATE;

static Oracle forgetful(const Pcm *pcm) {
  Oracle oracle = oracle_new(RATE);
  oracle_process(&oracle, pcm->samples, mute_at);
  va_detector_set_muted(oracle.detector, true);
  oracle_process(&oracle, pcm->samples + mute_at, unmute_at - mute_at);
  va_detector_set_muted(oracle.detector, false);
  oracle_process(&oracle, pcm->samples + unmute_at, pcm->count - unmute_at);
  oracle_end(&oracle);
  return oracle;
}

static void count_notification(GObject *object, GParamSpec *spec, guint *count) {
  (void)object, (void)spec;
  ++*count;
}

GST_START_TEST(muted_speech_is_reported) {
  g_auto(Pcm) pcm = pcm_load("muted-talk", RATE);
  g_auto(Oracle) oracle = forgetful(&pcm);
  g_auto(Rig) rig = rig_new(RATE);
  guint speaking = 0, muted_speech = 0;
  g_signal_connect(rig.element, "notify::speaking", G_CALLBACK(count_notification), &speaking);
  g_signal_connect(rig.element, "notify::muted-speech", G_CALLBACK(count_notification), &muted_speech);
  rig_play(&rig, &pcm, 0, mute_at, 160, 0);
  g_object_set(rig.element, "muted", TRUE, NULL);
  rig_play(&rig, &pcm, mute_at, unmute_at, 160, 0);
  g_object_set(rig.element, "muted", FALSE, NULL);
  rig_play(&rig, &pcm, unmute_at, pcm.count, 160, 0);
  rig_end(&rig);
  fail_unless_equals_int(count_of(oracle.reports, "muted-speech-begin"), 1);
  assert_reports(rig.reports, oracle.reports, 0, 1);
  fail_unless_equals_int(speaking, count_of(oracle.reports, "onset") + count_of(oracle.reports, "offset"));
  fail_unless_equals_int(muted_speech, 2);
}
GST_END_TEST

/* A notice is one message, for two seconds, where muted speech begins. */
GST_START_TEST(a_notice_is_a_message) {
  g_auto(Pcm) pcm = speech();
  g_auto(Rig) all = rig_with("S16LE", RATE, "muted", TRUE, "mute-grace", (guint64)0, NULL);
  g_auto(Rig) notices = rig_with("S16LE", RATE, "muted", TRUE, "mute-grace", (guint64)0, "messages", 16, NULL);
  rig_play(&all, &pcm, 0, pcm.count, 160, 0);
  rig_end(&all);
  rig_play(&notices, &pcm, 0, pcm.count, 160, 0);
  rig_end(&notices);
  guint found = 0;
  GstClockTime ends = 0;
  for (guint i = 0; i < all.reports->len; i++) {
    const Report *begin = report_at(all.reports, i);
    if (!g_str_equal(begin->type, "muted-speech-begin") || begin->decided_at < ends) continue;
    const Report *notice = report_at(notices.reports, found++);
    fail_unless_equals_string(notice->type, "muted-notice");
    fail_unless_equals_uint64(notice->timestamp, begin->timestamp);
    fail_unless_equals_uint64(notice->duration, 2 * GST_SECOND);
    ends = begin->decided_at + 2 * GST_SECOND;
  }
  fail_unless(found >= 2);
  fail_unless_equals_int(notices.reports->len, found);
}
GST_END_TEST

/* Numbers go on after an end and in another format. Within two seconds of sound there is one notice, whatever ends. */
GST_START_TEST(notices_are_numbered_on) {
  g_auto(Pcm) pcm = pcm_load("muted-talk", RATE), wide = {.count = 3 * pcm.count, .rate = 3 * RATE};
  g_auto(Rig) rig = rig_with("S16LE", RATE, "muted", TRUE, "mute-grace", (guint64)0, "messages", 16, NULL);
  wide.samples = g_new(gint16, wide.count);
  for (gsize i = 0; i < wide.count; i++) wide.samples[i] = pcm.samples[i / 3];
  guint notices[4] = {0};
  for (guint part = 0; part < G_N_ELEMENTS(notices); part++) {
    const Pcm *heard = part < 2 ? &pcm : &wide;
    if (part == 2) rig_caps(&rig, "S16LE", "interleaved", wide.rate, 1);
    rig_play(&rig, heard, 0, heard->count, 160, 0);
    flush(rig.harness);
    rig_collect(&rig);
    notices[part] = rig.reports->len;
    fail_unless(notices[part] > (part > 0 ? notices[part - 1] : 0), "no notice in part %u", part);
  }
  for (guint i = 0; i < rig.reports->len; i++) fail_unless_equals_uint64(report_at(rig.reports, i)->number, i + 1);
}
GST_END_TEST

static gboolean is_speaking(const Rig *rig) {
  gboolean value;
  g_object_get(rig->element, "speaking-while-muted", &value, NULL);
  return value;
}

/* A lost requirement makes the value false at once. Met again, speech that goes on is not reported, only what
 * begins. */
GST_START_TEST(requirements_are_the_hosts) {
  g_auto(Pcm) pcm = pcm_load("muted-talk", RATE);
  g_auto(Rig) rig = rig_with("S16LE", RATE, "muted", TRUE, "mute-grace", (guint64)0, "messages", 2 | 16, NULL);
  const gsize third = pcm.count / 3;
  guint met, changes = 0, begun = 0, noticed;
  g_signal_connect(rig.element, "notify::speaking-while-muted", G_CALLBACK(count_notification), &changes);
  g_object_get(rig.element, "requirements", &met, NULL);
  fail_unless_equals_int(met >> VA_REQUIREMENT_MICROPHONE_MUTED & 1, 0);
  fail_unless(met >> VA_REQUIREMENT_DATA_FLOWING & met & 1, "not all are met at first");
  gsize at = 0;
  for (; !is_speaking(&rig); at += 160) rig_play(&rig, &pcm, at, at + 160, 160, 0);
  fail_unless_equals_int(changes, 1);
  gst_util_set_object_arg(G_OBJECT(rig.element), "requirements", "enabled");
  fail_unless(!is_speaking(&rig));
  fail_unless_equals_int(changes, 2);
  g_object_set(rig.element, "requirements", met, NULL);
  fail_unless(!is_speaking(&rig));
  g_object_set(rig.element, "requirements", met & ~(1u << VA_REQUIREMENT_SESSION_ACTIVE), NULL);
  rig_play(&rig, &pcm, at, third, 160, 0);
  fail_unless_equals_int(changes, 2);
  rig_collect(&rig);
  noticed = count_of(rig.reports, "muted-notice");
  fail_unless_equals_int(noticed, 1);
  g_object_set(rig.element, "requirements", met, NULL);
  begun = count_of(rig.reports, "muted-speech-begin");
  rig_play(&rig, &pcm, third, pcm.count, 160, 0);
  rig_end(&rig);
  fail_unless(count_of(rig.reports, "muted-speech-begin") > begun, "nothing begins later");
  fail_unless(count_of(rig.reports, "muted-notice") > noticed && changes > 2, "what begins later is not reported");
}
GST_END_TEST

/* The property is true while muted speech lasts, and false as soon as the microphone is unmuted. */
GST_START_TEST(the_property_is_current) {
  g_auto(Pcm) pcm = pcm_load("muted-talk", RATE);
  g_auto(Rig) rig = rig_new(RATE);
  gboolean value;
  g_object_set(rig.element, "muted", TRUE, NULL);
  rig_play(&rig, &pcm, 0, 2 * RATE, 160, 0);
  g_object_get(rig.element, "muted-speech", &value, NULL);
  fail_unless(value && is_speaking(&rig));
  g_object_set(rig.element, "muted", FALSE, NULL);
  g_object_get(rig.element, "muted-speech", &value, NULL);
  fail_unless(!value && !is_speaking(&rig));
}
GST_END_TEST

/* The mute is set before there is a detector, and survives its replacement. */
GST_START_TEST(the_mute_outlives_the_detector) {
  g_auto(Pcm) pcm = speech();
  g_auto(Rig) rig = rig_with(NULL, 0, "muted", TRUE, NULL);
  rig_caps(&rig, "S16LE", "interleaved", 48000, 1);
  rig_caps(&rig, "S16LE", "interleaved", RATE, 1);
  rig_play(&rig, &pcm, 0, pcm.count, 160, 0);
  rig_end(&rig);
  fail_unless(count_of(rig.reports, "muted-speech-begin") > 0);
}
GST_END_TEST

/* A mute timeline in stream time, as an editor has it, where the timestamps differ. */
GST_START_TEST(a_controller_can_mute) {
  g_auto(Pcm) pcm = pcm_load("muted-talk", RATE);
  g_auto(Oracle) oracle = forgetful(&pcm);
  g_auto(Rig) rig = rig_new(RATE);
  GstSegment segment;
  g_autoptr(GstControlSource) source = gst_interpolation_control_source_new();
  g_object_set(source, "mode", GST_INTERPOLATION_MODE_NONE, NULL);
  const GstTimedValue mutes[] = {{0, 0}, {time_of(mute_at, RATE), 1}, {time_of(unmute_at, RATE), 0}};
  for (guint i = 0; i < G_N_ELEMENTS(mutes); i++)
    gst_timed_value_control_source_set(GST_TIMED_VALUE_CONTROL_SOURCE(source), mutes[i].timestamp, mutes[i].value);
  gst_object_add_control_binding(GST_OBJECT(rig.element),
                                 gst_direct_control_binding_new(GST_OBJECT(rig.element), "muted", source));
  gst_segment_init(&segment, GST_FORMAT_TIME);
  segment.start = 1000 * GST_SECOND;
  rig_segment(&rig, &segment);
  rig_play(&rig, &pcm, 0, pcm.count, 160, segment.start);
  rig_end(&rig);
  assert_reports(rig.reports, oracle.reports, 1000 * GST_SECOND, 1);
}
GST_END_TEST

typedef struct {
  GstElement *element;
  gint stop, rounds;
} Meddler;

/* Sets and reads everything that any thread may, as fast as it can. */
static gpointer meddle(gpointer data) {
  Meddler *meddler = data;
  while (!g_atomic_int_get(&meddler->stop)) {
    gboolean speaking, muted_speech;
    gfloat posterior, level, floor;
    GstStructure *stats;
    g_object_set(meddler->element, "muted", meddler->rounds % 2, "interval", (10 + meddler->rounds % 50) * GST_MSECOND,
                 "speaker-margin", (gfloat)(meddler->rounds % 50), "probe", meddler->rounds % 2 ? "" : NULL,
                 "audio-level-meta", meddler->rounds % 3 == 0, NULL);
    g_object_get(meddler->element, "speaking", &speaking, "muted-speech", &muted_speech, "posterior", &posterior,
                 "level", &level, "noise-floor", &floor, "stats", &stats, NULL);
    fail_unless(posterior >= 0 && posterior <= 1 && level >= -127 && level <= 12);
    gst_structure_free(stats);
    g_atomic_int_inc(&meddler->rounds);
  }
  return NULL;
}

/* Muting only labels speech. Onsets and offsets do not change, whatever another thread does and however often the
 * detector is replaced meanwhile. */
GST_START_TEST(any_thread_may_meddle) {
  g_auto(Pcm) pcm = speech();
  g_autoptr(GArray) expected = oracle_of(&pcm);
  g_auto(Rig) rig = rig_new(RATE);
  Meddler meddler = {.element = rig.element};
  g_object_set(rig.element, "messages", 1, NULL);
  GThread *thread = g_thread_new("meddler", meddle, &meddler);
  for (guint i = 0; i < 20 || g_atomic_int_get(&meddler.rounds) == 0; i++) { /* on a busy machine it may start late */
    rig_caps(&rig, "S16LE", "interleaved", RATE, 1);
    rig_play(&rig, &pcm, 0, pcm.count, 1600, 0);
    flush(rig.harness);
    rig_collect(&rig);
    assert_reports(rig.reports, expected, 0, 1);
    g_array_set_size(rig.reports, 0);
    rig_caps(&rig, "S16LE", "interleaved", 48000, 1);
  }
  g_atomic_int_set(&meddler.stop, 1);
  g_thread_join(thread);
}
GST_END_TEST

/* The user speaks unmuted, then mutes, and a television speaks 24 dB quieter. */
GST_START_TEST(a_television_is_below_the_margin) {
  static const struct {
    gfloat margin;
    gboolean heard;
  } cases[] = {{VA_SPEAKER_MARGIN_DB, FALSE}, {35, TRUE}, {41, TRUE}, {INFINITY, TRUE}};
  g_auto(Pcm) pcm = speech();
  g_auto(Pcm) television = speech();
  for (gsize i = 0; i < television.count; i++) television.samples[i] /= 16;
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_auto(Rig) rig = rig_new(RATE);
    g_object_set(rig.element, "speaker-margin", cases[i].margin, NULL);
    rig_play(&rig, &pcm, 0, pcm.count, 160, 0);
    g_object_set(rig.element, "muted", TRUE, NULL);
    rig_play(&rig, &television, 0, television.count, 160, time_of(pcm.count, RATE));
    rig_end(&rig);
    fail_unless_equals_int(count_of(rig.reports, "muted-speech-begin") > 0, cases[i].heard);
  }
}
GST_END_TEST

TCase *test_case(void) {
  TCase *tests = tcase_create("muted");
  tcase_add_test(tests, muted_speech_is_reported);
  tcase_add_test(tests, a_notice_is_a_message);
  tcase_add_test(tests, notices_are_numbered_on);
  tcase_add_test(tests, requirements_are_the_hosts);
  tcase_add_test(tests, the_property_is_current);
  tcase_add_test(tests, the_mute_outlives_the_detector);
  tcase_add_test(tests, a_controller_can_mute);
  tcase_add_test(tests, a_television_is_below_the_margin);
  tcase_add_test(tests, any_thread_may_meddle);
  return tests;
}
