/* test_contract.c — what every language replays: Tests/Contract, whose files say what their lines mean. The element has
 * no levels, no level of the user to set, no gain and no cutter; its level messages have no state. */
#include <stdio.h>
#include <string.h>

#include "../muted.h"
#include "support.h"

static gchar *contract(const gchar *name) {
  g_autofree gchar *path = g_build_filename(g_getenv("CONTRACT"), name, NULL);
  gchar *contents;
  fail_unless(g_file_get_contents(path, &contents, NULL, NULL), "%s cannot be read", path);
  return contents;
}

static gchar *kebab(const gchar *name) { return g_strdelimit(g_strdup(name), "_", '-'); }

/* MARK: speaking while muted */

/* The number of a requirement as the property `requirements` has it, or -1. */
static gint requirement_of(GFlagsClass *requirements, const gchar *input) {
  g_autofree gchar *nick = kebab(input);
  const GFlagsValue *value = g_flags_get_value_by_nick(requirements, nick);
  if (strcmp(input, "microphone_muted") == 0) return VA_REQUIREMENT_MICROPHONE_MUTED;
  return value ? g_bit_nth_lsf(value->value, -1) : -1;
}

static gboolean take(Muted *muted, GFlagsClass *requirements, const gchar *input, glong on, gint64 ms) {
  const gint requirement = requirement_of(requirements, input);
  const gboolean passed = muted_handle(muted, 0, ms); /* no event, but time passes */
  fail_unless(!passed);
  if (requirement >= 0) return muted_set(muted, (va_requirement)requirement, on != 0);
  if (strcmp(input, "speech") == 0 || strcmp(input, "input_replaced") == 0)
    return muted_handle(muted, on ? VA_EVENT_MUTED_SPEECH_BEGIN : VA_EVENT_MUTED_SPEECH_END, ms);
  if (strcmp(input, "end") == 0) return va_speaking_gate_end(&muted->gate);
  if (strcmp(input, "dismiss") == 0) va_muted_notice_dismiss(&muted->notice, (guint64)on);
  else if (strcmp(input, "is_enabled") == 0) muted->notice.is_enabled = on != 0;
  else if (strcmp(input, "is_once_per_mute") == 0) muted->notice.is_once_per_mute = on != 0;
  else if (strcmp(input, "interval_ms") == 0) muted->notice.interval_ms = on;
  else fail_unless_equals_string(input, "wait");
  return FALSE;
}

GST_START_TEST(the_rows_are_kept) {
  g_autofree gchar *text = contract("speaking-while-muted.txt");
  g_auto(GStrv) lines = g_strsplit(text, "\n", 0);
  g_autoptr(GstElement) element = gst_object_ref_sink(gst_element_factory_make("voiceactivity", NULL));
  GParamSpec *spec = g_object_class_find_property(G_OBJECT_GET_CLASS(element), "requirements");
  GFlagsClass *requirements = G_PARAM_SPEC_FLAGS(spec)->flags_class;
  Muted muted;
  const gchar *row = "";
  guint rows = 0;
  for (gchar **line = lines; *line; line++) {
    if (**line == 0 || **line == '#') continue;
    if (g_str_has_prefix(*line, "row ")) {
      row = *line, rows++;
      muted_init(&muted);
    } else if (g_str_has_prefix(*line, "text ")) {
      fail_unless_equals_string(*line, "text " VA_NOTICE_TEXT);
    } else {
      gint64 ms;
      gchar input[64];
      glong on;
      gint columns = 0;
      fail_unless_equals_int(sscanf(*line, "%" G_GINT64_FORMAT " %63s %ld %n", &ms, input, &on, &columns), 3);
      const gboolean changed = take(&muted, requirements, input, on, ms);
      const va_muted_notice *notice = &muted.notice;
      g_autofree gchar *found = g_strdup_printf("%d %d %d %" G_GUINT64_FORMAT " %d", changed, muted.gate.is_speaking,
                                                muted.gate.unmet == 0, notice->shown,
                                                notice->is_speaking && notice->shown == 0);
      fail_unless(strcmp(found, *line + columns) == 0, "%s: '%s' gave %s", row, *line, found);
    }
  }
  fail_unless(rows >= 19, "%u rows", rows);
}
GST_END_TEST

