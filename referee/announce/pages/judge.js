// SPDX-License-Identifier: MIT
// judge.js: what a judge says.
import { ask, at, clock, connect, listen, openCalls, state, takeSecret } from "./live.js";
import { drawBoard, drawCalls, drawHead, drawLink, drawPause, drawScore, html, nameOf } from "./draw.js";
import { drawPlace, lacksColour, putsOn, takePieces, takePlaces, zonesFrom, zoneWords } from "./place.js";
import { callName, replayOf } from "./replay.js";

const CALLS_SHOWN = 60, CLOSE_KEPT = 6;
let chosen = 0, place = null; // a piece, or where one is to be put on

takeSecret();

function tell(words, bad) {
  at("said").textContent = words;
  at("said").classList.toggle("bad", Boolean(bad));
}

// What took it back is taken back, unless somebody has done that.
function afterAll(input) {
  const by = state.said?.find((o) => o.input === input)?.retracted_by;
  return by ? { what: "retract", input: by } : null;
}

// Of several judges each says what he means: a retraction names what it is about, so that nobody takes back another's word.
async function say(input, words) {
  at("back").replaceChildren();
  if (!input) {
    tell(`${words}: it counts already`);
    return;
  }
  tell(`${words} ...`);
  try {
    const { input: number } = await ask("/api/input", input);
    tell(`${words}: done`);
    if (number && input.what !== "pause" && input.what !== "resume") at("back").replaceChildren(button("Take that back", { what: "retract", input: number }, { told: `${words}: taken back` }));
    else if (input.what === "retract") at("back").replaceChildren(button("Say it after all", () => afterAll(input.input), { told: words.replace(/taken back$/, "after all") }));
  } catch (e) {
    tell(`${words}: ${e.message}`, true);
  }
}

function keyed(b, key) {
  b.append(html("span", { class: "aside" }, `, key ${key}`), html("kbd", { "aria-hidden": "true" }, key));
  return b;
}

function button(words, input, { main = false, told = words, key = "" } = {}) {
  const b = html("button", { type: "button", ...(main ? { class: "main" } : {}) }, words);
  b.addEventListener("click", () => say(typeof input === "function" ? input() : input, told));
  return key ? keyed(b, key) : b;
}

// A list drawn anew; whoever is in it with the keyboard keeps his place, by what `data-place` says.
function redraw(list, draw) {
  const place = list.contains(document.activeElement) ? document.activeElement.dataset.place : undefined;
  draw();
  if (place) list.querySelector(`[data-place="${CSS.escape(place)}"]`)?.focus({ preventScroll: true });
}

// The areas that a piece may lie in instead, the one beyond its nearest line first: outside of it for a piece that lies within.
function zonesInstead(call) {
  const words = zoneWords(), is = words.indexOf(call.zone), likely = is + (call.margin_in > 0 ? 1 : -1);
  const away = (z) => Math.abs(words.indexOf(z) - likely);
  return call.piece && is >= 0 ? words.filter((z) => z !== call.zone).sort((a, b) => away(a) - away(b)) : [];
}

// What may be said instead of a call: where its piece lies, whether a disc was hit, or that it is not made. None where no rule made it.
function instead(call) {
  const zones = zonesInstead(call), knows = (what) => state.offers?.keys.some((o) => o.what === what);
  const hit = /^(ask|no)-hit$/.test(call.what) && knows("hit") ? [["One was hit", "hit"], ["None was hit", "missed"]] : [];
  const rule = zones.length === 0 && call.shot > 0 && [call.rule, call.what].find((text) => state.offers?.overrule.includes(text));
  return [
    ...zones.map((z) => ({ words: `It is ${z}`, input: { what: "zone", shot: call.shot, piece: call.piece, text: z } })),
    ...hit.map(([words, what]) => ({ words, input: { what, shot: call.shot } })),
    ...(rule ? [{ words: `Overrule ${call.rule}`, input: { what: "overrule", shot: call.shot, text: rule } }] : []),
  ];
}

// The likeliest of them overrules it with one tap, or key.
function answers(call, first) {
  const others = instead(call), zone = zonesInstead(call).length > 0;
  return html("div", { class: "buttons" },
    button("Confirm", { what: "confirm", shot: call.shot }, { main: true, key: first ? "c" : "" }),
    ...others.map(({ words, input }, i) => button(i === 0 && zone ? `Overrule: it is ${input.text}` : words, input, { key: first && i === 0 ? "v" : "" })));
}

