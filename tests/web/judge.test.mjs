// SPDX-License-Identifier: MIT
// What a judge says, in a real browser: anything, taken back and counted again, by several judges at once; where nothing else changes
// how it stands, at the sample game's close call or in a pause.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { PICTURES, axe, goOn, open, say, stands, stateOf, until, watch } from "./browser.mjs";

const standing = async (w) => (await stateOf(w)).standing;
const done = (page, words) => page.locator("#said", { hasText: words }).and(page.locator("#said", { hasText: ": done" })).waitFor();

// The match runs and has calls; from now on it does not.
async function pause(page) {
  await page.locator("#calls .small").first().waitFor();
  await page.keyboard.press("z");
  await done(page, "pause");
  await page.locator("#pause", { hasText: "Paused" }).waitFor();
}

async function tabTo(page, selector, most = 40) {
  for (let i = 0; i < most; i++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((s) => document.activeElement.matches(s), selector)) return;
  }
  assert.fail(`${selector} is not reached by ${most} times Tab`);
}

async function fits(page, name) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"] }));
  assert.deepEqual(violations.map((v) => `${name}: ${v.id} ${v.nodes[0].html}`), []);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(over <= 0, `${name} is ${over} px too wide`);
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}

test("whatever was said is taken back and counts again, after a reload and by another judge", async () => {
  const w = await watch();
  const judge = await open(w, `/judge#${w.secret}`), other = await open(w, `/judge#${w.secret}`, [360, 740]);
  await pause(judge);
  const [first, second] = (await standing(w)).sides, before = first.twenties;
  const twenties = async () => (await standing(w)).sides.map((s) => s.twenties - before);

  // A twenty given, and the key w, which gives it to who shot last.
  await judge.locator("#twenties button", { hasText: `20 for ${first.name}` }).click();
  await done(judge, `20 for ${first.name}`);
  assert.deepEqual(await twenties(), [1, second.twenties - before]);
  await judge.locator("#said").focus();
  await judge.keyboard.press("w");
  await done(judge, "one more 20");
  const given = await twenties();
  assert.equal(given[0] + given[1], 2 + second.twenties - before);

  // Each is listed; the other judge takes the first back, by its number and not the last one.
  const row = (page, words) => page.locator("#heard li", { hasText: words }).last();
  const words = `twenty, ${first.name}`;
  await row(other, words).locator("button", { hasText: "Take back" }).click();
  await done(other, `${words}: taken back`);
  assert.equal((await twenties())[0], given[0] - 1);
  await judge.reload();
  await row(judge, words).and(judge.locator(".withdrawn")).waitFor();
  await row(judge, words).locator("button", { hasText: "Count again" }).click();
  await done(judge, `${words}: counts again`);
  assert.deepEqual(await twenties(), given);
  await row(other, words).locator("button", { hasText: "Take back" }).waitFor();

  // Two at once: one is told that it is done already, and nothing is taken back twice.
  const { said } = await stateOf(w);
  const number = said.findLast((o) => o.words === words).input;
  const answers = await Promise.all([1, 2].map(() => say(w, { what: "retract", input: number })));
  assert.deepEqual(answers.map((a) => a.status).sort(), [200, 422]);
  assert.equal((await twenties())[0], given[0] - 1);

  // Round and turn are set, each with what it needs, and taken back by the button that comes with the answer.
  await judge.locator("#what").selectOption("round");
  assert.ok(await judge.locator("#side").isHidden());
  const { round, to_shoot } = await standing(w);
  await judge.locator("#value").fill("3");
  await judge.locator("#set button").click();
  await done(judge, "round 3");
  assert.equal((await standing(w)).round, 3);
  await judge.locator("#back button", { hasText: "Take that back" }).click();
  await done(judge, "round 3: taken back");
  assert.equal((await standing(w)).round, round);
  await judge.locator("#what").selectOption("turn");
  assert.ok(await judge.locator("#value").isHidden());
  const next = [first, second].find((s) => s.name !== to_shoot).name;
  await judge.locator("#side").selectOption(next);
  await judge.locator("#set button").click();
  await done(judge, `${next} turn`);
  assert.equal((await standing(w)).to_shoot, next);

  for (const page of [judge, other]) assert.deepEqual(page.complaints, []);
  await w.end();
});

