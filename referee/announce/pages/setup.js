// SPDX-License-Identifier: MIT
// setup.js: the camera's picture with the board's lines in it, how good that is, and who plays what how.
import { ask, at, connect, hasSecret, listen, state, takeSecret } from "./live.js";
import { drawHead, drawLink, html, svg } from "./draw.js";

const ASK_EVERY_MS = 1000;
const GRADES = { A: "Very good", B: "Good", C: "Usable", D: "Poor", F: "Not good enough to call" };
const SIDES = [0, 1];
let now = null;      // what the referee says of the set-up
let changes = 0;     // made in the form; what is changed while the referee still answers is not said yet
let taken = 0;       // of them, by the referee
let pictured = "";

function tell(where, words, bad) {
  at(where).textContent = words;
  at(where).classList.toggle("bad", Boolean(bad));
}

// What people may not lose while they write: options are only put in where they differ.
function offer(select, options) {
  const text = JSON.stringify(options);
  if (select.dataset.options === text) return;
  const before = select.value;
  select.dataset.options = text;
  select.replaceChildren(...options.map(([value, words]) => html("option", { value }, words)));
  if (options.some(([value]) => value === before)) select.value = before;
}

function drawView() {
  const { camera, view } = now;
  at("view").style.aspectRatio = `${camera.width} / ${camera.height}`;
  // The centre of the first pixel is 0, 0.
  at("lines").setAttribute("viewBox", `-0.5 -0.5 ${camera.width} ${camera.height}`);
  at("lines").setAttribute("aria-label", view ? `the lines of the board, ${view.lines.length} of them, drawn where they are found` : "no board is found yet");
  const drawn = view && at("show").checked ? view.lines.map((line) => line.map(([u, v]) => `${u},${v}`).join(" ")) : [];
  at("lines").replaceChildren(...["halo", "line"].flatMap((name) => drawn.map((points) => svg("polyline", { class: name, points }))));
}

function drawQuality() {
  const { view, camera } = now, grade = view?.refused ? "F" : view?.grade;
  at("grade").textContent = view ? grade : "?";
  at("grade").className = !view ? "none" : "CDF".includes(grade) ? "poor" : "";
  at("means").textContent = !view ? (state.camera?.words || "No board is found yet. The whole board in the picture, filling half of it or more; even light; the camera firm.")
    : view.refused || `${GRADES[grade]}: of the pieces within their own width of a line, ${Math.round(100 * view.close_share)} % would be called close.`;
  at("better").replaceChildren(...[...(view?.limits ?? []), ...(view?.advice ?? [])].map((words) => html("li", {}, words)));
  at("fits").textContent = view ? `${Math.round(view.tilt_deg)} degrees off the vertical, ${view.px_per_in.toFixed(0)} px an inch, a piece is ${view.piece_px.toFixed(0)} px wide` : "";
  const kept = [camera.lens_kept && "lens", camera.board_kept && "board", camera.hint_kept && "hint"].filter(Boolean);
  at("kept").textContent = (view ? `${view.words}. ` : "") +
    (kept.length ? `Kept for this camera: ${kept.join(", ")}.` : "No lens and no board is kept for this camera: the lines themselves tell.");
}

function drawCamera() {
  const { camera, cameras } = now;
  at("mode").textContent = `Now: ${camera.name}${camera.mode ? `, ${camera.mode}` : ""}, ${camera.width} x ${camera.height}`;
  offer(at("which"), [...(cameras.some((c) => c.device === camera.device) ? [] : [["", `${camera.name} (as it is)`]]),
    ...cameras.map((c) => [c.device, c.why ? `${c.name}: ${c.why}` : `${c.name}, ${c.plug}`])]);
  if (!at("which").dataset.chosen) at("which").value = camera.device;
  const modes = cameras.find((c) => c.device === at("which").value)?.modes ?? [];
  offer(at("modes"), [["", "the best for the board"], ...modes.map((m) =>
    [JSON.stringify({ size: [m.width, m.height], ...(m.rate >= 1 ? { rate: m.rate } : {}) }), `${m.width} x ${m.height} ${m.format}, ${m.rate.toFixed(0)} a second`])]);
  at("modes").disabled = modes.length === 0;
  at("take").disabled = !at("which").value;
  if (now.refused) tell("source-said", now.refused, true);
}

