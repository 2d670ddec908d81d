// SPDX-License-Identifier: MIT
// The pages in a real browser, fed by a watch of the sample game. Screenshots stay in the folder that PAGES_OUT names.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { PICTURES, WIDTHS, axe, goOn, open, say, stands, stateOf, until, watch } from "./browser.mjs";
import { forReadme } from "./readme.mjs";

test("two viewers and a judge see the same match, and the judge decides", async () => {
  const w = await watch();
  const board = await open(w, "/"), second = await open(w, "/", [360, 740]), judge = await open(w, `/judge#${w.secret}`);
  assert.equal(new URL(judge.url()).hash, "", "the secret does not stay in the address");

  const { ringside, pieces } = await stands(w);
  assert.equal(ringside, 3);
  await board.waitForFunction((n) => document.querySelectorAll(".piece").length === n, pieces.list.length);

  // What counts until the judge decides, and what it may come to, as the terminal says it.
  const overlay = await open(w, "/overlay");
  for (const page of [board, overlay]) await page.locator("#score td", { hasText: "15 (10-15)" }).waitFor();
  await overlay.screenshot({ path: join(PICTURES, "overlay-reads.png") });

  // A piece is chosen and said to lie elsewhere: the score follows on every page.
  const scores = (page) => page.locator("#score tbody").innerText();
  const changes = (page, from) => page.waitForFunction((text) => document.querySelector("#score tbody").innerText !== text, from);
  const ask = judge.locator(".ask");
  await ask.first().waitFor();
  const before = await scores(judge);
  await judge.locator(".piece").first().click();
  await judge.locator("#zones button", { hasText: "ditch" }).click();
  await judge.locator("#said", { hasText: /ditch: / }).waitFor();
  assert.match(await judge.locator("#said").innerText(), /done/);
  await changes(judge, before);
  await board.locator(".withdrawn").first().waitFor();
  await second.locator(".withdrawn").first().waitFor();

  // A close call is confirmed by one click, and the score is seen to change as the game goes on.
  const first = await scores(board);
  await judge.screenshot({ path: join(PICTURES, "judge-close.png"), fullPage: true });
  await ask.first().locator(".main").click();
  await judge.locator("#said", { hasText: "Confirm: done" }).waitFor();
  await ask.first().waitFor({ state: "detached" });
  await changes(board, first);

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
  for (const page of [board, second, judge, overlay]) assert.deepEqual(page.complaints, []);
  await w.end();
});

// However late somebody comes to the page, and when the film has ended.
test("the demo waits for its judge, and can still be judged at its end", async () => {
  const w = await watch();
  const standing = async () => (await stateOf(w)).standing;
  await stands(w);
  await new Promise((done) => setTimeout(done, 8000)); // the next shot would be at rest
  const judge = await open(w, `/judge#${w.secret}`), ask = judge.locator(".ask");
  await ask.first().waitFor();
  assert.equal(await ask.count(), 1);
  assert.match(await ask.first().innerText(), /too close/);
  await judge.screenshot({ path: join(PICTURES, "judge-demo.png"), fullPage: true });
  const held = await standing();
  await ask.first().locator(".main").click();
  await judge.locator("#said", { hasText: "Confirm: done" }).waitFor();
  await ask.first().waitFor({ state: "detached" });
  await until(async () => JSON.stringify((await standing()).sides) !== JSON.stringify(held.sides)); // it goes on
  await until(async () => { const s = await standing(); return s.over && s.game_number === 2; });
  await new Promise((done) => setTimeout(done, 3000)); // what is left of the film

  await judge.locator("#again button").last().click();
  await judge.locator("#again button", { hasText: "Overrule" }).click();
  await judge.locator("#said", { hasText: /^Overrule.*: done$/ }).waitFor();
  await judge.locator(".withdrawn").first().waitFor();
  await judge.screenshot({ path: join(PICTURES, "judge-demo-end.png"), fullPage: true });
  assert.deepEqual(judge.complaints, []);
  await w.end();
});

test("each piece is shown in its zone, and the ways of those that the last shot moved, also to who comes later", async () => {
  const w = await watch();
  const early = await open(w, "/", WIDTHS[2], { colorScheme: "dark" });
  const state = await stands(w);
  await early.waitForFunction(() => document.querySelector(".path polyline.way") && document.querySelector(".piece .zone"));
  const moved = state.paths.list.find((p) => p.at.length > 1), lies = state.pieces.list.find((p) => p.zone);
  assert.match(lies.zone, /^(20|15|10|5|ditch)$/);
  assert.ok(Math.hypot(moved.at[0][0] - moved.at.at(-1)[0], moved.at[0][1] - moved.at.at(-1)[1]) > 0.2);
  const late = await open(w, "/", WIDTHS[2], { colorScheme: "light" });
  await late.waitForFunction(() => document.querySelector(".path polyline.way") && document.querySelector(".piece .zone"));
  const drawn = await late.evaluate(() => {
    const order = [...document.querySelectorAll(".path, .piece")].map((g) => g.className.baseVal.split(" ")[0]);
    const piece = document.querySelector(".piece:has(.zone)"), [name, zone] = piece.querySelector("title").textContent.split(": ");
    return { order, name, zone, text: piece.querySelector(".zone").textContent, lies: document.querySelector(".lies").textContent };
  });
  assert.ok(drawn.order.lastIndexOf("path") < drawn.order.indexOf("piece"), "no way covers a piece");
  assert.equal(drawn.text, drawn.zone);
  assert.ok(drawn.lies.includes(drawn.zone) && drawn.lies.includes(drawn.name.split(" ")[0]), drawn.lies);
  await late.screenshot({ path: join(PICTURES, "board-paths.png") });
  await early.screenshot({ path: join(PICTURES, "board-paths-dark.png") });
  for (const page of [early, late]) assert.deepEqual(page.complaints, []);
  await w.end();
});