/* MARK: streams */

typedef struct {
  Rig rig;
  GstElement *pipeline;
  GstHarness *loudspeaker; /* NULL: the stream has no echo */
  const gint16 *talk;
  guint rate;
  guint64 at; /* samples so far */
  gboolean has_begun;
} Stream;

static Stream begin(const gchar *head, const gint16 *talk) {
  gchar name[64], preset[32];
  Stream stream = {.pipeline = gst_pipeline_new(NULL), .talk = talk};
  fail_unless_equals_int(sscanf(head, "stream %63s %u %31s", name, &stream.rate, preset), 3);
  GstElement *element = gst_element_factory_make("voiceactivity", NULL);
  gst_bin_add(GST_BIN(stream.pipeline), element);
  gst_util_set_object_arg(G_OBJECT(element), "preset", preset);
  g_object_set(element, "messages", 15, "interval", 10 * GST_MSECOND, NULL);
  if (strstr(name, "echo")) {
    GstElement *probe = gst_element_factory_make("voiceactivityprobe", NULL);
    gst_bin_add(GST_BIN(stream.pipeline), probe);
    Rig loudspeaker = {.harness = stream.loudspeaker = gst_harness_new_with_element(probe, "sink", "src")};
    rig_caps(&loudspeaker, "S16LE", "interleaved", stream.rate, 1);
  }
  stream.rig = rig_on(element);
  return stream;
}

static void end(Stream *stream) {
  if (stream->loudspeaker) gst_harness_teardown(stream->loudspeaker);
  rig_free(&stream->rig);
  gst_object_unref(stream->pipeline);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Stream, end)

static void push(Stream *stream, Rig *rig, glong first, glong count, gint shift) {
  const guint copies = stream->rate / 8000;
  g_autofree gint16 *samples = g_new(gint16, (gsize)count * copies);
  for (glong i = 0; i < count * (glong)copies; i++) {
    const glong from = first + i / (glong)copies;
    samples[i] = (gint16)(from < 0 ? 0 : stream->talk[from] >> shift);
  }
  rig_push(rig, samples, (gsize)count * copies, time_of(stream->at, stream->rate), 0);
  if (rig == &stream->rig) stream->at += (guint64)count * copies;
}

static void set(Stream *stream, const gchar *name, gdouble value) {
  const gboolean is_duration = g_str_has_suffix(name, "_ms");
  g_autofree gchar *property = kebab(name);
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];
  if (is_duration) property[strlen(property) - 3] = 0;
  gst_util_set_object_arg(G_OBJECT(stream->rig.element), property,
                          g_ascii_formatd(number, sizeof number, "%.12g", value * (is_duration ? GST_MSECOND : 1)));
}

/* Returns whether the element has such a step. */
static gboolean step(Stream *stream, const gchar *line) {
  gchar op[16], name[64] = "";
  gdouble value = 0;
  glong a = 0, b = 0, c = 0, d = 0;
  fail_unless(sscanf(line, "%15s %63s %lf", op, name, &value) >= 1);
  sscanf(line, "%*s %ld %ld %ld %ld", &a, &b, &c, &d);
  if (strcmp(op, "set") == 0) return set(stream, name, value), TRUE;
  if (strcmp(op, "rule") == 0) return TRUE; /* of a cutter */
  if (!stream->has_begun) rig_caps(&stream->rig, "S16LE", "interleaved", stream->rate, 1);
  stream->has_begun = TRUE;
  if (strcmp(op, "hear") == 0) {
    for (glong i = 0; i < b; i += 400) push(stream, &stream->rig, a + i, MIN(b - i, 400), (gint)c);
  } else if (strcmp(op, "echo") == 0) {
    Rig loudspeaker = {.harness = stream->loudspeaker};
    for (glong i = 0; i < b; i += 80) {
      push(stream, &loudspeaker, a + i, 80, 0);
      push(stream, &stream->rig, a + i - c, 80, (gint)d);
    }
  } else if (strcmp(op, "mute") == 0) {
    g_object_set(stream->rig.element, "muted", a != 0, NULL);
  } else if (strcmp(op, "gap") == 0) {
    const GstClockTime from = time_of(stream->at, stream->rate);
    stream->at += (guint64)a;
    gst_harness_push_event(stream->rig.harness, gst_event_new_gap(from, time_of(stream->at, stream->rate) - from));
  } else if (strcmp(op, "flush") == 0) {
    rig_end(&stream->rig);
  } else {
    return FALSE;
  }
  return TRUE;
}

