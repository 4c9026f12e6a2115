// Headless Chromium by its DevTools protocol, through a pipe, so that no package is needed.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Starts Chromium with the flags; with `microphone`, a WAV, it has a microphone that plays it over and over. */
export async function launch({ microphone, flags = [] } = {}) {
  const profile = mkdtempSync(join(tmpdir(), "chromium-"));
  const fake = microphone
    ? ["--use-fake-device-for-media-stream", `--use-file-for-fake-audio-capture=${microphone}`] : [];
  const child = spawn("chromium", [
    "--headless=new", "--no-sandbox", "--remote-debugging-pipe", `--user-data-dir=${profile}`, "--no-first-run",
    "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--force-color-profile=srgb",
    ...fake, ...flags, "about:blank",
  ], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  return new Browser(child, profile);
}

class Browser {
  #child;
  #profile;
  #next = 1;
  #waiting = new Map();
  #listeners = new Set();

  constructor(child, profile) {
    this.#child = child;
    this.#profile = profile;
    let rest = "";
    child.stdio[4].setEncoding("utf8").on("data", (text) => {
      const messages = (rest + text).split("\0");
      rest = messages.pop();
      messages.forEach((message) => this.#receive(JSON.parse(message)));
    });
    child.on("exit", () => this.#waiting.forEach(({ reject }) => reject(new Error("Chromium has ended"))));
  }

  send(method, params = {}, sessionId) {
    const id = this.#next++;
    this.#child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, method }));
  }

  /**
   * Opens a page that has `until`. Its console and its exceptions are collected in `page.said`. A page from a disk has no
   * `permission`.
   */
  async open(url, { permission = "granted" } = {}) {
    if (permission) await this.permit(new URL(url).origin, permission);
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    this.#listeners.add(page.listener);
    for (const domain of ["Page", "Runtime", "Accessibility"]) await page.send(`${domain}.enable`);
    const loaded = page.once("Page.loadEventFired");
    await page.send("Page.navigate", { url });
    await loaded;
    await page.run(defineUntil);
    return page;
  }

  /** Sets whether pages may use the microphone: "granted" or "denied". */
  permit(origin, setting) {
    return this.send("Browser.setPermission", { permission: { name: "microphone" }, setting, origin });
  }

  async close() {
    const ended = new Promise((resolve) => this.#child.on("exit", resolve));
    this.send("Browser.close").catch(() => {});
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  #receive({ id, result, error, method, params, sessionId }) {
    if (id === undefined) return this.#listeners.forEach((listener) => listener(method, params, sessionId));
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting.reject(new Error(`${waiting.method}: ${error.message}`));
    else waiting.resolve(result);
  }
}

/** Gives a page `until`, which waits for a condition. */
export function defineUntil() {
  globalThis.until = async (condition, ms = 15000) => {
    for (const end = performance.now() + ms; performance.now() < end;) {
      if (condition()) return true;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`not within ${ms} ms: ${condition}`);
  };
}

class Page {
  said = [];
  onEvent; // takes the method and the parameters of every event
  #browser;
  #session;
  #target;
  #once = new Map();

  constructor(browser, session, target) {
    this.#browser = browser;
    this.#session = session;
    this.#target = target;
  }

  listener = (method, params, session) => {
    if (session !== this.#session) return;
    this.onEvent?.(method, params);
    const { args, exceptionDetails: thrown } = params;
    if (method === "Runtime.consoleAPICalled")
      this.said.push(args.map(({ value, description }) => value ?? description).join(" "));
    if (method === "Runtime.exceptionThrown") this.said.push(thrown.exception?.description ?? thrown.text);
    this.#once.get(method)?.(params);
    this.#once.delete(method);
  };

  send(method, params) { return this.#browser.send(method, params, this.#session); }
  once(method) { return new Promise((resolve) => this.#once.set(method, resolve)); }

  /** Runs an async function in the page, with arguments that JSON can hold, and returns its result. */
  async run(work, ...args) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression: `(${work})(...${JSON.stringify(args)})`, awaitPromise: true, returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async click(x, y) {
    for (const type of ["mousePressed", "mouseReleased"])
      await this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
  }

  async press(key) {
    const code = { Tab: 9, Enter: 13, " ": 32 }[key], text = { Enter: "\r", " ": " " }[key];
    const named = { key, code: key === " " ? "Space" : key, windowsVirtualKeyCode: code };
    await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", ...named, text });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...named });
  }

  close() { return this.#browser.send("Target.closeTarget", { targetId: this.#target }); }
}
