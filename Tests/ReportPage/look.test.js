// What the eye needs: the reader's theme, contrast, lines that differ by more than their colours, and one word for a thing.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { defineUntil } from "../../Bindings/web/test/browser/chromium.js";
import { HERE, close, compare, define, open, setSystemTheme, write } from "./browser.js";
import { ROOT, attempt, sample, vadmon } from "./program.js";

const muted = write("muted", [sample("muted-talk.flac"), "--mute-timeline", "0-"]);
const batch = write("batch", [join(ROOT, "samples")]);
const compared = compare();
/** A recording whose sound a browser does not find, so that Play is disabled. */
const alone = write("alone", ["-"], { input: readFileSync(sample("speech.flac")), encoding: "buffer" });

const theme = (page) => page.run(() => document.documentElement.dataset.theme);
const toggle = (page) => page.run(() => document.getElementById("theme").click());

async function reload(page) {
  const loaded = page.once("Page.loadEventFired");
  await page.send("Page.reload");
  await loaded;
  await page.run(defineUntil);
  await define(page);
}

test("a theme that was chosen stays, on this page and others, until it is the system's again", async () => {
  const page = await open(batch);
  assert.equal(await theme(page), "light");
  await toggle(page);
  await page.run(() => { location.hash = "#r=2"; });
  assert.equal(await theme(page), "dark");
  await reload(page);
  assert.equal(await theme(page), "dark");
  assert.equal(await page.run(() => text("theme")), "Light theme");
  const other = await open(muted);
  assert.equal(await theme(other), "dark", "another report");
  await close(other);
  await page.send("Page.bringToFront");
  for (const system of ["dark", "light"]) {
    await setSystemTheme(page, system);
    await page.run(() => settle());
  }
  assert.equal(await theme(page), "dark", "whatever the system does");
  await toggle(page);
  await reload(page);
  assert.equal(await theme(page), "light");
  await setSystemTheme(page, "dark");
  await page.run(() => until(() => document.documentElement.dataset.theme === "dark"));
  await close(page);
});

test("where a page may store nothing, the theme changes all the same", async () => {
  const page = await open(`data:text/html;base64,${readFileSync(muted).toString("base64")}`);
  assert.equal(await page.run(() => { try { return typeof localStorage; } catch { return "refused"; } }), "refused");
  await toggle(page);
  assert.equal(await theme(page), "dark");
  await close(page);
});

/**
 * Returns the contrast of every text with what is behind it (WCAG 2.2, 1.4.3): of the page, from the styles that are in
 * effect; of a picture that the script draws, from its pixels just before the text.
 */
