/* voice_activity.h — detects speech in a stream of PCM.
 *
 * One detector follows one mono stream. It takes samples at 8 to 192 kHz, in chunks of any length, and returns events:
 * where speech begins and ends. Most programs need the six functions of this one, which reads 32-bit floats at 16 kHz:
 *     #include <stdio.h>
 *     #include <voice_activity.h>
 *     int main(void) {
 *       va_config config;
 *       va_detector *detector;
 *       va_config_default(&config, 16000);
 *       va_status_code code = va_detector_create(&config, &detector);
 *       if (code != VA_OK) return fprintf(stderr, "%s\n", va_status_text(code)), 1;
 *       float samples[160];
 *       va_event events[8];
 *       va_output output = {.events = events, .event_capacity = 8};
 *       size_t count, consumed;
 *       do {
 *         count = fread(samples, sizeof *samples, 160, stdin);
 *         if (count > 0) va_detector_process(detector, NULL, samples, count, &consumed, &output);
 *         else va_detector_flush(detector, NULL, &output);
 *         for (size_t i = 0; i < output.event_count; i++)
 *           printf("%s at %.2f s\n", events[i].type == VA_EVENT_ONSET ? "onset" : "offset", events[i].position / 16e3);
 *       } while (count > 0 || output.more);
 *       va_detector_destroy(detector);
 *     }
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

/* ---- CONVENTIONS ----------------------------------------------------------------------------------------------------
 * THREADS   One thread at a time may use a detector with its echo, smoother and cutter. Another may take them over if
 *           the handover orders memory, as a lock or a queue does. Any thread may call va_detector_set_muted and
 *           va_detector_status, from the return of va_detector_init, _create or _restore until the memory is released.
 * REAL TIME No function allocates, frees, locks, logs or enters the kernel, except those that end in _create and
 *           _destroy. A call uses less than 12 KiB of stack.
 * MEMORY    _create allocates; _destroy releases, and allows NULL. _init takes `size` bytes at `memory`, aligned to
 *           VA_DETECTOR_ALIGNMENT and at least as many as the _size function returns; the caller keeps them, and they
 *           need no _destroy. All state is in these bytes, without pointers. A plain copy of them, made while no call
 *           is running, is a snapshot for this build of the library; for others there are _save and _restore. Samples
 *           that you pass are aligned as their type is; saved bytes need no alignment.
 * RESULTS   One build with one SIMD body (va_simd_name) gives the same results bit for bit, however a stream is cut
 *           into chunks or batches. Other SIMD bodies, compilers and flags round differently. They agree to 5e-3 in the
 *           posterior in nearly all hops, and to 0.02 in all but a few, which follow a gap or lie beside an echo. The
 *           environment variable VA_CPU limits the SIMD body of new detectors: "portable" to none, "avx2" to AVX2.
 * TIME      A position is the absolute index of an input sample, at the input's rate, in 64 bits. It counts from the
 *           first sample after va_detector_init or va_detector_reset. A gap advances it by the gap's length. A stream
 *           may last for 2^57 samples, 23,000 years at 192 kHz. Its results do not depend on how long it has lasted.
 * LEVELS    dBFS: 0 dBFS is the RMS of a full-scale square wave, so that a full-scale sine has -3.01 dBFS.
 *           dBov: the same level, negated and rounded, from 0 (loudest) to 127 (silence), as in RFC 6464.
 * ERRORS    A function that can fail returns a va_status_code. After an error nothing has changed except what the
 *           function's description says. Each returns VA_ERROR_ARGUMENT for a null pointer and VA_ERROR_STRUCT_SIZE for
 *           a struct whose struct_size you have not set before the call, _create VA_ERROR_MEMORY, and _init and
 *           _restore VA_ERROR_ARGUMENT for memory that is too small or not aligned. Functions that return no code take
 *           no null pointers. Descriptions say which pointers may be NULL, and which other errors there are. */

/* ---- BASIC: constants -------------------------------------------------------------------------------------------- */
/* The ABI that this header describes. It increases when a function is added or va_status grows at its end. Other
 * structs never change; new settings get functions of their own. */
#define VA_ABI_VERSION 9

#define VA_SAMPLE_RATE_MIN_HZ 8000 /* the rates of the input that a detector accepts, in Hz */
#define VA_SAMPLE_RATE_MAX_HZ 192000
#define VA_DURATION_MAX_MS 3600000 /* the longest duration in a va_config, one hour */
#define VA_HOP_MS 10               /* the step of the analysis: 160 samples of the internal 16 kHz signal */
#define VA_EVENTS_PER_HOP_MAX 4    /* the most events that one hop can cause: va_output.events needs room for them */
#define VA_RISE_MAX_MS 200         /* an onset is dated back to the first hop from which on none is below the offset
                                      threshold, at most this much before the one that reached the onset threshold */

