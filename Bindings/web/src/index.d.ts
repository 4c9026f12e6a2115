// voice-activity: detects speech in PCM, and that the user speaks while muted. Names and meanings are those of
// voice_activity.h, the manual of the core. Times end in Ms, levels in Dbfs (0 dBFS is the RMS of a full-scale square
// wave). Positions are indices of samples since the beginning of the stream, at the input's rate.

// contract: types
/**
 * What the thresholds are tuned for.
 * - `conversation`: calls and meetings: false alarms and misses weigh the same
 * - `notice`: "You are muted": a late notice is better than a wrong one
 * - `transcription`: what to transcribe: extra sound is better than a lost word
 */
export type Preset = "conversation" | "notice" | "transcription";

export type SpeechState = "silence" | "pendingOnset" | "speech" | "hangover";

export type EventType = "onset" | "offset" | "mutedSpeechBegin" | "mutedSpeechEnd" | "discontinuity";

export type MutedSpeechRequirement =
  | "supportedByRuntime" // the runtime passes on the sound of a muted microphone
  | "enabled" // the user, or the application, wants it
  | "sessionActive" // the call is joined, not reconnecting, nor held by a telephone call
  | "sessionRecords" // the audio session records as well as plays
  | "sessionIsConversation" // the far end's voice is removed from the microphone's signal
  | "allowedToSendAudio" // the participant may send audio in this call
  | "recordingPermitted" // the user has granted access to the microphone
  | "playoutIsNotStereo" // playout is mono, so that an echo canceller works
  | "microphoneMuted" // the microphone is muted
  | "dataFlowing" // the device delivers sound
// contract end

export interface VoiceActivityEvent {
  readonly type: EventType;
  /** Where it happened. */
  readonly position: number;
  /** The position at which it was decided. */
  readonly decidedAt: number;
  /** How many samples are missing: of a discontinuity, otherwise 0. */
  readonly missingSamples: number;
}

/** What was decided about 10 ms of sound. */
export interface Hop {
  readonly position: number;
  /** P(speech given features), 0 … 1. */
  readonly posterior: number;
  /** RMS, -127 … 12. */
  readonly levelDbfs: number;
  /** The largest magnitude, -127 … 12. */
  readonly peakDbfs: number;
  readonly noiseFloorDbfs: number;
  readonly state: SpeechState;
  /** The level as in RFC 6464: 0 (loudest) … 127 (silence). */
  readonly levelDbov: number;
  readonly isSpeech: boolean;
  readonly isMuted: boolean;
  readonly isMutedSpeech: boolean;
  /** Part of the hop or all of it lies in a gap. */
  readonly isMissing: boolean;
  /** A third of what is audible, or more, was only echo. */
  readonly isEcho: boolean;
}

/** The newest hop, and counts since the beginning. */
export interface Status {
  readonly state: SpeechState;
  readonly isSpeech: boolean;
  readonly isMuted: boolean;
  readonly isMutedSpeech: boolean;
  readonly posterior: number;
  readonly levelDbfs: number;
  readonly levelDbov: number;
  readonly noiseFloorDbfs: number;
  readonly hops: number;
  readonly clippedSamples: number;
  readonly nonFiniteSamples: number;
  readonly missingSamples: number;
}

/** What the detector knows of the loudspeaker's way to the microphone. */
export interface EchoStatus {
  readonly delayMs: number;
  /** How well both move together at this delay: above 0.15 with echo, below 0.1 without. */
  readonly fit: number;
  /** Microphone over reference, in dB; 0 before anything was learned. */
  readonly couplingDb: number;
  /** Samples of the reference that came after their time, and were left out. */
  readonly lateSamples: number;
}

/** The level of the user's own speech, learned while unmuted. Keep it for the user's next session. */
export interface SpeakerLevel {
  readonly dbfs: number;
  /** From how much speech. What is set to more than 30000 counts as that much; less than 10 forgets. */
  readonly learnedMs: number;
}

