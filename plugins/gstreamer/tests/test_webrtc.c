/* test_webrtc.c — a call between two webrtcbins over the loopback, some of whose packets are never sent. */
#define GST_USE_UNSTABLE_API /* GStreamer 1.22 still calls its WebRTC library unstable */
#include <gst/webrtc/webrtc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

enum { PACKETS = 500, HOPS = 1000 }; /* of the recording */

enum { PATIENCE = 240 }; /* the seconds that a step may take, and a call without progress */

typedef struct {
  gint burst; /* how many of every 20 packets are lost, in a row */
  gint packets, dropped, ended, heard; /* atomic; `heard`: the receiver has a pad for the audio */
  GstElement *pipeline, *element, *sender, *receiver;
} Call;

/* MARK: what did not happen */

static gchar complaint[80]; /* prepared, because a signal handler can only write it */

static void give_up(int number) {
  (void)number;
  if (write(STDERR_FILENO, complaint, strlen(complaint)) < 0) _exit(1);
  abort();
}

/* Functions of GStreamer that wait have no limit. If this step does not end in time, the test ends with its name. */
static void begin(const gchar *step) {
  g_snprintf(complaint, sizeof complaint, "test_webrtc: after %d s, no end of %s\n", PATIENCE, step);
  signal(SIGALRM, give_up);
  alarm(PATIENCE);
}

static void add_states(GString *text, const gchar *name, GstElement *end) {
  static const gchar *const properties[] = {"signaling-state", "ice-gathering-state", "ice-connection-state",
                                            "connection-state"};
  g_string_append_printf(text, "\n  %s:", name);
  for (guint i = 0; i < G_N_ELEMENTS(properties); i++) {
    GParamSpec *spec = g_object_class_find_property(G_OBJECT_GET_CLASS(end), properties[i]);
    gint value;
    g_object_get(end, properties[i], &value, NULL);
    g_autofree gchar *state = g_enum_to_string(spec->value_type, value);
    g_string_append_printf(text, " %s", state);
  }
}

/* MARK: a call */

/* Runs on any thread. */
static GstPadProbeReturn see(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
  Call *call = data;
  (void)pad;
  if (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) {
    if (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) != GST_EVENT_EOS) return GST_PAD_PROBE_OK;
    g_atomic_int_set(&call->ended, TRUE);
    return GST_PAD_PROBE_DROP; /* the call continues until the other end has heard what was sent */
  }
  if ((g_atomic_int_add(&call->packets, 1) + 1) % 20 >= call->burst) return GST_PAD_PROBE_OK;
  g_atomic_int_inc(&call->dropped);
  return GST_PAD_PROBE_DROP;
}

static void send_candidate(GstElement *from, guint line, gchar *candidate, gpointer data) {
  Call *call = data;
  g_signal_emit_by_name(from == call->sender ? call->receiver : call->sender, "add-ice-candidate", line, candidate);
}

static GstWebRTCSessionDescription *description_in(GstPromise *promise, const gchar *name) {
  GstWebRTCSessionDescription *description = NULL;
  gst_promise_wait(promise);
  fail_unless(gst_structure_get(gst_promise_get_reply(promise), name, GST_TYPE_WEBRTC_SESSION_DESCRIPTION, &description,
                                NULL));
  gst_promise_unref(promise);
  return description;
}

static void set_both(GstElement *local, GstElement *remote, GstWebRTCSessionDescription *description) {
  GstPromise *set = gst_promise_new();
  g_signal_emit_by_name(local, "set-local-description", description, set);
  gst_promise_wait(set);
  gst_promise_unref(set);
  set = gst_promise_new();
  g_signal_emit_by_name(remote, "set-remote-description", description, set);
  gst_promise_wait(set);
  gst_promise_unref(set);
  gst_webrtc_session_description_free(description);
}

/* Introduces both ends to each other before anything flows. */
static void negotiate(Call *call) {
  GstPromise *promise = gst_promise_new();
  begin("the offer");
  g_signal_emit_by_name(call->sender, "create-offer", NULL, promise);
  set_both(call->sender, call->receiver, description_in(promise, "offer"));
  begin("the answer");
  promise = gst_promise_new();
  g_signal_emit_by_name(call->receiver, "create-answer", NULL, promise);
  set_both(call->receiver, call->sender, description_in(promise, "answer"));
}

static void hear(GstElement *receiver, GstPad *pad, gpointer data) {
  Call *call = data;
  (void)receiver;
  GstElement *ear = gst_bin_get_by_name(GST_BIN(call->pipeline), "ear");
  GstPad *sink = gst_element_get_static_pad(ear, "sink");
  fail_unless_equals_int(gst_pad_link(pad, sink), GST_PAD_LINK_OK);
  gst_object_unref(sink);
  gst_object_unref(ear);
  g_atomic_int_set(&call->heard, TRUE);
}

/* On the loopback, nobody needs a router to open a port. GSSDP, which would ask for one, leaks addresses (1.6.2). */
static void leave_router_alone(GstElement *end) {
  GObject *ice, *agent;
  g_object_get(end, "ice-agent", &ice, NULL);
  g_object_get(ice, "agent", &agent, NULL);
  g_object_set(agent, "upnp", FALSE, NULL);
  g_object_unref(agent);
  g_object_unref(ice);
}

