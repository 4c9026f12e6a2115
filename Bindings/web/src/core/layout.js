// Where the fields of the core's structs are in a module's memory; core/layout.c checks the places.

/** Samples that the arena takes at once. */
export const CHUNK = 4096;

/** The most channels of a reference. */
export const ECHO_CHANNELS_MAX = 8;

/** Room for a cutter, and the longest cut for which it is enough, in ms. */
export const CUTTER_MOST = 4096, LONGEST_CUT_MS = 60000;

/** Room for the bytes of a saved detector or echo. */
export const SAVED_MOST = 6144;

// By preset and by state, event and flag, as voice_activity.h numbers them.
// contract: layout
export const PRESETS = ["conversation", "notice", "transcription"];
const STATES = ["silence", "pendingOnset", "speech", "hangover"];
export const NOTICE_MS = 2000, NOTICE_TEXT = "You are muted. Unmute to speak.";
export const REQUIREMENTS = ["supportedByRuntime", "enabled", "sessionActive", "sessionRecords",
  "sessionIsConversation", "allowedToSendAudio", "recordingPermitted", "playoutIsNotStereo", "microphoneMuted",
  "dataFlowing"];
const EVENTS = [, "onset", "offset", "mutedSpeechBegin", "mutedSpeechEnd", "discontinuity"];
const SPEECH = 1, MUTED = 2, MUTED_SPEECH = 4, MISSING = 8, ECHO = 32;

/** The settings of a detector by their names, and how they are written. */
export const SETTINGS = {
  onsetThreshold: { at: 8, set: "setFloat32", get: "getFloat32" },
  offsetThreshold: { at: 12, set: "setFloat32", get: "getFloat32" },
  onsetDebounceMs: { at: 16, set: "setUint32", get: "getUint32" },
  hangoverMs: { at: 20, set: "setUint32", get: "getUint32" },
  muteGraceMs: { at: 24, set: "setUint32", get: "getUint32" },
  muteCarryOverMs: { at: 28, set: "setUint32", get: "getUint32" },
  mutedSpeechHoldMs: { at: 32, set: "setUint32", get: "getUint32" },
  mutedSpeechReleaseMs: { at: 36, set: "setUint32", get: "getUint32" },
};

/** Where the rules of a cutter are, each a number of milliseconds. */
export const CUT_RULES = { minSilenceMs: 4, minSpeechMs: 8, maxLengthMs: 12, padBeforeMs: 16, padAfterMs: 20 };
// contract end

export function readConfiguration(view, at) {
  const configuration = { sampleRate: view.getUint32(at + 4, true) };
  for (const [name, field] of Object.entries(SETTINGS)) configuration[name] = view[field.get](at + field.at, true);
  return configuration;
}

/** Positions are below 2^53 for ever: that many samples last longer than a thousand years. */
const position = (view, at) => Number(view.getBigUint64(at, true));

export const output = {
  events: (view, at) => view.getUint32(at, true),
  eventCount: (view, at) => view.getUint32(at + 8, true),
  hops: (view, at) => view.getUint32(at + 12, true),
  hopCount: (view, at) => view.getUint32(at + 20, true),
  /** Asks for no records of hops. */
  omitHops: (view, at) => {
    view.setUint32(at + 12, 0, true);
    view.setUint32(at + 16, 0, true);
  },
  more: (view, at) => view.getUint8(at + 24) !== 0,
};

export function readCut(view, at) {
  return {
    start: position(view, at),
    end: position(view, at + 8),
    decidedAt: position(view, at + 16),
    continues: view.getUint8(at + 24) !== 0,
  };
}

export const EVENT_SIZE = 32, HOP_SIZE = 32;

export function readEvent(view, at) {
  return {
    type: EVENTS[view.getUint32(at, true)],
    position: position(view, at + 8),
    decidedAt: position(view, at + 16),
    missingSamples: position(view, at + 24),
  };
}

export function readHop(view, at) {
  const flags = view.getUint8(at + 25);
  return {
    position: position(view, at),
    posterior: view.getFloat32(at + 8, true),
    levelDbfs: view.getFloat32(at + 12, true),
    peakDbfs: view.getFloat32(at + 16, true),
    noiseFloorDbfs: view.getFloat32(at + 20, true),
    state: STATES[view.getUint8(at + 24)],
    levelDbov: view.getUint8(at + 26),
    isSpeech: (flags & SPEECH) !== 0,
    isMuted: (flags & MUTED) !== 0,
    isMutedSpeech: (flags & MUTED_SPEECH) !== 0,
    isMissing: (flags & MISSING) !== 0,
    isEcho: (flags & ECHO) !== 0,
  };
}

export function readStatus(view, at) {
  return {
    state: STATES[view.getUint32(at + 4, true)],
    isSpeech: view.getUint8(at + 8) !== 0,
    isMuted: view.getUint8(at + 9) !== 0,
    isMutedSpeech: view.getUint8(at + 10) !== 0,
    levelDbov: view.getUint8(at + 11),
    posterior: view.getFloat32(at + 12, true),
    levelDbfs: view.getFloat32(at + 16, true),
    noiseFloorDbfs: view.getFloat32(at + 20, true),
    hops: position(view, at + 32),
    clippedSamples: position(view, at + 40),
    nonFiniteSamples: position(view, at + 48),
    missingSamples: position(view, at + 56),
  };
}

export function readEchoStatus(view, at) {
  return {
    delayMs: view.getUint32(at + 4, true),
    fit: view.getFloat32(at + 8, true),
    couplingDb: view.getFloat32(at + 12, true),
    lateSamples: position(view, at + 16),
  };
}
