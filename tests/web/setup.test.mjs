// SPDX-License-Identifier: MIT
// The set-up page, and a piece moved on the judge's, in a real browser. Screenshots stay in the folder that PAGES_OUT names.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PICTURES, WIDTHS, axe, open, say, stands, stateOf, until, watch } from "./browser.mjs";
import { forReadme } from "./readme.mjs";

const set_up = async (w, said) => (await fetch(`${w.base}/api/setup`, { method: said ? "POST" : "GET", body: said && JSON.stringify(said),
  headers: { Authorization: `Bearer ${w.secret}` } })).json();
const standing = async (w) => (await stateOf(w)).standing;

async function found(page) {
  await page.locator("polyline.line").first().waitFor({ state: "attached" });
  // By the clock, not by the browser's drawing, which may rest.
  await page.waitForFunction(() => document.getElementById("picture").naturalWidth > 0, null, { polling: 100 }).catch(async (e) => {
    throw new Error(`${e.message} ${page.complaints} ${await page.evaluate(() => `${document.getElementById("link").textContent}, ${document.getElementById("picture").outerHTML}`)}`);
  });
}

test("the set-up page shows where the board is found and how good that is; what is said there holds", async () => {
  const w = await watch();
  const page = await open(w, `/setup#${w.secret}`), board = await open(w, "/");
  assert.equal(new URL(page.url()).hash, "", "the secret does not stay in the address");
  await found(page);

  // The painted lines are darker than the wood beside them, and they are where they are drawn: to two pixels.
  const share = await page.evaluate(() => {
    const img = document.getElementById("picture"), canvas = document.createElement("canvas");
    canvas.width = img.naturalWidth;
    canvas.height = img.naturalHeight;
    const ink = canvas.getContext("2d");
    ink.drawImage(img, 0, 0);
    const [x0, y0, width, height] = document.getElementById("lines").getAttribute("viewBox").split(" ").map(Number);
    if (x0 !== -0.5 || y0 !== -0.5 || width !== canvas.width || height !== canvas.height) return -1;
    const light = (u, v) => { const [r, g, b] = ink.getImageData(Math.round(u), Math.round(v), 1, 1).data; return r + g + b; };
    const circles = [...document.querySelectorAll("polyline.line")].slice(0, 2).map((l) => l.getAttribute("points").split(" ").map((p) => p.split(",").map(Number)));
    let on = 0, all = 0;
    for (const circle of circles) {
      const cu = circle.reduce((s, p) => s + p[0], 0) / circle.length, cv = circle.reduce((s, p) => s + p[1], 0) / circle.length;
      for (const [u, v] of circle) {
        const r = Math.hypot(u - cu, v - cv), along = (px) => light(u + ((u - cu) / r) * px, v + ((v - cv) / r) * px);
        on += Math.min(along(-1), along(0), along(1)) < Math.min(along(-5), along(5)) - 20;
        all++;
      }
    }
    return on / all;
  });
  assert.ok(share > 0.8, `${share} of the circles' points are on a painted line`);
  await page.locator("#grade", { hasText: "A" }).waitFor();
  await page.locator("#means", { hasText: /Very good: .* % would be called close/ }).waitFor();
  await page.screenshot({ path: join(PICTURES, "setup-found.png"), fullPage: true });
  await forReadme(page, "setup", [390, 1000]);

  // A name changed is on the board, and the match goes on: by the keyboard alone. What is chosen while the referee takes its time to
  // answer is not lost.
  await page.route("**/api/setup", async (route) => { await new Promise((done) => setTimeout(done, 500)); await route.continue(); });
  await page.locator("#name0").focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("<b>Ann & Bo</b>");
  await page.locator("#rename").focus();
  await page.keyboard.press("Enter");
  await page.locator("#said", { hasText: "is called <b>Ann & Bo</b>: done" }).waitFor();
  await page.locator("#format").selectOption("nca-doubles");
  for (let i = 0; i < 3; i++) await page.waitForResponse("**/api/setup");
  await page.unrouteAll({ behavior: "wait" });
  await page.waitForResponse("**/api/setup"); // one that nothing held back: the page says what holds now
  assert.equal(await page.locator("#format").inputValue(), "nca-doubles");
  await board.locator("#score .names b", { hasText: "<b>Ann & Bo</b>" }).waitFor();
  const kept = await standing(w);
  assert.equal(kept.game_number, 1);

  // The other format is another match: the same address, the same secret, the same open pages.
  await page.locator("#name0").fill("Ann and Bo");
  await page.locator("#players0").fill("Ann, Bo");
  await page.locator("#players1").fill("Cy, Di");
  await page.locator("#begin").click();
  await page.locator("#said", { hasText: "a new match: done" }).waitFor({ timeout: 60_000 }).catch(async (e) => {
    throw new Error(`${e.message} what is said: ${await page.locator("#said").textContent()}`);
  });
  await board.locator("#score .names span", { hasText: "Cy, Di" }).waitFor();
  const anew = await standing(w);
  assert.equal(anew.format, "nca-doubles");
  assert.deepEqual(anew.sides.map((s) => s.name), ["Ann and Bo", "Away"]);
  await page.waitForFunction(() => document.getElementById("name0").value === "Ann and Bo");
  await found(page);

  // What cannot be had is told, and changes nothing.
  assert.match((await set_up(w, { camera: "/etc/passwd" })).error, /camera: there is none at \/etc\/passwd/);
  assert.match((await set_up(w, { match: { format: "chess" }, anew: true })).error, /there is none called chess/);
  assert.equal((await standing(w)).format, "nca-doubles");
  for (const p of [page, board]) assert.deepEqual(p.complaints, []);
  await w.end();
});

