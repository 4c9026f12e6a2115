/* room.c — a loudspeaker and a microphone in one pipeline. */
#include "room.h"

#include <string.h>

#define RATE 16000
#define TURN (RATE / 100)

Room room_new(guint played_rate, guint played_channels) {
  Room room = {.pipeline = gst_pipeline_new(NULL)};
  GstElement *element = gst_element_factory_make("voiceactivity", NULL);
  gst_bin_add(GST_BIN(room.pipeline), element);
  g_object_set(element, "muted", TRUE, NULL);
  if (played_rate > 0) room_add_loudspeaker(&room, "loudspeaker");
  if (played_rate > 0) room_played_caps(&room, "S16LE", "interleaved", played_rate, played_channels);
  room.microphone = rig_on(element);
  rig_caps(&room.microphone, "S16LE", "interleaved", RATE, 1);
  return room;
}

void room_free(Room *room) {
  if (room->loudspeaker) room_remove_loudspeaker(room);
  rig_free(&room->microphone);
  gst_object_unref(room->pipeline);
}

void room_add_loudspeaker(Room *room, const gchar *name) {
  if (room->loudspeaker) room_remove_loudspeaker(room);
  room->probe = gst_element_factory_make("voiceactivityprobe", name);
  gst_bin_add(GST_BIN(room->pipeline), gst_object_ref(room->probe));
  room->loudspeaker = gst_harness_new_with_element(room->probe, "sink", "src");
}

void room_remove_loudspeaker(Room *room) {
  gst_harness_teardown(room->loudspeaker); /* to NULL */
  gst_bin_remove(GST_BIN(room->pipeline), room->probe);
  gst_object_unref(room->probe);
  room->loudspeaker = NULL;
  room->probe = NULL;
}

void room_played_caps(Room *room, const gchar *format, const gchar *layout, guint rate, guint channels) {
  Rig rig = {.harness = room->loudspeaker};
  rig_caps(&rig, format, layout, rate, channels);
  room->played_rate = rate;
  room->played_channels = channels;
}

void room_play(Room *room, const Pcm *far, gsize from, gsize to) {
  const gsize count = (to - from) * room->played_rate / RATE, channels = room->played_channels;
  const gsize bytes = count * channels * sizeof(gint16);
  gint16 *samples = g_malloc(bytes);
  for (gsize i = 0; i < count * channels; i++) {
    const gint16 sample = far->samples[from + i / channels * RATE / room->played_rate];
    samples[i] = room->is_opposite && i % channels % 2 == 1 ? (gint16)-sample : sample;
  }
  GstBuffer *buffer = gst_buffer_new_memdup(samples, bytes);
  const GstClockTime timestamp =
      GST_CLOCK_TIME_IS_VALID(room->shift) ? room->shift + time_of(from, RATE) : GST_CLOCK_TIME_NONE;
  GST_BUFFER_PTS(buffer) = timestamp;
  GST_BUFFER_FLAG_SET(buffer, room->flags);
  fail_unless_equals_int(gst_harness_push(room->loudspeaker, buffer), GST_FLOW_OK);
  GstBuffer *out = gst_harness_pull(room->loudspeaker);
  fail_unless(out == buffer, "the buffer is another one");
  fail_unless_equals_uint64(gst_buffer_get_size(out), bytes);
  fail_unless(gst_buffer_memcmp(out, 0, samples, bytes) == 0);
  fail_unless_equals_uint64(GST_BUFFER_PTS(out), timestamp);
  gst_buffer_unref(out);
  g_free(samples);
}

void room_run(Room *room, const Pcm *far, const Pcm *heard, gsize from, gsize to) {
  for (gsize at = from; at < to; at += TURN) {
    if (room->loudspeaker && far) room_play(room, far, at, at + TURN);
    rig_push(&room->microphone, heard->samples + at, TURN, time_of(at, RATE), 0);
  }
  rig_collect(&room->microphone);
}

void room_run_to_the_end(Room *room, const Pcm *far, const Pcm *heard) {
  room_run(room, far, heard, 0, heard->count / TURN * TURN);
  rig_end(&room->microphone);
}

Pcm room_echo(const Pcm *far, guint delay_ms, const Pcm *near) {
  Pcm heard = {.samples = g_new(gint16, far->count), .count = far->count, .rate = far->rate};
  const gsize delay = (gsize)delay_ms * far->rate / 1000;
  guint32 noise = 1;
  for (gsize i = 0; i < heard.count; i++) {
    noise = noise * 1664525 + 1013904223;
    gint sample = (gint)(noise >> 28) - 8; /* -75 dBFS */
    if (i >= delay) sample += (gint)(far->samples[i - delay] * 0.32);
    if (near && i < near->count) sample += near->samples[i];
    heard.samples[i] = (gint16)CLAMP(sample, G_MININT16, G_MAXINT16);
  }
  return heard;
}

void room_assert_as_library(Room *room, const Pcm *far, const Pcm *heard) {
  g_auto(Oracle) oracle = oracle_new(RATE);
  va_detector_set_muted(oracle.detector, true);
  fail_unless(!far || va_echo_create(RATE, &oracle.echo) == VA_OK);
  for (gsize at = 0; at + TURN <= heard->count; at += TURN) {
    if (far) fail_unless(va_echo_push_s16(oracle.echo, far->samples + at, TURN) == VA_OK);
    oracle_process(&oracle, heard->samples + at, TURN);
  }
  oracle_end(&oracle);
  assert_reports(room->microphone.reports, oracle.reports, 0, 1);
}

static gint stat_ms(const Rig *microphone, const gchar *name) {
  const gint64 time = stat_of(microphone->element, name);
  return time < 0 ? -1 : (gint)(time / (gint64)GST_MSECOND);
}

gint room_delay_ms(const Rig *microphone) { return stat_ms(microphone, "echo-delay"); }

gint room_missing_ms(const Rig *microphone) { return stat_ms(microphone, "reference-missing"); }

guint room_notices(const Rig *microphone) { return count_of(microphone->reports, "muted-speech-begin"); }

void room_assert_followed(const Room *room, gint delay_ms) {
  fail_unless_equals_int(room_notices(&room->microphone), 0);
  fail_unless_equals_int(room_delay_ms(&room->microphone), delay_ms);
}
