// SPDX-License-Identifier: MIT
// judge.js: what a judge says. The secret stands behind '#', which no browser sends, and is kept for this tab alone.
import { clock, connect, listen, openCalls, state } from "./live.js";
import { drawBoard, drawCalls, drawScore, html, where } from "./draw.js";
import { replayOf } from "./replay.js";

const CALLS_SHOWN = 60, CLOSE_KEPT = 6;
const at = (id) => document.getElementById(id);
let chosen = 0;

if (location.hash.length > 1) {
  sessionStorage.setItem("secret", location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
}

function askForSecret(wanted) {
  at("enter").classList.toggle("hidden", !wanted);
  if (wanted) at("secret").focus();
}
askForSecret(!sessionStorage.getItem("secret"));
at("enter").addEventListener("submit", (e) => {
  e.preventDefault();
  sessionStorage.setItem("secret", at("secret").value.trim());
  askForSecret(false);
});

function tell(words, bad) {
  at("said").textContent = words;
  at("said").classList.toggle("bad", Boolean(bad));
}

async function say(input, words) {
  tell(`${words} ...`);
  try {
    const answer = await fetch("/api/input", { method: "POST", body: JSON.stringify(input),
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${sessionStorage.getItem("secret") ?? ""}` } });
    const said = await answer.json();
    if (answer.ok) tell(`${words}: done`);
    else tell(`${words}: ${said.error}`, true);
    if (answer.status === 401) askForSecret(true);
  } catch {
    tell(`${words}: no connection; say it again`, true);
  }
}

function button(words, input, main) {
  const b = html("button", main ? { class: "main", type: "button" } : { type: "button" }, words);
  b.addEventListener("click", () => say(input, words));
  return b;
}

function zoneWords() {
  const b = state.board;
  if (!b) return [];
  return b.kind === "ring" ? ["in", "out"] : [...(b.hole_in > 0 ? [String(b.hole_points)] : []), ...b.points.map(String).reverse(), "ditch"];
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

function choose(piece) {
  chosen = chosen === piece.id ? 0 : piece.id;
  const shot = state.shot?.shot ?? 0;
  at("piece").classList.toggle("hidden", chosen === 0);
  at("piece-name").textContent = `${piece.colour} ${piece.kind} ${piece.id} lies in`;
  at("zones").replaceChildren(...zoneWords().map((z) => button(z, { what: "zone", shot, piece: piece.id, text: z })));
  drawBoard(at("board"), choose, chosen);
}

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
  if (parts.includes("board") || parts.includes("pieces")) drawBoard(at("board"), choose, chosen);
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