test("any call can be overruled, and fouls are said by name", async () => {
  const w = await watch();
  const judge = await open(w, `/judge#${w.secret}`, [1280, 800], { colorScheme: "dark" });
  await judge.locator(".ask").first().waitFor();

  // A firm call of where a disc lies: what it would be instead.
  const state = await stateOf(w);
  const [lies, made] = [(c) => c.piece && c.zone && c.verdict === "firm", (c) => c.what === "total"].map((is) => state.calls.findLast((c) => c.event === "call" && is(c)));
  const rowOf = (call) => judge.locator("#calls li:not(.withdrawn)", { hasText: call.text.replace(/ +/g, " ") });
  await rowOf(lies).locator(".small").click();
  const instead = judge.locator("#calls .instead button");
  const zone = (await instead.first().innerText()).replace("It is ", "");
  await fits(judge, "judge-overrule");
  await instead.first().click();
  await done(judge, `It is ${zone} in shot`);
  await judge.locator("#calls .withdrawn", { hasText: lies.text.replace(/ +/g, " ") }).waitFor();

  // And one by its rule.
  await judge.locator("#calls li:not(.withdrawn)", { hasText: "on the board" }).locator(".small").first().click();
  await instead.filter({ hasText: `Overrule ${made.rule}` }).click();
  await done(judge, `Overrule ${made.rule} in shot`);

  // A foul for one of the reasons that this game knows, and one in other words.
  assert.equal(await judge.locator("#foul option", { hasText: "hunching" }).count(), 0);
  await judge.locator("#foul").selectOption({ label: "chair or board moved" });
  await judge.locator("#fouls button").click();
  await done(judge, "chair or board moved");
  await judge.locator("#calls li", { hasText: "chair or board moved" }).first().waitFor();
  await judge.locator("#foul").selectOption({ label: "another foul" });
  await judge.locator("#reason").fill("sang too loud");
  await judge.locator("#reason").press("Enter");
  await done(judge, "another foul");
  await judge.locator("#heard li", { hasText: "foul sang too loud" }).waitFor();
  assert.deepEqual(judge.complaints, []);
  await w.end();
});

test("a close call is decided by the keyboard alone: confirmed with Tab and Enter, taken back, and overruled with v", async () => {
  const w = await watch();
  const judge = await open(w, `/judge#${w.secret}`);
  await judge.locator(".ask").first().waitFor();
  await judge.keyboard.press("z"); // or the sample game would go on once it is decided, and have other calls
  await done(judge, "pause");
  await tabTo(judge, ".ask .main");
  await judge.keyboard.press("Enter");
  await done(judge, "Confirm");
  await judge.locator(".ask").first().waitFor({ state: "detached" });
  await tabTo(judge, "#back button");
  await judge.keyboard.press("Enter");
  await done(judge, "Confirm: taken back");

  await judge.locator(".ask").first().waitFor();
  const asked = await judge.locator(".ask p").first().innerText();
  await judge.keyboard.press("v");
  await done(judge, "overrule");
  await judge.locator("#calls .withdrawn", { hasText: asked }).first().waitFor();
  await judge.locator(".ask").first().waitFor({ state: "detached" });
  await judge.keyboard.press("v");
  await judge.locator("#said.bad", { hasText: "No close call is open." }).waitFor();
  assert.deepEqual(judge.complaints, []);
  await w.end();
});

