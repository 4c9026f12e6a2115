/* support.c — PCM, oracle, harness. */
#include "support.h"

#include <stdio.h>
#include <string.h>

/* MARK: samples */

Pcm pcm_load(const gchar *name, guint rate) {
  Pcm pcm = {.rate = rate};
  gsize bytes;
  g_autofree gchar *path = g_strdup_printf("%s/%s.s16", g_getenv("PCM_DIR"), name);
  fail_unless(g_file_get_contents(path, (gchar **)&pcm.samples, &bytes, NULL), "%s cannot be read", path);
  pcm.count = bytes / sizeof(gint16);
  return pcm;
}

void pcm_free(Pcm *pcm) { g_clear_pointer(&pcm->samples, g_free); }

Pcm speech(void) { return pcm_load("speech", 16000); }

GArray *labels_load(const gchar *name) {
  GArray *labels = g_array_new(FALSE, FALSE, sizeof(Label));
  g_autofree gchar *path = g_strdup_printf("%s/%s.txt", g_getenv("SAMPLES_DIR"), name);
  FILE *file = fopen(path, "r");
  fail_unless(file != NULL, "%s cannot be read", path);
  Label label;
  while (fscanf(file, "%lf %lf %*s", &label.start, &label.end) == 2) g_array_append_val(labels, label);
  fclose(file);
  return labels;
}

gboolean is_labelled(GArray *labels, gdouble time, gdouble before, gdouble after) {
  for (guint i = 0; i < labels->len; i++) {
    const Label label = g_array_index(labels, Label, i);
    if (time >= label.start - before && time < label.end + after) return TRUE;
  }
  return FALSE;
}

GstClockTime time_of(guint64 samples, guint rate) { return gst_util_uint64_scale_round(samples, GST_SECOND, rate); }

Report *report_at(GArray *reports, guint i) {
  fail_unless(i < reports->len, "message %u of %u", i, reports->len);
  return &g_array_index(reports, Report, i);
}

guint count_of(GArray *reports, const gchar *type) {
  guint count = 0;
  for (guint i = 0; i < reports->len; i++) count += g_str_equal(report_at(reports, i)->type, type);
  return count;
}

void assert_reports(GArray *reports, GArray *expected, GstClockTimeDiff shift, GstClockTime within) {
  for (guint i = 0; i < MIN(reports->len, expected->len); i++) {
    Report *got = report_at(reports, i), *want = report_at(expected, i);
    fail_unless_equals_string(got->type, want->type);
    GstClockTimeDiff off = (GstClockTimeDiff)(got->timestamp - want->timestamp) - shift;
    fail_unless(ABS(off) <= (GstClockTimeDiff)within,
                "%u %s at %" G_GUINT64_FORMAT " is off by %" G_GINT64_FORMAT " ns", i, got->type, got->timestamp, off);
  }
  fail_unless_equals_int(reports->len, expected->len);
}

/* MARK: oracle */

static const gchar *names[] = {"", "onset", "offset", "muted-speech-begin", "muted-speech-end", "discontinuity"};

Oracle oracle_new(guint rate) {
  Oracle oracle = {.rate = rate, .reports = g_array_new(FALSE, TRUE, sizeof(Report))};
  va_config config;
  fail_unless(va_config_default(&config, rate) == VA_OK);
  fail_unless(va_detector_create(&config, &oracle.detector) == VA_OK);
  return oracle;
}

static void note(Oracle *oracle, const va_output *output) {
  for (gsize i = 0; i < output->event_count; i++) {
    Report report = {.timestamp = time_of(output->events[i].position, oracle->rate),
                 .duration = time_of(output->events[i].length_samples, oracle->rate),
                 .decided_at = time_of(output->events[i].decided_at, oracle->rate)};
    g_strlcpy(report.type, names[output->events[i].type], sizeof report.type);
    g_array_append_val(oracle->reports, report);
  }
}

#define OUTPUT                \
  va_event events[64];        \
  va_output output = {.events = events, .event_capacity = 64}