static void open_call(Call *call) {
  begin("the change to PLAYING");
  gchar *text = g_strdup_printf(
      "webrtcbin name=sender bundle-policy=max-bundle webrtcbin name=receiver bundle-policy=max-bundle latency=400 "
      "filesrc location=%s/speech.flac ! flacparse ! flacdec ! audioconvert ! audioresample ! identity sync=true ! "
      "opusenc ! rtpopuspay name=payloader pt=96 ! application/x-rtp,media=audio,encoding-name=OPUS,payload=96 ! "
      "sender. rtpopusdepay name=ear ! opusdec ! voiceactivity name=element ! fakesink sync=false async=false",
      g_getenv("SAMPLES_DIR"));
  call->pipeline = gst_parse_launch(text, NULL);
  g_free(text);
  call->element = gst_bin_get_by_name(GST_BIN(call->pipeline), "element");
  call->sender = gst_bin_get_by_name(GST_BIN(call->pipeline), "sender");
  call->receiver = gst_bin_get_by_name(GST_BIN(call->pipeline), "receiver");
  GstElement *payloader = gst_bin_get_by_name(GST_BIN(call->pipeline), "payloader");
  GstPad *pad = gst_element_get_static_pad(payloader, "src");
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, see, call, NULL);
  gst_object_unref(pad);
  gst_object_unref(payloader);
  leave_router_alone(call->sender);
  leave_router_alone(call->receiver);
  g_signal_connect(call->sender, "on-ice-candidate", G_CALLBACK(send_candidate), call);
  g_signal_connect(call->receiver, "on-ice-candidate", G_CALLBACK(send_candidate), call);
  g_signal_connect(call->receiver, "pad-added", G_CALLBACK(hear), call);
  gst_element_set_state(call->pipeline, GST_STATE_PLAYING);
  negotiate(call);
}

/* Describes how far the call has come. */
static gchar *describe(const Call *call) {
  GString *text = g_string_new(NULL);
  g_string_printf(text, "%d of %d packets sent, %d of them dropped; the receiver has %s pad; %" G_GINT64_FORMAT
                  " of %d hops decided, %" G_GINT64_FORMAT " samples missing",
                  g_atomic_int_get(&call->packets), PACKETS, g_atomic_int_get(&call->dropped),
                  g_atomic_int_get(&call->heard) ? "a" : "no", stat_of(call->element, "hops"), HOPS,
                  stat_of(call->element, "missing-samples"));
  add_states(text, "sender", call->sender);
  add_states(text, "receiver", call->receiver);
  return g_string_free(text, FALSE);
}

static void fail_on_error(GstMessage *message) {
  GError *error = NULL;
  gchar *debug = NULL;
  if (GST_MESSAGE_TYPE(message) != GST_MESSAGE_ERROR) return;
  gst_message_parse_error(message, &error, &debug);
  fail("%s: %s (%s)", GST_MESSAGE_SRC_NAME(message), error->message, debug);
}

/* Counts the onsets until all but the last moment of what was sent has been analysed, without a reset. */
static guint onsets_of(Call *call) {
  GstBus *bus = gst_element_get_bus(call->pipeline);
  guint onsets = 0;
  gint64 progress = 0;
  gint64 since = g_get_monotonic_time();
  alarm(0); /* the loop has a limit of its own */
  while (!g_atomic_int_get(&call->ended) || stat_of(call->element, "hops") < HOPS * 95 / 100) {
    g_autoptr(GstMessage) message =
        gst_bus_timed_pop_filtered(bus, 100 * GST_MSECOND, GST_MESSAGE_ELEMENT | GST_MESSAGE_ERROR);
    const gint64 now = stat_of(call->element, "hops") + g_atomic_int_get(&call->packets);
    if (now != progress) {
      progress = now;
      since = g_get_monotonic_time();
    }
    if (g_get_monotonic_time() - since > PATIENCE * G_USEC_PER_SEC)
      fail("no progress in %d s of the call that loses %d packets in 20: %s", PATIENCE, call->burst, describe(call));
    if (!message) continue;
    fail_on_error(message);
    const GstStructure *fields = gst_message_get_structure(message);
    if (gst_structure_has_name(fields, "voiceactivity"))
      onsets += g_str_equal(gst_structure_get_string(fields, "type"), "onset");
  }
  gst_object_unref(bus);
  return onsets;
}

static void close_call(Call *call) {
  begin("the change to NULL, or of the process");
  gst_element_set_state(call->pipeline, GST_STATE_NULL);
  gst_object_unref(call->element);
  gst_object_unref(call->sender);
  gst_object_unref(call->receiver);
  gst_object_unref(call->pipeline);
}

/* The threads of a call end some time after it. At exit, OpenSSL 3.0 frees what they still use, and the process may
 * crash although the test has passed. This leaves the process before OpenSSL's exit function runs. */
static void leave_at_once(int status, void *unused) {
  (void)unused;
  fflush(NULL);
  _exit(status);
}

/* Both calls run at once, in real time. A machine too busy for the jitter buffer's 400 ms loses more than was dropped.
 * Then more is missing, and nothing else changes. */
GST_START_TEST(calls_with_and_without_losses) {
  Call calls[] = {{.burst = 0}, {.burst = 2}};
  for (guint i = 0; i < G_N_ELEMENTS(calls); i++) open_call(&calls[i]);
  guint whole = onsets_of(&calls[0]), torn = onsets_of(&calls[1]);
  fail_unless(whole >= 4 && torn >= 4 && torn <= whole + 1, "%u onsets, with losses %u", whole, torn);
  fail_unless(calls[1].dropped >= PACKETS / 10 - 2);
  fail_unless(stat_of(calls[1].element, "missing-samples") >= (calls[1].dropped - 5) * 48000 / 50 / 3);
  for (guint i = 0; i < G_N_ELEMENTS(calls); i++) close_call(&calls[i]);
  on_exit(leave_at_once, NULL); /* registered after OpenSSL's function, and therefore called before it */
}
GST_END_TEST

TCase *test_case(void) {
  TCase *tests = tcase_create("webrtc");
  tcase_add_test(tests, calls_with_and_without_losses);
  return tests;
}