test("who plays alone for a side is named on in another format of singles; two of doubles are not", async () => {
  const w = await watch();
  const page = await open(w, `/setup#${w.secret}`);
  const players = async () => (await standing(w))?.sides.map((s) => s.players);
  const begin = async (format) => {
    await page.locator("#format").selectOption(format);
    await page.locator("#begin").click();
    await until(async () => (await standing(w))?.format === format);
  };
  await page.locator("#players0:visible").waitFor();
  assert.deepEqual([await page.locator("#players0").inputValue(), await page.locator("#players1").inputValue()], ["Ann", "Bo"]);
  await begin("nca-singles");
  assert.deepEqual(await players(), [["Ann"], ["Bo"]]);
  await page.locator("#format").selectOption("nca-doubles");
  for (const [i, pair] of ["Ann, Bo", "Cy, Di"].entries()) await page.locator(`#players${i}`).fill(pair);
  await begin("nca-doubles");
  assert.deepEqual(await players(), [["Ann", "Bo"], ["Cy", "Di"]]);
  await page.waitForFunction(() => document.getElementById("players1").value === "Cy, Di");
  await page.locator("#format").selectOption("nca-singles");
  await page.locator("#players0").waitFor({ state: "hidden" }); // once the page has heard who plays by now
  await begin("nca-singles");
  assert.deepEqual(await players(), [[], []]);
  assert.deepEqual(page.complaints, []);
  await w.end();
});

test("a set-up asks for the secret; it is taken before the board is found, and fits every screen", async () => {
  const w = await watch();
  const said = await set_up(w, { match: { format: "nca-singles", first: "Ann", sides: [{ name: "Ann", colour: "black" }, { name: "Bo" }] }, anew: true });
  assert.deepEqual(said, { done: true });
  const page = await open(w, "/setup");
  assert.ok(await page.locator("#enter").isVisible());
  await page.locator("#secret").fill("guess");
  await page.keyboard.press("Enter");
  await page.locator("#enter").waitFor();
  await page.waitForFunction(() => document.getElementById("enter").classList.contains("hidden") === false);
  await page.locator("#secret").fill(w.secret);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.getElementById("name0").value === "Ann" && document.getElementById("name1").value === "Bo");
  await page.context().close();
  await stands(w); // from here on no picture comes
  for (const scheme of ["light", "dark"]) {
    const seen = await open(w, `/setup#${w.secret}`, WIDTHS[2], { colorScheme: scheme });
    await found(seen);
    await seen.evaluate(axe);
    const { violations } = await seen.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"] }));
    assert.deepEqual(violations.map((v) => `${scheme}: ${v.id} ${v.nodes[0].html}`), []);
    await seen.context().close();
  }
  for (const size of WIDTHS) {
    const seen = await open(w, `/setup#${w.secret}`, size, { colorScheme: "dark" });
    let bytes = 0;
    seen.on("response", async (r) => { if (!r.url().includes("/api/")) bytes += Number(r.headers()["content-length"] ?? 0); });
    await seen.reload();
    await found(seen);
    const over = await seen.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(over <= 0, `${over} px too wide at ${size}`);
    assert.ok(bytes > 0 && bytes < 150 * 1024, `${bytes} bytes`);
    await seen.screenshot({ path: join(PICTURES, `setup-${size[0]}.png`) });
    assert.deepEqual(seen.complaints, []);
    await seen.context().close();
  }
  await w.end();
});