/** The settings of a detector; each has a default from the preset. Durations are 0 … 3600000. */
export interface Settings {
  /** The posterior at or above which speech may begin. Alone, it moves offsetThreshold by as much, to no less than a third. */
  onsetThreshold?: number;
  /** The posterior below which speech may end, at most onsetThreshold. */
  offsetThreshold?: number;
  // contract: length
  /** How long the posterior is at or above onsetThreshold before speech begins. */
  onsetDebounceMs?: number;
  /** How long the posterior is below offsetThreshold before speech ends. */
  hangoverMs?: number;
  /** Speech that begins within this time after muting is the end of a sentence. */
  muteGraceMs?: number;
  /** Speech that began earlier counts if it runs this long after muteGraceMs. */
  muteCarryOverMs?: number;
  /** Muted speech lasts at least this long, unless the user unmutes. */
  mutedSpeechHoldMs?: number;
  /** How long muted speech outlasts the speech. */
  mutedSpeechReleaseMs?: number;
  // contract end
}

interface CommonOptions extends Settings {
  /** `conversation` if unset. */
  preset?: Preset;
  muted?: boolean;
  /** Muted speech this far below the user's learned level is not the user's: 0 … 40, 15 if unset, Infinity for off. */
  speakerMarginDb?: number;
  /** What an earlier session with the same user, microphone and place learned. */
  speakerLevel?: SpeakerLevel | null;
}

/** How speech becomes segments to save or to transcribe, applied in this order; each is 0 if unset. */
export interface CutRules {
  /** Speech that is separated by less silence than this is joined. */
  minSilenceMs?: number;
  /** Speech that is then shorter than this is dropped. */
  minSpeechMs?: number;
  /**
   * Longer speech is cut at the best pause in the second half. It is 0 for no limit, otherwise at least a second more than both
   * pads, and at most 60000.
   */
  maxLengthMs?: number;
  /** Each cut begins this much earlier, */
  padBeforeMs?: number;
  /** and ends this much later. */
  padAfterMs?: number;
}

/** A segment: the samples from `start` up to, but not including, `end`. */
export interface Cut {
  readonly start: number;
  readonly end: number;
  /** The position at which the end was decided. */
  readonly decidedAt: number;
  /** Speech was cut here: the next cut begins where this one ends. */
  readonly continues: boolean;
}

export interface DetectorOptions extends CommonOptions {
  /** The rate of the input, 8000 … 192000. */
  sampleRate: number;
  /** The rate of the reference, likewise. Set it to use pushReference(). */
  referenceSampleRate?: number;
  /**
   * Takes each hop as it is decided, before the call that decided it returns. Meanwhile the stream cannot be used: process()
   * and its like throw. If it throws, or onCut does, the rest of the samples is not analysed, and what was decided but not
   * passed on is lost: reset() then.
   */
  onHop?: (hop: Hop) => void;
  /** Takes each segment once its end is decided; flush() ends the last one. A stream that was saved continues without. */
  onCut?: (cut: Cut) => void;
  cutRules?: CutRules;
}

export type Configuration = { readonly sampleRate: number } & Readonly<Required<Settings>>;

/** A stream for structuredClone or storage. */
export interface SavedDetector {
  readonly stream: Uint8Array;
  readonly reference: Uint8Array | null;
}

/**
 * A refusal of the core. What is of a wrong type, or a name that does not exist, is a TypeError, and another value that makes
 * no sense a RangeError. What should be a boolean counts by its truth.
 */
export class VoiceActivityError extends Error {
  readonly code: "argument" | "structSize" | "sampleRate" | "threshold" | "duration" | "memory" | "eventCapacity" |
    "savedData" | "savedVersion" | "outputFull" | "referenceEarly";
}

/**
 * Compiles the module that detectors run in: the package's own, once, or `source`. Only the one for a `reference` has
 * the echo stage; it is a third larger.
 */
export function load(
  options?: { reference?: boolean; source?: URL | string | BufferSource }): Promise<WebAssembly.Module>;

/**
 * Detects speech in one mono stream. It has a memory of its own, which never grows, and needs no release. process(),
 * pushGap() and flush() return the events that they decided, in order.
 */
export class Detector {
  constructor(module: WebAssembly.Module, options: DetectorOptions);
  /** Continues a saved stream, bit for bit. */
  static restore(module: WebAssembly.Module, saved: SavedDetector, options?: { onHop?: (hop: Hop) => void }): Detector;

