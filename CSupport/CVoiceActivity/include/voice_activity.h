/* voice_activity.h — is somebody speaking?
 *
 * One detector follows one mono stream. PCM of any rate from 8 to 192 kHz goes in, in chunks of any length;
 * out come events (onset, offset, muted speech, discontinuity) and, if asked for, one record per 10 ms hop.
 *
 * THREADS   There is no global mutable state, and streams share none. Different detectors may run on different
 *           threads at the same time. One detector belongs to one thread at a time, which any thread can be, if the
 *           handing over orders memory (a lock or a queue does). va_detector_set_muted and va_detector_status may be
 *           called by any thread at any time between _init (or _restore) and the end of the memory.
 * REAL TIME All functions but va_detector_create and _destroy never allocate, lock, log or enter the kernel. They use
 *           less than 12 KiB of stack.
 * MEMORY    All state lives in va_detector_size() bytes (at most 8 KiB) that the caller owns; the library has no other
 *           but constants. It holds no pointer into itself: a plain copy of those bytes, made while no call is
 *           running, is a snapshot for the same library; va_detector_save is for others.
 * RESULTS   One build of the library gives the same results bit for bit with the same SIMD body (va_simd_name),
 *           however a stream is cut into chunks or batches. Other bodies, and builds by another compiler or with
 *           other flags, round differently: they agree to 1e-4 in the posterior, and to 0.01 for some seconds after
 *           a silence; in 43 minutes of recordings no hop was decided otherwise. VA_CPU=portable in the environment, read by
 *           va_detector_init, _create and _restore, turns the SIMD bodies off, VA_CPU=avx2 those of AVX-512.
 * TIME      Positions are absolute input sample indices at the input rate, 64 bits, from the first sample after
 *           va_detector_init or _reset; a gap advances them like the samples it stands for.
 * LEVELS    dBFS: 0 dBFS is the RMS of a full-scale square wave, so a full-scale sine reads -3.01 dBFS.
 *           -dBov: the same level negated and rounded, 0 (loudest) … 127 (silence), as in RFC 6464.
 * ERRORS    Functions that can fail return va_status_code; va_status_text says what it means. After an error nothing
 *           has changed but what the function says. Functions without a code take no NULL.
 */
#ifndef VOICE_ACTIVITY_H
#define VOICE_ACTIVITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define VA_API __attribute__((visibility("default")))
#else
#define VA_API
#endif

/* Rises when va_status grows at its end or a function is added; other structs never change, so that new settings will
 * come with functions of their own. */
#define VA_ABI_VERSION 3

/* A hop: 10 ms, 160 samples of the internal 16 kHz signal. */
#define VA_HOP_MS 10

/* At most this many events come from one hop: the room va_output.events must offer. */
#define VA_EVENTS_PER_HOP_MAX 4

/* The longest gap of one call, in samples: 2^40, above two months at 192 kHz. */
#define VA_GAP_MAX 1099511627776ull

/* Memory for a detector must start at a multiple of this many bytes. */
#define VA_DETECTOR_ALIGNMENT 64

typedef enum va_status_code {
  VA_OK = 0,
  VA_ERROR_ARGUMENT = 1,      /* a null pointer, an unknown preset, a size that does not fit, a flushed detector */
  VA_ERROR_STRUCT_SIZE = 2,   /* struct_size was not set, or is from no known version */
  VA_ERROR_SAMPLE_RATE = 3,   /* outside 8000 … 192000 Hz */
  VA_ERROR_THRESHOLD = 4,     /* not 0 < offset <= onset < 1 */
  VA_ERROR_DURATION = 5,      /* above one hour */
  VA_ERROR_MEMORY = 6,        /* va_detector_create found no memory */
  VA_ERROR_EVENT_CAPACITY = 7, /* room for fewer than VA_EVENTS_PER_HOP_MAX events, or for no hop */
  VA_ERROR_SAVED_DATA = 8,    /* bytes that va_detector_save did not write: foreign, torn or changed */
  VA_ERROR_SAVED_VERSION = 9, /* bytes of a version with another format or another network */
  VA_ERROR_OUTPUT_FULL = 10   /* va_detector_push_level: nothing was taken, since output->more */
} va_status_code;