/* contract: status */
typedef enum va_status_code {
  VA_OK = 0,
  VA_ERROR_ARGUMENT = 1,        /* a null pointer, a value out of range, a size that does not fit, a flushed detector */
  VA_ERROR_STRUCT_SIZE = 2,     /* struct_size is unset, or belongs to no known version */
  VA_ERROR_SAMPLE_RATE = 3,     /* outside VA_SAMPLE_RATE_MIN_HZ … VA_SAMPLE_RATE_MAX_HZ */
  VA_ERROR_THRESHOLD = 4,       /* not 0 < offset <= onset < 1 */
  VA_ERROR_DURATION = 5,        /* above VA_DURATION_MAX_MS, or a max_length_ms that is too short */
  VA_ERROR_MEMORY = 6,          /* a function that ends in _create found no memory */
  VA_ERROR_EVENT_CAPACITY = 7,  /* room for fewer than VA_EVENTS_PER_HOP_MAX events, or for no hop */
  VA_ERROR_SAVED_DATA = 8,      /* bytes that no _save function wrote: foreign, torn or changed */
  VA_ERROR_SAVED_VERSION = 9,   /* bytes of a version with another format or another network */
  VA_ERROR_OUTPUT_FULL = 10,    /* va_detector_push_level: earlier results filled the output; the level was not taken */
  VA_ERROR_REFERENCE_EARLY = 11 /* va_echo_push: too far ahead of the microphone; the samples were not taken */
} va_status_code;
/* contract end */

/* Returns one English sentence for a code, in static storage; never NULL. */
VA_API const char *va_status_text(va_status_code code);

/* ---- BASIC: settings --------------------------------------------------------------------------------------------- */
/* The settings of a detector. Start from va_config_default or va_config_preset and change what you need. Durations are
 * 0 … VA_DURATION_MAX_MS and are rounded up to whole hops. */
/* contract: setting */
typedef struct va_config {
  uint32_t struct_size;             /* sizeof(va_config); va_config_default and va_config_preset set it */
  uint32_t sample_rate_hz;          /* of the input, VA_SAMPLE_RATE_MIN_HZ … VA_SAMPLE_RATE_MAX_HZ */
  float onset_threshold;            /* posterior at or above which speech may begin, 0 < … < 1 */
  float offset_threshold;           /* posterior below which speech may end, 0 < … <= onset_threshold */
  uint32_t onset_debounce_ms;       /* how long the posterior is at or above onset_threshold before speech begins */
  uint32_t hangover_ms;             /* how long the posterior is below offset_threshold before speech ends */
  uint32_t mute_grace_ms;           /* speech that begins within this time after muting is the end of a sentence */
  uint32_t mute_carry_over_ms;      /* speech that began earlier counts if it runs this long after mute_grace_ms */
  uint32_t muted_speech_hold_ms;    /* muted speech lasts at least this long, unless the user unmutes */
  uint32_t muted_speech_release_ms; /* how long muted speech outlasts the speech */
} va_config;
/* contract end */

/* What a detector is tuned for. A preset sets the thresholds, the onset debounce and the hangover. It does not change
 * the durations of muted speech. In brackets: onset threshold, offset threshold, onset debounce and hangover in ms. */
/* contract: preset */
typedef enum va_preset {
  VA_PRESET_CONVERSATION = 0, /* calls and meetings: false alarms and misses weigh the same (0.82, 0.40, 10, 80) */
  VA_PRESET_NOTICE = 1,       /* "You are muted": a late notice is better than a wrong one (0.90, 0.70, 60, 200) */
  VA_PRESET_TRANSCRIPTION = 2 /* what to transcribe: extra sound is better than a lost word (0.45, 0.35, 10, 300) */
} va_preset;
/* contract end */

/* Fill in a preset, by default VA_PRESET_CONVERSATION. An unknown one is VA_ERROR_ARGUMENT. */
VA_API va_status_code va_config_default(va_config *config, uint32_t sample_rate_hz);
VA_API va_status_code va_config_preset(va_config *config, uint32_t sample_rate_hz, va_preset preset);

/* Sets onset_threshold to `onset`, if a user gave it alone: offset_threshold moves by as much, but to no less than a
 * third of it, and is rounded to six decimals. It stays if `onset` is not 0 < … < 1, which va_config_check refuses. */
VA_API void va_config_move_thresholds(va_config *config, float onset);

/* Checks settings without a detector. Errors: VA_ERROR_SAMPLE_RATE, _THRESHOLD and _DURATION. */
VA_API va_status_code va_config_check(const va_config *config);

/* ---- BASIC: results ---------------------------------------------------------------------------------------------- */
/* contract: results */
typedef enum va_speech_state {
  VA_STATE_SILENCE = 0,
  VA_STATE_PENDING_ONSET = 1, /* the posterior is at or above the onset threshold; the debounce is running */
  VA_STATE_SPEECH = 2,
  VA_STATE_HANGOVER = 3 /* the posterior is below the offset threshold; the hangover is running; it counts as speech */
} va_speech_state;

typedef enum va_event_type {
  VA_EVENT_ONSET = 1,              /* position: where the posterior rose to the offset threshold (VA_RISE_MAX_MS) */
  VA_EVENT_OFFSET = 2,             /* position: the end of the last hop at or above the offset threshold */
  VA_EVENT_MUTED_SPEECH_BEGIN = 3, /* position: the hop that decided it */
  VA_EVENT_MUTED_SPEECH_END = 4,   /* position: the hop that decided it, or the newest one at the unmute */
  VA_EVENT_DISCONTINUITY = 5       /* position: the first missing sample; length_samples: how many are missing */
} va_event_type;
/* contract end */

typedef struct va_event {
  uint32_t type;           /* va_event_type; ignore values that you do not know */
  uint32_t reserved;
  uint64_t position;       /* where it happened, in input samples */
  uint64_t decided_at;     /* the input position at which it was decided, never ahead of the input; within a gap or a
                              level, the position at which the deciding hop was complete */
  uint64_t length_samples; /* VA_EVENT_DISCONTINUITY: missing input samples; otherwise 0 */
} va_event;

