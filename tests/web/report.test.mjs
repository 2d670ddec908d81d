// SPDX-License-Identifier: MIT
// The page of a match, from a file: it plays the clips of its close calls, asks nobody, and complains of nothing.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { PICTURES, open } from "./browser.mjs";

test("the page of a match plays its close calls", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ringside report #1 "));
  const run = (...words) => execFileSync(process.env.RINGSIDE, words, { stdio: ["ignore", "pipe", "pipe"] });
  const book = join(folder, "record.db"), clips = join(folder, "close calls"), report = join(folder, "report.html");
  run("review", "--game", "crokinole", "--book", book, "--out", folder, "--clips", clips, "samples/clips/crokinole_b.mp4");
  run("report", "--book", book, "--clips", clips, "--out", report);

  const page = await open({ base: pathToFileURL(report).href }, "");
  const asked = [], failed = [];
  page.on("request", (r) => asked.push(r.url()));
  page.on("requestfailed", (r) => failed.push(r.url()));
  await page.reload();
  const videos = page.locator("video");
  assert.equal(await videos.count(), 2); // one close call a shot
  assert.ok(asked.every((url) => !url.endsWith(".mp4")), "a clip is fetched before somebody plays it");
  assert.ok(asked.some((url) => url.endsWith(".jpg")), "there is a picture before it plays");

  const video = videos.first();
  const played = await video.evaluate(async (e) => {
    e.muted = true;
    await e.play();
    await new Promise((done) => { e.ontimeupdate = () => e.currentTime > 0.5 && done(); });
    e.pause();
    return { ready: e.readyState, lasts: e.duration, width: e.videoWidth, height: e.videoHeight, why: e.error?.message };
  });
  assert.ok(played.ready >= 2 && played.lasts > 5 && played.width > 300 && played.height > 300, JSON.stringify(played));
  await video.evaluate((e) => new Promise((done) => { e.onseeked = done; e.currentTime = e.duration - 1; }));
  await video.scrollIntoViewIfNeeded();
  await video.screenshot({ path: join(PICTURES, "report-clip.png") });
  await page.screenshot({ path: join(PICTURES, "report.png"), fullPage: true });
  assert.ok(asked.every((url) => url.startsWith("file:")), asked.join(" "));
  assert.deepEqual(failed, []);

  await page.setViewportSize({ width: 360, height: 740 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it is wider than a phone");
  assert.deepEqual(page.complaints, []);
  rmSync(folder, { recursive: true });
});
