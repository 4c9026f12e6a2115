/* test_states.c — states, changing caps, end of stream, latency, settings. */
#include "support.h"

#define RATE 16000

GST_START_TEST(it_can_be_used_again) {
  g_auto(Pcm) pcm = speech();
  g_autoptr(GArray) expected = oracle_of(&pcm);
  g_auto(Rig) rig = rig_new(RATE);
  for (guint i = 0; i < 3; i++) {
    rig_play(&rig, &pcm, 0, pcm.count, 441, 0);
    rig_end(&rig);
    assert_reports(rig.reports, expected, 0, 1);
    g_array_set_size(rig.reports, 0);
    gst_element_set_state(rig.element, i == 0 ? GST_STATE_NULL : GST_STATE_READY);
    gst_element_set_state(rig.element, GST_STATE_PLAYING);
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    gst_harness_push_event(rig.harness, gst_event_new_stream_start("again"));
    rig_caps(&rig, "S16LE", "interleaved", RATE, 1);
    rig_segment(&rig, &segment);
  }
}
GST_END_TEST

/* Every onset that was reported has its offset reported, whatever ends the audio. */
GST_START_TEST(every_onset_has_its_offset) {
  enum { EOS, STOP, FLUSH, SEGMENT_DONE, NEW_STREAM, NEW_RATE, ENDS };
  g_auto(Pcm) pcm = speech();
  for (guint end = EOS; end < ENDS; end++) {
    g_auto(Rig) rig = rig_new(RATE);
    rig_play(&rig, &pcm, 0, RATE, 160, 0); /* in the middle of a word */
    rig_collect(&rig);
    fail_unless_equals_int(rig.reports->len, 1);
    if (end == EOS) rig_eos(&rig);
    if (end == STOP) gst_element_set_state(rig.element, GST_STATE_READY);
    if (end == FLUSH) flush(rig.harness);
    if (end == SEGMENT_DONE) gst_harness_push_event(rig.harness, gst_event_new_segment_done(GST_FORMAT_TIME, 0));
    if (end == NEW_STREAM) gst_harness_push_event(rig.harness, gst_event_new_stream_start("another"));
    if (end == NEW_RATE) rig_caps(&rig, "S16LE", "interleaved", 48000, 1);
    rig_collect(&rig);
    fail_unless_equals_int(rig.reports->len, 2);
    fail_unless_equals_string(report_at(rig.reports, 1)->type, "offset");
    fail_unless(report_at(rig.reports, 1)->timestamp <= GST_SECOND);
    gboolean speaking = TRUE;
    g_object_get(rig.element, "speaking", &speaking, NULL);
    fail_unless(!speaking);
  }
}
GST_END_TEST

static GstPadProbeReturn see_eos(GstPad *pad, GstPadProbeInfo *info, gpointer rig) {
  (void)pad;
  if (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) == GST_EVENT_EOS) rig_collect(rig);
  return GST_PAD_PROBE_OK;
}

GST_START_TEST(the_last_messages_come_before_the_end_of_stream_passes_on) {
  g_auto(Pcm) pcm = speech();
  g_auto(Rig) rig = rig_new(RATE);
  g_autoptr(GstPad) pad = gst_element_get_static_pad(rig.element, "src");
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, see_eos, &rig, NULL);
  rig_play(&rig, &pcm, 0, RATE, 160, 0);
  rig_eos(&rig);
  fail_unless_equals_int(rig.reports->len, 2); /* the messages posted before the event passed */
}
GST_END_TEST

/* With other channels at the same rate, the same voice continues. */
GST_START_TEST(new_caps_at_the_same_rate_do_not_interrupt) {
  const gsize cut = 45 * RATE / 10;
  g_auto(Pcm) pcm = speech();
  g_autoptr(GArray) expected = oracle_of(&pcm);
  g_auto(Rig) rig = rig_new(RATE);
  gint16 stereo[320];
  rig_play(&rig, &pcm, 0, cut, 160, 0);
  rig_caps(&rig, "S16LE", "interleaved", RATE, 2);
  for (gsize at = cut; at < pcm.count; at += 160) {
    gsize count = MIN(160, pcm.count - at);
    for (gsize i = 0; i < 2 * count; i++) stereo[i] = pcm.samples[at + i / 2];
    rig_push(&rig, stereo, 2 * count, time_of(at, RATE), 0);
  }
  rig_end(&rig);
  assert_reports(rig.reports, expected, 0, 1);
}
GST_END_TEST

GST_START_TEST(a_new_rate_goes_on_at_the_right_time) {
  g_auto(Pcm) pcm = speech(), slow = pcm_load("telephone-8k", 8000);
  g_autoptr(GArray) first = oracle_of(&pcm), second = oracle_of(&slow);
  g_auto(Rig) rig = rig_new(RATE);
  rig_play(&rig, &pcm, 0, pcm.count, 160, 0);
  rig_caps(&rig, "S16LE", "interleaved", 8000, 1);
  rig_play(&rig, &slow, 0, slow.count, 160, time_of(pcm.count, RATE));
  rig_end(&rig);
  for (guint i = 0; i < second->len; i++) {
    Report report = *report_at(second, i);
    report.timestamp += time_of(pcm.count, RATE);
    g_array_append_val(first, report);
  }
  assert_reports(rig.reports, first, 0, 1);
}
GST_END_TEST

GST_START_TEST(it_adds_no_latency) {
  g_auto(Rig) rig = rig_new(RATE);
  gst_harness_set_upstream_latency(rig.harness, 30 * GST_MSECOND);
  fail_unless_equals_uint64(gst_harness_query_latency(rig.harness), 30 * GST_MSECOND);
}
GST_END_TEST

