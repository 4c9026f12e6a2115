// WebKitGTK, whose engine is Safari's, by WebDriver, as far as the tests need it. It has no headless mode.
import { spawn } from "node:child_process";
import { freePort } from "./port.js";

export async function launch() {
  const port = await freePort();
  const child = spawn("xvfb-run", ["-a", "WebKitWebDriver", `--port=${port}`], { stdio: "ignore", detached: true });
  const webkit = new WebKit(child, `http://127.0.0.1:${port}`);
  await webkit.begin();
  return webkit;
}

class WebKit {
  #child;
  #address;

  constructor(child, address) {
    this.#child = child;
    this.#address = address;
  }

  async begin() {
    for (let tries = 300; ; tries--) { // the driver takes a while until it listens
      const answer = await fetch(`${this.#address}/status`).catch(() => null);
      if (answer?.ok) break;
      if (tries === 0) throw new Error("WebKitWebDriver does not answer");
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const { sessionId } = await this.#post("/session", { capabilities: {} });
    this.#address += `/session/${sessionId}`;
    await this.#post("/timeouts", { script: 120_000 });
  }

  /** Opens a page in place of the one before. */
  async open(url) {
    await this.#post("/url", { url });
    return this;
  }

  /** Runs an async function in the page, and returns its result. */
  async run(work, ...args) {
    const script = `const done = arguments[arguments.length - 1];
      (${work})(...${JSON.stringify(args)})
        .then((result) => done({ result }), (error) => done({ error: String(error) }));`;
    const { result, error } = await this.#post("/execute/async", { script, args: [] });
    if (error) throw new Error(error);
    return result;
  }

  async close() {
    await fetch(this.#address, { method: "DELETE" });
    const ended = new Promise((resolve) => this.#child.on("exit", resolve));
    process.kill(-this.#child.pid); // xvfb-run, its server and the driver
    await ended;
  }

  async #post(path, body) {
    const answer = await fetch(this.#address + path, { method: "POST", body: JSON.stringify(body) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(value.message || value.error);
    return value;
  }
}
