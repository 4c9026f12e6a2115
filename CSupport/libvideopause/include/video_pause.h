/* video_pause.h — decides which incoming videos a subscriber of a call gets, and which are paused.
 *
 * One coordinator follows one subscriber. The host reports which streams are published, what the subscriber wants of
 * them, who speaks, and what the path carries. After each input it asks for a decision: for each stream, the layer to
 * forward, or the reason why nothing is forwarded. In this program the path carries one of two cameras:
 *
 *     #include <stdio.h>
 *     #include <video_pause.h>
 *
 *     int main(void) {
 *       vp_coordinator *coordinator;
 *       vp_status_code code = vp_coordinator_create(NULL, &coordinator);
 *       if (code != VP_OK) {
 *         fprintf(stderr, "%s\n", vp_status_text(code));
 *         return 1;
 *       }
 *
 *       vp_layer layer = {.width = 640, .height = 360, .is_active = 1, .frames_per_second = 30, .bitrate_bps = 500000};
 *       int64_t now = 0; // µs of a monotonic clock
 *       for (uint64_t participant = 1; participant <= 2; participant++)
 *         vp_upsert_stream(coordinator, VP_STREAM(participant, VP_TRACK_VIDEO), VP_KIND_CAMERA, false, &layer, 1, now);
 *       vp_set_bandwidth_estimate(coordinator, 700000, VP_CONGESTION_NONE, now);
 *       vp_decide(coordinator, now, NULL);
 *
 *       vp_stream_decision streams[2];
 *       size_t count;
 *       vp_stream_decisions(coordinator, streams, 2, &count);
 *       for (size_t i = 0; i < count; i++)
 *         printf("participant %d: %d bit/s\n", (int)VP_PARTICIPANT(streams[i].stream),
 *                (int)streams[i].layer.bitrate_bps);
 *       vp_coordinator_destroy(coordinator);
 *     }
 *
 * The guarantees that decisions keep, and what was measured, are in docs/video-pause.md.
 *
 * Sections: CONVENTIONS, LIBRARY, SETTINGS, COORDINATOR, STREAMS, THE SUBSCRIBER, LAYOUTS, THE NETWORK, DECISIONS,
 * PUBLISHERS.
 */
#ifndef VIDEO_PAUSE_H
#define VIDEO_PAUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define VP_API __attribute__((visibility("default")))
#else
#define VP_API
#endif

/* ---- CONVENTIONS ----------------------------------------------------------------------------------------------------
 *
 * THREADS   Coordinators share nothing. Different threads may use different coordinators at the same time. Only one
 *           thread at a time may use a given coordinator; any thread may take it over if the handover orders memory, as
 *           a lock or a queue does. No function calls back, blocks, or starts a thread.
 * MEMORY    A coordinator allocates its own memory, with aligned_alloc. vp_coordinator_create, vp_upsert_stream, and
 *           the functions about speakers, layouts and participants allocate, and so do those of vp_layer_demand. The
 *           others do not once a decision has been made for as many streams. If memory is exhausted, the process ends
 *           by abort, after one line on standard error: Swift has no error for it. maximum_streams limits what a
 *           coordinator can take.
 * TIME      Microseconds of the host's monotonic clock, from any origin. Every input carries its time; the library
 *           reads no clock. Time may not go back. The same inputs at the same times give the same decisions.
 * RATES     Bits per second, as the path sees them, with the headers of RTP, UDP and IP if the estimate has them.
 * STREAMS   A stream is named by one number: VP_STREAM(participant, track). A participant, numbered by the host from 0
 *           to 2^63 - 1, has at most one camera and one screen share.
 * ERRORS    A function that can fail returns a vp_status_code. After an error nothing has changed, except that the time
 *           of the call may count as passed. Every value of every argument is checked, and every pointer for NULL, but
 *           not whether it points to memory.
 * ENUMS     Structs hold values of the enums in 32 bits. A value that the enum does not have is an error. Fields whose
 *           names begin with `is_` or `has_` are true unless 0.
 */

/* ---- LIBRARY ----------------------------------------------------------------------------------------------------- */

/* The ABI that this header describes. It increases when functions are added. Structs never change. */
#define VP_ABI_VERSION 1

/* The highest rate, 1 Tbit/s, and the most layers of a stream. */
#define VP_BITRATE_MAX INT64_C(1000000000000)
#define VP_LAYERS_MAX 32