  /** Analyses samples of full scale ±1, as many as there are. NaN and infinities count as 0. */
  process(samples: Float32Array): readonly VoiceActivityEvent[];
  /** Reports samples that never came. It takes about 0.1 s for each hour of them. */
  pushGap(count: number): readonly VoiceActivityEvent[];
  /** Ends the stream. Afterwards only reset() and flush() are allowed. */
  flush(): readonly VoiceActivityEvent[];
  /** Begins another stream at position 0. Settings and muted stay. */
  reset(): void;

  /**
   * Takes what loudspeakers beside the microphone play, 1 to 8 channels of the same length. Push what plays in a period
   * before you process what the microphone heard in it. At most 100 ms may be ahead; if more were, it throws
   * `referenceEarly` and takes nothing. What counts is the channels' mean. As in a room, those in opposite phase do not
   * cancel: where the odd-numbered ones, counted from 0, are together most of the time the opposite of the others, they
   * count inverted.
   */
  pushReference(...channels: Float32Array[]): void;
  /**
   * Continues the reference by silence. Call it while nothing plays, and after pushGap() for as many samples: samples count
   * from the beginning, so that otherwise all that plays later comes too late, is left out (echo.lateSamples), and counts as
   * speech. Silence of the length that is missing mends that.
   */
  pushReferenceSilence(count: number): void;

  /** Whether speech counts as muted speech. Analysis continues while muted. */
  muted: boolean;
  /** What was learned of the user's own level; set it to what an earlier session learned, or to null to forget it. */
  get speakerLevel(): SpeakerLevel | null;
  set speakerLevel(level: SpeakerLevel | null);
  /** Reports a change of the gain in front of the detector, from the next sample on. */
  changeInputGain(decibels: number): void;

  readonly status: Status;
  /** null without a reference. */
  readonly echo: EchoStatus | null;
  readonly configuration: Configuration;
  /** How long after its end a hop is decided. */
  readonly lookaheadMs: number;
  readonly version: string;

  save(): SavedDetector;
}

export interface LiveOptions extends CommonOptions {
  /** The context to listen in. If unset, that of the source node, or a new one, which close() closes. */
  audioContext?: BaseAudioContext;
  /**
   * What loudspeakers beside the microphone play, mono or stereo; of more channels the browser makes stereo. Not needed
   * with the browser's echo canceller.
   */
  reference?: MediaStream | AudioNode;
  /** Resume a suspended context at the next click or key press: true if unset. */
  resumeOnGesture?: boolean;
  /** How often a `status` is sent: 50 if unset. */
  statusEveryMs?: number;
  /** What load() resolves to. If unset, the package's own module is fetched from beside it. */
  module?: WebAssembly.Module;
  /** Where dist/processor.js is served, if not beside this package. */
  processorUrl?: URL | string;
}

/**
 * `suspended`: call resume() from a click. `silenced`: the system mutes the microphone. `ended`: it is gone, or no longer
 * allowed. `failed`: a fault of this package.
 */
export type LiveState = "running" | "suspended" | "silenced" | "ended" | "failed" | "closed";

export interface LiveEventMap {
  /** isSpeakingWhileMuted has changed. */
  speakingwhilemutedchange: CustomEvent<boolean>;
  /** `muted` was set to another value. */
  mutedchange: CustomEvent<boolean>;
  statechange: CustomEvent<LiveState>;
  status: CustomEvent<Status>;
  // contract: event
  onset: CustomEvent<VoiceActivityEvent>;
  offset: CustomEvent<VoiceActivityEvent>;
  mutedspeechbegin: CustomEvent<VoiceActivityEvent>;
  mutedspeechend: CustomEvent<VoiceActivityEvent>;
  discontinuity: CustomEvent<VoiceActivityEvent>;
  // contract end
}