const contrasts = () => {
  const parse = (colour) => {
    const pen = Object.assign(new OffscreenCanvas(1, 1).getContext("2d"), { fillStyle: colour });
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const behind = (node) => (node ? over(parse(getComputedStyle(node).backgroundColor), behind(node.parentElement)) : [255, 255, 255, 1]);
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const add = (node, style, words) => {
    let [colour, back] = [over(parse(style.color), behind(node)), behind(node)];
    for (let at = node; at; at = at.parentElement) {
      const opacity = Number(getComputedStyle(at).opacity), below = behind(at.parentElement);
      [colour, back] = [[...colour.slice(0, 3), opacity], [...back.slice(0, 3), opacity]].map((layer) => over(layer, below));
    }
    found.push([words, ratio(colour, back)]);
  };
  while (walker.nextNode()) {
    const { parentElement: node, data } = walker.currentNode;
    if (data.trim() && !node.closest("script, style, .unseen") && node.checkVisibility()) add(node, getComputedStyle(node), data.trim());
  }
  for (const node of document.querySelectorAll("[placeholder]"))
    if (node.checkVisibility()) add(node, getComputedStyle(node, "::placeholder"), node.placeholder);
  for (const [words, colour, pixels] of globalThis.drawn) {
    const panel = parse(getComputedStyle(document.getElementById("viewer")).backgroundColor);
    const backs = new Set();
    for (let i = 0; i < pixels.length; i += 4) backs.add([...pixels.slice(i, i + 4)].join());
    const count = [...backs].map((back) => back.split(",").map(Number)).map(([r, g, b, a]) => over([r, g, b, a / 255], panel));
    for (const back of count) found.push([words, ratio(over(parse(colour), back), back)]);
  }
  const curves = document.getElementById("curves");
  if (curves.src && curves.checkVisibility()) {
    const svg = new DOMParser().parseFromString(decodeURIComponent(curves.src.split(",")[1]), "image/svg+xml");
    for (const node of svg.querySelectorAll("text"))
      found.push([node.textContent, ratio(parse(node.closest("[fill]").getAttribute("fill")), [255, 255, 255, 1])]);
  }
  return found;
};

/** Notes each text that the page draws, its colour, and the pixels behind it. */
const watch = () => {
  globalThis.drawn = [];
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (words, x, y) {
    const { actualBoundingBoxLeft: left, actualBoundingBoxRight: right, actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } =
      this.measureText(words);
    const pixels = this.getImageData(x - left, y - up, Math.max(1, left + right), Math.max(1, up + down)).data;
    globalThis.drawn.push([words, this.fillStyle, pixels]);
    fillText.call(this, words, x, y);
  };
};

test("every text has a contrast of 4.5 and more in both themes", async () => {
  for (const [name, file] of Object.entries({ muted, batch, compared, alone })) {
    for (const look of ["light", "dark"]) {
      for (const width of [1280, 390]) {
        const page = await open(file, "", { width, dark: look === "dark" });
        await page.run(async (look) => {
          await until(() => document.documentElement.dataset.theme === look);
          await settle();
        }, look);
        await page.run(watch);
        const found = await page.run(`async () => {
          for (const details of document.querySelectorAll("details")) details.open = true;
          document.getElementById("fit").click();
          for (const slider of document.querySelectorAll("#sliders [name=onset]")) {
            slider.value = 0.99;
            slider.dispatchEvent(new Event("input"));
          }
          const report = (${contrasts})();
          document.getElementById("edit").click();
          for (const key of "ncn") document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
          await settle();
          return [...report, ...(${contrasts})()];
        }`);
        assert.ok(found.length > 60, `${name}: ${found.length} texts`);
        assert.ok(found.some(([words]) => /^\d+:\d\d$/.test(words)), "the times of the ruler");
        const poor = found.filter(([, ratio]) => !(ratio >= 4.5)).map(([words, ratio]) => `${words}: ${ratio.toFixed(2)}`);
        assert.deepEqual([...new Set(poor)], [], `${name}, ${look}, ${width}`);
        await close(page);
      }
    }
  }
});

test("shapes have a contrast of 3 with the panel in both themes", async () => {
  const page = await open(muted);
  for (const look of ["light", "dark"]) {
    const ratios = await page.run((look) => {
      document.documentElement.dataset.theme = look;
      const style = getComputedStyle(document.documentElement);
      const luminance = (name) => {
        const parts = style.getPropertyValue(`--${name}`).match(/[0-9a-f]{2}/g).map((hex) => parseInt(hex, 16) / 255);
        const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      return ["wave", "speech", "new", "muted", "gap", "clip", "echo", "label", "level", "floor", "cursor"].map((name) => {
        const [low, high] = [luminance(name), luminance("panel")].sort((x, y) => x - y);
        return [name, (high + 0.05) / (low + 0.05)];
      });
    }, look);
    for (const [name, ratio] of ratios) assert.ok(ratio >= 3, `${look}: ${name} ${ratio.toFixed(2)}`);
  }
  await close(page);
});

test("lines that share a lane differ in their dashes", async () => {
  const page = await open(muted);
  const lines = await page.run(async () => {
    const { stroke } = CanvasRenderingContext2D.prototype, found = [];
    CanvasRenderingContext2D.prototype.stroke = function () {
      found.push([this.strokeStyle, this.getLineDash().join(" ")]);
      stroke.call(this);
    };
    document.getElementById("fit").click();
    await settle();
    return found;
  });
  const style = await page.run(() => Object.fromEntries(["speech", "muted", "level", "floor"].map((name) =>
    [getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim(), name])));
  const dashes = (...names) => lines.filter(([colour]) => names.includes(style[colour])).map(([, dashes]) => dashes);
  for (const [names, count] of [[["speech", "muted"], 3], [["level", "floor"], 2]]) {
    assert.equal(dashes(...names).length, count, `${names}: ${JSON.stringify(lines)}`);
    assert.equal(new Set(dashes(...names)).size, count, `${names}: ${dashes(...names)}`);
  }
  await close(page);
});

test("the probability of speech has one name, that of the frames", async () => {
  const [, name] = attempt(["analyze", sample("speech.flac"), "--frames", join(HERE, "named"), "--quiet"]).status === 0
    ? readFileSync(join(HERE, "named", "speech.csv"), "utf8").split("\n")[0].split(",") : [];
  assert.equal(name, "probability");
  for (const file of [muted, compared]) {
    const page = await open(file, "#t=1");
    await page.run(watch);
    const seen = await page.run(async () => {
      document.getElementById("fit").click();
      await settle();
      return [document.body.innerText, ...globalThis.drawn.map(([words]) => words),
        decodeURIComponent(document.getElementById("curves").src.split(",")[1] ?? "")].join("\n");
    });
    assert.match(seen, /^Probability$/m);
    assert.match(seen, new RegExp(`: ${name} 0\\.\\d{3}`));
    assert.doesNotMatch(seen, /posterior|\bscore\b/i);
    await close(page);
  }
});

test("numbers beyond 0 and 1 are not probabilities, but scores with their own scale", async () => {
  for (const [folder, text] of [["labels", "0.00\t0.02\tspeech\n"],
    ["scores", "time,probability,speech\n0.000,-1,0\n0.010,3,1\n0.020,1,0\n0.030,0,0\n"]]) {
    mkdirSync(join(HERE, folder));
    writeFileSync(join(HERE, folder, `a.${folder === "labels" ? "txt" : "csv"}`), text);
  }
  vadmon(["compare", join(HERE, "labels"), join(HERE, "scores"), "--report", join(HERE, "scores.html"), "--quiet"]);
  const page = await open(join(HERE, "scores.html"), "#t=0.02");
  await page.run(watch);
  assert.equal(await page.run(() => text("readout")), "0:00.02: score 1.000");
  const drawn = await page.run(async () => {
    document.getElementById("fit").click();
    await settle();
    return globalThis.drawn.map(([words]) => words);
  });
  assert.ok(drawn.includes("Score") && drawn.includes("-1 to 3"), drawn.join());
  await close(page);
});