test("the game is chosen on the page where nobody named it, and changed before the first shot", async () => {
  const w = await watch({ camera: ["--no-book", "--camera", "samples/clips/marbles_match.mp4"] });
  const page = await open(w, `/setup#${w.secret}`, [390, 1000]), judge = await open(w, `/judge#${w.secret}`);
  await page.locator("#camera", { hasText: "no game is chosen yet: choose it on the set-up page" }).waitFor();
  await page.waitForFunction(() => document.getElementById("picture").naturalWidth > 0);
  assert.equal(await page.locator("#game option:checked").innerText(), "choose the game");
  assert.ok(await page.locator("#begin").isDisabled() && await page.locator("#format").isHidden());
  assert.equal(await judge.locator("#words button").count(), 0);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"] }));
  assert.deepEqual(violations.map((v) => `${v.id} ${v.nodes[0].html}`), []);
  await page.screenshot({ path: join(PICTURES, "setup-game.png"), fullPage: true });

  // Nobody plays yet, and what is said of play is answered.
  const answer = await say(w, { what: "undo" });
  assert.deepEqual([answer.status, (await answer.json()).error], [422, "no game is chosen yet: there is nothing to judge"]);
  assert.match((await set_up(w, { match: { format: "nca-singles" } })).error, /which game\?/);
  assert.match((await set_up(w, { game: "chess" })).error, /there is none called chess/);

  // One is chosen, with its own formats and names; then the other, which it was. Address, secret and pages stay.
  await page.locator("#game").selectOption("crokinole");
  await page.locator("#format").selectOption("nca-doubles");
  await page.locator("#begin", { hasText: "Play it" }).click();
  await page.locator("#said", { hasText: /^Crokinole, tournament rules.*: done$/ }).waitFor();
  await until(async () => (await set_up(w)).game === "crokinole" && (await set_up(w)).match.format.name === "nca-doubles");
  await judge.locator("#words button", { hasText: "the round is over" }).waitFor();
  await page.locator("#game").selectOption("american-marbles");
  assert.ok(await page.locator("#permits").isVisible());
  for (const [i, name] of ["Ann", "Bo"].entries()) await page.locator(`#name${i}`).fill(name);
  await page.locator("#begin").click();
  await page.locator("#said", { hasText: /^American Marbles .*: done$/ }).waitFor();
  await until(async () => (await standing(w))?.game === "american-marbles");
  assert.deepEqual((await standing(w)).sides.map((s) => s.name), ["Ann", "Bo"]);
  await judge.locator("#words button", { hasText: "permission to shoot" }).waitFor();
  assert.equal(await judge.locator("#words button", { hasText: "the round is over" }).count(), 0);
  await found(page);
  assert.ok(await page.locator("#camera").isHidden());
  for (const p of [page, judge]) assert.ok(!p.complaints.some((c) => !c.includes("422")), p.complaints.join(" "));
  await w.end();
});

