// SPDX-License-Identifier: MIT
// The page of a match, from a file: it plays the clips of its close calls, asks nobody, and complains of nothing.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { PICTURES, open } from "./browser.mjs";
import { forReadme } from "./readme.mjs";

const run = (...words) => execFileSync(process.env.RINGSIDE, words, { stdio: ["ignore", "pipe", "pipe"] });

// Nothing but files is asked for, and the page is as wide as a phone at most.
async function watched(report) {
  const page = await open({ base: pathToFileURL(report).href }, "");
  const asked = [], failed = [];
  page.on("request", (r) => asked.push(r.url()));
  page.on("requestfailed", (r) => failed.push(r.url()));
  await page.reload();
  return { page, asked, failed };
}

async function plays(video) {
  const played = await video.evaluate(async (e) => {
    e.muted = true;
    await e.play();
    await new Promise((done) => { e.ontimeupdate = () => e.currentTime > 0.5 && done(); });
    e.pause();
    return { ready: e.readyState, lasts: e.duration, width: e.videoWidth, height: e.videoHeight, why: e.error?.message };
  });
  assert.ok(played.ready >= 2 && played.lasts > 5 && played.width > 300 && played.height > 300, JSON.stringify(played));
}

test("the page of a match plays its close calls", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ringside report #1 "));
  const book = join(folder, "record.db"), clips = join(folder, "close calls"), report = join(folder, "report.html");
  run("review", "--game", "crokinole", "--book", book, "--out", folder, "--clips", clips, "--report", report,
    "samples/clips/crokinole_a.mp4"); // shots 2, 3 and 4 have close calls

  // One file that holds all of it.
  const alone = join(folder, "alone");
  mkdirSync(alone);
  copyFileSync(report, join(alone, "page.html"));
  const whole = await watched(join(alone, "page.html"));
  assert.equal(await whole.page.locator("video").count(), 3); // one close call a shot
  await plays(whole.page.locator("video").first());
  for (const img of await whole.page.locator("img").all())
    assert.ok(await img.evaluate((e) => e.complete && e.naturalWidth > 300), "there is a picture before it plays");
  assert.equal(await whole.page.locator("img").count(), 3);
  assert.ok(whole.asked.every((url) => url.startsWith("data:") || url.endsWith("page.html")), whole.asked.join(" ").slice(0, 500));
  assert.deepEqual(whole.failed, []);
  const shots = await whole.page.locator("h2:has-text('Shot by shot') + ol > li").count();
  assert.ok(shots >= 3);
  assert.equal(await whole.page.locator("figcaption:text-is('before')").count(), shots);
  await whole.page.screenshot({ path: join(PICTURES, "report.png"), fullPage: true });
  await forReadme(whole.page, "report", [900, 1000]);
  await whole.page.emulateMedia({ colorScheme: "dark" });
  await whole.page.screenshot({ path: join(PICTURES, "report-dark.png"), fullPage: true });
  await whole.page.emulateMedia({ colorScheme: "dark", media: "print" });
  assert.equal(await whole.page.evaluate(() => getComputedStyle(document.body).color), "rgb(28, 27, 25)"); // on paper
  await whole.page.screenshot({ path: join(PICTURES, "report-print.png"), fullPage: true });
  await whole.page.emulateMedia({ colorScheme: "light", media: "screen" });
  await whole.page.setViewportSize({ width: 360, height: 740 });
  assert.ok(await whole.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it is wider than a phone");
  await whole.page.screenshot({ path: join(PICTURES, "report-360.png"), fullPage: true });
  assert.deepEqual(whole.page.complaints, []);

  // What is too much for one file stays beside it, and is not fetched before somebody plays it.
  const clip = readdirSync(clips).find((name) => name.endsWith("-shot-002.mp4"));
  writeFileSync(join(clips, clip.replace("-002", "-099")), "x");
  truncateSync(join(clips, clip.replace("-002", "-099")), 16e6);
  run("report", "--html", "--book", book, "--clips", clips, "--out", report);
  const { page, asked, failed } = await watched(report);
  const videos = page.locator("video");
  assert.equal(await videos.count(), 3);
  assert.ok(asked.every((url) => !url.endsWith(".mp4")), "a clip is fetched before somebody plays it");
  assert.ok(asked.some((url) => url.endsWith(".jpg")), "there is a picture before it plays");
  const video = videos.first();
  await plays(video);
  await video.evaluate((e) => new Promise((done) => { e.onseeked = done; e.currentTime = e.duration - 1; }));
  await video.scrollIntoViewIfNeeded();
  await video.screenshot({ path: join(PICTURES, "report-clip.png") });
  assert.ok(asked.every((url) => url.startsWith("file:")), asked.join(" "));
  assert.deepEqual(failed, []);
  assert.deepEqual(page.complaints, []);
  rmSync(folder, { recursive: true });
});