/* What the decision is tuned for. A preset sets the thresholds, the onset debounce and the hangover (the numbers
 * are in the README, and in library.c with their reasons), never how long muted speech takes. */
typedef enum va_preset {
  VA_PRESET_CONVERSATION = 0, /* calls and meetings: false alarms and missed speech weigh the same */
  VA_PRESET_NOTICE = 1,       /* telling somebody, say that they are muted: rather late than wrong */
  VA_PRESET_TRANSCRIPTION = 2 /* choosing what to transcribe or keep: rather early than cut */
} va_preset;

/* What decides. Start from va_config_default or va_config_preset and change what you need. Durations are in
 * milliseconds, 0 … 3600000, and count in whole hops, rounded up. */
typedef struct va_config {
  uint32_t struct_size;             /* sizeof(va_config); set by va_config_default and va_config_preset */
  uint32_t sample_rate_hz;          /* of the input, 8000 … 192000 */
  float onset_threshold;            /* posterior at or above which speech may begin, 0 < … < 1 */
  float offset_threshold;           /* posterior below which speech may end, 0 < … <= onset_threshold */
  uint32_t onset_debounce_ms;       /* the posterior must stay at or above onset_threshold this long */
  uint32_t hangover_ms;             /* … and below offset_threshold this long, before the state changes */
  uint32_t mute_grace_ms;           /* muted speech: onsets this soon after muting are the end of a sentence */
  uint32_t mute_carry_over_ms;      /* … unless that speech still runs this long after the grace */
  uint32_t muted_speech_hold_ms;    /* the muted-speech state stays at least this long, unless unmuted */
  uint32_t muted_speech_release_ms; /* and this long after the speech state has left speech */
} va_config;

typedef enum va_speech_state {
  VA_STATE_SILENCE = 0,
  VA_STATE_PENDING_ONSET = 1, /* above the onset threshold, debounce not over */
  VA_STATE_SPEECH = 2,
  VA_STATE_HANGOVER = 3 /* below the offset threshold, hangover not over; still counts as speech */
} va_speech_state;

typedef enum va_event_type {
  VA_EVENT_ONSET = 1,             /* position: first hop above the onset threshold */
  VA_EVENT_OFFSET = 2,            /* position: end of the last hop above the offset threshold */
  VA_EVENT_MUTED_SPEECH_BEGIN = 3, /* position: the hop that decided it */
  VA_EVENT_MUTED_SPEECH_END = 4,  /* position: the hop that decided it, or the unmute */
  VA_EVENT_DISCONTINUITY = 5      /* position: first missing sample; length: how many are missing */
} va_event_type;

typedef struct va_event {
  uint32_t type;           /* va_event_type; ignore values you do not know */
  uint32_t reserved;
  uint64_t position;       /* where it happened, input samples */
  uint64_t decided_at;     /* the input position that was reached when it was known, never ahead of the input; within a
                              gap or a level, the position at which the hop that decided it was complete */
  uint64_t length_samples; /* VA_EVENT_DISCONTINUITY: missing input samples; else 0 */
} va_event;

typedef enum va_hop_flags {
  VA_HOP_SPEECH = 1,       /* the state was speech or hangover when the hop was decided */
  VA_HOP_MUTED = 2,        /* the microphone was muted when the hop was decided */
  VA_HOP_MUTED_SPEECH = 4, /* the muted-speech state after the hop */
  VA_HOP_MISSING = 8,      /* the hop lies in a gap, wholly or in part: posterior 0, level silent */
  VA_HOP_TOLD = 16         /* half of the hop or more came by va_detector_push_level: posterior 0 or 1 */
} va_hop_flags;

/* One hop. Hop n spans [n, n + 1) · 10 ms; the look-ahead has already been taken off its position. */
typedef struct va_hop {
  uint64_t position;      /* first input sample of the hop */
  float posterior;        /* P(speech given features), 0 … 1 */
  float level_dbfs;       /* RMS of the hop, -127 … 12 */
  float peak_dbfs;        /* largest magnitude in the hop, -127 … 12 */
  float noise_floor_dbfs; /* tracked background over all bands, -127 … 12 */
  uint8_t state;          /* va_speech_state */
  uint8_t flags;          /* va_hop_flags */
  uint8_t level_dbov;     /* -level in dBov, 0 … 127 (RFC 6464) */
  uint8_t reserved;
  uint32_t hangover_left_ms; /* in hangover: time left before the offset is declared */
} va_hop;