void oracle_process(Oracle *oracle, const gint16 *samples, gsize count) {
  OUTPUT;
  gsize consumed;
  do {
    fail_unless(va_detector_process_s16(oracle->detector, oracle->echo, samples, count, &consumed, &output) ==
                VA_OK);
    note(oracle, &output);
    samples += consumed;
    count -= consumed;
  } while (count > 0 || output.more);
}

void oracle_miss(Oracle *oracle, guint64 count) {
  OUTPUT;
  fail_unless(va_detector_push_gap(oracle->detector, oracle->echo, count, &output) == VA_OK);
  note(oracle, &output);
  if (output.more) oracle_process(oracle, NULL, 0);
}

void oracle_end(Oracle *oracle) {
  OUTPUT;
  do {
    fail_unless(va_detector_flush(oracle->detector, oracle->echo, &output) == VA_OK);
    note(oracle, &output);
  } while (output.more);
  va_detector_reset(oracle->detector);
}

void oracle_free(Oracle *oracle) {
  va_detector_destroy(oracle->detector);
  va_echo_destroy(oracle->echo);
  g_array_unref(oracle->reports);
}

GArray *oracle_of(const Pcm *pcm) {
  g_auto(Oracle) oracle = oracle_new(pcm->rate);
  oracle_process(&oracle, pcm->samples, pcm->count);
  oracle_end(&oracle);
  return g_array_ref(oracle.reports);
}

/* MARK: harness */

Rig rig_on(GstElement *element) {
  Rig rig = {.element = gst_object_ref(element), .bus = gst_bus_new()};
  gst_element_set_bus(rig.element, rig.bus);
  rig.harness = gst_harness_new_with_element(element, "sink", "src");
  rig.reports = g_array_new(FALSE, TRUE, sizeof(Report));
  rig.levels = g_ptr_array_new_with_free_func((GDestroyNotify)gst_structure_free);
  return rig;
}

Rig rig_with(const gchar *format, guint rate, const gchar *property, ...) {
  GstElement *element = gst_object_ref_sink(gst_element_factory_make("voiceactivity", NULL));
  Rig rig = rig_on(element);
  gst_object_unref(element);
  va_list values;
  va_start(values, property);
  if (property) g_object_set_valist(G_OBJECT(rig.element), property, values);
  va_end(values);
  if (rate > 0) rig_caps(&rig, format, "interleaved", rate, 1);
  return rig;
}

Rig rig_new(guint rate) { return rig_with("S16LE", rate, NULL, NULL); }

void rig_free(Rig *rig) {
  gst_element_set_bus(rig->element, NULL);
  gst_bus_set_flushing(rig->bus, TRUE);
  gst_object_unref(rig->bus);
  gst_object_unref(rig->element);
  g_array_unref(rig->reports);
  g_ptr_array_unref(rig->levels);
  gst_harness_teardown(rig->harness);
}

void rig_caps(Rig *rig, const gchar *format, const gchar *layout, guint rate, guint channels) {
  GstCaps *caps = gst_caps_new_simple("audio/x-raw", "format", G_TYPE_STRING, format, "layout", G_TYPE_STRING, layout,
                                      "rate", G_TYPE_INT, (gint)rate, "channels", G_TYPE_INT, (gint)channels, NULL);
  if (channels > 2) gst_caps_set_simple(caps, "channel-mask", GST_TYPE_BITMASK, (guint64)0, NULL);
  gst_harness_set_src_caps(rig->harness, caps);
}

void rig_push(Rig *rig, const gint16 *samples, gsize count, GstClockTime timestamp, GstBufferFlags flags) {
  GstBuffer *buffer = gst_buffer_new_memdup(samples, count * sizeof *samples), *out;
  GST_BUFFER_PTS(buffer) = timestamp;
  GST_BUFFER_FLAG_SET(buffer, flags);
  fail_unless_equals_int(gst_harness_push(rig->harness, buffer), GST_FLOW_OK);
  out = gst_harness_pull(rig->harness);
  fail_unless(out == buffer, "the buffer is another one");
  fail_unless(gst_buffer_memcmp(out, 0, samples, count * sizeof *samples) == 0);
  fail_unless_equals_uint64(gst_buffer_get_size(out), count * sizeof *samples);
  fail_unless_equals_uint64(GST_BUFFER_PTS(out), timestamp);
  gst_buffer_unref(out);
}

