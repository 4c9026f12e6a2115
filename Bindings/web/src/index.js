export { Detector } from "./core/detector.js";
export { VoiceActivityError } from "./core/errors.js";
export { load } from "./core/load.js";
export { createDetector } from "./listen/create-detector.js";
export { LiveDetector } from "./listen/live-detector.js";
export { MicrophoneError, openMicrophone } from "./listen/microphone.js";
export { SpeakingWhileMutedGate } from "./listen/gate.js";
export { MutedNoticePresenter } from "./listen/notice.js";