test("in a pause every page says so, nothing is called, and play goes on behind it", async () => {
  const w = await watch();
  const [judge, dark, phone, night] = await Promise.all([open(w, `/judge#${w.secret}`), open(w, `/judge#${w.secret}`, [1280, 800], { colorScheme: "dark" }),
    open(w, `/judge#${w.secret}`, [360, 740]), open(w, `/judge#${w.secret}`, [360, 740], { colorScheme: "dark" })]);
  const board = await open(w, "/", [360, 740]), overlay = await open(w, "/overlay");
  await stands(w);
  await pause(judge);
  for (const page of [dark, phone, night, board, overlay]) await page.locator("#paused", { hasText: "Paused" }).waitFor();
  await fits(dark, "judge-paused-dark");
  await fits(phone, "judge-paused-360");
  await fits(night, "judge-paused-360-dark");
  await fits(judge, "judge-paused");
  await fits(board, "board-paused-360");
  await overlay.screenshot({ path: join(PICTURES, "overlay-paused.png") });

  // The film is shown on, and shots are made in it, one ended before the next: so many pieces come to rest. None is called.
  const called = async () => (await (await fetch(`${w.base}/api/calls`)).json()).calls.filter((c) => c.event === "call").length;
  const rest = board.evaluate(() => new Promise((done) => {
    const moving = new Set(), events = new EventSource("/api/events");
    let rested = 0;
    const look = (e) => {
      const told = JSON.parse(e.data);
      for (const p of (told.moved ?? told.pieces)?.list ?? []) {
        if (p.moving) moving.add(p.id);
        else if (moving.delete(p.id)) rested++;
      }
      if (rested > 4) { events.close(); done(); }
    };
    events.onmessage = look;
    events.addEventListener("state", look);
  }));
  await goOn(w);
  const before = await called(); // with what was called of that word
  await rest;
  assert.equal(await called(), before);

  await phone.locator("#go-on").click();
  await done(phone, "play goes on");
  for (const page of [judge, dark, board, overlay]) await page.locator("#paused").waitFor({ state: "hidden" });
  await until(async () => await called() >= before + 2);
  for (const page of [judge, dark, phone, night, board, overlay]) assert.deepEqual(page.complaints, []);
  await w.end();
});

// A place of the board in inches, as a point of the page.
const pointOf = (page, x, y) => page.evaluate(([u, v]) => {
  const to = document.querySelector("#board svg").getScreenCTM(), at = new DOMPoint(u, -v).matrixTransform(to);
  return [at.x, at.y];
}, [x, y]);

test("a disc that the camera missed is put on, counts, and is taken off; one that is not there is taken off, and each is taken back", async () => {
  const w = await watch(); // where no picture comes, either
  const judge = await open(w, `/judge#${w.secret}`), board = await open(w, "/"), phone = await open(w, `/judge#${w.secret}`, [360, 740], { colorScheme: "dark" });
  await judge.locator(".ask canvas[data-shown]").waitFor(); // nothing moves on the page any more
  const pieces = async () => (await stateOf(w)).pieces.list;
  const [side] = (await standing(w)).sides;
  const total = async () => {
    const { text } = (await stateOf(w)).calls.findLast((c) => c.what === "total" && c.change !== "withdrawn");
    return Number(text.match(`${side.name} (\\d+)`)[1]);
  };
  const before = { points: await total(), list: await pieces() };

  // A place of the 10 where no disc of the film ever lies, pointed at: the camera shows no piece there, all the pages do.
  const free = [5.2, -3];
  await judge.mouse.click(...await pointOf(judge, ...free));
  await judge.locator("#place").waitFor();
  await judge.locator(".spot").waitFor();
  const inSight = (id) => judge.evaluate((name) => {
    const { top, bottom } = document.getElementById(name).getBoundingClientRect();
    return top >= -1 && bottom <= window.innerHeight + 1;
  }, id);
  assert.ok(await inSight("place"), "what may be put on is out of sight");
  await fits(judge, "judge-put-on");
  await judge.locator("#puts button", { hasText: `${side.name}: 10` }).click();
  await done(judge, `${side.name}: 10 put on`);
  assert.ok(await judge.locator("#place").isHidden());
  await until(async () => (await pieces()).some((p) => p.put_on));
  assert.equal(await total(), before.points + 10);
  for (const page of [judge, board, phone]) await page.locator(".piece.put-on").waitFor();
  const put = (await pieces()).find((p) => p.put_on);
  assert.ok(Math.hypot(put.x_in - free[0], put.y_in - free[1]) < 0.2 && put.zone === "10" && put.verdict === "firm", JSON.stringify(put));
  await fits(phone, "judge-put-on-360-dark");
  await judge.locator("#calls li", { hasText: "by the judge's word" }).first().waitFor();
  await judge.locator("#heard li", { hasText: `put-on 10, ${side.name}` }).waitFor();

  // Taken off on the telephone, chosen there by a tap beside it; and that is taken back.
  await phone.evaluate(() => document.querySelector("#board").scrollIntoView({ block: "center" }));
  const [x, y] = await pointOf(phone, put.x_in, put.y_in);
  await phone.mouse.click(x + 10, y);
  await phone.locator("#piece-name", { hasText: "put on" }).waitFor();
  assert.equal(await phone.locator("#zones button").count(), 1);
  await phone.locator("#zones .off").click();
  await done(phone, "taken off");
  await until(async () => !(await pieces()).some((p) => p.put_on));
  assert.equal(await total(), before.points);
  await phone.locator("#back button").click();
  await phone.locator(".piece.put-on").waitFor();

  // What the camera sees and is not there, from the keyboard.
  const seen = before.list.find((p) => p.zone && p.zone !== "ditch");
  await judge.locator(`.piece[data-id="${seen.id}"]`).focus();
  await judge.keyboard.press("Enter");
  await judge.locator("#zones .off").click();
  await done(judge, "taken off");
  await until(async () => !(await pieces()).some((p) => p.id === seen.id));
  for (const page of [judge, board]) await page.locator(`.piece[data-id="${seen.id}"]`).waitFor({ state: "detached" });
  assert.ok(await judge.locator("#piece").isHidden());
  await judge.locator("#back button").click();
  await judge.locator(`.piece[data-id="${seen.id}"]`).waitFor();

  // By the keyboard alone: the place is moved with the arrow keys; on a line each side has two areas.
  await judge.locator("#put").focus();
  await judge.keyboard.press("Enter");
  await judge.waitForFunction(() => document.activeElement.matches(".spot"));
  for (let i = 0; i < 2; i++) await judge.keyboard.press("Shift+ArrowUp");
  await judge.keyboard.press("ArrowLeft");
  await judge.waitForFunction(() => document.activeElement.matches(".spot") && document.querySelector(".spot circle").getAttribute("cy") === "-8");
  assert.deepEqual((await judge.locator("#puts button").allInnerTexts()).slice(0, 2).map((t) => t.split(": ")[1]).sort(), ["10", "5"]);
  await tabTo(judge, "#puts button", 80);
  await judge.locator("#put-none").click();
  assert.ok(await judge.locator("#place").isHidden());
  assert.equal(await judge.locator(".spot").count(), 0);
  for (const page of [judge, board, phone]) assert.deepEqual(page.complaints, []);
  await w.end();
});