/* Where results go. The caller sets the pointers and capacities. Every call sets the rest anew: an error leaves no
 * events, no hops and `more` false, except VA_ERROR_OUTPUT_FULL, which says what it leaves. */
typedef struct va_output {
  va_event *events;      /* room for event_capacity events; needed */
  size_t event_capacity; /* at least VA_EVENTS_PER_HOP_MAX */
  size_t event_count;    /* out */
  va_hop *hops;          /* room for hop_capacity hops, or NULL for no per-hop records */
  size_t hop_capacity;   /* at least 1 if hops is not NULL */
  size_t hop_count;      /* out */
  bool more;             /* out: there was no room for another hop; empty it and call again */
} va_output;

/* A picture of the detector for other threads, at most one hop old. */
typedef struct va_status {
  uint32_t struct_size; /* in: sizeof(va_status) */
  uint32_t state;       /* va_speech_state */
  bool is_speech;          /* state is speech or hangover */
  bool is_muted;           /* the last va_detector_set_muted, at once */
  bool is_muted_speech;    /* false at once when unmuted */
  uint8_t level_dbov;      /* of the last hop */
  float posterior;         /* of the last hop */
  float level_dbfs;        /* of the last hop */
  float noise_floor_dbfs;  /* of the last hop */
  uint32_t reserved;
  uint64_t hops;              /* hops decided so far */
  uint64_t clipped_samples;   /* input samples at or beyond full scale */
  uint64_t non_finite_samples; /* NaN or infinite input samples, each analysed as 0 */
  uint64_t missing_samples;   /* input samples reported by va_detector_push_gap */
} va_status;

typedef struct va_detector va_detector;

/* "MAJOR.MINOR.PATCH", static storage. */
VA_API const char *va_version(void);

/* VA_ABI_VERSION of the library that is running. */
VA_API uint32_t va_abi_version(void);

/* One English sentence for a va_status_code, static storage; never NULL. */
VA_API const char *va_status_text(va_status_code code);

/* "avx512", "avx2" or "portable": the bodies that a detector initialised now would use. */
VA_API const char *va_simd_name(void);

/* Fills in a preset for a rate. VA_ERROR_ARGUMENT if config is NULL or the preset unknown; the configuration is
 * untouched then. The rate is checked by va_detector_init. */
VA_API va_status_code va_config_preset(va_config *config, uint32_t sample_rate_hz, va_preset preset);

/* The defaults: VA_PRESET_CONVERSATION. */
VA_API va_status_code va_config_default(va_config *config, uint32_t sample_rate_hz);

/* Bytes of one detector: a constant of the library, at most 8192. */
VA_API size_t va_detector_size(void);

/* Makes a detector in `memory`: `size` bytes, at least va_detector_size(), aligned to VA_DETECTOR_ALIGNMENT. The
 * memory stays the caller's; there is nothing to destroy. On success *detector == memory. VA_ERROR_ARGUMENT for a
 * null pointer or memory that does not fit, and for the configuration VA_ERROR_STRUCT_SIZE, _SAMPLE_RATE, _THRESHOLD
 * or _DURATION, in this order. */
VA_API va_status_code va_detector_init(void *memory, size_t size, const va_config *config,
                                       va_detector **detector);

/* The same in memory from aligned_alloc; VA_ERROR_MEMORY if there is none. Give it back with va_detector_destroy,
 * where NULL is allowed. */
VA_API va_status_code va_detector_create(const va_config *config, va_detector **detector);
VA_API void va_detector_destroy(va_detector *detector);

/* Back to position 0 with nothing learned; configuration and mute flag stay. */
VA_API void va_detector_reset(va_detector *detector);

/* What a detector decides with, one that was restored for instance. VA_ERROR_ARGUMENT for a null pointer;
 * VA_ERROR_STRUCT_SIZE if config->struct_size is unset. Nothing changes it, so any thread may ask. */
VA_API va_status_code va_detector_config(const va_detector *detector, va_config *config);