/* contract: flag */
typedef enum va_hop_flags {
  VA_HOP_SPEECH = 1,       /* the state was speech or hangover after the hop was decided */
  VA_HOP_MUTED = 2,        /* the microphone was muted when the hop was decided */
  VA_HOP_MUTED_SPEECH = 4, /* the muted-speech state after the hop */
  VA_HOP_MISSING = 8,      /* part of the hop or all of it lies in a gap: posterior 0, levels -127 */
  VA_HOP_LEVEL_ONLY = 16,  /* half of the hop or more came from va_detector_push_level: posterior 0 or 1 */
  VA_HOP_ECHO = 32         /* a third of the audible bands or more were only echo (ECHO) */
} va_hop_flags;
/* contract end */

/* One hop. Hop n covers n · 10 ms to (n + 1) · 10 ms of the input; positions need no correction for the look-ahead. */
typedef struct va_hop {
  uint64_t position;         /* first input sample of the hop */
  float posterior;           /* P(speech given features), 0 … 1 */
  float level_dbfs;          /* RMS of the hop, -127 … 12 */
  float peak_dbfs;           /* largest magnitude in the hop, -127 … 12 */
  float noise_floor_dbfs;    /* tracked background over all bands, -127 … 12 */
  uint8_t state;             /* va_speech_state */
  uint8_t flags;             /* va_hop_flags */
  uint8_t level_dbov;        /* level_dbfs in -dBov, 0 … 127 (RFC 6464) */
  uint8_t reserved;
  uint32_t hangover_left_ms; /* in hangover: the time until speech ends; otherwise 0 */
} va_hop;

/* Where a call writes its results. The caller sets the pointers and capacities, every call the counts and `more`. After
 * an error other than VA_ERROR_OUTPUT_FULL there are no results, and `more` is false. */
typedef struct va_output {
  va_event *events;      /* room for event_capacity events; must not be NULL */
  size_t event_capacity; /* at least VA_EVENTS_PER_HOP_MAX */
  size_t event_count;    /* out */
  va_hop *hops;          /* room for hop_capacity hops, or NULL for no hop records */
  size_t hop_capacity;   /* at least 1 unless hops is NULL */
  size_t hop_count;      /* out */
  bool more;             /* out: results are waiting; read these and call again */
} va_output;

/* ---- BASIC: a stream --------------------------------------------------------------------------------------------- */
typedef struct va_detector va_detector;
typedef struct va_echo va_echo; /* what a loudspeaker beside the microphone plays (ECHO) */

/* Errors: those of va_config_check. */
VA_API va_status_code va_detector_create(const va_config *config, va_detector **detector);
VA_API void va_detector_destroy(va_detector *detector);

/* Analyses up to `count` samples and sets *consumed to how many it took: fewer only if it also sets output->more. Then
 * read the results and call again with the rest. A `count` of 0, where `samples` may be NULL, fetches waiting results.
 * `echo` is NULL, or one echo in every call of the stream that takes one; its time stands still in other calls.
 * f32: full scale is ±1. NaN and infinities are analysed as 0 and counted. Magnitudes of 1 and more count as clipped;
 *      they are analysed up to ±4 (+12 dBFS) and limited beyond.
 * s16: the same as the f32 samples s / 32768.
 * Errors, where *consumed is 0: VA_ERROR_ARGUMENT after a flush, VA_ERROR_EVENT_CAPACITY without room for a hop. */
VA_API va_status_code va_detector_process(va_detector *detector, va_echo *echo, const float *samples, size_t count,
                                          size_t *consumed, va_output *output);
VA_API va_status_code va_detector_process_s16(va_detector *detector, va_echo *echo, const int16_t *samples,
                                              size_t count, size_t *consumed, va_output *output);

/* Ends the stream. It decides every whole hop that is waiting for its look-ahead, as if silence followed, and then ends
 * open speech and muted speech with their events. Call it until output->more is false. The detector then refuses all
 * input with VA_ERROR_ARGUMENT until va_detector_reset; it may be flushed again. Errors: as va_detector_process. */
VA_API va_status_code va_detector_flush(va_detector *detector, va_echo *echo, va_output *output);

/* Starts a new stream at position 0, without events, and forgets everything learned, the user's own level too. The
 * settings, the margin of va_detector_set_speaker_margin and the mute flag stay. */
VA_API void va_detector_reset(va_detector *detector);

/* Copies the settings of a detector. They never change: any thread may call it. */
VA_API va_status_code va_detector_config(const va_detector *detector, va_config *config);

/* Returns the look-ahead in milliseconds, a constant of at most 40: a hop is decided once the input has reached its end
 * plus the look-ahead. Positions are corrected for it, but not for resampling, which delays by at most 1.5 ms. */
VA_API uint32_t va_detector_lookahead_ms(void);

/* ---- MUTE AND STATUS --------------------------------------------------------------------------------------------- */
/* The newest state of a detector, for other threads. */
typedef struct va_status {
  uint32_t struct_size;        /* in: sizeof(va_status) */
  uint32_t state;              /* va_speech_state */
  bool is_speech;              /* the state is speech or hangover */
  bool is_muted;               /* as va_detector_set_muted last set it */
  bool is_muted_speech;        /* false as soon as the user unmutes */
  uint8_t level_dbov;          /* of the newest hop */
  float posterior, level_dbfs, noise_floor_dbfs; /* of the newest hop */
  uint32_t reserved;
  uint64_t hops;               /* hops decided so far */
  uint64_t clipped_samples;    /* input samples at or beyond full scale */
  uint64_t non_finite_samples; /* NaN or infinite input samples, each analysed as 0 */
  uint64_t missing_samples;    /* input samples that va_detector_push_gap reported */
} va_status;

