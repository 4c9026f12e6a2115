import { COMMON_OPTIONS, Detector } from "../core/detector.js";
import { checkNames, checkWhole, describe } from "../core/errors.js";
import { load } from "../core/load.js";
import { LiveDetector, isOffline } from "./live-detector.js";
import { MicrophoneError, openMicrophone } from "./microphone.js";

// The processor with all that it imports, in one file, so that no bundler needs to follow its imports.
const PROCESSOR = new URL("../../dist/processor.js", import.meta.url);
const OPTIONS = [
  "audioContext", "reference", "resumeOnGesture", "statusEveryMs", "module", "processorUrl", ...COMMON_OPTIONS,
];
const GESTURES = ["pointerdown", "keydown"];

/** Starts a detector on a microphone, a stream or an audio node. index.d.ts is the manual. */
export async function createDetector(source, options = {}) {
  checkNames(options, OPTIONS);
  const {
    audioContext, reference, resumeOnGesture = true, statusEveryMs = 50, module, processorUrl = PROCESSOR, ...rest
  } = options;
  checkWhole("statusEveryMs", statusEveryMs);
  if (typeof AudioNode === "undefined") {
    throw new MicrophoneError("failed",
      "createDetector listens only in browsers; elsewhere pass samples to a Detector: new Detector(await load(), options)");
  }
  const releases = [];
  const release = () => releases.splice(0).reverse().forEach((undo) => undo());
  try {
    const context = audioContext ?? source?.context ?? own(new AudioContext(), releases);
    if (!context.audioWorklet) {
      throw new MicrophoneError("insecureContext",
        "Browsers run audio worklets only for secure pages; serve this one over https, or from localhost");
    }
    const settings = { ...rest, sampleRate: Math.round(context.sampleRate) };
    if (reference) settings.referenceSampleRate = settings.sampleRate;
    const core = module ?? (await load({ reference: Boolean(reference) }));
    new Detector(core, settings); // refuses bad settings here, where the caller sees the error

    await context.audioWorklet.addModule(processorUrl).catch((cause) => {
      const remedy = "serve dist/processor.js, and pass its address as processorUrl";
      throw new Error(`${processorUrl} cannot be loaded; ${remedy}`, { cause });
    });
    const tracks = [];
    const microphone = await input("source", source, context, releases, tracks);
    const node = new AudioWorkletNode(context, "voice-activity", {
      numberOfInputs: 2, numberOfOutputs: 0,
      // Of each input. What loudspeakers play stays stereo, because its mean may be silence.
      channelCount: reference ? 2 : 1, channelCountMode: "clamped-max", channelInterpretation: "speakers",
      processorOptions: { module: core, settings, statusEveryMs },
    });
    connect(microphone, node, 0, releases);
    if (reference) connect(await input("reference", reference, context), node, 1, releases);

    if (resumeOnGesture) resumeOnFirstGesture(context, releases);
    return new LiveDetector({ context, node, tracks, muted: settings.muted ?? false, release });
  } catch (error) {
    release();
    throw error;
  }
}

function own(context, releases) {
  releases.push(() => context.close());
  return context;
}

/** Returns a node that gives the sound of `source`. A microphone is opened where none is given. */
async function input(name, source, context, releases, tracks) {
  if (source instanceof AudioNode) return source;
  const opened = name === "source" && source === undefined;
  const stream = opened ? await openMicrophone() : source;
  if (!(stream instanceof MediaStream) || stream.getAudioTracks().length === 0) {
    const lack = stream instanceof MediaStream ? " without an audio track" : "";
    throw new TypeError(`${name} is ${describe(stream)}${lack}; pass a MediaStream with one, or an AudioNode`);
  }
  if (name === "reference") return context.createMediaStreamSource(stream); // if the host mutes it, nothing plays
  // A clone keeps hearing when the host mutes by disabling its own track.
  const track = opened ? stream.getAudioTracks()[0] : stream.getAudioTracks()[0].clone();
  track.enabled = true;
  releases.push(() => track.stop());
  tracks.push(track);
  return context.createMediaStreamSource(new MediaStream([track]));
}

function connect(from, node, index, releases) {
  from.connect(node, 0, index);
  releases.push(() => {
    try {
      from.disconnect(node, 0, index);
    } catch {} // the host has disconnected its node already
  });
}

/** A context that was made before the page got a click or a key press stays suspended until the page asks after one. */
function resumeOnFirstGesture(context, releases) {
  if (context.state !== "suspended" || isOffline(context)) return;
  context.resume().catch(() => {}); // is kept waiting, or works at once
  const resume = () => context.resume().then(stop, () => {});
  const stop = () => GESTURES.forEach((type) => document.removeEventListener(type, resume, true));
  GESTURES.forEach((type) => document.addEventListener(type, resume, true));
  releases.push(stop);
}
