/** The microphone could not be opened. `code` says why, the message also what to do. */
export class MicrophoneError extends Error {
  constructor(code, message, cause) {
    super(message, { cause });
    this.name = "MicrophoneError";
    this.code = code;
  }
}

// By the names of the exceptions of getUserMedia.
const REASONS = {
  NotAllowedError: ["permissionDenied",
    "The page may not use the microphone; allow it in the browser's settings for this site, and begin again"],
  NotFoundError: ["noMicrophone", "There is no microphone; connect one, and begin again"],
  NotReadableError: ["microphoneBusy",
    "The microphone cannot be read; close other programs that use it, and begin again"],
  OverconstrainedError: ["noMicrophone",
    "No microphone has what the constraints ask for; ask for less, or choose another one"],
};

const CONVERSATION = { echoCancellation: true, noiseSuppression: true, autoGainControl: false };

/**
 * Asks for a microphone. The browser's echo canceller is on, so that the far end is not taken for the user. Its gain
 * control is off, because that would lift a television to the level of the user.
 */
export async function openMicrophone(constraints = CONVERSATION) {
  if (!globalThis.navigator?.mediaDevices?.getUserMedia) {
    throw new MicrophoneError("insecureContext",
      "Browsers give the microphone only to secure pages; serve this one over https, or from localhost");
  }
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: constraints });
  } catch (error) {
    const [code, message] = REASONS[error.name] ?? ["failed", `The microphone cannot be opened: ${error.message}`];
    throw new MicrophoneError(code, message, error);
  }
}