/* The longest side of a picture or a view, in pixels. */
#define VP_SIDE_MAX 1000000

/* The highest index of a spatial or temporal layer, and the highest ids of a decode target. */
#define VP_LAYER_INDEX_MAX 255
#define VP_SPATIAL_ID_MAX 3
#define VP_TEMPORAL_ID_MAX 7

/* The most entries of a custom layout. */
#define VP_LAYOUT_STREAMS_MAX 25

/* A time that never comes. */
#define VP_NEVER INT64_MAX

/* contract: status */
typedef enum vp_status_code {
  VP_OK = 0,
  VP_ERROR_ARGUMENT = 1,           /* NULL, a value not in its enum or not allowed, a participant above 2^63 - 1 */
  VP_ERROR_STRUCT_SIZE = 2,        /* struct_size is unset, or belongs to no known version */
  VP_ERROR_CONFIG = 3,             /* a setting is out of range: vp_config_invalid_field names it; or hold_us is */
  VP_ERROR_TIME = 4,               /* before the time of an earlier input */
  VP_ERROR_UNKNOWN_STREAM = 5,     /* never upserted, or removed */
  VP_ERROR_TOO_MANY_STREAMS = 6,   /* more than vp_config.maximum_streams */
  VP_ERROR_BITRATE = 7,            /* an estimate or a rate outside 0 … VP_BITRATE_MAX */
  VP_ERROR_DEMAND = 8,             /* a view's side above VP_SIDE_MAX, or a maximum frame rate negative or NaN */
  VP_ERROR_LAYER_COUNT = 9,        /* more than VP_LAYERS_MAX layers */
  VP_ERROR_LAYER_BITRATE = 10,     /* a layer's rate outside 0 … VP_BITRATE_MAX */
  VP_ERROR_LAYER_SIZE = 11,        /* a layer's width or height outside 1 … VP_SIDE_MAX */
  VP_ERROR_LAYER_INDEX = 12,       /* an index above VP_LAYER_INDEX_MAX, or a decode target's id above its maximum */
  VP_ERROR_LAYER_FRAME_RATE = 13,  /* negative, infinite or NaN */
  VP_ERROR_LAYER_DUPLICATE = 14,   /* two layers with the same indices */
  VP_ERROR_CAPACITY = 15,          /* less room than the result needs; the count says how much it needs */
  VP_ERROR_LAYER_MIXED = 16,       /* decode targets beside layers that are none */
  VP_ERROR_LAYER_COST = 17,        /* a decode target costs less than one that it contains */
  VP_ERROR_NOT_IN_MEETING = 18,    /* no meeting is in progress */
  VP_ERROR_NO_CUSTOM_LAYOUT = 19,  /* the layout is not VP_LAYOUT_CUSTOM, or the meeting does not support it */
  VP_ERROR_LAYOUT_EMPTY = 20,      /* no entries */
  VP_ERROR_LAYOUT_COUNT = 21,      /* more than VP_LAYOUT_STREAMS_MAX entries */
  VP_ERROR_LAYOUT_PRIORITIES = 22, /* some entries have a priority and others have none */
  VP_ERROR_LAYOUT_UNNAMED = 23,    /* an entry with neither a participant nor a priority */
  VP_ERROR_LAYOUT_DUPLICATE = 24,  /* a participant in two entries */
  VP_ERROR_LAYOUT_PARTICIPANT = 25 /* a participant who is not in the meeting */
} vp_status_code;
/* contract end */

/* Returns one English sentence for a code, in static storage; never NULL. */
VP_API const char *vp_status_text(vp_status_code code);

/* Return the library's version, in static storage, and the VP_ABI_VERSION with which it was built. */
VP_API const char *vp_version(void);
VP_API uint32_t vp_abi_version(void);

/* ---- SETTINGS ---------------------------------------------------------------------------------------------------- */

/* How to share the bits beyond every stream's base layer. */
typedef enum vp_strategy {
  VP_STRATEGY_GRID = 0,     /* bits go where they improve the picture most */
  VP_STRATEGY_PRIORITY = 1, /* a stream gets all it wants before the next gets more than its base layer */
  VP_STRATEGY_STAGE = 2     /* the first stream up to a good picture, then the others, then the rest of the first */
} vp_strategy;