/** A detector that listens, in an AudioWorklet. Positions are in samples of the context's rate. */
export class LiveDetector extends EventTarget {
  private constructor();
  /**
   * Whether the user speaks while nobody can hear it. It is false while the microphone is open or gives no sound, while
   * not enabled, and after close(). It falls between phrases: show it through a MutedNoticePresenter.
   */
  readonly isSpeakingWhileMuted: boolean;
  readonly isSpeech: boolean;
  /** The newest, or null before the first. */
  readonly status: Status | null;
  readonly echo: EchoStatus | null;
  /** What was learned of the user's own level. Keep it for the next session, and give it as an option there. */
  readonly speakerLevel: SpeakerLevel | null;
  readonly state: LiveState;
  /** Tell it when you mute. It goes on listening; it does not mute your call. */
  muted: boolean;
  /** Whether isSpeakingWhileMuted may become true: the requirement `enabled`. */
  enabled: boolean;
  /** Sets whether another requirement is met. Each one is until you say otherwise; set only those that you know about. */
  setRequirement(requirement: Exclude<MutedSpeechRequirement, "microphoneMuted" | "dataFlowing">, isMet: boolean): void;
  resume(): Promise<void>;
  /** Stops listening for good, and releases the microphone that it opened. */
  close(): void;

  addEventListener<K extends keyof LiveEventMap>(
    type: K, listener: (this: LiveDetector, event: LiveEventMap[K]) => void,
    options?: boolean | AddEventListenerOptions): void;
  addEventListener(
    type: string, listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions): void;
}

/**
 * Listens to a stream, to an audio node, or, without a source, to a microphone that it opens. It hears a stream's track
 * through a clone, so it goes on hearing when you mute by `track.enabled = false`. Refusals reject: MicrophoneError,
 * VoiceActivityError, TypeError.
 */
export function createDetector(source?: MediaStream | AudioNode, options?: LiveOptions): Promise<LiveDetector>;

export class MicrophoneError extends Error {
  readonly code: "permissionDenied" | "noMicrophone" | "microphoneBusy" | "insecureContext" | "failed";
}

/** Opens a microphone, or says in a MicrophoneError why not and what to do. */
export function openMicrophone(constraints?: MediaTrackConstraints | boolean): Promise<MediaStream>;

/**
 * The rule of isSpeakingWhileMuted, for hosts that run a Detector themselves. Each input returns whether the value
 * changed.
 */
export class SpeakingWhileMutedGate {
  readonly value: boolean;
  readonly isDetecting: boolean;
  isMet(requirement: MutedSpeechRequirement): boolean;
  /** All are met at first, except `microphoneMuted`. */
  setRequirement(requirement: MutedSpeechRequirement, isMet: boolean): boolean;
  setMuted(muted: boolean): boolean;
  setDataFlowing(flowing: boolean): boolean;
  speechBegan(): boolean;
  speechEnded(): boolean;
  /** Another microphone, or a reconnection: forgets the speech heard so far. */
  inputReplaced(): boolean;
  end(): boolean;
}

/** One showing of the notice. */
export interface MutedNotice {
  /** Unique among the notices of one presenter. */
  readonly id: number;
  readonly text: string;
}

export interface MutedNoticeOptions {
  /** "You are muted. Unmute to speak." if unset. */
  text?: string;
  /** How long a notice stays: 2000 if unset. */
  durationMs?: number;
  limit?: NoticeLimit;
}

/** At most once until the next unmute, or once in so many milliseconds. If null, each time muted speech begins. */
export type NoticeLimit = "oncePerMute" | number | null;

/**
 * Shows the notice when muted speech begins, and removes it after its time. While it is shown, nothing prolongs it,
 * ends it early or shows another one. Each change of `notice` or `isStillSpeaking` is a `change`.
 */
export class MutedNoticePresenter extends EventTarget {
  constructor(options?: MutedNoticeOptions);
  /** Whether notices appear. A change of this or of the limit applies to the next notice. */
  enabled: boolean;
  limit: NoticeLimit;
  /** What to show now. */
  readonly notice: MutedNotice | null;
  /** Whether the user goes on speaking while muted after the notice. */
  readonly isStillSpeaking: boolean;
  /** Shows what a detector finds from now on. */
  follow(detector: LiveDetector): this;
  /** For hosts without a LiveDetector: sets whether the user speaks while muted, */
  update(isSpeakingWhileMuted: boolean): void;
  /** and reports an unmute, so that "oncePerMute" counts again. */
  microphoneUnmuted(): void;
  /** Hides the notice before its time is over. Does nothing if another one is shown, or none. */
  dismiss(id: number): void;

  addEventListener(
    type: "change", listener: (this: MutedNoticePresenter, event: CustomEvent<MutedNotice | null>) => void,
    options?: boolean | AddEventListenerOptions): void;
  addEventListener(
    type: string, listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions): void;
}