// Whoever moves through a shot keeps his place: what is as it was stays.
let asked = "";
function drawAsks() {
  const open = openCalls(), now = open.map((c) => `${callName(c)} ${c.text}`).join("\n");
  if (now !== asked) {
    const within = at("asks").contains(document.activeElement);
    at("asks").replaceChildren(...open.map((call, i) =>
      html("div", { class: "ask" }, html("p", {}, call.text), answers(call, i === 0), replayOf(call))));
    if (within) at("said").focus();
  }
  asked = now;
  drawBefore();
}

// Close calls that were decided, or stand because nobody did, to be looked at again.
let again = "", before = "";
function drawBefore() {
  const open = openCalls();
  const calls = state.calls.filter((c) => c.verdict === "close" && c.piece && !c.change && !open.includes(c)).slice(0, CLOSE_KEPT);
  const now = [again, ...calls.map((c) => `${callName(c)} ${c.text}`)].join("\n");
  if (now === before) return;
  before = now;
  at("before").classList.toggle("hidden", calls.length === 0);
  at("again").replaceChildren(...calls.map((call) => {
    const name = callName(call), shown = name === again;
    const b = html("button", { type: "button", "aria-expanded": shown }, `${clock(call.t_s)} ${call.text}`);
    b.addEventListener("click", () => { again = shown ? "" : name; drawBefore(); });
    return html("div", { class: "again" }, b, ...(shown ? [replayOf(call), answers(call, false)] : []));
  }));
}

// While a piece is in somebody's hand it stays there; who is on one, or on a place, with the keyboard stays there.
function redrawBoard() {
  const focused = document.activeElement?.closest(".piece")?.dataset.id, placing = document.activeElement?.closest(".spot");
  if (isHeld()) return;
  drawBoard(at("board"), choose, chosen, (whole) => drawPlace(place, whole));
  const again = placing ? ".spot" : focused && `.piece[data-id="${focused}"]`;
  if (again) at("board").querySelector(again)?.focus({ preventScroll: true });
}

function chooseNothing() {
  chosen = 0;
  place = null;
  at("piece").classList.add("hidden");
  at("place").classList.add("hidden");
  redrawBoard();
}

function takeOff(piece) {
  const b = button("Not there: take it off", { what: "take-off", piece: piece.id }, { told: `${nameOf(piece)} taken off` });
  b.classList.add("off");
  b.addEventListener("click", chooseNothing);
  return b;
}

function offerZones(piece, words, zones) {
  chooseNothing();
  chosen = piece.id;
  const shot = state.shot?.shot ?? 0;
  at("piece").classList.remove("hidden");
  at("piece-name").textContent = `${nameOf(piece)} ${words}`;
  at("zones").replaceChildren(...zones.map((z) => button(z, { what: "zone", shot, piece: piece.id, text: z })), takeOff(piece));
  at("piece").scrollIntoView({ block: "nearest" });
  redrawBoard();
}

function choose(piece) {
  if (chosen === piece.id) chooseNothing();
  else if (piece.put_on) offerZones(piece, "by the judge's word; where it lies elsewhere, take it off and put it on there", []);
  else offerZones(piece, "lies in", zonesFrom({ x: piece.x_in, y: piece.y_in }, piece.radius_in).words);
}

// Clear of a line it is plain what is meant; on one, which side of it.
const isHeld = takePieces(at("board"), (piece, to) => {
  const { words, onLine } = zonesFrom(to, piece.radius_in);
  if (piece.put_on) {
    if (chosen !== piece.id) choose(piece);
  } else if (onLine) {
    offerZones(piece, "was put on a line: which is it?", words);
    at("zones").querySelector("button").focus();
  } else {
    redrawBoard();
    say({ what: "zone", shot: state.shot?.shot ?? 0, piece: piece.id, text: words[0] }, `${nameOf(piece)} is ${words[0]}`);
  }
});