void rig_play(Rig *rig, const Pcm *pcm, gsize from, gsize to, gsize size, GstClockTime start) {
  for (gsize at = from; at < to; at += size)
    rig_push(rig, pcm->samples + at, MIN(size, to - at), start + time_of(at, pcm->rate), 0);
}

void rig_segment(Rig *rig, const GstSegment *segment) {
  fail_unless(gst_harness_push_event(rig->harness, gst_event_new_segment(segment)));
}

void rig_eos(Rig *rig) { fail_unless(gst_harness_push_event(rig->harness, gst_event_new_eos())); }

void rig_end(Rig *rig) {
  rig_eos(rig);
  rig_collect(rig);
}

static void keep(Rig *rig, GstMessage *message) {
  const GstStructure *fields = gst_message_get_structure(message);
  Report report = {.seqnum = gst_message_get_seqnum(message)};
  fail_unless(gst_structure_has_name(fields, "voiceactivity"));
  g_strlcpy(report.type, gst_structure_get_string(fields, "type"), sizeof report.type);
  fail_unless(gst_structure_get_clock_time(fields, "timestamp", &report.timestamp));
  fail_unless(gst_structure_get_clock_time(fields, "stream-time", &report.stream_time));
  fail_unless(gst_structure_get_clock_time(fields, "running-time", &report.running_time));
  fail_unless(gst_structure_get_clock_time(fields, "duration", &report.duration));
  if (strcmp(report.type, "level") == 0) {
    g_ptr_array_add(rig->levels, gst_structure_copy(fields));
    return;
  }
  fail_unless(gst_structure_get_clock_time(fields, "decided-at-timestamp", &report.decided_at));
  gst_structure_get_uint64(fields, "number", &report.number);
  g_array_append_val(rig->reports, report);
}

void rig_collect(Rig *rig) {
  GstMessage *message;
  while ((message = gst_bus_pop_filtered(rig->bus, GST_MESSAGE_ELEMENT | GST_MESSAGE_ERROR | GST_MESSAGE_WARNING))) {
    fail_unless(GST_MESSAGE_TYPE(message) == GST_MESSAGE_ELEMENT, "%s", GST_MESSAGE_TYPE_NAME(message));
    keep(rig, message);
    gst_message_unref(message);
  }
}

/* MARK: elements */

void flush(GstHarness *harness) {
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_harness_push_event(harness, gst_event_new_flush_start());
  gst_harness_push_event(harness, gst_event_new_flush_stop(TRUE));
  gst_harness_push_event(harness, gst_event_new_segment(&segment));
}

gint64 stat_of(GstElement *element, const gchar *name) {
  g_autoptr(GstStructure) stats = NULL;
  guint64 value;
  g_object_get(element, "stats", &stats, NULL);
  return gst_structure_get_uint64(stats, name, &value) ? (gint64)value : -1;
}

void expect_message(GstBus *bus, GstMessageType type, GQuark domain, gint code, const gchar *part) {
  const GstMessageType both = GST_MESSAGE_ERROR | GST_MESSAGE_WARNING;
  g_autoptr(GstMessage) message = gst_bus_pop_filtered(bus, both);
  g_autoptr(GError) error = NULL;
  fail_unless(message != NULL && GST_MESSAGE_TYPE(message) == type, "no such message");
  if (type == GST_MESSAGE_ERROR) gst_message_parse_error(message, &error, NULL);
  else gst_message_parse_warning(message, &error, NULL);
  fail_unless(g_error_matches(error, domain, code) && strstr(error->message, part), "%s", error->message);
  fail_unless(gst_bus_pop_filtered(bus, both) == NULL, "reported twice");
}