test("another camera and its mode are chosen, and a refusal is told", async () => {
  const w = await watch();
  const page = await open(w, `/setup#${w.secret}`);
  const said = [];
  let refuses = true;
  const cameras = [
    { device: "/dev/video0", name: "HD Webcam", plug: "usb-1", modes: [{ width: 1920, height: 1080, format: "MJPG", rate: 30 }, { width: 1280, height: 720, format: "MJPG", rate: 60 }] },
    { device: "/dev/video2", name: "Old Cam", plug: "usb-2", why: "another program has it", modes: [] },
  ];
  await page.route("**/api/setup", async (route) => {
    if (route.request().method() === "POST") {
      said.push(route.request().postDataJSON());
      await route.fulfill(refuses ? { status: 422, json: { error: "another program has taken it" } } : { json: { done: true } });
      return;
    }
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), cameras } });
  });

  // What is watched now is no camera that is listed: it stands first, and cannot be taken again.
  const which = page.locator("#which"), modes = page.locator("#modes"), take = page.locator("#take");
  await page.waitForFunction(() => document.getElementById("which").options.length === 3);
  const offered = await which.locator("option").allInnerTexts();
  assert.match(offered[0], /crokinole_match.mp4 \(as it is\)/);
  assert.deepEqual(offered.slice(1), ["HD Webcam, usb-1", "Old Cam: another program has it"]);
  assert.ok(await take.isDisabled() && await modes.isDisabled());

  await which.selectOption("/dev/video2");
  assert.ok(await modes.isDisabled() && await take.isEnabled());
  await which.selectOption("/dev/video0");
  assert.deepEqual(await modes.locator("option").allInnerTexts(), ["the best for the board", "1920 x 1080 MJPG, 30 a second", "1280 x 720 MJPG, 60 a second"]);
  await take.click();
  await page.locator("#source-said.bad", { hasText: "another program has taken it" }).waitFor();

  // What is chosen is not lost while the page asks again.
  refuses = false;
  await modes.selectOption({ label: "1280 x 720 MJPG, 60 a second" });
  for (let i = 0; i < 2; i++) await page.waitForResponse("**/api/setup");
  assert.equal(await which.inputValue(), "/dev/video0");
  await take.click();
  await page.locator("#source-said", { hasText: "the camera: done" }).waitFor();
  assert.deepEqual(said, [{ camera: "/dev/video0" }, { camera: "/dev/video0", size: [1280, 720], rate: 60 }]);
  assert.ok(!page.complaints.some((c) => !c.includes("422")), page.complaints.join(" "));
  await page.unrouteAll({ behavior: "wait" });
  await w.end();
});

test("whoever put down the last piece plays its colour", async () => {
  const w = await watch();
  const page = await open(w, `/setup#${w.secret}`);
  const colours = async () => Object.fromEntries((await standing(w)).sides.map((s) => [s.name, s.colour]));
  await page.locator("#down0:visible").waitFor();
  const before = await colours();
  assert.deepEqual(Object.keys(before).sort(), ["Away", "Home"]);
  const answer = async (url) => (await fetch(w.base + url)).json();
  await stands(w); // between two shots there may lie none

  // Whichever piece that is: said of both sides in turn, one of them is told something new.
  let changed = false, heard = 0;
  for (let i = 0; i < 10 && !changed; i++) {
    const name = i % 2 ? "Away" : "Home";
    await page.locator("button[id^=down]", { hasText: `The piece put down last is ${name}'s` }).click();
    await page.locator("#said", { hasText: `the piece put down last is ${name}'s: done` }).waitFor();
    const told = await until(async () => (await answer("/api/calls")).calls.filter((c) => c.what === "side")[heard]);
    const [, called, colour] = told.text.match(/^(\w+) plays (\w+)$/), now = await colours();
    heard++;
    assert.equal(called, name);
    assert.equal(now[name], colour);
    assert.notEqual(now.Home, now.Away);
    changed = now[name] !== before[name];
  }
  assert.ok(changed, "nothing changes by it");
  assert.deepEqual(page.complaints, []);
  await w.end();
});

// Where a piece is on the screen, and a place of the board.
async function places(page, at) {
  return page.evaluate(([x, y]) => {
    const to = document.querySelector("#board svg").getScreenCTM(), piece = document.querySelector(".piece"), circle = piece.querySelector("circle");
    const px = (u, v) => { const p = new DOMPoint(u, v).matrixTransform(to); return { x: p.x, y: p.y }; };
    return { id: piece.dataset.id, from: px(Number(circle.getAttribute("cx")), Number(circle.getAttribute("cy"))), to: px(x, -y) };
  }, at);
}