function formatWords(f) {
  return [f.name, f.players > 1 ? "doubles" : "singles", f.pieces_each && `${f.pieces_each} pieces each`, f.rounds && `${f.rounds} rounds`,
    f.target && `to ${f.target}`].filter(Boolean).join(", ");
}

function makeSides() {
  at("sides").replaceChildren(...SIDES.map((i) => html("fieldset", {}, html("legend", {}, i ? "Second side" : "First side"),
    html("label", {}, "Name", html("input", { id: `name${i}`, maxlength: "24", autocomplete: "off" })),
    html("label", { class: "hidden" }, "Its players", html("input", { id: `players${i}`, maxlength: "60", autocomplete: "off", placeholder: "Ann, Bo" })),
    html("label", {}, "Plays", html("select", { id: `colour${i}` })),
    html("button", { type: "button", id: `down${i}`, class: "hidden" }, ""))));
  SIDES.forEach((i) => at(`down${i}`).addEventListener("click", () => {
    const side = now.match.sides[i].name || now.match.sides[i].colour;
    say("/api/input", { what: "side", side }, `the piece put down last is ${side}'s`);
  }));
}

function colours() {
  const seen = (state.pieces?.list ?? []).map((p) => p.colour), agreed = now.match.sides.map((s) => s.colour);
  return [...new Set([...seen, ...agreed, ...Object.keys(state.board?.paints ?? {})])].filter((c) => c && c !== "unknown");
}

// As it is chosen, which may be another than is played; nothing before somebody has chosen one.
function gameNow() {
  return now.games.find((g) => g.name === at("game").value);
}

function fillMatch() {
  const { match } = now;
  at("game").value = now.game ?? "";
  SIDES.forEach((i) => {
    at(`name${i}`).value = match.sides[i]?.name ?? "";
    at(`players${i}`).value = (match.sides[i]?.players ?? []).join(", ");
    at(`colour${i}`).value = match.sides[i]?.colour ?? "";
  });
  at("format").value = match.format.name;
  at("first").value = String(match.first);
  at("judge").checked = match.judge;
}

function drawMatch() {
  const { match, begun, shots } = now, two = begun && match.sides.length === 2, chosen = changes > taken;
  offer(at("game"), [...(now.game ? [] : [["", "choose the game"]]), ...now.games.map((g) => [g.name, g.title])]);
  if (!chosen) at("game").value = now.game ?? "";
  const game = gameNow(), formats = game?.formats ?? [], other = game?.name !== now.game;
  const named = other || formats.some((f) => f.name === match.format.name);
  for (const part of document.querySelectorAll(".of-game")) part.classList.toggle("hidden", !game);
  offer(at("format"), [...(named ? [] : [[match.format.name, `${match.format.name || "as agreed"} (from the match file)`]]), ...formats.map((f) => [f.name, formatWords(f)])]);
  SIDES.forEach((i) => offer(at(`colour${i}`), [["", "whichever it plays"], ...colours().map((c) => [c, c])]));
  if (!chosen) fillMatch();
  offer(at("first"), [["-1", "whoever does"], ...SIDES.map((i) => [String(i), at(`name${i}`).value.trim() || (i ? "the second side" : "the first side")])]);
  if (!chosen) at("first").value = String(match.first);
  SIDES.forEach((i) => {
    at(`players${i}`).parentElement.classList.toggle("hidden", !showsPlayers(i));
    const name = match.sides[i]?.name;
    at(`down${i}`).classList.toggle("hidden", !two || !name);
    at(`down${i}`).textContent = `The piece put down last is ${name}'s`;
  });
  at("permits").classList.toggle("hidden", !game?.judge_permits);
  at("rename").classList.toggle("hidden", !two || other);
  at("begin").disabled = !game;
  at("begin").textContent = !now.game ? "Play it" : !begun ? "Take it for the match" : shots > 0 ? `End this match after ${shots} shot${shots > 1 ? "s" : ""}, begin a new one` : "Begin the match";
}

