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
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "object" && value !== null) return `a ${value.constructor?.name ?? "object"}`;
  if (typeof value === "bigint") return `${value}n`;
  return ["function", "symbol"].includes(typeof value) ? typeof value : String(value);
}

/** Refuses options that do not exist: a name that is misspelt would have no effect. */
export function checkNames(options, known, kind = "option") {
  if (options === null || typeof options !== "object") {
    throw new TypeError(`The ${kind}s are ${describe(options)}; pass an object`);
  }
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const others = known.length === 1 ? `the ${kind} is` : `the ${kind}s are`;
    throw new TypeError(`There is no ${kind} ${name}; ${others} ${known.join(", ")}`);
  }
}

export function checkNumber(name, value) {
  if (typeof value !== "number") throw new TypeError(`${name} is ${describe(value)}; pass a number`);
}

export function checkWhole(name, value) {
  checkNumber(name, value);
  if (Number.isInteger(value) && value >= 0 && value < 2 ** 32) return;
  throw new RangeError(`${name} is ${value}; pass a whole number, not below 0`);
}

/** Whether a value is a typed array of that name, also of another realm, such as a frame. */
export const isArray = (value, name) => Object.prototype.toString.call(value) === `[object ${name}]`;