test("the board speaks once somebody has asked it to: what is begun to its end, then the newest", async () => {
  const w = await watch();
  const board = await open(w, "/");
  await stands(w);
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
  await goOn(w);
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
  const second = await watch({ port: first.port });
  await page.locator("#link", { hasText: "live" }).waitFor();
  await page.locator("#score tbody tr").first().waitFor();
  await second.end();
});

// A telephone in a hall: 150 ms to and fro, 1.6 Mbit/s, a processor of a quarter. What a wall clock says hangs on the machine that tests,
// and is told; what does not is how often one request waits for the answer to another: behind what names it, or for one of the six
// connections that a browser holds to one host.
const CONNECTIONS = 6;
test("a page's files are all asked for at once, whatever asks for them", async (t) => {
  const row = "#score tbody tr", w = await watch();
  await stands(w);
  for (const [path, what] of [["/", row], ["/judge", row], ["/overlay", row], ["/setup", "#sides input"]]) {
    const page = await open(w, `${path}#${w.secret}`, WIDTHS[0]);
    await page.locator(what).first().waitFor({ state: "attached" });
    const devtools = await page.context().newCDPSession(page);
    let asked = [], behind = [], states = [], bytes = 0, least = Infinity;
    const files = new Set();
    devtools.on("Network.requestWillBeSent", ({ requestId, request, initiator }) => {
      if (new URL(request.url).pathname === "/api/state") states.push(initiator.type);
      if (!new URL(request.url).pathname.match(/[.](css|js)$/)) return; // the icon is the browser's own business, when and how often
      files.add(requestId);
      asked.push(request.url);
      if (initiator.type !== "parser" && initiator.type !== "other") behind.push(`${request.url} behind ${initiator.url ?? initiator.type}`);
    });
    devtools.on("Network.loadingFinished", (e) => { bytes += files.has(e.requestId) ? e.encodedDataLength : 0; });
    await devtools.send("Network.enable");
    await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
    await devtools.send("Network.emulateNetworkConditions",
      { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 });
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await page.addInitScript((selector) => {
      const look = new MutationObserver(() => {
        if (!window.drawnMs && document.querySelector(selector)) window.drawnMs = performance.now();
      });
      look.observe(document, { childList: true, subtree: true });
    }, what);
    for (let n = 0; n < 3; n++) { // the least says most, where others use the processor too
      [asked, behind, states, bytes] = [[], [], [], 0];
      await page.reload({ waitUntil: "commit" });
      await page.waitForFunction(() => window.drawnMs);
      least = Math.min(least, Math.round(await page.evaluate(() => window.drawnMs)));
      assert.ok(asked.some((url) => url.endsWith(".js")), `${path}: ${asked}`);
      assert.equal(new Set(asked).size, asked.length, `${path} asks twice: ${asked}`);
      assert.deepEqual(behind, [], path);
      assert.deepEqual(states, ["parser"], `${path} asks how it stands once, and before a script runs`);
      assert.ok(asked.length <= CONNECTIONS, `${path} has files that wait for a connection: ${asked}`);
    }
    t.diagnostic(`${path} on a throttled telephone: drawn after ${least} ms, ${asked.length} files, ${Math.round(bytes / 1024)} KB`);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
  await w.end();
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
  const { standing } = await stands(w);
  const longest = "W".repeat(24);
  const renamed = await say(w, { what: "name", side: standing.sides[0].name, text: longest });
  assert.equal(renamed.status, 200);
  for (const path of ["/", `/judge#${w.secret}`, "/overlay"]) {
    const name = path.replace(/[/#].*?(\w*)(#.*)?$/, "$1") || "board";
    for (const scheme of ["light", "dark"]) {
      const page = await open(w, path, WIDTHS[2], { colorScheme: scheme });
      await page.locator("#score tbody tr").first().waitFor();
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"] }));
      assert.deepEqual(violations.map((v) => `${path} ${scheme}: ${v.id} ${v.nodes[0].html}`), []);
      await page.context().close();
    }
    for (const size of WIDTHS) {
      const page = await open(w, path, size, { colorScheme: "dark" });
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