/* The settings of a coordinator. Start from vp_config_default and change what you need. Durations are 0 to 24 hours. */
typedef struct vp_config {
  uint32_t struct_size;                     /* sizeof(vp_config); vp_config_default sets it */
  uint32_t strategy;                        /* a vp_strategy: grid */
  int64_t initial_estimate_bps;             /* assumed until the first estimate: 1,000,000 */
  int64_t audio_bitrate_per_stream_bps;     /* the reserve for an audible stream, up to 10,000,000: 48,000 */
  uint32_t audio_stream_limit;              /* how many audio streams are forwarded at once, up to 1,000: 3 */
  uint32_t resume_limit;                    /* resumes of a stream in a gate_period, 1 … 64: 2 */
  double audio_headroom;                    /* between the audio rate and its reserve, 1 … 10: 1.2 */
  double grow_margin;                       /* the part of the evidence not used to send more, 0 <= … < 1: 0.07 */
  int64_t evidence_window_us;               /* how far back a decision to send more looks: 3 s */
  int64_t tolerated_queue_us;               /* tolerated queue while a third of the base layers fits: 1.5 s; 0: none */
  int64_t tolerated_outage_us;              /* the queue tolerated while less fits, and for how long: 6 s; the
                                             * first stream stays until the queue is a quarter longer */
  int64_t decision_interval_us;             /* between decisions that only a new estimate calls for: 200 ms */
  int64_t hold_off_us;                      /* the shortest pause for bandwidth of a stream that was forwarded: 5 s */
  int64_t gate_period_us;                   /* the period of resume_limit: 60 s */
  int64_t lock_timeout_us;                  /* after this time, a layer counts as locked: 1 s */
  int64_t hidden_grace_us;                  /* how long a stream hidden while paused stays wanted: 10 s */
  int64_t maximum_oversend_bps;             /* of streams that are never paused, beyond the budget: 500,000 */
  int64_t minimum_probe_step_bps;           /* the smallest step of a probe: 200,000 */
  int64_t probe_interval_us;                /* the first interval between probes that find nothing: 750 ms */
  int64_t maximum_probe_interval_us;        /* the longest, at least probe_interval: 30 s */
  int64_t maximum_pinned_probe_interval_us; /* the longest while a pinned stream is paused: 10 s */
  uint32_t maximum_streams;                 /* that the coordinator holds at a time, 1 … 1,000,000: 10,000 */
  uint32_t preferred_height;                /* up to which VP_STRATEGY_STAGE raises cameras first, from 1: 360 */
  uint32_t is_screen_share_first;           /* whether screen shares rank before cameras that are not pinned: 1 */
  uint32_t is_720p_enabled;                 /* whether cameras may be forwarded above 360p at first: 1 */
  int64_t other_traffic_reserve_bps;        /* the least reserve for retransmissions, repair and data: 0 */
} vp_config;

/* Writes the default settings, which suit conversations over the internet. VP_ERROR_ARGUMENT. */
VP_API vp_status_code vp_config_default(vp_config *config);

/* Returns the name of the first field that is out of range, in static storage; NULL if all are in range, or if config
 * is NULL or struct_size is not right. */
VP_API const char *vp_config_invalid_field(const vp_config *config);

/* ---- COORDINATOR ------------------------------------------------------------------------------------------------- */

typedef struct vp_coordinator vp_coordinator;

/* Creates a coordinator without streams. config may be NULL for the default settings. After an error, *coordinator is
 * NULL. VP_ERROR_ARGUMENT, VP_ERROR_STRUCT_SIZE, VP_ERROR_CONFIG. */
VP_API vp_status_code vp_coordinator_create(const vp_config *config, vp_coordinator **coordinator);

/* Destroys a coordinator; NULL does nothing. */
VP_API void vp_coordinator_destroy(vp_coordinator *coordinator);

/* ---- STREAMS --------------------------------------------------------------------------------------------------------
 *
 * Functions that take a stream's number return VP_ERROR_UNKNOWN_STREAM for one that is not there. All functions with a
 * time return VP_ERROR_TIME if it is before that of an earlier input, and VP_ERROR_ARGUMENT. */

typedef enum vp_track { VP_TRACK_SCREEN_SHARE = 0, VP_TRACK_VIDEO = 1 } vp_track;

/* The number of a participant's stream, and the participant and the track of a stream. The top bit of a participant
 * above 2^63 - 1 is lost. */