/* Mutes or unmutes: one atomic store, read once per hop. Analysis continues while muted, so that speech is noticed. */
VA_API void va_detector_set_muted(va_detector *detector, bool muted);

/* Copies the newest status without waiting. Each field is at most one hop old; they may be of different hops. */
VA_API va_status_code va_detector_status(const va_detector *detector, va_status *status);

/* ---- SPEAKING WHILE MUTED ----------------------------------------------------------------------------------------
 * A gate decides whether muted speech is reported, from what only the host knows. A notice, "You are muted", appears
 * when the gate's value becomes true. Both are structs of the caller's without a clock, for one thread at a time:
 *     va_speaking_gate_set(&gate, VA_REQUIREMENT_MICROPHONE_MUTED, muted);  // with va_detector_set_muted,
 *     if (!muted) va_muted_notice_unmuted(&notice);
 *     va_speaking_gate_handle(&gate, event.type);                           // for each event of the detector,
 *     if (va_muted_notice_update(&notice, gate.is_speaking, now_ms)) show_or_hide(notice.shown);  // now and in time */

/* What must hold for muted speech to be reported: all but VA_REQUIREMENT_MICROPHONE_MUTED are met at first. */
/* contract: requirement */
typedef enum va_requirement {
  VA_REQUIREMENT_SUPPORTED_BY_RUNTIME = 0,    /* the runtime passes on the sound of a muted microphone */
  VA_REQUIREMENT_ENABLED = 1,                 /* the user, or the application, wants it */
  VA_REQUIREMENT_SESSION_ACTIVE = 2,          /* the call is joined, not reconnecting, nor held by a telephone call */
  VA_REQUIREMENT_SESSION_RECORDS = 3,         /* the audio session records as well as plays */
  VA_REQUIREMENT_SESSION_IS_CONVERSATION = 4, /* the far end's voice is removed from the microphone's signal */
  VA_REQUIREMENT_ALLOWED_TO_SEND_AUDIO = 5,   /* the participant may send audio in this call */
  VA_REQUIREMENT_RECORDING_PERMITTED = 6,     /* the user has granted access to the microphone */
  VA_REQUIREMENT_PLAYOUT_IS_NOT_STEREO = 7,   /* playout is mono, so that an echo canceller works */
  VA_REQUIREMENT_MICROPHONE_MUTED = 8,        /* the microphone is muted */
  VA_REQUIREMENT_DATA_FLOWING = 9             /* the device delivers sound */
} va_requirement;
/* contract end */

typedef struct va_speaking_gate {
  uint32_t unmet;   /* 0: speech that begins now counts; 1 << n for each requirement n not met; 1 << 31 after the end */
  bool is_speaking; /* the user speaks while muted */
} va_speaking_gate;

/* va_speaking_gate_init begins a call. The others report what happens, in order, and return whether gate->is_speaking
 * has changed. _set: a requirement is met or lost; an unknown one changes nothing. _handle: an event of the detector;
 * only those of muted speech matter. _set_speech: muted speech has begun or ended, without an event; call it only at a
 * change, and with false after va_detector_reset, for another microphone and after a reconnection. _end: the call has
 * ended; nothing is reported from then on. Speech that began before a requirement was met is not reported. */
VA_API void va_speaking_gate_init(va_speaking_gate *gate);
VA_API bool va_speaking_gate_set(va_speaking_gate *gate, va_requirement requirement, bool is_met);
VA_API bool va_speaking_gate_handle(va_speaking_gate *gate, uint32_t event_type);
VA_API bool va_speaking_gate_set_speech(va_speaking_gate *gate, bool is_speech);
VA_API bool va_speaking_gate_end(va_speaking_gate *gate);

/* How long a notice stays, in milliseconds, and what it says, unless you choose otherwise. */
#define VA_NOTICE_MS 2000
#define VA_NOTICE_TEXT "You are muted. Unmute to speak."

/* Times are milliseconds of any clock that never runs backwards. What is "in" may change, for the next notice. */
typedef struct va_muted_notice {
  int64_t duration_ms;        /* in: how long a notice stays, VA_NOTICE_MS; INT64_MAX: until it is dismissed */
  int64_t interval_ms;        /* in: the least time from the beginning of a notice to that of the next, 0 */
  uint64_t shown;             /* the number of the notice that is shown, or 0 */
  uint64_t count;             /* notices so far: the number of the newest */
  int64_t shown_at_ms, ends_at_ms; /* when the newest appeared, and when its time is over */
  bool is_enabled;            /* in: whether notices appear, true */
  bool is_once_per_mute;      /* in: whether they appear again only after an unmute, false */
  bool is_speaking;           /* as it was last set: while it is true and nothing is shown, the user still speaks */
  bool was_shown_during_mute; /* since va_muted_notice_unmuted */
} va_muted_notice;

/* _init begins without a notice, with the values that stand beside "in". _update and _dismiss return whether
 * notice->shown has changed. An update sets the state, and ends a notice whose time is over: call it at ends_at_ms too,
 * because the library has no clock. A notice appears only when the state becomes true while none is shown, and stays
 * when it becomes false. A dismissal hides only the notice of this number, so that a late timer hides no newer one.
 * _unmuted reports an unmute, after which is_once_per_mute allows another notice. */
