// SPDX-License-Identifier: MIT
// The pages in a real browser, fed by a watch of the sample game. Screenshots stay in the folder that PAGES_OUT names.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { PICTURES, WIDTHS, axe, open, watch } from "./browser.mjs";
import { forReadme } from "./readme.mjs";

test("two viewers and a judge see the same match, and the judge decides", async () => {
  const w = await watch();
  const board = await open(w, "/"), second = await open(w, "/", [360, 740]), judge = await open(w, `/judge#${w.secret}`);
  assert.equal(new URL(judge.url()).hash, "", "the secret does not stay in the address");

  // The score is seen to change.
  const score = board.locator("#score tbody");
  await score.locator("tr").nth(1).waitFor();
  const first = await score.innerText();
  await board.waitForFunction((text) => document.querySelector("#score tbody").innerText !== text, first);
  const state = await (await fetch(`${w.base}/api/state`)).json();
  assert.equal(state.ringside, 2);
  assert.equal(await board.locator(".piece").count(), (await (await fetch(`${w.base}/api/state`)).json()).pieces.list.length);

  // A close call comes up, and is confirmed by one click.
  const ask = judge.locator(".ask");
  await ask.first().waitFor();
  await judge.screenshot({ path: join(PICTURES, "judge-close.png"), fullPage: true });
  await ask.first().locator(".main").click();
  await judge.locator("#said", { hasText: "Confirm: done" }).waitFor();
  await ask.first().waitFor({ state: "detached" });

  // A piece is chosen and said to lie elsewhere: the score follows on every page.
  const before = await judge.locator("#score tbody").innerText();
  await judge.locator(".piece").first().click();
  await judge.locator("#zones button", { hasText: "ditch" }).click();
  await judge.locator("#said", { hasText: /ditch: / }).waitFor();
  assert.match(await judge.locator("#said").innerText(), /done/);
  await judge.waitForFunction((text) => document.querySelector("#score tbody").innerText !== text, before);
  await board.locator(".withdrawn").first().waitFor();
  await second.locator(".withdrawn").first().waitFor();

  // By the keyboard alone: the first word of the judge's, and it can be said to be wrong.
  await judge.locator("#words button").first().focus();
  await judge.keyboard.press("Enter");
  await judge.locator("#said", { hasText: "take the last shot back: " }).waitFor();
  await judge.locator("#words button").first().blur();
  await judge.keyboard.press("y");
  await judge.locator("#said", { hasText: "counts after all: done" }).waitFor();

  await board.locator("#look").click();
  await board.waitForFunction(() => document.getElementById("picture").naturalWidth > 0);
  await board.screenshot({ path: join(PICTURES, "board.png"), fullPage: true });
  await forReadme(board, "board");
  for (const page of [board, second, judge]) assert.deepEqual(page.complaints, []);
  await w.end();
});