static guint64 position(const Stream *stream, GstClockTime time) {
  return gst_util_uint64_scale_round(time, stream->rate, GST_SECOND);
}

/* The events, as streams.txt has them; a line of flags for each hop; the status. */
static GString *answers_of(Stream *stream) {
  static const struct {
    const gchar *name, *field;
  } flags[] = {{"speech", "speaking"}, {"muted", "muted"}, {"muted_speech", "muted-speech"}, {"missing", "missing"},
               {"echo", "echo"}};
  GString *answers = g_string_new(NULL);
  for (guint i = 0; i < stream->rig.reports->len; i++) {
    const Report *report = report_at(stream->rig.reports, i);
    const GstClockTime length = GST_CLOCK_TIME_IS_VALID(report->duration) ? report->duration : 0;
    g_autofree gchar *type = g_strdelimit(g_strdup(report->type), "-", '_');
    g_string_append_printf(answers, "> event %s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                           type, position(stream, report->timestamp), position(stream, report->decided_at),
                           position(stream, length));
  }
  for (guint i = 0; i < stream->rig.levels->len; i++) {
    const gsize before = answers->len;
    for (guint n = 0; n < G_N_ELEMENTS(flags); n++) {
      gboolean is_set;
      fail_unless(gst_structure_get_boolean(g_ptr_array_index(stream->rig.levels, i), flags[n].field, &is_set));
      if (is_set) g_string_append_printf(answers, "%s%s", answers->len > before ? "+" : "", flags[n].name);
    }
    g_string_append(answers, answers->len > before ? "\n" : "-\n");
  }
  g_string_append_printf(answers, "> status %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n",
                         stat_of(stream->rig.element, "hops"), stat_of(stream->rig.element, "missing-samples"));
  return answers;
}

/* Adds a line of answers to those that the element is to give. */
static void expect(GString *expected, const gchar *line) {
  guint count;
  gchar flags[64];
  if (g_str_has_prefix(line, "> cut ")) return;
  if (sscanf(line, "> hops %u %*s %63s", &count, flags) != 2) {
    g_string_append_printf(expected, "%s\n", line);
    return;
  }
  while (count-- > 0) g_string_append_printf(expected, "%s\n", flags);
}

GST_START_TEST(the_streams_have_the_answers_of_c) {
  g_autofree gchar *text = contract("streams.txt"), *talk = contract("talk.s16");
  g_auto(GStrv) blocks = g_strsplit(text, "\n\n", 0);
  guint replayed = 0;
  for (gchar **block = blocks + 1; *block; block++) {
    g_auto(GStrv) lines = g_strsplit(g_strchomp(*block), "\n", 0);
    g_auto(Stream) stream = begin(lines[0], (const gint16 *)talk);
    g_autoptr(GString) expected = g_string_new(NULL);
    gboolean is_known = TRUE;
    for (gchar **line = lines + 1; *line && is_known; line++)
      if (**line == '>') expect(expected, *line);
      else is_known = step(&stream, *line);
    if (!is_known) continue;
    g_autoptr(GString) answers = answers_of(&stream);
    g_auto(GStrv) found = g_strsplit(answers->str, "\n", 0), wanted = g_strsplit(expected->str, "\n", 0);
    for (guint i = 0; found[i] && wanted[i]; i++)
      fail_unless(strcmp(found[i], wanted[i]) == 0, "%s: answer %u is '%s', not '%s'", lines[0], i, found[i],
                  wanted[i]);
    fail_unless(g_string_equal(answers, expected), "%s: other answers follow", lines[0]);
    replayed++;
  }
  fail_unless(replayed >= 8, "%u streams", replayed);
}
GST_END_TEST

TCase *test_case(void) {
  TCase *tests = tcase_create("contract");
  tcase_add_test(tests, the_rows_are_kept);
  tcase_add_test(tests, the_streams_have_the_answers_of_c);
  return tests;
}
