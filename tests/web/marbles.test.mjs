// SPDX-License-Identifier: MIT
// Marbles on the pages: the ring, innings, the judge's permission, and calls in marbles' own words.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { PICTURES, axe, open, watch } from "./browser.mjs";

const CLIP = "samples/clips/marbles_match", TARGETS = 13;

test("marbles are watched on the board and judged on the judge's page", async () => {
  const w = await watch({ camera: ["--game", "american-marbles", "--camera", `${CLIP}.mp4`, "--match", `${CLIP}.match.json`, "--no-book"] });
  const board = await open(w, "/"), judge = await open(w, `/judge#${w.secret}`);
  const called = (page, text) => page.locator("#calls li", { hasText: text }).first().waitFor();

  // The ring in inches, and what lies in it; no points are written on it.
  await board.locator(".ringline").waitFor();
  await board.waitForFunction((n) => document.querySelectorAll(".piece").length >= n, TARGETS);
  const drawn = await board.evaluate(() => ({ radius: Number(document.querySelector(".ringline").getAttribute("r")),
    outside: [...document.querySelectorAll(".piece .true")].filter((c) => Number(c.getAttribute("r")) > 0.5).length,
    zones: document.querySelectorAll(".zone-name, .hole, .peg").length }));
  const { board: told, standing } = await (await fetch(`${w.base}/api/state`)).json();
  assert.equal(told.kind, "ring");
  assert.ok(Math.abs(drawn.radius - told.circle_in[0]) < 1e-6 && Math.abs(drawn.radius - 42) < 1, `${drawn.radius} in`);
  assert.deepEqual([drawn.outside, drawn.zones], [0, 0]);
  assert.deepEqual(standing.sides.map((s) => s.name), ["Ann", "Bo"]);
  assert.match(await board.locator("#where").innerText(), /^game 1, inning \d+, \w+ to shoot$/);
  assert.equal(await board.locator("#score th", { hasText: /twenties|on board/ }).count(), 0);

  await called(board, /^[\d:.\s]*target \d+ OUT, centre \d\.\d\d in beyond the line$/);
  await called(board, "taw IN");
  await board.waitForFunction(() => Number(document.querySelector("#score tbody tr .points").innerText) > 0);
  await board.locator("#where", { hasText: "inning 2" }).waitFor();

  // From the first permission on each shot needs one: the one behind it has it, the next has not.
  const words = await judge.locator("#words button").allInnerTexts();
  assert.ok(words.some((t) => t.includes("slips")) && !words.some((t) => t.includes("round is over")), words.join(", "));
  await judge.locator("#words button", { hasText: "permission to shoot" }).click();
  await judge.locator("#said", { hasText: "permission to shoot: done" }).waitFor();
  await called(judge, "no permission: shot forfeited");
  await called(board, "no permission: shot forfeited");
  await judge.locator(".piece").first().click();
  await judge.locator("#zones button").first().waitFor();
  assert.deepEqual(await judge.locator("#zones button").allInnerTexts(), ["in", "out", "Not there: take it off"]);

  // A marble is seen, where it truly lies, and what it truly measures too.
  const marbles = await judge.evaluate(() => [...document.querySelectorAll(".piece")].map((p) => {
    const halo = p.querySelector(".halo"), exact = p.querySelector(".true"), at = (c) => [c.getAttribute("cx"), c.getAttribute("cy")];
    return { px: (halo ?? exact).getBoundingClientRect().width, in: Number(exact.getAttribute("r")), away: halo && Math.hypot(at(halo)[0] - at(exact)[0], at(halo)[1] - at(exact)[1]) };
  }));
  for (const m of marbles) assert.ok(m.px >= 7 && m.in < 0.5 && m.away === 0, JSON.stringify(m));

  // One that the camera missed: of which kind is asked, not in which area.
  const [x, y] = await judge.evaluate(() => {
    const at = new DOMPoint(-20, 25).matrixTransform(document.querySelector("#board svg").getScreenCTM());
    return [at.x, at.y];
  });
  await judge.mouse.click(x, y);
  assert.deepEqual(await judge.locator("#puts button").allInnerTexts(), ["A target", "Ann's taw", "Bo's taw", "None"]);
  await judge.locator("#puts button", { hasText: "A target" }).click();
  await judge.locator("#said", { hasText: "A target put on: done" }).waitFor();
  await judge.locator(".piece.put-on").waitFor();
  for (const [page, name] of [[board, "board"], [judge, "judge"]]) {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"] }));
    assert.deepEqual(violations.map((v) => `${name}: ${v.id} ${v.nodes[0].html}`), []);
    await page.screenshot({ path: join(PICTURES, `marbles-${name}.png`), fullPage: true });
    assert.deepEqual(page.complaints, []);
  }
  await w.end();
});

test("only marbles have innings", async () => {
  const w = await watch();
  const page = await open(w, "/");
  await page.locator("#score tbody tr").first().waitFor();
  const part = (game) => page.evaluate(async (name) => {
    const [{ at, state }, { drawHead }] = await Promise.all([import("/live.js"), import("/draw.js")]);
    state.standing = { ...state.standing, game: name, over: false };
    drawHead();
    return at("where").textContent;
  }, game);
  assert.match(await part("crokinole"), /round \d/);
  assert.match(await part("crokinole-rings"), /round \d/);
  assert.match(await part("american-marbles"), /inning \d/);
  await w.end();
});