/* How far the posterior looks ahead, in milliseconds: a hop is decided when the input has reached its end plus
 * this (plus half a resampling kernel where the rate is not 16 kHz: 1 ms at 48 kHz, 2.3 ms at 8 kHz). Reported
 * positions are already shifted back by it. A constant of the library, at most 40. */
VA_API uint32_t va_detector_lookahead_ms(void);

/* Analyses up to `count` samples and returns how many it took in *consumed, 0 on an error. It takes fewer only when `output` is
 * full (output->more): empty it and call again with the rest. count may be 0 (samples may then be NULL): that
 * fetches what waits. VA_ERROR_ARGUMENT for a null pointer, no samples with a count, or a flushed stream;
 * VA_ERROR_EVENT_CAPACITY if `output` is too small for one hop.
 *
 * f32: full scale is ±1. NaN and infinities are analysed as 0 and counted; magnitudes of 1 and more count as
 *      clipped and are analysed up to ±4 (+12 dBFS), then limited.
 * s16: exactly the same as the f32 samples s / 32768. */
VA_API va_status_code va_detector_process(va_detector *detector, const float *samples, size_t count,
                                          size_t *consumed, va_output *output);
VA_API va_status_code va_detector_process_s16(va_detector *detector, const int16_t *samples, size_t count,
                                              size_t *consumed, va_output *output);

/* Reports `count` samples as missing (lost packets, DTX, an overrun). The decision is carried over a gap of up to 60 ms:
 * hops that cannot be decided, those in the gap and the up to four around it, leave the speech state as it is for at
 * most 110 ms. From then on they count as non-speech, and an offset is where speech was last heard. Hops touched by a
 * gap have VA_HOP_MISSING and posterior 0 either way. The noise floor survives a gap. Gaps that follow each other are
 * one; its discontinuity event comes with the next sample or the end of the stream. The gap is always taken whole;
 * hops that `output` has no room for (output->more) come with the next call of any kind. A call decides at most 1000
 * missing hops (10 s) before it returns with output->more set, so that no gap, however long, holds up a real-time
 * thread. Errors as va_detector_process, and VA_ERROR_ARGUMENT if count > VA_GAP_MAX: begin a new stream then. */
VA_API va_status_code va_detector_push_gap(va_detector *detector, uint64_t count, va_output *output);

/* The same for samples of which only the sender's level is known: RFC 6464's header extension in a server that does
 * not decode. `count` samples, `level_dbov` 0 (loudest) … 127 (silence), `voice` the sender's own decision.
 *
 * Such hops have the posterior 1 with the voice bit and 0 without; thresholds, debounce, hangover, mute gate and
 * events are the same as ever. Their level is the level told, their peak the same (the least it can be), and the
 * noise floor follows it. Where several levels fall into one hop, powers add up and one voice bit is enough.
 *
 * PCM, levels and gaps mix in one stream. A hop is decided by the level where that covers half of it or more, and by
 * nothing where a gap touches it; a hop of PCM whose look-ahead is not PCM follows the voice bit that comes next; the
 * network starts anew behind half a second without PCM, and the noise floor lives on.
 *
 * All is taken, and hops that `output` has no room for come with the next call of any kind, as with a gap. If an
 * earlier call's results still wait and do not fit, VA_ERROR_OUTPUT_FULL: `output` has some of them, nothing was
 * taken; empty it and call again. An output that offers VA_EVENTS_PER_HOP_MAX events and one hop for each 10 ms of
 * the longest packet, and as much once more, never brings it, unless 10 s of a gap still wait (output->more after
 * va_detector_push_gap). Other errors as va_detector_push_gap, and
 * VA_ERROR_ARGUMENT if level_dbov > 127: va_rfc6464_level and _voice take the byte apart. */
VA_API va_status_code va_detector_push_level(va_detector *detector, uint64_t count, uint8_t level_dbov, bool voice,
                                             va_output *output);

/* The byte of RFC 6464's header extension: the voice bit is the highest, -dBov the seven below it. Levels above 127
 * count as 127. To tell others: va_rfc6464_byte(hop.level_dbov, hop.flags & VA_HOP_SPEECH). */
