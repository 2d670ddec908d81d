// SPDX-License-Identifier: MIT
// judge.js: what a judge says.
import { clock, connect, listen, openCalls, state } from "./live.js";
import { drawBoard, drawCalls, drawScore, html, where } from "./draw.js";
import { takePieces, zonesFrom, zoneWords } from "./drag.js";
import { replayOf } from "./replay.js";
import { ask, takeSecret } from "./secret.js";

const CALLS_SHOWN = 60, CLOSE_KEPT = 6;
const at = (id) => document.getElementById(id);
let chosen = 0;

takeSecret();

function tell(words, bad) {
  at("said").textContent = words;
  at("said").classList.toggle("bad", Boolean(bad));
}

async function say(input, words) {
  tell(`${words} ...`);
  at("back").replaceChildren();
  try {
    const { input: number } = await ask("/api/input", input);
    tell(`${words}: done`);
    if (number) at("back").replaceChildren(button("Take that back", { what: "retract", input: number }, false, `${words}: taken back`));
    else if (input.what === "retract") at("back").replaceChildren(button("Say it after all", { what: "redo" }, false, words.replace(/taken back$/, "after all")));
  } catch (e) {
    tell(`${words}: ${e.message}`, true);
  }
}

function button(words, input, main, told = words) {
  const b = html("button", main ? { class: "main", type: "button" } : { type: "button" }, words);
  b.addEventListener("click", () => say(input, told));
  return b;
}

// What can be said of a close call; of the areas first the one beyond the line: outside of it for a piece that lies within.
function answers(call) {
  const words = zoneWords(), likely = words.indexOf(call.zone) + (call.margin_in > 0 ? 1 : -1);
  const away = (z) => Math.abs(words.indexOf(z) - likely);
  const zones = call.piece ? words.filter((z) => z !== call.zone).sort((a, b) => away(a) - away(b)) : [];
  return html("div", { class: "buttons" },
    button("Confirm", { what: "confirm", shot: call.shot }, true),
    button("Overrule", { what: "overrule", shot: call.shot, text: call.rule }),
    ...zones.map((z) => button(`It is ${z}`, { what: "zone", shot: call.shot, piece: call.piece, text: z })));
}

// Whoever moves through a shot keeps his place: what is as it was stays.
let asked = "";
function drawAsks() {
  const open = openCalls(), now = open.map((c) => `${c.shot}-${c.piece} ${c.text}`).join("\n");
  if (now !== asked)
    at("asks").replaceChildren(...open.map((call) =>
      html("div", { class: "ask" }, html("p", {}, call.text), answers(call), replayOf(call))));
  asked = now;
  drawBefore();
}

// Close calls that were decided, or stand because nobody did, to be looked at again.
let again = "", before = "";
function drawBefore() {
  const open = openCalls();
  const calls = state.calls.filter((c) => c.verdict === "close" && c.piece && !c.change && !open.includes(c)).slice(0, CLOSE_KEPT);
  const now = [again, ...calls.map((c) => `${c.shot}-${c.piece} ${c.text}`)].join("\n");
  if (now === before) return;
  before = now;
  at("before").classList.toggle("hidden", calls.length === 0);
  at("again").replaceChildren(...calls.map((call) => {
    const name = `${call.shot}-${call.piece}`, shown = name === again;
    const b = html("button", { type: "button", "aria-expanded": shown }, `${clock(call.t_s)} ${call.text}`);
    b.addEventListener("click", () => { again = shown ? "" : name; drawBefore(); });
    return html("div", { class: "again" }, b, ...(shown ? [replayOf(call), answers(call)] : []));
  }));
}

// While a piece is in somebody's hand it stays there; who is on one with the keyboard stays on it.
function redrawBoard() {
  const focused = document.activeElement?.closest(".piece")?.dataset.id;
  if (isHeld()) return;
  drawBoard(at("board"), choose, chosen);
  if (focused) at("board").querySelector(`.piece[data-id="${focused}"]`)?.focus({ preventScroll: true });
}

function offerZones(piece, words, zones) {
  chosen = piece.id;
  const shot = state.shot?.shot ?? 0;
  at("piece").classList.remove("hidden");
  at("piece-name").textContent = `${piece.colour} ${piece.kind} ${piece.id} ${words}`;
  at("zones").replaceChildren(...zones.map((z) => button(z, { what: "zone", shot, piece: piece.id, text: z })));
  redrawBoard();
}

function choose(piece) {
  if (chosen !== piece.id) {
    offerZones(piece, "lies in", zonesFrom({ x: piece.x_in, y: piece.y_in }, piece.radius_in).words);
    return;
  }
  chosen = 0;
  at("piece").classList.add("hidden");
  redrawBoard();
}

// Clear of a line it is plain what is meant; on one, which side of it.
const isHeld = takePieces(at("board"), (piece, place) => {
  const { words, onLine } = zonesFrom(place, piece.radius_in);
  if (onLine) {
    offerZones(piece, "was put on a line: which is it?", words);
    at("zones").querySelector("button").focus();
  } else {
    redrawBoard();
    say({ what: "zone", shot: state.shot?.shot ?? 0, piece: piece.id, text: words[0] }, `${piece.colour} ${piece.kind} ${piece.id} is ${words[0]}`);
  }
});

// What is offered in a word, as the referee wants to hear it: of which side.
function meant(offer) {
  const { sides, to_shoot: now } = state.standing ?? { sides: [] };
  const other = sides.find((s) => s.name !== now) ?? sides[0];
  if (offer.what === "turn") return { what: "turn", side: other?.name ?? "" };
  if (offer.what === "side") return { what: "side", side: sides[1]?.name ?? "", text: sides[0]?.colour ?? "" };
  return { what: offer.what };
}

function drawOffers() {
  at("words").replaceChildren(...(state.offers ?? []).map((o) => {
    const b = html("button", { type: "button" }, o.help);
    b.addEventListener("click", () => say(meant(o), o.help));
    b.append(html("span", { class: "aside" }, `, key ${o.key}`));
    b.title = `key ${o.key}`;
    return b;
  }));
}

at("set").addEventListener("submit", (e) => {
  e.preventDefault();
  say({ what: at("what").value, side: at("side").value, value: [Number(at("value").value), 0] },
    `${at("side").value}: ${at("what").selectedOptions[0].textContent} ${at("value").value}`);
});

// Keys as on the terminal; not while something is typed.
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey || /INPUT|SELECT/.test(document.activeElement?.tagName ?? "")) return;
  const offer = (state.offers ?? []).find((o) => o.key === e.key);
  if (offer) say(meant(offer), offer.help);
});

listen((parts) => {
  if (["board", "pieces", "paths"].some((part) => parts.includes(part))) redrawBoard();
  if (parts.includes("standing")) {
    const sides = (state.standing?.sides ?? []).map((s) => s.name), before = at("side").value;
    drawScore(at("score"));
    at("side").replaceChildren(...sides.map((s) => html("option", {}, s)));
    if (sides.includes(before)) at("side").value = before;
  }
  if (parts.includes("offers")) drawOffers();
  if (parts.includes("calls")) drawCalls(at("calls"), CALLS_SHOWN);
  if (parts.includes("calls") || parts.includes("standing")) drawAsks();
  at("where").textContent = where();
  at("camera").textContent = state.camera?.words ?? "";
  at("camera").classList.toggle("hidden", !state.camera?.words);
});
connect((on) => { at("link").textContent = on ? "live" : "no connection: trying again"; });
