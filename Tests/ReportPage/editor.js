// The label editor of a page in headless Chromium, by real input events: keys, a mouse, fingers, and files that are dropped.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { HERE, chromium, open } from "./browser.js";
import { vadmon } from "./program.js";

/** How wide the names beside the lanes are, and where the lane of labels is below the top of the timeline. */
const GUTTER = 92, LANE = 157;
const CONTROL = 2, SHIFT = 8;
const CODES = { Enter: 13, Escape: 27, Tab: 9, Delete: 46, Backspace: 8, Home: 36, End: 35, ArrowUp: 38, ArrowDown: 40, " ": 32 };
const TEXTS = { Enter: "\r" };

/** Lets the browser save what pages download, into an empty folder. */
export async function downloads(name) {
  const folder = join(HERE, `downloads-${name}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await chromium.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  return folder;
}

/** Returns the figures of vadmon compare. */
export const compared = (labels, found) => JSON.parse(vadmon(["compare", labels, found, "--format", "json", "--quiet"])).pooled;

/** A page with the editor open. Its view is followed as the page moves it, so that a time has a place. */
export class EditorPage {
  constructor(page, duration) {
    this.page = page;
    this.duration = duration;
    [this.start, this.length] = [0, duration];
  }

  static async open(file, duration, address = "", options = {}) {
    const editor = new EditorPage(await open(file, address, options), duration);
    await editor.page.run(() => {
      // No dialog can be answered here, so the page saves as where there is none.
      delete globalThis.showSaveFilePicker;
      try { localStorage.clear(); } catch { /* there is none */ }
      globalThis.said = () => text("labels-said");
      globalThis.place = (id) => {
        const { left, top, width, height } = document.getElementById(id).getBoundingClientRect();
        return { left, top, width, height };
      };
    });
    if (!await editor.isOn()) await editor.press("e");
    await editor.page.run(() => document.getElementById("timeline").scrollIntoView({ block: "start" }));
    return editor;
  }

  isOn() { return this.page.run(() => !document.getElementById("labels").hidden); }
  said() { return this.page.run(() => globalThis.said()); }
  state() { return this.page.run(() => text("labels-state")); }
  focus() { return this.page.run(() => document.activeElement.id); }

  /** The labels as the table has them: start and end in ms, and what they are. */
  async labels() {
    await this.page.run(() => until(() => document.getElementById("segments").ariaBusy === "false"));
    const ms = (clock) => Math.round(clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) * 1000);
    return (await this.page.run(() => rows())).filter((row) => row.length === 5)
      .map(([, start, end, , what]) => [ms(start), ms(end), what]);
  }

  async press(key, times = 1, modifiers = 0) {
    const code = CODES[key] ?? (/^\w$/.test(key) ? key.toUpperCase().charCodeAt(0) : 0);
    const text = modifiers & CONTROL ? undefined : TEXTS[key] ?? (key.length === 1 ? key : undefined);
    const event = { key, modifiers, windowsVirtualKeyCode: code };
    for (let time = 0; time < times; time++) {
      await this.page.send("Input.dispatchKeyEvent", { ...event, type: text ? "keyDown" : "rawKeyDown", text });
      await this.page.send("Input.dispatchKeyEvent", { ...event, type: "keyUp" });
    }
  }

  undo() { return this.press("z", 1, CONTROL); }
  redo() { return this.press("Z", 1, CONTROL | SHIFT); }
  saveByKey() { return this.press("s", 1, CONTROL); }

  async type(text) { for (const character of text) await this.press(character); }

  /** Presses Tab until an element has the focus. */
  async tabTo(id, most = 60) {
    for (let i = 0; i < most; i++) {
      if (await this.focus() === id) return;
      await this.press("Tab");
    }
    throw new Error(`${most} Tabs do not reach ${id}`);
  }

  async click(id) {
    const { left, top, width, height } = await this.page.run((id) => {
      document.getElementById(id).scrollIntoView({ block: "nearest" });
      return place(id);
    }, id);
    await this.page.click(left + width / 2, top + height / 2);
  }

  /** Returns the point of a time, in seconds, in the lane of labels, or so far below the top of the timeline. */
  async point(time, below = LANE) {
    const { left, top, width } = await this.page.run(() => {
      document.getElementById("timeline").scrollIntoView({ block: "start" });
      return place("timeline");
    });
    const gutter = width < 640 ? 0 : GUTTER;
    return { x: left + gutter + ((time - this.start) / this.length) * (width - gutter), y: top + below };
  }

  async fit() {
    await this.press("f");
    [this.start, this.length] = [0, this.duration];
  }

  /** Zooms in about a time with the wheel. */
  async zoom(time, deltaY = -600) {
    await this.page.send("Input.dispatchMouseEvent", { type: "mouseWheel", ...await this.point(time), deltaX: 0, deltaY });
    const length = this.length * Math.exp(deltaY / 400);
    this.start = Math.max(0, Math.min(this.duration - length, time - ((time - this.start) / this.length) * length));
    this.length = length;
    await this.page.run(() => settle());
  }

  /** Drags from one time to another, with the mouse or a finger. */
  async drag(from, to, { below, finger = false } = {}) {
    const [begin, end] = [await this.point(from, below), await this.point(to, below)], steps = 4;
    const touch = (type, ...touchPoints) => this.page.send("Input.dispatchTouchEvent", { type: `touch${type}`, touchPoints });
    const mouse = (type, point, buttons) =>
      this.page.send("Input.dispatchMouseEvent", { type: `mouse${type}`, ...point, button: "left", buttons, clickCount: 1 });
    await (finger ? touch("Start", begin) : mouse("Pressed", begin, 1));
    for (let step = 1; step <= steps; step++) {
      const at = { x: begin.x + ((end.x - begin.x) * step) / steps, y: begin.y };
      await (finger ? touch("Move", at) : mouse("Moved", at, 1));
    }
    await (finger ? touch("End") : mouse("Released", end, 0));
  }

  async clickAt(time, below) {
    const { x, y } = await this.point(time, below);
    await this.page.click(x, y);
  }

  /** Drops files on the page. */
  async drop(files) {
    const data = { items: [], files, dragOperationsMask: 1 }, { x, y } = await this.point(this.start + this.length / 2);
    for (const type of ["dragEnter", "dragOver", "drop"]) await this.page.send("Input.dispatchDragEvent", { type, x, y, data });
  }
}

/** Reads labels of Audacity, in ms. */
export const read = (path) => readFileSync(path, "utf8").trim().split("\n").filter(Boolean)
  .map((line) => line.split("\t").slice(0, 2).map((time) => Math.round(Number(time) * 1000)));
