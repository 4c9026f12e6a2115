// The codes of va_status_code, from 1 on.
const CODES = [
  "argument", "structSize", "sampleRate", "threshold", "duration", "memory", "eventCapacity", "savedData",
  "savedVersion", "outputFull", "referenceEarly",
];

/** The core refused what it was given. */
export class VoiceActivityError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "VoiceActivityError";
    this.code = code;
  }
}

/** Returns the error for a status of the core: what was given, and the core's own sentence about it. */
export function errorOf(status, given, sentence) {
  return new VoiceActivityError(CODES[status - 1], `${given}: ${sentence}`);
}

/** Says what a value is, for a message. */
export function describe(value) {
  if (value === null || value === undefined) return String(value);
  return typeof value === "object" ? `a ${value.constructor?.name ?? "object"}` : JSON.stringify(value) ?? typeof value;
}