VA_API void va_muted_notice_init(va_muted_notice *notice);
VA_API bool va_muted_notice_update(va_muted_notice *notice, bool is_speaking, int64_t now_ms);
VA_API bool va_muted_notice_dismiss(va_muted_notice *notice, uint64_t number);
VA_API void va_muted_notice_unmuted(va_muted_notice *notice);

/* ---- THE USER'S OWN LEVEL ----------------------------------------------------------------------------------------
 * A television, or the next desk, is quieter at the microphone than its user. A detector learns the level of unmuted
 * speech: the mean over a third of a second, weighted by power, 2 to 3 dB above the active level of ITU-T P.56. After
 * 3 s of it, speech more than a margin below that level does not begin muted speech; muted speech that has begun lasts
 * while it is at most 6 dB further below. Nothing else depends on the level. It decays with a time constant of 30 s of
 * speech; since louder voices weigh more, a user who falls silent is remembered through minutes of a quieter voice.
 * Gaps and reported levels are not learned, nor are hops that are echo, unless they are 10 dB louder than it should be.
 * How clear muted speech is moves the margin by up to 6 dB, within seconds: a voice whose sounds end as abruptly as at
 * the microphone widens it, and a reverberant one narrows it. How clear the user is in this room is learned and
 * forgotten with the level. So a user far below the usual level is noticed seconds later, or not at all where a
 * television or the room rings on. A television nearly as loud as the user is noticed. The level belongs to a user, a
 * microphone, its place and its gain: forget it when one of them changes, and report changes of the gain, also those of
 * an automatic control. These functions are for the detector's thread. What is out of range is VA_ERROR_ARGUMENT. */
#define VA_SPEAKER_MARGIN_DB 15     /* the margin of a new detector, */
#define VA_SPEAKER_MARGIN_MAX_DB 40 /* and the widest */
#define VA_SPEAKER_LEAST_MS 3000    /* the level counts once it was learned from this much speech, */
#define VA_SPEAKER_MOST_MS 30000    /* and learned_ms ends at this much */
#define VA_INPUT_GAIN_MAX_DB 60     /* the largest change of the input's gain in one call */

/* Sets how far below the learned level speech can be the user's: 0 … VA_SPEAKER_MARGIN_MAX_DB dB. INFINITY turns the
 * level off: then all speech raises muted speech. Learning continues. */
VA_API va_status_code va_detector_set_speaker_margin(va_detector *detector, float margin_db);

/* Writes the learned level in dBFS, -127 … 12 (-127 before anything was learned), and from how much speech it was
 * learned, 0 … VA_SPEAKER_MOST_MS. A host may keep both for each user and microphone. */
VA_API va_status_code va_detector_speaker_level(const va_detector *detector, float *level_dbfs, uint32_t *learned_ms);

/* Replaces what was learned. learned_ms is its weight, in whole hops: less than VA_HOP_MS forgets, less than
 * VA_SPEAKER_LEAST_MS has no effect until more is learned, and more than VA_SPEAKER_MOST_MS counts as that much. */
VA_API va_status_code va_detector_set_speaker_level(va_detector *detector, float level_dbfs, uint32_t learned_ms);

/* Reports that the gain in front of the detector, such as that of a mixer, has changed by gain_db from the next sample
 * on, -VA_INPUT_GAIN_MAX_DB … VA_INPUT_GAIN_MAX_DB. What was learned moves by as much. */
VA_API va_status_code va_detector_change_input_gain(va_detector *detector, float gain_db);

/* ---- GAPS: lost packets, DTX, overruns --------------------------------------------------------------------------- */
#define VA_GAP_MAX 1099511627776ull /* the longest gap or level of one call: 2^40, more than two months at 192 kHz */

/* Reports `count` samples as missing. A gap of up to 60 ms leaves the decision as it is: the hops in it and up to four
 * around it cannot be decided, and the speech state is carried over them for at most 110 ms. After that, they count as
 * non-speech, and an offset is placed where speech was last detected. The noise floor is kept. Consecutive gaps count
 * as one; its discontinuity event comes with the next sample or level, or at the end of the stream. The time of `echo`
 * moves by the gap as well, so its reference must run through it (ECHO). The whole gap is taken. Hops for which
 * `output` has no room come with the next call, and a call decides at most 10 s of a gap, so that none delays a
 * real-time thread. Errors: as va_detector_process, VA_ERROR_ARGUMENT beyond VA_GAP_MAX. */
VA_API va_status_code va_detector_push_gap(va_detector *detector, va_echo *echo, uint64_t count, va_output *output);

/* ---- LEVELS: RFC 6464, without decoding -------------------------------------------------------------------------- */
/* Reports `count` samples of which only the sender's level is known, as in a server: `level_dbov`, 0 (loudest) … 127
 * (silence), and `voice`, the sender's own decision. Such hops have the posterior 1 with the voice bit and 0 without;
 * their peak is the level, the least that it can be, and the noise floor follows it. Where one hop gets several levels,
 * their powers add up, and one voice bit is enough. A level takes no va_echo, as its sender has removed the echo:
 * beside one, report a gap. PCM, levels and gaps may be mixed: a hop that a gap touches is undecided, a hop that levels
 * cover by half or more follows the voice bit, and a hop of PCM whose look-ahead contains levels follows the next voice
 * bit. The network restarts after half a second without PCM. The whole level is taken, as a gap is, unless results of
 * earlier calls fill the output. Then the call takes nothing and returns VA_ERROR_OUTPUT_FULL: read them and call
 * again. An output with room for twice the hops of the longest packet and their events avoids this, unless hops of a
 * long gap are waiting. Other errors: as va_detector_push_gap, and VA_ERROR_ARGUMENT if level_dbov > 127. */