async function drag(page, { from, to }) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

test("a piece moved on the judge's page corrects the score, and that alone is taken back and said after all", async () => {
  const w = await watch();
  const judge = await open(w, `/judge#${w.secret}`);
  await judge.locator(".ask").first().waitFor();
  const points = async () => (await standing(w)).sides.map((s) => s.on_board);

  // Between two lines: it is said at once.
  await drag(judge, await places(judge, [6, 0]));
  await judge.locator("#said", { hasText: / is 10: done/ }).waitFor();
  const before = await points();
  await drag(judge, await places(judge, [2.5, 0]));
  await judge.locator("#said", { hasText: / is 15: done/ }).waitFor();
  const moved = await points();
  assert.notDeepEqual(moved, before);
  await judge.locator("#back button", { hasText: "Take that back" }).click();
  await judge.locator("#said", { hasText: / is 15: taken back: done/ }).waitFor();
  assert.deepEqual(await points(), before);
  await judge.locator("#back button", { hasText: "Say it after all" }).click();
  await judge.locator("#said", { hasText: / is 15: after all: done/ }).waitFor();
  assert.deepEqual(await points(), moved);

  // On a line: which side of it is asked, the two likely ones first.
  const edge = await judge.evaluate(() => fetch("/api/state").then((r) => r.json()).then((s) => s.board.circle_in[0]));
  await drag(judge, await places(judge, [edge - 0.05, 0]));
  await judge.locator("#piece-name", { hasText: "was put on a line: which is it?" }).waitFor();
  assert.deepEqual((await judge.locator("#zones button").allInnerTexts()).slice(0, 2), ["5", "ditch"]);
  await judge.screenshot({ path: join(PICTURES, "judge-line.png") });
  await judge.keyboard.press("Enter");
  await judge.locator("#said", { hasText: /^5: done/ }).waitFor();

  // By keys; Escape puts it back where it was.
  const piece = judge.locator(".piece").first();
  await piece.focus();
  await judge.keyboard.press("Shift+ArrowRight");
  assert.equal(await judge.locator(".piece.held").count(), 1);
  await judge.keyboard.press("Escape");
  assert.equal(await judge.locator(".piece.held").count(), 0);
  for (let i = 0; i < 20; i++) await judge.keyboard.press("Shift+ArrowDown");
  await judge.keyboard.press("Enter");
  await judge.locator("#said", { hasText: / is ditch: done/ }).waitFor();
  assert.deepEqual(judge.complaints, []);
  await w.end();
});

test("a stream has its own style, and the matches that are kept are told", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ringside-own-"));
  writeFileSync(join(folder, "own.css"), ".overlay .strip { background: rgb(1, 2, 3); }\n");
  const w = await watch({ more: ["--book", join(folder, "book.db"), "--overlay-css", join(folder, "own.css")] });
  const page = await open(w, "/overlay");
  await page.locator("#score tbody tr").first().waitFor();
  assert.equal(await page.locator(".strip").evaluate((e) => getComputedStyle(e).backgroundColor), "rgb(1, 2, 3)");

  // A film that is opened again plays from its beginning: as a match of its own, for its shots would count twice.
  const answer = async (url) => (await fetch(w.base + url)).json();
  await until(async () => (await answer("/api/matches")).matches[0]?.shots > 0 && (await answer("/api/calls")).calls.length > 0);
  const before = await standing(w), calls = (await answer("/api/calls")).calls.length;
  assert.match((await set_up(w, { size: [640, 480] })).error, /shots would count twice; say that a new match is to begin/);
  assert.deepEqual(await set_up(w, { size: [640, 480], anew: true }), { done: true });
  await until(async () => { const s = await answer("/api/state"); return s.standing !== null && s.calls.length < calls; });
  const after = await standing(w);
  assert.equal(after.format, before.format);
  await until(async () => (await answer("/api/matches")).matches.length === 2);
  const { matches } = await answer("/api/matches");
  assert.deepEqual(matches.map((m) => m.game), ["crokinole", "crokinole"]);
  assert.deepEqual(page.complaints, []);
  await w.end();
  rmSync(folder, { recursive: true });
});