#define VP_STREAM(participant, track) ((uint64_t)(participant) << 1 | (uint64_t)(track))
#define VP_PARTICIPANT(stream) ((uint64_t)(stream) >> 1)
#define VP_TRACK(stream) ((vp_track)((stream) & 1))

/* What a stream shows. Screen shares need resolution and are paused last; cameras need motion. */
typedef enum vp_kind { VP_KIND_CAMERA = 0, VP_KIND_SCREEN_SHARE = 1 } vp_kind;

/* One quality at which a stream can be forwarded: a simulcast encoding, or a decode target of a scalable stream, at one
 * of its frame rates. A decode target contains all targets of lower or equal ids: it costs at least as much as any of
 * them, and moving down to one of them needs no key frame. Its ids are those of the dependency descriptor (AV1) or of
 * the payload descriptor (VP9). Either all layers of a stream are decode targets, or none is. Layers whose pictures do
 * not depend on each other are not: simulcast, S2T3, and between key frames also L2T3_KEY. */
typedef struct vp_layer {
  uint32_t spatial;          /* the encoding, or the spatial id of the decode target, from 0, the smallest */
  uint32_t temporal;         /* the temporal layer or id, from 0, the slowest */
  uint32_t width, height;    /* of the picture, in pixels, 1 … VP_SIDE_MAX */
  uint32_t is_active;        /* whether the publisher sends the layer at present, or would if it were demanded */
  uint32_t is_decode_target; /* whether spatial and temporal are the ids of a decode target */
  double frames_per_second; /* 0 if it is not known */
  int64_t bitrate_bps;      /* the total cost, with the layers that this one depends on: a robust average, no burst */
} vp_layer;

/* Adds a published stream, or updates it, with every layer that it may have. Keep layers that the publisher does not
 * send at present in the list: inactive, or with a rate of 0. is_local: the subscriber's own stream, which is never
 * forwarded to it. VP_ERROR_TOO_MANY_STREAMS, VP_ERROR_LAYER_…. */
VP_API vp_status_code vp_upsert_stream(vp_coordinator *coordinator, uint64_t stream, vp_kind kind, bool is_local,
                                       const vp_layer *layers, size_t layer_count, int64_t at_us);

/* Removes a stream that is not published any more. It also leaves the paused tracks. */
VP_API vp_status_code vp_remove_stream(vp_coordinator *coordinator, uint64_t stream, int64_t at_us);

/* Reports that the publisher turned the stream off or on. */
VP_API vp_status_code vp_set_publisher_muted(vp_coordinator *coordinator, uint64_t stream, bool is_muted,
                                             int64_t at_us);

/* Reports that the forwarder has the key frame of the layer that it was asked to forward, so that the picture now
 * reaches the subscriber. A stream that was paused then leaves the paused tracks. */
VP_API vp_status_code vp_layer_locked(vp_coordinator *coordinator, uint64_t stream, int64_t at_us);

/* ---- THE SUBSCRIBER ---------------------------------------------------------------------------------------------- */

/* Who has pinned a stream. The subscriber's own pin ranks first; among equals the newest. */
typedef enum vp_pin { VP_PIN_NONE = 0, VP_PIN_OWN = 1, VP_PIN_EVERYBODY = 2 } vp_pin;

typedef enum vp_priority {
  VP_PRIORITY_NONE = 0, /* not given: behind VP_PRIORITY_LOW */
  VP_PRIORITY_LOW = 1,
  VP_PRIORITY_MEDIUM = 2,
  VP_PRIORITY_HIGH = 3
} vp_priority;

/* The highest quality wanted: height and frames per second, which a layer may miss by 5 %. "7" stands for 7.5. */
typedef enum vp_quality {
  VP_QUALITY_UNLIMITED = 0,
  VP_QUALITY_90P_3FPS = 1,
  VP_QUALITY_90P_7FPS = 2,
  VP_QUALITY_90P_15FPS = 3,
  VP_QUALITY_180P_7FPS = 4,
  VP_QUALITY_180P_15FPS = 5,
  VP_QUALITY_180P_30FPS = 6,
  VP_QUALITY_360P_7FPS = 7,
  VP_QUALITY_360P_15FPS = 8,
  VP_QUALITY_360P_30FPS = 9,
  VP_QUALITY_720P_7FPS = 10,
  VP_QUALITY_720P_15FPS = 11,
  VP_QUALITY_720P_30FPS = 12
} vp_quality;