// What may be put on where the judge points: one tap for each side, and area where it lies on a line.
function offerPlace(to) {
  chosen = 0;
  place = to;
  at("piece").classList.add("hidden");
  const asks = lacksColour(), puts = putsOn(to, asks ? at("colour").value : "");
  at("place").classList.remove("hidden");
  at("place-colour").classList.toggle("hidden", !asks);
  at("place-words").textContent = puts.length ? "Whose lies there? It counts as if it had been seen." : "Nothing counts there.";
  at("puts").replaceChildren(...puts.map(({ words, input }) => {
    const b = button(words, input, { told: `${words} put on` });
    b.addEventListener("click", chooseNothing);
    return b;
  }), html("button", { type: "button", id: "put-none" }, "None"));
  at("put-none").addEventListener("click", chooseNothing);
  at("place").scrollIntoView({ block: "nearest" });
  redrawBoard();
}

takePlaces(at("board"), offerPlace, choose);
at("put").addEventListener("click", () => {
  offerPlace({ x: 0, y: state.board ? state.board.circle_in[0] / 2 : 0 });
  at("board").querySelector(".spot")?.focus();
});
at("colour").addEventListener("change", () => place && offerPlace(place));

function drawColours() {
  at("colour").replaceChildren(...Object.keys(state.board?.paints ?? {}).map((name) => html("option", { value: name }, name)));
}

// What is offered in a word, as the referee wants to hear it: of which side, of which piece; null where there is nothing to say.
function meant(offer) {
  const { sides, to_shoot: now, paused } = state.standing ?? { sides: [] };
  const other = sides.find((s) => s.name !== now) ?? sides[0], shot = sides.find((s) => s.colour === state.shot?.by);
  const [open] = openCalls();
  switch (offer.what) {
    case "turn": return { what: "turn", side: other?.name ?? "" };
    case "side": return { what: "side", side: sides[1]?.name ?? "", text: sides[0]?.colour ?? "" };
    case "pause": return { what: paused ? "resume" : "pause" };
    case "twenty": return shot ? { what: "twenty", side: shot.name } : null;
    case "zone": return open ? instead(open)[0]?.input ?? null : null;
    default: return { what: offer.what };
  }
}

function labelOf(offer) {
  if (offer.what !== "pause") return offer.help;
  return state.standing?.paused ? "play goes on" : "pause";
}

function sayOffer(offer) {
  const input = meant(offer);
  if (input) say(input, labelOf(offer));
  else tell(offer.what === "zone" ? "No close call is open." : "Nobody has shot yet.", true);
}

// Twenties have a button for each side; what overrules a close call stands beside it.
let offered = "";
function drawOffers() {
  const keys = state.offers?.keys ?? [], twenty = keys.find((o) => o.what === "twenty"), last = twenty && meant(twenty);
  const sides = twenty ? (state.standing?.sides ?? []).map((s) => s.name) : [];
  const now = JSON.stringify([keys.map(labelOf), sides, last]);
  if (now === offered) return;
  offered = now;
  redraw(at("words"), () => at("words").replaceChildren(...keys.filter((o) => o.what !== "twenty" && o.what !== "zone").map((o) => {
    const b = keyed(html("button", { type: "button", "data-place": o.key }, labelOf(o)), o.key);
    b.addEventListener("click", () => sayOffer(o));
    return b;
  })));
  at("twenties").replaceChildren(...sides.map((name) =>
    button(`20 for ${name}`, { what: "twenty", side: name }, { key: last?.side === name ? twenty.key : "" })));
}

const placeOf = (call) => `${call.shot} ${call.rule} ${call.piece} ${call.text}`;
let overruled = ""; // the call that is being overruled

// Behind each call that a rule made: what may be said instead, once somebody asks for it.
function overruleOf(call) {
  const others = call.event === "call" && !call.withdrawn ? instead(call) : [], place = placeOf(call), open = place === overruled;
  if (others.length === 0) return [];
  const b = html("button", { type: "button", class: "small", "data-place": place, "aria-expanded": open, "aria-label": `Overrule: ${call.text}` }, "Overrule");
  b.addEventListener("click", () => { overruled = open ? "" : place; drawCallList(); });
  const told = (words) => `${words} in shot ${call.shot}`;
  return open ? [b, html("div", { class: "buttons instead" }, ...others.map(({ words, input }) => button(words, input, { told: told(words) })))] : [b];
}

function drawCallList() {
  redraw(at("calls"), () => drawCalls(at("calls"), CALLS_SHOWN, overruleOf));
}

