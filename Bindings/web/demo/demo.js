import { MutedNoticePresenter, createDetector } from "../src/index.js";
import { Chart } from "./chart.js";

const element = (id) => document.getElementById(id);
const [listen, mute, preset] = ["listen", "mute", "preset"].map(element);
const [problem, notice, state] = ["problem", "notice", "state"].map(element);
const chart = new Chart(element("chart"));

const STATES = {
  running: "listening", suspended: "waiting for a click", silenced: "muted by the system", ended: "microphone lost",
  failed: "stopped by an error", closed: "not listening",
};

let detector = null, muted = false;
const presenter = new MutedNoticePresenter();
presenter.addEventListener("change", () => { notice.textContent = presenter.notice?.text ?? ""; });

listen.addEventListener("click", () => (detector ? stop() : start()));
preset.addEventListener("change", async () => {
  if (!detector) return;
  stop();
  await start();
});
mute.addEventListener("click", () => {
  muted = !muted;
  mute.textContent = muted ? "Unmute" : "Mute";
  if (detector) detector.muted = muted;
});

async function start() {
  problem.textContent = "";
  listen.disabled = true;
  try {
    detector = await createDetector(undefined, { preset: preset.value, muted });
    detector.addEventListener("status", ({ detail }) => show(detail));
    detector.addEventListener("statechange", ({ detail }) => { state.textContent = STATES[detail]; });
    presenter.follow(detector);
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
  const heard = presenter.isStillSpeaking ? "still speaking" : isSpeech ? "speech" : STATES[detector.state];
  state.textContent = heard + (detector.muted ? ", muted" : "");
  chart.add({ posterior, levelDbfs, isSpeech, isMutedSpeech });
}

function setMeter(id, value, unit) {
  const meter = element(id), text = `${String(value).replace("-", "−")} ${unit}`;
  meter.textContent = text;
  meter.setAttribute("aria-valuenow", value);
  meter.setAttribute("aria-valuetext", text);
}