/* How readily a stream is paused when the bandwidth does not carry everything. */
typedef enum vp_pause_policy {
  VP_PAUSE_NORMAL = 0,
  VP_PAUSE_LAST_RESORT = 1, /* only after every stream of VP_PAUSE_NORMAL */
  VP_PAUSE_NEVER = 2        /* keeps its base layer, beyond the budget by up to maximum_oversend_bps */
} vp_pause_policy;

/* What the subscriber wants of a stream. Every limit except minimum_quality is an upper limit; one below
 * minimum_quality also takes its place. Start from vp_demand_default. */
typedef struct vp_demand {
  uint32_t struct_size;             /* sizeof(vp_demand); vp_demand_default sets it */
  uint32_t is_visible;              /* whether the view is on screen: 1 */
  uint32_t has_view_size;           /* whether the size of the view is known: 0 */
  uint32_t view_width, view_height; /* in pixels, up to VP_SIDE_MAX; a view without either is not visible */
  uint32_t pin;                     /* a vp_pin: none */
  uint32_t priority;                /* a vp_priority: none */
  uint32_t maximum_quality;         /* a vp_quality: unlimited */
  uint32_t pause_policy;            /* a vp_pause_policy: normal */
  uint32_t minimum_quality;         /* a vp_quality, below which the stream pauses: VP_QUALITY_UNLIMITED, any will do */
  int64_t pinned_at_us;             /* when the pin was made */
  double maximum_frames_per_second; /* 0 for no limit: 0 */
} vp_demand;

/* Writes a demand without limits. VP_ERROR_ARGUMENT. */
VP_API vp_status_code vp_demand_default(vp_demand *demand);

/* Sets what the subscriber wants of a stream. VP_ERROR_STRUCT_SIZE, VP_ERROR_DEMAND. */
VP_API vp_status_code vp_set_demand(vp_coordinator *coordinator, uint64_t stream, const vp_demand *demand,
                                    int64_t at_us);

/* Sets whether the subscriber's application has paused the stream. The coordinator never overrides this. */
VP_API vp_status_code vp_set_subscriber_paused(vp_coordinator *coordinator, uint64_t stream, bool is_paused,
                                               int64_t at_us);

/* Sets the participants who spoke most recently, the dominant speaker first. Those not named rank behind them. */
VP_API vp_status_code vp_set_speaker_order(vp_coordinator *coordinator, const uint64_t *participants, size_t count,
                                           int64_t at_us);

/* Reports that a participant begins or stops speaking. Those who speak come before those who have stopped; of those who
 * speak, the last to begin comes first, and of the others, the last to stop. Every report counts, even of a cough. */
VP_API vp_status_code vp_set_speaking(vp_coordinator *coordinator, uint64_t participant, bool is_speaking,
                                      int64_t at_us);

/* Sets how many streams to forward at most, the highest in rank; UINT32_MAX for no limit. */
VP_API vp_status_code vp_set_last_n(vp_coordinator *coordinator, uint32_t count, int64_t at_us);

VP_API vp_status_code vp_set_strategy(vp_coordinator *coordinator, vp_strategy strategy, int64_t at_us);

/* Sets whether cameras may be forwarded above 360p. Screen shares always may. */
VP_API vp_status_code vp_set_720p_enabled(vp_coordinator *coordinator, bool is_enabled, int64_t at_us);

/* Sets whether the client can handle paused video: the capability CLIENT_CAPABILITY_SUBSCRIBER_VIDEO_PAUSE, which a
 * client has unless it opts out. Without it no stream is paused for bandwidth; each keeps its base layer, and
 * vp_decision.is_oversending reports the excess. */
VP_API vp_status_code vp_set_video_pause_enabled(vp_coordinator *coordinator, bool is_enabled, int64_t at_us);

/* ---- LAYOUTS --------------------------------------------------------------------------------------------------------
 *
 * A custom layout states which cameras are wanted. */

/* How the client arranges its videos. */
typedef enum vp_video_layout {
  VP_LAYOUT_NONE = 0, /* none was chosen, or the chosen one is not available; it cannot be set */
  VP_LAYOUT_GALLERY = 1,
  VP_LAYOUT_PEOPLE = 2,
  VP_LAYOUT_SPEAKER = 3,
  VP_LAYOUT_CUSTOM = 4
} vp_video_layout;

