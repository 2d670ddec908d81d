// SPDX-License-Identifier: MIT
// A close call to be looked at again, in a real browser: enlarged and in slow motion for the judge, enlarged alone in the overlay.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CLIP, PICTURES, open, stands, watch } from "./browser.mjs";
import { forReadme } from "./readme.mjs";

const MATCH = JSON.parse(readFileSync(`${CLIP}.match.json`, "utf8"));

async function beginAnew(w) {
  const begun = await fetch(`${w.base}/api/setup`, { method: "POST", headers: { Authorization: `Bearer ${w.secret}` }, body: JSON.stringify({ match: MATCH, anew: true }) });
  assert.deepEqual(await begun.json(), { done: true });
}

// What is shown of the match before may be asked for while that ends: it is gone then, and that is no fault of a page.
const ended = (text) => /404.* \/(api\/)?close\/\d+-\d+/.test(text);

const enlarged = (judge) => judge.waitForFunction(() => document.querySelector("#asks .enlarged")?.naturalWidth === 640);

test("a close call comes up enlarged and in slow motion", async () => {
  const w = await watch();
  await stands(w); // from where nothing goes on
  const [judge, still, overlay, moving] = await Promise.all([["/judge", "no-preference"], ["/judge", "reduce"], ["/overlay", "reduce"], ["/overlay", "no-preference"]]
    .map(([path, reducedMotion]) => open(w, `${path}#${w.secret}`, undefined, { reducedMotion })));
  await overlay.evaluate(() => {
    const look = () => { window.wasShown ||= document.querySelector("#enlarged.shown") !== null; };
    new MutationObserver(look).observe(document.getElementById("enlarged"), { attributes: true });
    look();
  });
  // Begun anew, now that everybody looks and has what he asked for: the stream shows what is called while it is there.
  await Promise.all([judge, still].map(enlarged));
  const before = await judge.locator("#asks .replay").getAttribute("data-call");
  await beginAnew(w);
  const told = Promise.all([overlay, moving].map((page) => page.waitForFunction(() => {
    const call = document.querySelector("#call.shown");
    return call?.textContent && getComputedStyle(call).opacity === "1";
  })));
  const streamed = overlay.waitForFunction(() => window.wasShown && document.getElementById("enlarged").naturalWidth === 640);

  // One tap, and it is done with. The likeliest other area is offered first.
  const ask = judge.locator(".ask").first();
  await judge.locator(`#asks .replay:not([data-call="${before}"])`).waitFor();
  const offered = (await ask.locator(".buttons button").allInnerTexts()).slice(0, 3);
  await ask.locator(".player input").focus();
  for (const key of ["End", "Home"]) await judge.keyboard.press(key);
  await judge.waitForFunction(() => document.querySelector("#asks canvas").dataset.shown === "0");
  await judge.screenshot({ path: join(PICTURES, "judge-asked.png"), fullPage: true });
  await enlarged(judge);
  await forReadme(judge, "judge", [860, 900]);
  await ask.locator(".main").click();
  await judge.locator("#said", { hasText: "Confirm: done" }).waitFor();
  for (const [i, words] of [/^Confirm\b/, /^Overrule: it is 10\b/, /^It is /].entries()) assert.match(offered[i], words);

  // For the stream: the picture alone, and beside what is called. Where motion is not wanted nothing glides.
  await Promise.all([streamed, told]);
  for (const [page, glides] of [[overlay, false], [moving, true]]) {
    const seen = await page.evaluate(() => {
      const style = (e) => getComputedStyle(e), call = document.getElementById("call");
      call.className = "shown";
      const box = (e) => e.getBoundingClientRect();
      return { ground: style(document.body).backgroundColor, root: style(document.documentElement).backgroundColor,
        moves: [call, document.getElementById("enlarged")].map((e) => style(e).transitionDuration),
        apart: box(call).right <= box(document.getElementById("enlarged")).left };
    });
    assert.deepEqual([seen.ground, seen.root], ["rgba(0, 0, 0, 0)", "rgba(0, 0, 0, 0)"], "what is streamed is seen behind it");
    assert.ok(seen.moves.every((s) => (parseFloat(s) > 0) === glides), `${seen.moves} with ${glides ? "" : "no "}motion`);
    assert.ok(seen.apart, "the picture stands on the call");
  }
  await overlay.evaluate(() => { document.body.style.background = "#456"; });
  await overlay.screenshot({ path: join(PICTURES, "overlay-close.png") });
  await forReadme(overlay, "overlay", [900, 506]);

  // It can be looked at again: enlarged, and the shot, which goes by itself; where motion is not wanted it stands still.
  for (const page of [judge, still]) await page.locator("#again button").first().click();
  await judge.waitForFunction(() => document.querySelector("#again .enlarged")?.naturalWidth === 640);
  assert.match(await judge.locator("#again .enlarged").getAttribute("alt"), /enlarged.*close/);
  await judge.locator("#again .player button", { hasText: "Pause" }).waitFor();
  await judge.waitForFunction(() => Number(document.querySelector("#again canvas")?.dataset.shown) > 3);
  await still.waitForFunction(() => document.querySelector("#again canvas")?.dataset.shown > 0);
  assert.equal(await still.locator("#again .player button").innerText(), "Play");

  // Held, and moved through by the keyboard.
  await judge.locator("#again .player button").click();
  await judge.locator("#again .player input").focus();
  await judge.keyboard.press("Home");
  await judge.waitForFunction(() => document.querySelector("#again canvas").dataset.shown === "0");
  await judge.keyboard.press("ArrowRight");
  await judge.waitForFunction(() => document.querySelector("#again canvas").dataset.shown === "1");
  await judge.screenshot({ path: join(PICTURES, "judge-replay.png"), fullPage: true });

  // The shot has people in it: nobody else sees it.
  const { ringside, close: [call] } = await (await fetch(`${w.base}/api/close`)).json();
  assert.equal(ringside, 3);
  const name = `${call.shot}-${call.piece}`;
  assert.equal((await fetch(`${w.base}/api/close/${name}/0`)).status, 401);
  assert.equal((await fetch(`${w.base}/api/close/${name}/99999`, { headers: { Authorization: `Bearer ${w.secret}` } })).status, 404);
  for (const page of [judge, still, overlay, moving]) assert.deepEqual(page.complaints.filter((text) => !ended(text)), []);
  await w.end();
});

// Every match counts its shots and pieces from one; and a picture that does not come the first time is asked for again.
test("what is shown of a close call is this match's, and comes after a fault as well", async () => {
  const w = await watch();
  const judge = await open(w, `/judge#${w.secret}`);
  const other = Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAA=", "base64"); // one pixel: whatever was shown of the match before
  let asked = 0;
  await judge.route("**/close/*.jpg?*", (route) => (++asked === 1 ? route.fulfill({ status: 503, body: "" })
    : asked === 2 ? route.fulfill({ body: other, contentType: "image/gif" }) : route.continue()));
  await stands(w);
  await judge.waitForFunction(() => document.querySelector("#asks .enlarged")?.naturalWidth === 1);
  await judge.waitForFunction(() => document.querySelector("#asks canvas")?.dataset.shown > 0);

  await beginAnew(w);
  await enlarged(judge);
  assert.equal(asked, 3);
  assert.deepEqual(judge.complaints.filter((text) => !text.includes("503") && !ended(text)), []);
  await w.end();
});
