// The site that `make site` builds: its links, and what a reader does with it in headless Chromium, from a server and from
// the disk. SITE is its folder; screenshots go to SHOTS, if that is set.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { defineUntil, launch } from "../../Bindings/web/test/browser/chromium.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url)), SITE = resolve(process.env.SITE ?? join(ROOT, "build/site"));
const HEADERS = ["CSupport/CVoiceActivity/include/voice_activity.h", "CSupport/libvideopause/include/video_pause.h"];
const WIDTHS = [390, 1280], PAGES = [
  "index.html", "docs/promises.html", "docs/numbers.html", "docs/architecture.html", "docs/terminal.html",
  ...HEADERS.map((path) => `${path}.html`), "Bindings/web/src/index.d.ts.html", "reference/index.html",
  "reference/python.html", "reference/go.html", "reference/rust.html", "reference/rust/voiceactivity/index.html",
  "reference/swift/VoiceActivity.html", "reference/swift/VideoPause/VideoPauseCoordinator.html",
  "Sources/VoiceActivity/VoiceActivityDetector.swift.html",
];

const files = readdirSync(SITE, { recursive: true }).filter((path) => statSync(join(SITE, path)).isFile());
const pages = new Map(
  files.filter((path) => path.endsWith(".html")).map((path) => [path, readFileSync(join(SITE, path), "utf8")]));
const known = new Set(files), ids = new Map();
const idsOf = (path) => ids.get(path) ?? ids.set(path, attributes(pages.get(path) ?? "", "id|name")).get(path);
const decode = (text) => text.replace(/&(amp|lt|gt|quot|#x27|#39);/g, (_, name) => ({ amp: "&", lt: "<", gt: ">", quot: "\"" })[name] ?? "'");
const attributes = (text, names) =>
  [...text.matchAll(new RegExp(`<[^<>]*?\\s(?:${names})="([^"]*)"`, "g"))].map(([, value]) => decode(value));

const types = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml" };
const server = createServer(({ url }, response) => {
  const path = join(SITE, normalize(decodeURIComponent(new URL(url, "http://host").pathname)));
  if (!existsSync(path) || !statSync(path).isFile()) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" }).end(readFileSync(path));
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const chromium = await launch();
after(async () => {
  await chromium.close();
  server.close();
});

const ORIGINS = { server: `http://127.0.0.1:${server.address().port}/`, disk: `${pathToFileURL(SITE)}/` };

/** Opens a page of the site. */
async function open(path, { origin = "disk", width = 1280, theme = "light" } = {}) {
  const page = await chromium.open("about:blank", { permission: null });
  page.asked = [];
  page.onEvent = (method, { request, errorText, entry }) => {
    if (method === "Network.requestWillBeSent") page.asked.push(request.url);
    if (method === "Network.loadingFailed") page.said.push(errorText);
    if (method === "Log.entryAdded" && entry.level === "error") page.said.push(entry.text);
  };
  for (const domain of ["Network", "Log"]) await page.send(`${domain}.enable`);
  await page.send("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: width < 500 });
  await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: theme }] });
  await go(page, `${ORIGINS[origin]}${path}`);
  return page;
}

async function go(page, url) {
  const loaded = page.once("Page.loadEventFired");
  await page.send("Page.navigate", { url });
  await loaded;
  await page.run(defineUntil);
}

/** Ends with a page that has loaded nothing from elsewhere, and complained of nothing. */
async function close(page) {
  const own = ["data:", "blob:", "about:", ...Object.values(ORIGINS)];
  assert.deepEqual(page.asked.filter((url) => !own.some((start) => url.startsWith(start))), []);
  assert.deepEqual(page.said, []);
  await page.close();
}

/** Types words into the search, until it finds them on a page whose address has the path. */
const find = (page, words, path) => page.run(async (words, path) => {
  const query = document.querySelector("[data-md-component=search-query]");
  query.focus();
  query.value = words;
  query.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }));
  const found = () => [...document.querySelectorAll(".md-search-result__item a")];
  await until(() => found().some(({ href, textContent }) => href.includes(path) && textContent.includes(words)))
    .catch(() => { throw new Error(`"${words}" is not found in ${path}, but in ${found().map(({ href }) => href)}`); });
}, words, path);

