// Headless Firefox by its Marionette protocol, as far as the tests need it.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./port.js";

/** Starts Firefox; `preferences` are those of about:config. */
export async function launch({ preferences = {} } = {}) {
  const profile = mkdtempSync(join(tmpdir(), "firefox-")), port = await freePort();
  writeFileSync(join(profile, "user.js"), Object.entries({ "marionette.port": port, ...preferences })
    .map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`).join(""));
  const child = spawn("firefox-esr", ["--headless", "--marionette", "--no-remote", "--profile", profile], {
    stdio: "ignore", env: { ...process.env, HOME: profile },
  });
  const firefox = new Firefox(child, profile, await connect(port));
  await firefox.send("WebDriver:NewSession", { capabilities: {} });
  return firefox;
}

class Firefox {
  #child;
  #profile;
  #socket;
  #next = 1;
  #waiting = new Map();

  constructor(child, profile, socket) {
    this.#child = child;
    this.#profile = profile;
    this.#socket = socket;
    let rest = Buffer.alloc(0);
    socket.on("data", (bytes) => { // messages are LENGTH:JSON
      rest = Buffer.concat([rest, bytes]);
      for (let colon; (colon = rest.indexOf(":")) >= 0;) {
        const end = colon + 1 + Number(rest.subarray(0, colon));
        if (rest.length < end) return;
        this.#receive(JSON.parse(rest.subarray(colon + 1, end)));
        rest = rest.subarray(end);
      }
    });
  }

  send(command, parameters = {}) {
    const id = this.#next++, message = JSON.stringify([0, id, command, parameters]);
    this.#socket.write(`${Buffer.byteLength(message)}:${message}`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Opens a page in place of the one before. */
  async open(url) {
    await this.send("WebDriver:Navigate", { url });
    return this;
  }

  /** Runs an async function beside the page, and returns its result. It is not in the page, whose policy may refuse it. */
  async run(work, ...args) {
    const script = `const done = arguments[arguments.length - 1];
      (${work})(...arguments[0]).then((result) => done({ result }), (error) => done({ error: String(error) }));`;
    const { value } = await this.send("WebDriver:ExecuteAsyncScript", { script, args: [args] });
    if (value.error) throw new Error(value.error);
    return value.result;
  }

  async close() {
    const ended = new Promise((resolve) => this.#child.on("exit", resolve));
    this.send("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => {});
    await ended;
    this.#socket.destroy();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  #receive(message) {
    if (!Array.isArray(message)) return; // the greeting
    const [, id, error, result] = message, { resolve, reject } = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) reject(new Error(error.message));
    else resolve(result);
  }
}

/** Firefox takes a while until it listens. */
async function connect(port) {
  for (let tries = 300; ; tries--) {
    const socket = createConnection(port, "127.0.0.1");
    const isOpen = await new Promise((resolve) =>
      socket.on("connect", () => resolve(true)).on("error", () => resolve(false)));
    if (isOpen) return socket;
    if (tries === 0) throw new Error("Firefox does not answer");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