test("the board speaks once somebody has asked it to: what is begun to its end, then the newest", async () => {
  const w = await watch();
  const board = await open(w, "/");
  await board.evaluate(() => {
    window.spoken = [];
    window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
    Object.defineProperty(window, "speechSynthesis", { value: {
      speaking: false,
      speak(words) { this.speaking = true; window.spoken.push(words); },
      cancel() { this.speaking = false; },
    } });
  });
  const button = board.locator("#speak");
  await board.locator("#calls li").first().waitFor();
  assert.equal(await board.evaluate(() => window.spoken.length), 0);
  await button.click();
  assert.equal(await button.getAttribute("aria-pressed"), "true");
  await board.waitForFunction(() => window.spoken.length === 1);
  const first = await board.evaluate(() => [window.spoken[0].text, window.spoken[0].lang]);
  assert.match(first[0], /^[A-Z][^(]+[.]$/);
  assert.equal(first[1], "en");
  const calls = await board.locator("#calls li").count();
  await board.waitForFunction((n) => document.querySelectorAll("#calls li").length > n + 1, calls);
  assert.equal(await board.evaluate(() => window.spoken.length), 1, "nobody speaks over another");
  await board.evaluate(() => { window.speechSynthesis.speaking = false; window.spoken[0].onend(); });
  assert.equal(await board.evaluate(() => window.spoken.length), 2);
  await button.click();
  assert.equal(await board.evaluate(() => window.speechSynthesis.speaking), false);
  assert.deepEqual(board.complaints, []);
  await w.end();
});

test("who has no secret, or a wrong one, is asked for it and changes nothing", async () => {
  const w = await watch();
  const page = await open(w, "/judge");
  await page.locator("#secret").fill("guess");
  await page.locator("#enter button").click();
  await page.locator("#words button").first().click();
  await page.locator("#said.bad", { hasText: "secret" }).waitFor();
  assert.ok(await page.locator("#enter").isVisible());
  await page.locator("#secret").fill(w.secret);
  await page.keyboard.press("Enter");
  await page.locator("#piece, #score tbody tr").first().waitFor({ state: "attached" });
  await page.waitForFunction(() => document.querySelectorAll("#score tbody tr").length === 2);
  await page.locator("#words button", { hasText: "the other side's turn" }).click();
  await page.locator("#said", { hasText: "turn: done" }).waitFor();
  await w.end();
});

test("a page comes back when the referee does", async () => {
  const first = await watch();
  const page = await open(first, "/");
  await page.locator("#link", { hasText: "live" }).waitFor();
  await first.end();
  await page.locator("#link", { hasText: "trying again" }).waitFor();
  const second = await watch(first.port);
  await page.locator("#link", { hasText: "live" }).waitFor();
  await page.locator("#score tbody tr").first().waitFor();
  await second.end();
});

test("the score is read across a hall", async () => {
  const w = await watch();
  for (const path of ["/", "/overlay"])
    for (const [width, height] of [[1920, 1080], [3840, 2160]]) {
      const page = await open(w, path, [width, height]);
      await page.locator("#score .points").first().waitFor();
      const share = await page.evaluate(() => {
        const e = document.querySelector("#score td.points, #score .points"), style = getComputedStyle(e), ink = document.createElement("canvas").getContext("2d");
        ink.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
        return ink.measureText("0").actualBoundingBoxAscent / window.innerHeight;
      });
      assert.ok(share >= 0.05, `a digit is ${(100 * share).toFixed(1)} % of ${height} px on ${path}`);
      await page.screenshot({ path: join(PICTURES, `hall-${path.slice(1) || "board"}-${height}.png`) });
      await page.context().close();
    }
  await w.end();
});

test("pages fit every screen, load little, and leave nobody out", async () => {
  const w = await watch();
  let standing = null;
  while (!standing) ({ standing } = await (await fetch(`${w.base}/api/state`)).json());
  const longest = "W".repeat(24);
  const renamed = await fetch(`${w.base}/api/input`, { method: "POST", headers: { Authorization: `Bearer ${w.secret}` },
    body: JSON.stringify({ what: "name", side: standing.sides[0].name, text: longest }) });
  assert.equal(renamed.status, 200);
  for (const path of ["/", `/judge#${w.secret}`, "/overlay"]) {
    const name = path.replace(/[/#].*?(\w*)(#.*)?$/, "$1") || "board";
    for (const scheme of ["light", "dark"]) {
      const page = await open(w, path, WIDTHS[2], scheme);
      await page.locator("#score tbody tr").first().waitFor();
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"] }));
      assert.deepEqual(violations.map((v) => `${path} ${scheme}: ${v.id} ${v.nodes[0].html}`), []);
      await page.context().close();
    }
    for (const size of WIDTHS) {
      const page = await open(w, path, size, "dark");
      let bytes = 0;
      // The page itself: a picture of a close call comes when there is one.
      page.on("response", async (r) => { if (!/\/(api|close)\//.test(r.url())) bytes += Number(r.headers()["content-length"] ?? 0); });
      await page.reload();
      await page.locator("#score tbody tr").first().waitFor();
      // Also when that side wins, which is told in the head.
      for (const head of [null, `${longest} wins`]) {
        const over = await page.evaluate((text) => {
          const where = document.getElementById("where");
          if (where && text) where.textContent = text;
          return document.documentElement.scrollWidth - window.innerWidth;
        }, head);
        assert.ok(over <= 0, `${path} is ${over} px too wide at ${size}${head ? " when a match is over" : ""}`);
      }
      assert.ok(bytes > 0 && bytes < 150 * 1024, `${path}: ${bytes} bytes`);
      await page.screenshot({ path: join(PICTURES, `${name}-${size[0]}.png`) });
      assert.deepEqual(page.complaints, []);
      await page.context().close();
    }
  }
  await w.end();
});
