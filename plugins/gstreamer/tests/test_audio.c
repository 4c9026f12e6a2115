/* test_audio.c — every rate, format, layout and number of channels; the audio passes through unchanged. */
#include <string.h>

#include "support.h"

/* Converts mono 16-bit samples with GStreamer's own converter. Every channel gets the same samples. */
static GstBuffer *convert(const Pcm *pcm, GstAudioInfo *to) {
  GstAudioInfo from;
  gst_audio_info_set_format(&from, GST_AUDIO_FORMAT_S16LE, (gint)pcm->rate, 1, NULL);
  GstAudioInfo mono = *to;
  gst_audio_info_set_format(&mono, GST_AUDIO_INFO_FORMAT(to), GST_AUDIO_INFO_RATE(to), 1, NULL);
  GstStructure *options = gst_structure_new("options", GST_AUDIO_CONVERTER_OPT_DITHER_METHOD,
                                            GST_TYPE_AUDIO_DITHER_METHOD, GST_AUDIO_DITHER_NONE, NULL);
  GstAudioConverter *converter = gst_audio_converter_new(GST_AUDIO_CONVERTER_FLAG_NONE, &from, &mono, options);
  fail_unless(converter != NULL);
  gsize frames = gst_audio_converter_get_out_frames(converter, pcm->count);
  gsize width = (gsize)GST_AUDIO_INFO_WIDTH(to) / 8, channels = (gsize)GST_AUDIO_INFO_CHANNELS(to);
  guint8 *one = g_malloc0(frames * width), *all = g_malloc(frames * width * channels);
  gpointer in[] = {pcm->samples}, out[] = {one};
  fail_unless(gst_audio_converter_samples(converter, GST_AUDIO_CONVERTER_FLAG_NONE, in, pcm->count, out, frames));
  gboolean planar = GST_AUDIO_INFO_LAYOUT(to) == GST_AUDIO_LAYOUT_NON_INTERLEAVED;
  for (gsize frame = 0; frame < frames; frame++)
    for (gsize c = 0; c < channels; c++)
      memcpy(all + (planar ? c * frames + frame : frame * channels + c) * width, one + frame * width, width);
  GstBuffer *buffer = gst_buffer_new_wrapped(all, frames * width * channels);
  if (planar) gst_buffer_add_audio_meta(buffer, to, frames, NULL);
  gst_audio_converter_free(converter);
  g_free(one);
  return buffer;
}

/* The element's events for the PCM in that form. Asserts that the same buffer comes out with the same bytes. */
static GArray *heard(const Pcm *pcm, GstAudioFormat format, GstAudioLayout layout, guint rate, guint channels) {
  g_auto(Rig) rig = rig_new(0);
  GstAudioInfo info;
  gst_audio_info_set_format(&info, format, (gint)rate, (gint)channels, NULL);
  info.layout = layout;
  rig_caps(&rig, gst_audio_format_to_string(format),
           layout == GST_AUDIO_LAYOUT_INTERLEAVED ? "interleaved" : "non-interleaved", rate, channels);
  GstBuffer *buffer = convert(pcm, &info), *before = gst_buffer_copy_deep(buffer);
  GST_BUFFER_PTS(buffer) = 0;
  fail_unless_equals_int(gst_harness_push(rig.harness, buffer), GST_FLOW_OK);
  GstBuffer *out = gst_harness_pull(rig.harness);
  GstMapInfo map;
  fail_unless(out == buffer);
  fail_unless(gst_buffer_map(out, &map, GST_MAP_READ));
  fail_unless(gst_buffer_memcmp(before, 0, map.data, map.size) == 0);
  gst_buffer_unmap(out, &map);
  gst_buffer_unref(before);
  gst_buffer_unref(out);
  rig_end(&rig);
  return g_array_ref(rig.reports);
}

GST_START_TEST(every_format_and_layout_hears_the_same) {
  guint count;
  const GstAudioFormat *formats = gst_audio_formats_raw(&count);
  g_auto(Pcm) pcm = speech();
  g_autoptr(GArray) expected = oracle_of(&pcm);
  fail_unless_equals_int(count, 30);
  fail_unless(expected->len >= 8);
  for (guint i = 0; i < count; i++) {
    /* Sixteen bits and more hold the samples exactly. Eight bits leave coarse steps that mask quiet ends. */
    gboolean exact = GST_AUDIO_FORMAT_INFO_DEPTH(gst_audio_format_get_info(formats[i])) >= 16;
    for (GstAudioLayout layout = GST_AUDIO_LAYOUT_INTERLEAVED; layout <= GST_AUDIO_LAYOUT_NON_INTERLEAVED; layout++) {
      g_autoptr(GArray) reports = heard(&pcm, formats[i], layout, 16000, 2);
      GST_INFO("%s", gst_audio_format_to_string(formats[i]));
      assert_reports(reports, expected, 0, exact ? 1 : 100 * GST_MSECOND);
    }
  }
}
GST_END_TEST

GST_START_TEST(any_number_of_channels_hears_the_same) {
  static const guint channels[] = {1, 2, 3, 6, 8, 64, 129};
  g_auto(Pcm) pcm = speech();
  g_autoptr(GArray) expected = oracle_of(&pcm);
  for (guint i = 0; i < G_N_ELEMENTS(channels); i++)
    for (GstAudioLayout layout = GST_AUDIO_LAYOUT_INTERLEAVED; layout <= GST_AUDIO_LAYOUT_NON_INTERLEAVED; layout++) {
      g_autoptr(GArray) reports = heard(&pcm, GST_AUDIO_FORMAT_S16LE, layout, 16000, channels[i]);
      assert_reports(reports, expected, 0, 10 * GST_MSECOND); /* the mean of 3, 6 or 129 channels rounds */
    }
}
GST_END_TEST