test("every link leads to a file of the site, and to an anchor that is there", () => {
  const wrong = [];
  for (const [path, text] of pages) {
    if (path.startsWith("reference/rust/")) continue; // rustdoc's own
    for (const address of attributes(text, "href|src")) {
      if (/^(https?|mailto|data):/.test(address)) continue;
      const url = new URL(address, `file:///${path}`), to = decodeURIComponent(url.pathname).slice(1);
      const target = to || "index.html", anchor = decodeURIComponent(url.hash.slice(1)); // 404.html leads to the root
      if (!known.has(target)) wrong.push(`${path}: ${address}`);
      else if (anchor && !idsOf(target).includes(anchor)) wrong.push(`${path}: ${address} has no such anchor`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("no page names another host for something to load", () => {
  for (const [path, text] of pages) {
    const loaded = [...attributes(text, "src|srcset|poster|data"), ...[...text.matchAll(/<link\b[^>]*>/g)].flatMap(([link]) =>
      /rel="(canonical|prev|next)"/.test(link) ? [] : attributes(link, "href"))];
    assert.deepEqual(loaded.filter((address) => /^(https?:)?\/\//.test(address)), [], path);
  }
});

test("the references have every name that is exported", () => {
  const names = (path, pattern) => {
    const found = [...readFileSync(join(ROOT, path), "utf8").matchAll(pattern)].flatMap(([, list]) => list.match(/\w+/g));
    assert.ok(found.length > 1, path);
    return found;
  };
  const missing = (names, has) => names.filter((name) => !has(name));
  for (const header of HEADERS) {
    const headings = [...pages.get(`${header}.html`).matchAll(/<h3.*?<\/h3>/gs)].join();
    assert.deepEqual(missing(names(header, /^V[AP]_API [^(]*?(\w+)\(/gm), (name) => headings.includes(`<code>${name}</code>`)), []);
  }
  const python = idsOf("reference/python.html"), go = idsOf("reference/go.html"), web = idsOf("Bindings/web/src/index.d.ts.html");
  const all = names("Bindings/python/src/voiceactivity/__init__.py", /^__all__ = \[(.*?)\]/gms);
  assert.deepEqual(missing(all, (name) => python.some((id) => id.startsWith("voiceactivity.") && id.endsWith(`.${name}`))), []);
  assert.match(pages.get("reference/python.html"), /Detects speech in one stream of samples/); // a comment of the extension
  assert.match(pages.get("reference/python.html"), /onset_debounce_ms/); // an argument of its class
  for (const file of ["cutter", "detector", "echo", "muted", "results"]) {
    const declared = names(`Bindings/go/${file}.go`, /^(?:func|type) ([A-Z]\w*)/gm);
    assert.deepEqual(missing(declared, (name) => go.includes(`voiceactivity.${name}`)), []);
  }
  assert.deepEqual(missing(names("Bindings/web/src/index.js", /^export (\{.*?\})/gm), (name) => web.includes(name)), []);
  assert.deepEqual(missing(names("Bindings/rust/src/lib.rs", /^pub use \w+::(.*);/gm), (name) =>
    files.some((path) => path.startsWith("reference/rust/voiceactivity/") && path.endsWith(`.${name}.html`))), []);
  const modules = names("Scripts/make-docs.py", /^MODULES = \[(.*?)\]/gms);
  assert.deepEqual(missing(modules, (name) => pages.has(`reference/swift/${name}.html`)), []);
});

for (const origin of Object.keys(ORIGINS)) {
  test(`from the ${origin}, the search finds a term of the pages, and names of every reference`, async () => {
    const page = await open("docs/tutorial.html", { origin });
    for (const [words, path] of [
      ["hangover", "docs/"], ["va_detector_process", HEADERS[0]], ["vp_set_bandwidth_estimate", HEADERS[1]],
      ["VideoPauseCoordinator", "reference/swift/"], ["asegments", "reference/python"], ["MarshalBinary", "reference/go"],
      ["MutedNoticePresenter", "index.d.ts"], ["move_thresholds", "reference/rust"], ["schema_version", "docs/json"],
      ["--mute-timeline", "docs/terminal"], ["-j", "docs/"],
    ]) await find(page, words, path);
    await close(page);
  });

  for (const width of WIDTHS) {
    test(`from the ${origin}, nothing is wider than a window of ${width} px`, async () => {
      for (const path of PAGES) {
        const page = await open(path, { origin, width, theme: width === 390 ? "dark" : "light" });
        assert.ok(await page.run(() => document.documentElement.scrollWidth) <= width, path);
        assert.deepEqual(await page.run(() => {
          const scrolls = (part) => part && (getComputedStyle(part).overflowX !== "visible" || scrolls(part.parentElement));
          return [...document.querySelectorAll("article *, main *")].filter((part) => part.checkVisibility() &&
            part.getBoundingClientRect().right > innerWidth + 1 && !scrolls(part.parentElement)).map((part) => part.outerHTML.slice(0, 80));
        }), [], path);
        assert.deepEqual(await page.run(() => [...document.images].filter((image) => !image.naturalWidth).map(({ src }) => src)), [], path);
        await shoot(page, `${path}-${width}`, origin);
        await close(page);
      }
    });
  }
}

test("the theme follows the system, and a switch sets it until the reader sets it otherwise", async () => {
  const scheme = (page) => page.run(() => [document.body.dataset.mdColorScheme, getComputedStyle(document.body).backgroundColor]);
  const page = await open("index.html", { origin: "server" }), [, light] = await scheme(page);
  assert.equal((await scheme(page))[0], "default");
  await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
  await page.run(() => until(() => document.body.dataset.mdColorScheme === "slate"));
  assert.notEqual((await scheme(page))[1], light);
  const click = () => page.run(() => document.querySelector("[data-md-component=palette] label:not([hidden])").click());
  for (const wanted of ["default", "slate"]) { // light, then dark, whatever the system prefers
    await click();
    await page.run((wanted) => until(() => document.body.dataset.mdColorScheme === wanted), wanted);
  }
  await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "light" }] });
  await go(page, `${ORIGINS.server}docs/terminal.html`);
  assert.equal((await scheme(page))[0], "slate");
  await close(page);
});

async function shoot(page, name, origin) {
  if (!process.env.SHOTS || origin !== "disk") return;
  mkdirSync(process.env.SHOTS, { recursive: true });
  const { data } = await page.send("Page.captureScreenshot", { format: "png" });
  writeFileSync(join(process.env.SHOTS, `${name.replaceAll("/", "-")}.png`), Buffer.from(data, "base64"));
}