// Each thing that was said, and a way to have it not said; what takes back another is undone there, and a pause was one.
function drawHeard() {
  redraw(at("heard"), () => at("heard").replaceChildren(...(state.said ?? []).map((o) => {
    const back = ["retract", "redo", "pause", "resume"].includes(o.what), name = o.in_force ? "Take back" : "Count again";
    const b = button(name, { what: "retract", input: o.in_force ? o.input : o.retracted_by },
      { told: `${o.words}: ${o.in_force ? "taken back" : "counts again"}` });
    b.className = "small";
    b.dataset.place = String(o.input);
    b.setAttribute("aria-label", `${name}: ${o.words}`);
    return html("li", { class: o.in_force ? (back ? "quiet" : "") : "withdrawn" }, html("time", {}, clock(o.t_s)), html("span", {}, `${o.input}. ${o.words}`),
      ...(back ? [] : [b]));
  })));
}

function fillSides(select) {
  const sides = (state.standing?.sides ?? []).map((s) => s.name), before = select.value;
  if (sides.join("\n") === [...select.options].map((o) => o.value).join("\n")) return;
  select.replaceChildren(...sides.map((s) => html("option", { value: s }, s)));
  if (sides.includes(before)) select.value = before;
}

// What a form needs for what is chosen in it, and what the game has.
function fitForms() {
  const has = { twenty: state.offers?.keys.some((o) => o.what === "twenty"), played: state.standing?.sides.some((s) => s.left !== null) };
  for (const option of at("what").options) option.hidden = option.disabled = has[option.value] === false;
  at("set-side").classList.toggle("hidden", at("what").value === "round");
  at("set-value").classList.toggle("hidden", at("what").value === "turn");
  at("value").required = at("what").value !== "turn";
  const foul = state.offers?.fouls[at("foul").value];
  at("foul-of").classList.toggle("hidden", !foul?.side);
  at("foul-for").classList.toggle("hidden", foul?.what !== "foul" || foul.text !== "");
}

function drawFouls() {
  at("foul").replaceChildren(...(state.offers?.fouls ?? []).map((f, i) => html("option", { value: i }, f.words)));
  fitForms();
}

for (const id of ["what", "foul"]) at(id).addEventListener("change", fitForms);

at("fouls").addEventListener("submit", (e) => {
  e.preventDefault();
  const foul = state.offers?.fouls[at("foul").value];
  if (!foul) return;
  const text = foul.text || (foul.what === "foul" ? at("reason").value.trim() : "");
  say({ what: foul.what, text, ...(foul.side ? { side: at("offender").value } : {}), ...(foul.what === "dead" && chosen ? { piece: chosen } : {}) },
    `${foul.side ? `${at("offender").value}: ` : ""}${foul.words}`);
});

at("set").addEventListener("submit", (e) => {
  e.preventDefault();
  const what = at("what").value, side = what === "round" ? "" : at("side").value, value = what === "turn" ? "" : at("value").value;
  say({ what, ...(side ? { side } : {}), ...(value ? { value: [Number(value), 0] } : {}) },
    [side, at("what").selectedOptions[0].textContent, value].filter(Boolean).join(" "));
});

at("go-on").addEventListener("click", () => say({ what: "resume" }, "play goes on"));

// Keys as on the terminal; not while something is typed.
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey || /INPUT|SELECT/.test(document.activeElement?.tagName ?? "")) return;
  const offer = state.offers?.keys.find((o) => o.key === e.key);
  if (offer) sayOffer(offer);
});

listen((parts) => {
  if (["board", "pieces", "paths"].some((part) => parts.includes(part))) redrawBoard();
  if (parts.includes("board")) drawColours();
  if (chosen && !state.pieces?.list.some((p) => p.id === chosen)) chooseNothing();
  if (parts.includes("standing")) {
    drawScore(at("score"));
    drawPause(at("paused"));
    at("pause").classList.toggle("hidden", !state.standing?.paused);
    for (const id of ["side", "offender"]) fillSides(at(id));
    fitForms();
  }
  if (parts.includes("offers")) drawFouls();
  if (parts.some((p) => ["offers", "standing", "shot"].includes(p))) drawOffers();
  if (parts.includes("calls") || parts.includes("offers")) drawCallList();
  if (parts.includes("said")) drawHeard();
  if (parts.includes("calls") || parts.includes("standing")) drawAsks();
  drawHead();
});
connect(drawLink);