/* The oracle is the person who labelled the speech. */
GST_START_TEST(every_rate_finds_the_labelled_speech) {
  static const guint rates[] = {8000,  8001,  11025, 12000, 16000,  22050,  24000, 32000,
                                44100, 48000, 64000, 88200, 96000, 176400, 191999, 192000};
  g_auto(Pcm) pcm = speech();
  g_autoptr(GArray) labels = labels_load("speech");
  for (guint i = 0; i < G_N_ELEMENTS(rates); i++) {
    g_autoptr(GArray) reports = heard(&pcm, GST_AUDIO_FORMAT_F32LE, GST_AUDIO_LAYOUT_INTERLEAVED, rates[i], 1);
    fail_unless_equals_int(reports->len, 2 * labels->len);
    for (guint n = 0; n < labels->len; n++) {
      Label label = g_array_index(labels, Label, n);
      fail_unless(ABS((gdouble)report_at(reports, 2 * n)->timestamp / 1e9 - label.start) < 0.1);
      fail_unless(ABS((gdouble)report_at(reports, 2 * n + 1)->timestamp / 1e9 - label.end) < 0.1);
    }
  }
}
GST_END_TEST

GST_START_TEST(rates_that_the_core_does_not_take_are_not_negotiated) {
  static const struct {
    const gchar *caps;
    gboolean taken;
  } cases[] = {{"audio/x-raw,format=S16LE,layout=interleaved,channels=1,rate=7999", FALSE},
               {"audio/x-raw,format=S16LE,layout=interleaved,channels=1,rate=8000", TRUE},
               {"audio/x-raw,format=S16LE,layout=interleaved,channels=1,rate=192000", TRUE},
               {"audio/x-raw,format=S16LE,layout=interleaved,channels=1,rate=192001", FALSE},
               {"audio/x-mulaw,channels=1,rate=8000", FALSE}};
  g_auto(Rig) rig = rig_new(0);
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GstCaps) caps = gst_caps_from_string(cases[i].caps);
    g_autoptr(GstPad) pad = gst_element_get_static_pad(rig.element, "sink");
    fail_unless_equals_int(gst_pad_query_accept_caps(pad, caps), cases[i].taken);
  }
}
GST_END_TEST

/* In stereo-48k, speech is on the left channel and rain on the right. */
GST_START_TEST(one_channel_can_be_picked) {
  g_auto(Pcm) pcm = pcm_load("stereo-48k", 48000); /* two channels */
  for (guint channel = 1; channel <= 2; channel++) {
    g_auto(Rig) rig = rig_new(0);
    g_object_set(rig.element, "channel", channel, NULL);
    gst_element_set_state(rig.element, GST_STATE_READY);
    gst_element_set_state(rig.element, GST_STATE_PLAYING);
    rig_caps(&rig, "S16LE", "interleaved", 48000, 2);
    rig_push(&rig, pcm.samples, pcm.count, 0, 0);
    rig_end(&rig);
    fail_unless_equals_int(rig.reports->len, channel == 1 ? 4 : 0);
  }
}
GST_END_TEST

GST_START_TEST(odd_buffers_pass) {
  static const guint8 bytes[] = {1, 2, 3, 4, 5};
  g_auto(Rig) rig = rig_new(16000);
  for (gsize size = 0; size <= sizeof bytes; size++) { /* empty, half a sample, torn */
    GstBuffer *buffer = size > 0 ? gst_buffer_new_memdup(bytes, size) : gst_buffer_new(), *out;
    fail_unless_equals_int(gst_harness_push(rig.harness, buffer), GST_FLOW_OK);
    out = gst_harness_pull(rig.harness);
    fail_unless(out == buffer && gst_buffer_get_size(out) == size);
    gst_buffer_unref(out);
  }
  rig_end(&rig);
  fail_unless_equals_int(rig.reports->len, 0);
}
GST_END_TEST

GST_START_TEST(planar_audio_without_its_meta_is_an_error) {
  g_auto(Rig) rig = rig_new(0);
  rig_caps(&rig, "S16LE", "non-interleaved", 16000, 2);
  fail_unless_equals_int(gst_harness_push(rig.harness, gst_buffer_new_allocate(NULL, 640, NULL)), GST_FLOW_ERROR);
  expect_message(rig.bus, GST_MESSAGE_ERROR, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "without its GstAudioMeta");
}
GST_END_TEST

TCase *test_case(void) {
  TCase *tests = tcase_create("audio");
  tcase_add_test(tests, every_format_and_layout_hears_the_same);
  tcase_add_test(tests, any_number_of_channels_hears_the_same);
  tcase_add_test(tests, every_rate_finds_the_labelled_speech);
  tcase_add_test(tests, rates_that_the_core_does_not_take_are_not_negotiated);
  tcase_add_test(tests, one_channel_can_be_picked);
  tcase_add_test(tests, odd_buffers_pass);
  tcase_add_test(tests, planar_audio_without_its_meta_is_an_error);
  return tests;
}