VA_API va_status_code va_detector_push_level(va_detector *detector, uint64_t count, uint8_t level_dbov, bool voice,
                                             va_output *output);

/* The byte of RFC 6464's header extension: the highest bit is the voice bit, the others are the level in -dBov, at most
 * 127. To report a hop to others: va_rfc6464_byte(hop.level_dbov, hop.flags & VA_HOP_SPEECH). */
VA_API uint8_t va_rfc6464_byte(uint8_t level_dbov, bool voice);
VA_API uint8_t va_rfc6464_level(uint8_t byte);
VA_API bool va_rfc6464_voice(uint8_t byte);

/* ---- ECHO: a loudspeaker beside the microphone ---------------------------------------------------------------------
 * A microphone beside a loudspeaker hears the far end, which is speech too. A va_echo knows what the loudspeaker plays,
 * the reference, and takes it out of what the detector decides: the posterior becomes that of the user's own speech.
 * Thresholds, events and levels keep their meaning. It needs no echo canceller, and its result is not for listening. An
 * echo belongs to one detector, and starts with the stream:
 *     va_echo_create(48000, &echo);
 *     va_echo_push_s16(echo, played, 480);                                       // every 10 ms: first what plays,
 *     va_detector_process_s16(detector, echo, heard, 480, &consumed, &output);   // then what is heard
 * It finds a delay of up to 750 ms in steps of 20 ms within a quarter of a second of far-end speech, and follows jumps.
 * It learns how loud the echo is in each band, and counts what it does not know yet as loud: what is heard during the
 * first 0.4 s of far-end speech is taken for echo. It expects reverberation, up to an RT60 of 1.2 s. It takes an echo
 * that becomes louder or softer in all bands alike, by up to 35 dB, for a change of volume, or for a device that gates
 * its microphone. Without echo, as with a headset, it changes little. It does not help with longer delays, or if the
 * reference is not what plays. Several loudspeakers, as in stereo, are one reference of several channels. */

/* What an echo has found. va_echo_state copies it. */
typedef struct va_echo_status {
  uint32_t struct_size;  /* in: sizeof(va_echo_status) */
  uint32_t delay_ms;     /* from the reference to the microphone, 0 … 740, in steps of 20 */
  float fit;             /* -1 … 1: how well both move together at this delay; with echo above 0.15, else below 0.1 */
  float coupling_db;     /* microphone over reference, mean in dB of the bands learned so far; 0 if there are none */
  uint64_t late_samples; /* samples of the reference that came after their time, and were left out */
} va_echo_status;
VA_API va_status_code va_echo_state(const va_echo *echo, va_echo_status *status);

/* An echo of va_echo_size() bytes, a constant of at most VA_ECHO_SIZE_MAX, for a reference at VA_SAMPLE_RATE_MIN_HZ …
 * VA_SAMPLE_RATE_MAX_HZ, or VA_ERROR_SAMPLE_RATE. The microphone may have another rate. A reset, with va_detector_reset
 * or when the device changes, starts anew at time 0 and forgets everything learned. */
VA_API size_t va_echo_size(void);
VA_API va_status_code va_echo_init(void *memory, size_t size, uint32_t reference_rate_hz, va_echo **echo);
VA_API va_status_code va_echo_create(uint32_t reference_rate_hz, va_echo **echo);
VA_API void va_echo_destroy(va_echo *echo);
VA_API void va_echo_reset(va_echo *echo);

/* Take `count` samples of the reference: floats of any scale, 16-bit integers, or silence, also where nothing is known.
 * NaN and infinities count as 0. Sample n belongs to the time n / rate since va_echo_init or va_echo_reset, and so does
 * sample n of what the detector processes beside it. Push what plays in a period before the microphone's samples of
 * that period, at most 100 ms earlier. A call that would reach further may be refused with VA_ERROR_REFERENCE_EARLY: it
 * takes nothing. Samples that come later than the microphone's are dropped and counted: the echo assumes silence in
 * their place. So the reference must run on while nothing plays, and through gaps. Continue it with
 * va_echo_push_silence, for a gap of more than 100 ms after the gap's last results. If it has paused instead, all that
 * plays afterwards comes too late: late_samples grows with each push, and the far end counts as speech. One push of
 * silence as long as the pause corrects that. A loudspeaker whose clock is slower than the microphone's falls behind by
 * itself: push 20 ms of silence whenever late_samples has grown. If its clock is faster, drop what is refused. */
VA_API va_status_code va_echo_push(va_echo *echo, const float *samples, size_t count);
VA_API va_status_code va_echo_push_s16(va_echo *echo, const int16_t *samples, size_t count);
VA_API va_status_code va_echo_push_silence(va_echo *echo, uint64_t count);