VA_API uint8_t va_rfc6464_byte(uint8_t level_dbov, bool voice);
VA_API uint8_t va_rfc6464_level(uint8_t byte);
VA_API bool va_rfc6464_voice(uint8_t byte);

/* End of the stream: decides every whole hop that is still waiting for its look-ahead, as if silence followed, then
 * ends open speech and muted speech with their events. Call it until output->more is false; after that, process,
 * push_gap and push_level answer VA_ERROR_ARGUMENT until va_detector_reset. Errors as va_detector_process, but that a
 * flushed stream may be flushed again. */
VA_API va_status_code va_detector_flush(va_detector *detector, va_output *output);

/* Mutes or unmutes. One atomic store, any thread; read once per hop. Muting only labels speech: analysis goes
 * on. */
VA_API void va_detector_set_muted(va_detector *detector, bool muted);

/* Copies the newest status, any thread, without waiting. VA_ERROR_STRUCT_SIZE if status->struct_size is
 * unset, VA_ERROR_ARGUMENT for a null pointer. The fields are each current, but not from one and the same hop. */
VA_API va_status_code va_detector_status(const va_detector *detector, va_status *status);

/* One stream's part of a batch: a gap if `missing` is not 0, then `count` samples. */
typedef struct va_batch_item {
  va_detector *detector;
  const float *samples;       /* one of these two, as in va_detector_process and _s16; the other is NULL */
  const int16_t *samples_s16;
  size_t count;               /* samples there; 0 with both NULL is allowed */
  uint64_t missing;           /* as in va_detector_push_gap, before the samples; set to 0 once it is taken */
  va_output *output;          /* this item's own: no other item of the call may share it */
  size_t consumed;            /* out: as in va_detector_process; 0 if status is not VA_OK */
  va_status_code status;      /* out */
  uint32_t reserved;          /* 0 */
} va_batch_item;

/* The newest samples of many streams in one call: each item as va_detector_push_gap and va_detector_process would do
 * it one after the other, bit for bit, with one output for both. Rates, formats and lengths may differ from item to
 * item. A bad item (what _process or _push_gap would refuse, a count with both sample pointers, reserved not 0) has the reason in
 * its status, its detector is untouched, and the others are done all the same. Items of one detector are taken in
 * their order, as single calls would be. An item with output->more is not finished: empty the output, set samples and
 * count to the rest, and give it to another batch or to va_detector_process.
 *
 * The detectors of a batch belong to the calling thread during the call; other threads may run other batches. Returns
 * VA_OK, or the status of the first item that is not; VA_ERROR_ARGUMENT if items is NULL and count is not 0. */
VA_API va_status_code va_process_batch(va_batch_item *items, size_t count);

/* Moving a stream to another process or machine.
 *
 * va_detector_save writes all that the stream remembers: position, what was learned, the state in mid-word,
 * mid-hangover or mid-gap, the mute flag, and results that no output had room for yet. A detector restored by the same
 * build with the same SIMD body goes on bit for bit as the saved one, any other within 1e-4 in the posterior (RESULTS).
 * The bytes are the same on every machine (little-endian), carry a version and a checksum, and hold no PCM older than
 * 40 ms.
 *
 * capacity: at least va_detector_saved_size(), a constant of the library, at most 6144; *size: how many were written.
 * VA_ERROR_ARGUMENT for a null pointer or too little room; VA_ERROR_SAVED_DATA if the detector's memory was damaged. */
VA_API size_t va_detector_saved_size(void);
VA_API va_status_code va_detector_save(const va_detector *detector, void *bytes, size_t capacity, size_t *size);

/* Makes a detector in `memory` as va_detector_init does, of bytes that va_detector_save wrote. They may come from
 * anywhere: whatever they hold, it is restored or refused. VA_ERROR_SAVED_DATA if they are foreign, cut or changed;
 * VA_ERROR_SAVED_VERSION if a version of the library wrote them whose format or network is another: begin a new
 * stream then. VA_ERROR_ARGUMENT for a null pointer or memory that does not fit. On an error *detector is untouched,
 * and `memory` holds no detector. */
VA_API va_status_code va_detector_restore(void *memory, size_t memory_size, const void *bytes, size_t size,
                                          va_detector **detector);

#ifdef __cplusplus
}
#endif
#endif /* VOICE_ACTIVITY_H */
