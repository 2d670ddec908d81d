// SPDX-License-Identifier: MIT
// A watch of the sample game, and pages of it in a real browser.
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
const PATIENCE_MS = 60000;
export const WIDTHS = [[360, 740], [768, 1024], [1280, 800], [1920, 1080], [3840, 2160]];

// The sample game, which stands at its close call until somebody decides it: no shot is made meanwhile that a word could be about.
export const STANDING = [0, [], ["--camera", "demo", "--for", "1800"]];

let browser;
const running = new Set();

const FILM = ["--game", "crokinole", "--camera", `${CLIP}.mp4`];

// A watch of the sample game, or of another; its address, its judge's secret, and a way to end it.
export function watch(port = 0, more = ["--match", `${CLIP}.match.json`, "--no-book"], camera = FILM) {
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

// A page that may not complain: what the browser's console says is a fault.
export async function open(w, path, [width, height] = [1280, 800], colorScheme = "light") {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (m) => { if (m.type() === "error") page.complaints.push(m.text()); });
  page.on("pageerror", (e) => page.complaints.push(String(e)));
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(w.base + path);
  return page;
}

before(async () => {
  mkdirSync(PICTURES, { recursive: true });
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});
after(async () => {
  await browser?.close();
  for (const p of running) p.kill("SIGKILL");
});