/* Take `count` frames of `channels` interleaved samples, 1 … VA_ECHO_CHANNELS_MAX, or VA_ERROR_ARGUMENT. The reference
 * is their mean. Channels in opposite phase do not cancel in a room, so they must not here: once the sum of the odd
 * channels, counted from 0, has a correlation below -0.5 with that of the others over a second, as in stereo with one
 * channel inverted, the odd ones count inverted, until it is above 0. Mono calls change nothing. */
#define VA_ECHO_CHANNELS_MAX 8
VA_API va_status_code va_echo_push_interleaved(va_echo *echo, const float *frames, size_t count, uint32_t channels);
VA_API va_status_code va_echo_push_interleaved_s16(va_echo *echo, const int16_t *frames, size_t count,
                                                   uint32_t channels);

/* ---- SMOOTHING: recordings ----------------------------------------------------------------------------------------
 * The sound after a hop tells as much as the sound before it. A smoother returns results VA_SMOOTHER_DELAY_MS later,
 * with new posteriors and what follows from them and the settings: states, VA_HOP_SPEECH, onsets and offsets.
 *     do {   // after each call with `output`, and at the end of the stream with NULL
 *       va_smoother_process(smoother, &output, &smoothed);
 *       use(&smoothed);
 *     } while (smoothed.more); */
#define VA_SMOOTHER_DELAY_MS 670
typedef struct va_smoother va_smoother;
/* A smoother for a detector with this `config`. Reset both for a new stream. Errors: those of va_config_check. */
VA_API va_status_code va_smoother_create(const va_config *config, va_smoother **smoother);
VA_API void va_smoother_destroy(va_smoother *smoother);
VA_API void va_smoother_reset(va_smoother *smoother);

/* Takes the results of one call on the detector, which must have hops, and writes what they complete; while it sets
 * smoothed->more, repeat the call. At the end `results` is NULL; then only a reset is allowed. Onsets and offsets are
 * decided at the end of the newest hop; other events are passed on. Errors: as va_detector_process. */
VA_API va_status_code va_smoother_process(va_smoother *smoother, const va_output *results, va_output *smoothed);

/* ---- CUTTING: segments to save -----------------------------------------------------------------------------------
 * A cutter turns results into segments that a host saves, transcribes or sends on: it joins, drops, pads and splits.
 *     va_cut_rules rules = {.struct_size = sizeof rules, .pad_before_ms = 200, .pad_after_ms = 200,
 *                           .min_silence_ms = 200, .max_length_ms = 30000};
 *     va_cutter_create(&rules, &config, &cutter);
 *     while (va_cutter_next(cutter, &output, &cut)) save(cut.start, cut.end);         // after each call with `output`,
 *     while (va_cutter_finish(cutter, samples_heard, &cut)) save(cut.start, cut.end); // and after the last
 * The cuts do not depend on the chunks. A cutter holds no sound: a live host keeps it from va_cutter_needed on. */
#define VA_CUT_MIN_MS 1000 /* what a limit leaves beside the padding, so that its second half has room for pauses */

/* The rules, applied in this order. Each length is 0 … VA_DURATION_MAX_MS. */
typedef struct va_cut_rules {
  uint32_t struct_size;    /* sizeof(va_cut_rules) */
  uint32_t min_silence_ms; /* speech that is separated by less silence than this is joined */
  uint32_t min_speech_ms;  /* speech that is then shorter than this is dropped */
  uint32_t max_length_ms;  /* no cut is longer: speech is cut at the best pause in the second half of this length,
                              the middle of the longest silence or the 200 ms with the least speech; 0: no limit;
                              otherwise at least VA_CUT_MIN_MS longer than both pads */
  uint32_t pad_before_ms;  /* each cut begins this much earlier (pre-roll), */
  uint32_t pad_after_ms;   /* and ends this much later; cuts that now overlap are joined, or meet in the silence between
                              if they would be too long together; nothing is padded where speech was cut */
} va_cut_rules;

/* A segment: the samples from `start` up to, but not including, `end`. */
typedef struct va_cut {
  uint64_t start, end;
  uint64_t decided_at; /* the input position at which the end was decided */
  bool continues;      /* speech was cut here: the next cut begins where this one ends */
} va_cut;
typedef struct va_cutter va_cutter;
/* A cutter for the results of a detector with this `config`. It has a few hundred bytes, and with a limit one for each
 * 20 ms of it; va_cutter_size returns 0 for settings that va_cutter_init refuses. Errors: those of va_config_check, and
 * VA_ERROR_DURATION for a length out of range. A reset, with va_detector_reset, starts a new stream at position 0. */
VA_API size_t va_cutter_size(const va_cut_rules *rules, const va_config *config);
VA_API va_status_code va_cutter_init(void *memory, size_t size, const va_cut_rules *rules, const va_config *config,
                                     va_cutter **cutter);
VA_API va_status_code va_cutter_create(const va_cut_rules *rules, const va_config *config, va_cutter **cutter);
VA_API void va_cutter_destroy(va_cutter *cutter);
VA_API void va_cutter_reset(va_cutter *cutter);

/* Write the next cut to *cut and return true, or return false if there is none. The first reads the results of one call
 * on the detector or its smoother: call it with them until it returns false, and then with new ones. They should
 * contain hops: without them a cut is complete only when later speech begins, and a limit cuts where it ends. The
 * second ends the stream, `end` samples after its beginning, beyond which nothing is padded. */
VA_API bool va_cutter_next(va_cutter *cutter, const va_output *results, va_cut *cut);
VA_API bool va_cutter_finish(va_cutter *cutter, uint64_t end, va_cut *cut);