/* One stream of a custom layout. Either all entries have a priority, or none has; one without names a participant. */
typedef struct vp_layout_stream {
  uint64_t participant;     /* whose camera is wanted */
  uint32_t has_participant; /* 0 for the camera of the most recent speaker who is not in the layout yet */
  uint32_t quality;         /* the vp_quality wanted at most, not VP_QUALITY_UNLIMITED */
  uint32_t priority;        /* a vp_priority */
  uint32_t reserved;        /* ignored */
} vp_layout_stream;

/* Reports that the meeting began or ended. */
VP_API vp_status_code vp_set_in_meeting(vp_coordinator *coordinator, bool is_in_meeting, int64_t at_us);

/* Sets whether the meeting supports custom layouts, as it does at first. */
VP_API vp_status_code vp_set_custom_layout_available(vp_coordinator *coordinator, bool is_available, int64_t at_us);

/* Sets the participants of the meeting, with or without video. Owners of streams count without being named. A
 * participant who was named before and no longer is has left the meeting, and ranks as one who has never spoken. */
VP_API vp_status_code vp_set_participants(vp_coordinator *coordinator, const uint64_t *participants, size_t count,
                                          int64_t at_us);

/* Chooses the layout: custom before or during a meeting, the others during one. VP_ERROR_NOT_IN_MEETING,
 * VP_ERROR_NO_CUSTOM_LAYOUT. */
VP_API vp_status_code vp_set_video_layout(vp_coordinator *coordinator, vp_video_layout layout, int64_t at_us);

/* Writes the layout in force. VP_ERROR_ARGUMENT. */
VP_API vp_status_code vp_current_layout(const vp_coordinator *coordinator, vp_video_layout *layout);

/* Replaces all entries of the custom layout. They are served from the highest priority to the lowest. Cameras without
 * an entry are not forwarded; screen shares are, and do not count as entries. VP_ERROR_NOT_IN_MEETING,
 * VP_ERROR_NO_CUSTOM_LAYOUT, VP_ERROR_LAYOUT_…. */
VP_API vp_status_code vp_set_layout_streams(vp_coordinator *coordinator, const vp_layout_stream *streams, size_t count,
                                            int64_t at_us);

/* ---- THE NETWORK ------------------------------------------------------------------------------------------------- */

/* The estimator's verdict on the path. */
typedef enum vp_congestion {
  VP_CONGESTION_NONE = 0,          /* more may be sent */
  VP_CONGESTION_EARLY_WARNING = 1, /* queues are growing: nothing is increased */
  VP_CONGESTION_CONGESTED = 2      /* overloaded: streams that do not fit are paused at once; the first, if it does
                                      not fit either, once this has been reported for tolerated_queue_us */
} vp_congestion;

/* Sets the estimate for everything that the subscriber receives. VP_ERROR_BITRATE. */
VP_API vp_status_code vp_set_bandwidth_estimate(vp_coordinator *coordinator, int64_t bps, vp_congestion congestion,
                                                int64_t at_us);

/* Sets how many audio streams the subscriber receives, and their measured total rate; 0 if it is not known. Audio is
 * never paused: its reserve is taken from the estimate first. VP_ERROR_BITRATE. */
VP_API vp_status_code vp_set_audio(vp_coordinator *coordinator, uint32_t stream_count, int64_t measured_bps,
                                   int64_t at_us);

/* Sets the measured rate of what else the subscriber receives through the estimated path: retransmissions, forward
 * error correction, data channels. The larger of it and other_traffic_reserve_bps is taken from the estimate first.
 * VP_ERROR_BITRATE. */
VP_API vp_status_code vp_set_other_traffic(vp_coordinator *coordinator, int64_t bps, int64_t at_us);

/* ---- DECISIONS --------------------------------------------------------------------------------------------------- */

/* Decides, and writes to *is_changed, which may be NULL, whether there is anything new to forward. Call it after every
 * input, and at vp_decision.next_decision_at_us. Calls without a reason cost little and change nothing. */
VP_API vp_status_code vp_decide(vp_coordinator *coordinator, int64_t at_us, bool *is_changed);

/* Writes to *is_due whether vp_decide would compute a new decision. */
VP_API vp_status_code vp_is_decision_due(const vp_coordinator *coordinator, int64_t at_us, bool *is_due);