// In singles the side's name is the player's, but where a match file names the one who plays besides.
function showsPlayers(i) {
  const each = (gameNow()?.formats.find((f) => f.name === at("format").value) ?? now.match.format).players;
  const named = now.match.sides[i]?.players.length ?? 0;
  return each > 1 || (named > 0 && named <= each);
}

function draw() {
  if (!now) return;
  drawView();
  drawQuality();
  drawCamera();
  drawMatch();
}

async function say(url, what, words, where = "said") {
  tell(where, `${words} ...`);
  try {
    await ask(url, what);
    tell(where, `${words}: done`);
    return true;
  } catch (e) {
    tell(where, `${words}: ${e.message}`, true);
    return false;
  }
}

// What is hidden is not said: players of doubles, where singles are chosen.
function sides() {
  return SIDES.map((i) => ({ name: at(`name${i}`).value.trim(), colour: at(`colour${i}`).value,
    players: showsPlayers(i) ? at(`players${i}`).value.split(",").map((p) => p.trim()).filter(Boolean) : [] }));
}

at("match").addEventListener("input", () => { changes++; draw(); });
at("match").addEventListener("submit", async (e) => {
  e.preventDefault();
  const game = gameNow(), known = game.formats.some((f) => f.name === at("format").value);
  const match = { format: known ? at("format").value : now.match.format, first: Number(at("first").value),
    judge: game.judge_permits && at("judge").checked };
  match.sides = sides().some((s) => s.name || s.colour) ? sides() : [];
  if (match.sides.length === 0) match.first = -1;
  const mine = changes;
  const words = game.name !== now.game ? game.title : now.begun ? "a new match" : "the match";
  if (await say("/api/setup", { game: game.name, match, anew: now.shots > 0 }, words)) taken = mine;
});

// A match goes on: each change is a word of the judge's.
at("rename").addEventListener("click", async () => {
  const mine = changes;
  for (const [i, side] of sides().entries()) {
    const was = now.match.sides[i], called = was.name || was.colour;
    if (side.colour && side.colour !== was.colour &&
        !(await say("/api/input", { what: "side", side: called, text: side.colour }, `${called} plays ${side.colour}`))) return;
    if (side.name && side.name !== was.name &&
        !(await say("/api/input", { what: "name", side: called, text: side.name }, `${called} is called ${side.name}`))) return;
    now = await ask("/api/setup"); // two that play each other's colour have changed both
  }
  taken = mine;
  draw();
});

at("which").addEventListener("change", () => { at("which").dataset.chosen = "yes"; draw(); });
at("source").addEventListener("submit", async (e) => {
  e.preventDefault();
  const wish = { camera: at("which").value, ...JSON.parse(at("modes").value || "{}") };
  if (await say("/api/setup", wish, "the camera", "source-said")) delete at("which").dataset.chosen;
});
at("show").addEventListener("change", draw);

async function askAgain() {
  if (hasSecret() && !document.hidden)
    try {
      now = await ask("/api/setup");
      draw();
    } catch { /* the page says so itself: no connection, or it asks for the secret */ }
  setTimeout(askAgain, ASK_EVERY_MS);
}

listen(drawHead);
const showCamera = () => { at("picture").src = `/camera?${Date.now()}`; };
// A picture that breaks off, or is refused while too many look, is asked for again.
at("picture").addEventListener("error", () => setTimeout(() => { if (pictured === "live") showCamera(); }, ASK_EVERY_MS));
connect((on) => {
  drawLink(on);
  if (on && pictured !== "live") showCamera();
  pictured = on ? "live" : "";
});
makeSides();
takeSecret();
askAgain();