/* Returns the first sample that the next cut can contain: you may drop everything before it. Sets *certain, unless it
 * is NULL, to the end of what is already known: the samples from the returned one up to *certain will be in the cut, as
 * far as the stream goes. If both are equal, nothing is known of it yet. */
VA_API uint64_t va_cutter_needed(const va_cutter *cutter, uint64_t *certain);

/* Fades a cut in and out along 3t² - 2t³, in place: `count` frames of `channels` interleaved samples, of which the
 * first is at `position` of the stream. A fade has `length` frames, but at most half of the cut. Where speech was cut
 * there is none: at the end of a cut that `continues`, and at the start if it `follows` one that does. */
VA_API void va_cut_fade(float *samples, size_t count, uint32_t channels, uint64_t position, const va_cut *cut,
                        bool follows, uint64_t length);

/* ---- MEMORY OF YOUR OWN ------------------------------------------------------------------------------------------ */
#define VA_DETECTOR_ALIGNMENT 64 /* memory begins at a multiple of this many bytes */

/* The most that the functions of these names return in any version with this ABI: sizes for static arrays. */
#define VA_DETECTOR_SIZE_MAX 8192
#define VA_DETECTOR_SAVED_SIZE_MAX 6144
#define VA_ECHO_SIZE_MAX 4096
#define VA_ECHO_SAVED_SIZE_MAX 4096

/* The first two return a detector's bytes, for any rate and for `sample_rate_hz`: 8 and 16 kHz need no resampler,
 * others up to 48 kHz one stage, higher ones up to three; for a refused rate the size means nothing. va_detector_init
 * needs va_detector_size_for(config->sample_rate_hz) bytes. Errors: those of va_config_check. */
VA_API size_t va_detector_size(void);
VA_API size_t va_detector_size_for(uint32_t sample_rate_hz);
VA_API va_status_code va_detector_init(void *memory, size_t size, const va_config *config, va_detector **detector);

/* ---- BATCH: many streams in one call ----------------------------------------------------------------------------- */
/* One stream's part of a batch: a gap if `missing` is not 0, then `count` samples. */
typedef struct va_batch_item {
  va_detector *detector;
  va_echo *echo;              /* as in va_detector_process, or NULL */
  const float *samples;       /* as in va_detector_process, or NULL */
  const int16_t *samples_s16; /* as in va_detector_process_s16, or NULL; only one of the two may be set */
  size_t count;               /* samples; may be 0, with both pointers NULL */
  uint64_t missing;           /* as in va_detector_push_gap, before the samples; set to 0 once it is taken */
  va_output *output;          /* not shared with any other item of the call */
  size_t consumed;            /* out: as in va_detector_process; 0 if status is not VA_OK */
  va_status_code status;      /* out */
  uint32_t reserved;          /* 0 */
} va_batch_item;

/* Analyses the newest samples of many streams. Each item gets the same results, bit for bit, as va_detector_push_gap
 * followed by va_detector_process would give with one output for both. Rates, formats and lengths may differ. Several
 * items of one detector are taken in their order; only they may share an echo. An item that those functions would
 * refuse, that has a count and both sample pointers, or whose reserved is not 0, has the error in its status and leaves
 * its detector unchanged; the others are analysed. An item whose output->more is set is not finished: read the output
 * and pass the rest of the samples to another batch or to va_detector_process. Other threads may run batches of other
 * detectors. Returns VA_OK, or the status of the first bad item. `items` may be NULL if `count` is 0. */
VA_API va_status_code va_process_batch(va_batch_item *items, size_t count);

/* ---- MOVING: a stream to another process or machine -------------------------------------------------------------- */
/* Write everything that a stream or its echo remembers to `bytes`, and the number of bytes to *size. This may be in the
 * middle of a word or a gap, and while results wait for room in an output. Save both between the same two calls. What
 * is restored continues as RESULTS says. The bytes are the same on every machine (little-endian). They contain a
 * version and a checksum, and no PCM older than 40 ms. Errors: VA_ERROR_ARGUMENT if `capacity` is below _saved_size, a
 * constant; VA_ERROR_SAVED_DATA if a value is out of its range, because others wrote to the memory. */
VA_API size_t va_detector_saved_size(void);
VA_API size_t va_echo_saved_size(void);
VA_API va_status_code va_detector_save(const va_detector *detector, void *bytes, size_t capacity, size_t *size);
VA_API va_status_code va_echo_save(const va_echo *echo, void *bytes, size_t capacity, size_t *size);

/* Do what _init does, from bytes of any origin, or refuse them, whatever they contain. Errors: VA_ERROR_SAVED_DATA and
 * VA_ERROR_SAVED_VERSION (va_status_code). After an error `memory` contains neither: start a new stream. */
VA_API va_status_code va_detector_restore(void *memory, size_t memory_size, const void *bytes, size_t size,
                                          va_detector **detector);
VA_API va_status_code va_echo_restore(void *memory, size_t memory_size, const void *bytes, size_t size, va_echo **echo);

/* ---- LIBRARY ----------------------------------------------------------------------------------------------------- */
/* Of the running library: "MAJOR.MINOR.PATCH", its ABI, and new detectors' SIMD body: "avx512", "avx2", "portable". */
VA_API const char *va_version(void);
VA_API uint32_t va_abi_version(void);
VA_API const char *va_simd_name(void);

#ifdef __cplusplus
}
#endif
#endif /* VOICE_ACTIVITY_H */