/* The decision in force. Before the first one, generation and rates are 0. */
typedef struct vp_decision {
  uint32_t struct_size;        /* sizeof(vp_decision); the caller sets it */
  uint32_t is_deficient;       /* whether some stream gets less than is wanted of it, for lack of bandwidth */
  uint32_t is_oversending;     /* whether streams that must not be paused exceed the budget */
  uint32_t has_probe;          /* whether there is anything to gain from probing */
  uint64_t generation;         /* the number of this decision, from 1 */
  uint64_t stream_count;       /* how many rows vp_stream_decisions writes */
  int64_t estimate_bps;        /* the estimate that was divided */
  int64_t audio_reserve_bps;   /* the part of it for audio */
  int64_t other_reserve_bps;   /* the part of it for other traffic */
  int64_t keep_bps;            /* the limit for what may be forwarded at all */
  int64_t grow_bps;            /* the limit up to which more may be forwarded than now */
  int64_t pictures_bps;        /* the limit for the base layers of what is shown, when one more stream is added */
  int64_t target_bps;          /* the sum of what is forwarded */
  int64_t ideal_bps;           /* the sum of what would be forwarded with unlimited bandwidth */
  int64_t probe_bps;           /* the total to reach by padding, with what is reserved; 0 without a probe */
  int64_t probe_not_before_us; /* the earliest time to probe; VP_NEVER without a probe */
  int64_t next_decision_at_us; /* when to decide again without an input; VP_NEVER if only an input changes anything */
  uint32_t strategy;           /* the vp_strategy: as it was set, or VP_STRATEGY_PRIORITY by a layout's priorities */
  uint32_t reserved;           /* written as 0 */
} vp_decision;

/* Writes the decision in force. VP_ERROR_ARGUMENT, VP_ERROR_STRUCT_SIZE. */
VP_API vp_status_code vp_current_decision(const vp_coordinator *coordinator, vp_decision *decision);

/* Why a stream is not forwarded. */
typedef enum vp_pause_reason {
  VP_FORWARDED = 0,
  VP_PAUSED_BANDWIDTH = 1,     /* the bandwidth does not carry it; it is in the paused tracks */
  VP_PAUSED_NOT_VISIBLE = 2,   /* its view is not on screen */
  VP_PAUSED_NOT_REQUESTED = 3, /* beyond last-N, not in the custom layout, or the subscriber's own */
  VP_PAUSED_BY_PUBLISHER = 4,  /* the publisher has turned it off */
  VP_PAUSED_BY_SUBSCRIBER = 5, /* the subscriber has paused it */
  VP_PAUSED_FEED_DRY = 6,      /* the publisher sends no layer at present */
  VP_PAUSED_BELOW_MINIMUM = 7  /* only less than minimum_quality could be forwarded: for lack of bandwidth, and then it
                                  is in the paused tracks, or because nothing better is sent, and then ideal is all 0 */
} vp_pause_reason;

/* The decision for one stream. */
typedef struct vp_stream_decision {
  uint64_t stream;
  uint32_t reason;          /* a vp_pause_reason */
  uint32_t needs_key_frame; /* whether to ask the publisher for a key frame, repeatedly until vp_layer_locked */
  int64_t required_bps;     /* what the base layer lacks while the stream is paused for bandwidth: the base layers of
                               this stream and of what is shown, less pictures_bps: see docs/video-pause.md */
  vp_layer layer;           /* what is forwarded; all 0 if nothing is */
  vp_layer ideal;           /* what would be with unlimited bandwidth; all 0 if nothing is wanted */
} vp_stream_decision;

/* Writes a row for each stream, the most important first, and their number to *count. VP_ERROR_ARGUMENT;
 * VP_ERROR_CAPACITY if there is less room, and then writes nothing but *count. */
VP_API vp_status_code vp_stream_decisions(const vp_coordinator *coordinator, vp_stream_decision *streams,
                                          size_t capacity, size_t *count);

/* What a decision makes of a layer: it is forwarded, or why it is not. */
typedef enum vp_layer_outcome {
  VP_LAYER_FORWARDED = 0,
  VP_LAYER_SURPASSED = 1,     /* a better one is forwarded */
  VP_LAYER_BANDWIDTH = 2,     /* the bandwidth does not carry it beside what the other streams get */
  VP_LAYER_HELD_BACK = 3,     /* it fits, but the stream was only just paused, was resumed as often as is allowed, or
                                 waits for another one to be resumed */
  VP_LAYER_ABOVE_DEMAND = 4,  /* larger or faster than the demand */
  VP_LAYER_BELOW_MINIMUM = 5, /* less than minimum_quality */
  VP_LAYER_DOMINATED = 6,     /* another one within the demand costs no more and is better */
  VP_LAYER_NOT_SENT = 7,      /* the publisher does not send it */
  VP_LAYER_NOT_WANTED = 8     /* nothing of its stream is wanted, or can be had */
} vp_layer_outcome;

