import { createDetector } from "../src/index.js";
import { Chart } from "./chart.js";

const element = (id) => document.getElementById(id);
const [listen, mute, preset] = ["listen", "mute", "preset"].map(element);
const [problem, notice, state] = ["problem", "notice", "state"].map(element);
const chart = new Chart(element("chart"));

/** As in Swift's MutedNotice: a notice stays at least this long, so that it can be read. */
const NOTICE_MS = 2000;
const TEXT = "You are muted. Unmute to speak.";
const STATES = {
  running: "listening", suspended: "waiting for a click", silenced: "muted by the system", ended: "microphone lost",
  failed: "stopped by an error", closed: "not listening",
};

let detector = null, shownAt = -Infinity, hiding;

listen.addEventListener("click", () => (detector ? stop() : start()));
preset.addEventListener("change", async () => {
  if (!detector) return;
  stop();
  await start();
});
mute.addEventListener("click", () => {
  const muted = mute.getAttribute("aria-pressed") !== "true";
  mute.setAttribute("aria-pressed", String(muted));
  if (detector) detector.muted = muted;
});

async function start() {
  problem.textContent = "";
  listen.disabled = true;
  try {
    detector = await createDetector(undefined, {
      preset: preset.value, muted: mute.getAttribute("aria-pressed") === "true",
    });
    detector.addEventListener("status", ({ detail }) => show(detail));
    detector.addEventListener("statechange", ({ detail }) => { state.textContent = STATES[detail]; });
    detector.addEventListener("speakingwhilemutedchange", ({ detail }) => (detail ? showNotice() : hideNotice()));
    state.textContent = STATES[detector.state];
    listen.textContent = "Stop listening";
    mute.disabled = false;
  } catch (error) {
    problem.textContent = `${error.message}.`;
  } finally {
    listen.disabled = false;
  }
}

function stop() {
  detector.close();
  detector = null;
  listen.textContent = "Start listening";
  mute.disabled = true;
}

function show({ posterior, levelDbfs, isSpeech, isMutedSpeech }) {
  setMeter("probability", Math.round(100 * posterior), "%");
  setMeter("level", Math.round(levelDbfs), "dBFS");
  state.textContent = (isSpeech ? "speech" : STATES[detector.state]) + (detector.muted ? ", muted" : "");
  chart.add({ posterior, levelDbfs, isSpeech, isMutedSpeech });
}

function setMeter(id, value, unit) {
  const meter = element(id), text = `${String(value).replace("-", "−")} ${unit}`;
  meter.textContent = text;
  meter.setAttribute("aria-valuenow", value);
  meter.setAttribute("aria-valuetext", text);
}

function showNotice() {
  clearTimeout(hiding);
  if (notice.textContent === "") shownAt = performance.now();
  notice.textContent = TEXT;
}

function hideNotice() {
  hiding = setTimeout(() => { notice.textContent = ""; }, Math.max(0, shownAt + NOTICE_MS - performance.now()));
}
