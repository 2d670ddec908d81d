// SPDX-License-Identifier: MIT
// A watch of the sample game, and pages of it in a real browser.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";

const require = createRequire(join(process.env.PAGES_MODULES, "x.js"));
const { chromium } = require("playwright-core");
export const axe = require("axe-core").source;
export const PICTURES = process.env.PAGES_OUT;
export const CLIP = "samples/clips/crokinole_match";
const PATIENCE_MS = 240000; // a failure is late, and no machine too slow
export const WIDTHS = [[360, 740], [768, 1024], [1280, 800], [1920, 1080], [3840, 2160]];

let browser;
const running = new Set();

// The sample game: it stands at its only close call until somebody decides that, and stays at its end, however long a page takes.
const DEMO = ["--camera", "demo", "--for", "1800"];

// A watch of the sample game, or of another; its address, its judge's secret, and a way to end it.
export function watch({ port = 0, more = [], camera = DEMO } = {}) {
  return new Promise((resolve, reject) => {
    const p = spawn(process.env.RINGSIDE, ["watch", ...camera, ...more, "--no-voice", "--listen", `127.0.0.1:${port}`, "--out", join(tmpdir(), `ringside-pages-${process.pid}`)],
      { stdio: ["ignore", "ignore", "pipe"] });
    let told = "";
    running.add(p);
    p.on("exit", (code) => { running.delete(p); reject(new Error(`watch ended, ${code}: ${told}`)); });
    p.stderr.on("data", (text) => {
      told += text;
      const found = told.match(/judge: (http:\/\/[^/]+:(\d+))\/judge#(\w+)/);
      if (found) resolve({ base: found[1], port: Number(found[2]), secret: found[3],
        end: () => new Promise((done) => { p.removeAllListeners("exit"); p.on("exit", done); p.kill("SIGTERM"); running.delete(p); }) });
    });
  });
}

export const stateOf = async (w) => (await fetch(`${w.base}/api/state`)).json();
export const say = (w, input) => fetch(`${w.base}/api/input`, { method: "POST", headers: { Authorization: `Bearer ${w.secret}` }, body: JSON.stringify(input) });

// What a look at the referee comes to, once that is something.
export async function until(look) {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end;) {
    const found = await look();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`never: ${look}`);
}

// The sample game at its close call, from where nothing goes on, and on from there. The call is told as it falls, the
// pieces with the picture after it: that they lie is awaited too.
export const stands = (w) => until(async () => {
  const s = await stateOf(w);
  return s.standing?.asked > 0 && s.pieces?.list.some((p) => p.zone) && s;
});
export async function goOn(w) {
  const { calls } = await stands(w);
  assert.equal((await say(w, { what: "confirm", shot: calls.find((c) => c.verdict === "close").shot })).status, 200);
}

// A page that may not complain: what the browser's console says is a fault.
export async function open(w, path, [width, height] = [1280, 800], { colorScheme = "light", reducedMotion = "reduce" } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion });
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (m) => { if (m.type() === "error") page.complaints.push(`${m.text()} ${URL.canParse(m.location().url) ? new URL(m.location().url).pathname : ""}`); });
  page.on("pageerror", (e) => page.complaints.push(String(e)));
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(w.base + path);
  return page;
}

before(async () => {
  mkdirSync(PICTURES, { recursive: true });
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium-headless-shell", args: ["--no-sandbox"] });
});
after(async () => {
  await browser?.close();
  for (const p of running) p.kill("SIGKILL");
});