/* A layer as it was published, and a vp_layer_outcome. */
typedef struct vp_layer_verdict {
  vp_layer layer;
  uint32_t outcome;
  uint32_t reserved; /* written as 0 */
} vp_layer_verdict;

/* Writes what the decision in force makes of each layer of a stream, and their number to *count. Ask right after
 * vp_decide: what came in since is not decided yet. VP_ERROR_ARGUMENT; VP_ERROR_UNKNOWN_STREAM for one without a row;
 * VP_ERROR_CAPACITY if there is room for some of them only (VP_LAYERS_MAX is always enough). */
VP_API vp_status_code vp_layer_verdicts(const vp_coordinator *coordinator, uint64_t stream, vp_layer_verdict *verdicts,
                                        size_t capacity, size_t *count);

/* A change of the paused tracks: those that are paused for bandwidth. A resumed track leaves them when its picture has
 * arrived. */
typedef struct vp_paused_change {
  uint64_t stream;
  uint32_t is_paused;
  uint32_t reserved; /* written as 0 */
} vp_paused_change;

/* Writes what has changed in the paused tracks and was not written by an earlier call, and the number of changes to
 * *count. If *count equals capacity, call it again: no change is lost. All changes in order, applied to an empty set,
 * give the paused tracks. VP_ERROR_ARGUMENT. */
VP_API vp_status_code vp_drain_paused_changes(vp_coordinator *coordinator, vp_paused_change *changes, size_t capacity,
                                              size_t *count);

/* ---- PUBLISHERS -----------------------------------------------------------------------------------------------------
 *
 * Which layers of each stream the subscribers of a call need, so that publishers need not send the others. A subscriber
 * needs what its decision forwards, the next larger layer while it gets less than it wants, and the smallest layer of a
 * stream that is paused for bandwidth. The demand rises at once, and falls when nobody has needed the layer for
 * hold_us. Layers below the highest stay. Keep layers that stop for this reason active in vp_upsert_stream, at the rate
 * that they would have: otherwise nobody would ever want them. The conventions for coordinators hold here too. */

typedef struct vp_layer_demand vp_layer_demand;

/* How much of a published stream its subscribers need. */
typedef struct vp_demanded_layers {
  uint64_t stream;
  uint32_t is_demanded;     /* whether anybody needs the stream */
  uint32_t highest_spatial; /* the highest encoding or spatial layer that is needed; 0 if none is */
} vp_demanded_layers;

/* Creates a demand without subscribers. hold_us: 0 to a day; 5 s is usual. After an error, *demand is NULL.
 * VP_ERROR_ARGUMENT, VP_ERROR_CONFIG. */
VP_API vp_status_code vp_layer_demand_create(int64_t hold_us, vp_layer_demand **demand);

/* Destroys a demand; NULL does nothing. */
VP_API void vp_layer_demand_destroy(vp_layer_demand *demand);

/* Replaces the previous decision of a subscriber, a number of the host's, with the coordinator's decision in force. */
VP_API vp_status_code vp_layer_demand_update(vp_layer_demand *demand, uint64_t subscriber,
                                             const vp_coordinator *coordinator, int64_t at_us);

/* Removes a subscriber that has left. */
VP_API vp_status_code vp_layer_demand_remove(vp_layer_demand *demand, uint64_t subscriber, int64_t at_us);

/* Writes the demands that are new or different and were not written by an earlier call, and their number to *count. If
 * *count equals capacity, call it again: no change is lost. Call it after each update, and at the time that it writes
 * to *next_change_at_us, which may be NULL: VP_NEVER if only an update can change anything. VP_ERROR_ARGUMENT. */
VP_API vp_status_code vp_drain_demanded_layers(vp_layer_demand *demand, vp_demanded_layers *changes, size_t capacity,
                                               size_t *count, int64_t *next_change_at_us, int64_t at_us);

#ifdef __cplusplus
}
#endif

#endif
