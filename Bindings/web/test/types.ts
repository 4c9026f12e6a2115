// Compiles if the declarations allow what the README tells readers to write. It is not run.
import {
  Detector, LiveDetector, MicrophoneError, MutedNoticePresenter, SpeakingWhileMutedGate, VoiceActivityError,
  createDetector, load, openMicrophone,
} from "voice-activity";
import type { Cut, Hop, SavedDetector, VoiceActivityEvent } from "voice-activity";

export async function offline(samples: Float32Array): Promise<number[]> {
  const onsets: number[] = [];
  const detector = new Detector(await load({ reference: true }), {
    sampleRate: 48000, preset: "notice", referenceSampleRate: 48000, onHop: (hop: Hop) => hop.posterior,
    cutRules: { maxLengthMs: 30_000 }, onCut: (cut: Cut) => cut.end,
  });
  detector.pushReference(samples);
  detector.pushReference(samples, samples);
  for (const event of [...detector.process(samples), ...detector.pushGap(480), ...detector.flush()])
    if (event.type === "onset") onsets.push(event.position);
  const saved: SavedDetector = detector.save();
  const level = detector.speakerLevel;
  const next = Detector.restore(await load(), { stream: saved.stream, reference: null });
  next.speakerLevel = level;
  next.muted = !next.status.isSpeech;
  return onsets;
}

export async function live(): Promise<LiveDetector | string> {
  try {
    const stream = await openMicrophone({ echoCancellation: true });
    const detector = await createDetector(stream, { preset: "notice", muted: true, reference: stream });
    detector.addEventListener("speakingwhilemutedchange", ({ detail }) => void (detail === true));
    detector.addEventListener("onset", (event) => seconds(event.detail));
    detector.setRequirement("allowedToSendAudio", false);
    const presenter = new MutedNoticePresenter({ limit: "oncePerMute" }).follow(detector);
    presenter.addEventListener("change", ({ detail }) => detail && presenter.dismiss(detail.id));
    await detector.resume();
    return detector;
  } catch (error) {
    if (error instanceof MicrophoneError && error.code === "permissionDenied") return error.message;
    if (error instanceof VoiceActivityError) return error.code;
    throw error;
  }
}

const seconds = (event: VoiceActivityEvent): number => event.position / 48000;

// @ts-expect-error a misspelt option
export const misspelt = (module: WebAssembly.Module) => new Detector(module, { sampleRate: 48000, hangover: 3 });
// @ts-expect-error no rate
export const missing = (module: WebAssembly.Module) => new Detector(module, {});
export const gate: boolean = new SpeakingWhileMutedGate().setRequirement("sessionActive", true);