test("in a ring the judge allows the shot, hears slips, and says fouls by their names", async () => {
  const clip = "samples/clips/marbles_match";
  const w = await watch({ camera: ["--game", "american-marbles", "--camera", `${clip}.mp4`, "--match", `${clip}.match.json`, "--judge", "--no-book"] });
  const judge = await open(w, `/judge#${w.secret}`, [360, 740]);
  await judge.locator("#words button", { hasText: "permission to shoot" }).waitFor();
  await judge.waitForFunction(() => document.querySelectorAll("#score tbody tr").length === 2);
  await judge.locator("#words button", { hasText: "permission to shoot" }).click();
  await done(judge, "permission to shoot");
  await judge.locator("#heard li", { hasText: "permit" }).waitFor();
  assert.equal(await judge.locator("#twenties button").count(), 0);
  assert.ok(await judge.locator("#what option[value=twenty]").isDisabled());

  await until(async () => (await stateOf(w)).shot);
  await judge.keyboard.press("z");
  await done(judge, "pause");
  await judge.locator("#words button", { hasText: "slips" }).click();
  await done(judge, "slips");
  await judge.locator("#heard li", { hasText: "slips" }).locator("button", { hasText: "Take back" }).click();
  await done(judge, "taken back");
  await judge.locator("#foul").selectOption({ label: "hunching" });
  assert.ok(await judge.locator("#offender").isHidden());
  await judge.locator("#fouls button").click();
  await done(judge, "hunching");
  const [side] = (await standing(w)).sides;
  await judge.locator("#foul").selectOption({ label: "coaching" });
  await judge.locator("#offender").selectOption(side.name);
  await judge.locator("#fouls button").click();
  await done(judge, `${side.name}: coaching`);
  await judge.locator("#calls li", { hasText: `warning to ${side.name}` }).waitFor();
  await fits(judge, "judge-ring-360");
  assert.deepEqual(judge.complaints, []);
  await w.end();
});