GST_START_TEST(settings_that_contradict_each_other_are_an_error_before_anything_flows) {
  static const struct {
    gfloat onset, offset;
    gboolean good;
  } cases[] = {{0.5f, 0.5f, TRUE}, {0.5f, 0.6f, FALSE}, {1, 0.5f, FALSE}, {0.5f, 0, FALSE}};
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GstElement) element = gst_element_factory_make("voiceactivity", NULL);
    g_autoptr(GstBus) bus = gst_bus_new();
    gst_element_set_bus(element, bus);
    g_object_set(element, "onset-threshold", cases[i].onset, "offset-threshold", cases[i].offset, NULL);
    fail_unless_equals_int(gst_element_set_state(element, GST_STATE_PAUSED),
                           cases[i].good ? GST_STATE_CHANGE_SUCCESS : GST_STATE_CHANGE_FAILURE);
    if (!cases[i].good)
      expect_message(bus, GST_MESSAGE_ERROR, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS, "thresholds are not");
    gst_element_set_state(element, GST_STATE_NULL);
    gst_element_set_bus(element, NULL);
  }
}
GST_END_TEST

/* Reported once, although a pad offers its caps again with each buffer. After READY it is reported again. */
GST_START_TEST(a_channel_that_is_not_there_is_an_error) {
  g_auto(Rig) rig = rig_with(NULL, 0, "channel", 3, NULL);
  g_autoptr(GstPad) pad = gst_element_get_static_pad(rig.element, "sink");
  g_autoptr(GstCaps) caps = gst_caps_from_string("audio/x-raw,format=S16LE,layout=interleaved,channels=2,rate=16000");
  for (guint run = 0; run < 2; run++) {
    gst_element_set_state(rig.element, GST_STATE_READY);
    gst_element_set_state(rig.element, GST_STATE_PLAYING);
    fail_unless(gst_pad_send_event(pad, gst_event_new_stream_start("audio")));
    for (guint i = 0; i < 5; i++) fail_unless(!gst_pad_send_event(pad, gst_event_new_caps(caps)));
    expect_message(rig.bus, GST_MESSAGE_ERROR, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "no channel 3");
  }
}
GST_END_TEST

/* The numbers are the library's own, whatever they are. */
GST_START_TEST(presets_set_what_the_library_says) {
  g_autoptr(GstElement) element = gst_element_factory_make("voiceactivity", NULL);
  for (gint preset = VA_PRESET_CONVERSATION; preset <= VA_PRESET_TRANSCRIPTION; preset++) {
    va_config config;
    gfloat onset, offset;
    guint64 debounce, hangover, grace;
    va_config_preset(&config, RATE, (va_preset)preset);
    g_object_set(element, "mute-grace", (guint64)1500001, "preset", preset, NULL);
    g_object_get(element, "onset-threshold", &onset, "offset-threshold", &offset, "onset-debounce", &debounce,
                 "hangover", &hangover, "mute-grace", &grace, NULL);
    fail_unless(onset == config.onset_threshold && offset == config.offset_threshold);
    fail_unless_equals_uint64(debounce, config.onset_debounce_ms * GST_MSECOND);
    fail_unless_equals_uint64(hangover, config.hangover_ms * GST_MSECOND);
    fail_unless_equals_uint64(grace, 2 * GST_MSECOND); /* a preset does not set it; rounded up */
  }
}
GST_END_TEST

/* An offset threshold that was set stays, until a preset replaces it. Setting the onset threshold twice is as once. */
GST_START_TEST(an_onset_threshold_alone_moves_the_offset_threshold) {
  static const struct {
    gint preset;
    gfloat onset, offset;
  } cases[] = {{VA_PRESET_CONVERSATION, 0.3f, 0.1f}, {VA_PRESET_CONVERSATION, 0.66f, 0.24f},
               {VA_PRESET_NOTICE, 0.75f, 0.55f}};
  g_autoptr(GstElement) element = gst_element_factory_make("voiceactivity", NULL);
  gfloat onset, offset;
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_object_set(element, "preset", cases[i].preset, "onset-threshold", 0.01f, "onset-threshold", cases[i].onset, NULL);
    g_object_get(element, "onset-threshold", &onset, "offset-threshold", &offset, NULL);
    fail_unless(onset == cases[i].onset && offset == cases[i].offset, "%f %f", (double)onset, (double)offset);
    g_object_set(element, "offset-threshold", 0.05f, "onset-threshold", 0.5f, NULL);
    g_object_get(element, "onset-threshold", &onset, "offset-threshold", &offset, NULL);
    fail_unless(onset == 0.5f && offset == 0.05f);
  }
}
GST_END_TEST

TCase *test_case(void) {
  TCase *tests = tcase_create("states");
  tcase_add_test(tests, it_can_be_used_again);
  tcase_add_test(tests, every_onset_has_its_offset);
  tcase_add_test(tests, the_last_messages_come_before_the_end_of_stream_passes_on);
  tcase_add_test(tests, new_caps_at_the_same_rate_do_not_interrupt);
  tcase_add_test(tests, a_new_rate_goes_on_at_the_right_time);
  tcase_add_test(tests, it_adds_no_latency);
  tcase_add_test(tests, settings_that_contradict_each_other_are_an_error_before_anything_flows);
  tcase_add_test(tests, a_channel_that_is_not_there_is_an_error);
  tcase_add_test(tests, presets_set_what_the_library_says);
  tcase_add_test(tests, an_onset_threshold_alone_moves_the_offset_threshold);
  return tests;
}
