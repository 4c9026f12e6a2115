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

  /** Runs an async function in the page, as a module, and returns its result. */
  async run(work, ...args) {
    const source = `
      const said = (value) => { document.documentElement.dataset.said = JSON.stringify(value); };
      (${work})(...${JSON.stringify(args)})
        .then((result) => said({ result }), (error) => said({ error: String(error) }));`;
    await this.#execute(`const script = document.createElement("script");
      delete document.documentElement.dataset.said;
      script.type = "module";
      script.textContent = arguments[0];
      document.head.append(script);`, source);
    for (;;) {
      const said = await this.#execute("return document.documentElement.dataset.said ?? null");
      if (said) {
        const { result, error } = JSON.parse(said);
        if (error) throw new Error(error);
        return result;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async close() {
    const ended = new Promise((resolve) => this.#child.on("exit", resolve));
    this.send("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => {});
    await ended;
    this.#socket.destroy();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  async #execute(script, ...args) {
    return (await this.send("WebDriver:ExecuteScript", { script, args })).value;
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
