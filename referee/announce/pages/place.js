// SPDX-License-Identifier: MIT
// place.js: the places of the drawn board at which a judge points: where a piece truly stands, which he moves there by pointer, touch or
// arrow keys, and an empty one, by a tap or with the arrow keys, for a piece that no camera saw; between which lines each lies, and what
// may be put on there.
import { state } from "./live.js";
import { svg } from "./draw.js";

const BEGINS_PX = 6; // less is a hand that taps
const DISC_IN = 0.625; // where none lies to be measured
const NEAR_PX = 14; // a finger that means a piece hits the board so near to it
const STEP_IN = 0.25, WIDE_STEP_IN = 1; // of an arrow key, alone and with Shift
const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// From the middle outwards: the areas, and the lines between them.
export function zoneWords() {
  const b = state.board;
  if (!b) return [];
  return b.kind === "ring" ? ["in", "out"] : [...(b.hole_in > 0 ? [String(b.hole_points)] : []), ...b.points.map(String).reverse(), "ditch"];
}

// All areas for a piece there, the likely ones first: where it lies, what is across the nearest line, the others; and whether it lies
// on that line.
export function zonesFrom(place, radius) {
  const b = state.board, words = zoneWords();
  if (!b) return { words, onLine: false };
  const lines = [...(b.kind !== "ring" && b.hole_in > 0 ? [b.hole_in] : []), ...[...b.circle_in].reverse()];
  const out = Math.hypot(place.x, place.y), zone = lines.filter((line) => out > line).length;
  const away = lines.map((line) => Math.abs(out - line)), nearest = away.indexOf(Math.min(...away));
  const other = nearest === zone ? zone + 1 : nearest;
  return { words: [words[zone], words[other], ...words.filter((_, i) => i !== zone && i !== other)], onLine: away[nearest] < radius };
}

// `onDrop` is called with a piece and the place in inches where it was put. Gives a function that says whether one is in the hand: the
// board must not be drawn anew then.
export function takePieces(board, onDrop) {
  let held = null; // { piece, element, from, by }

  const pieceOf = (element) => state.pieces?.list.find((p) => String(p.id) === element?.dataset.id);
  function inches(e) {
    const drawing = board.querySelector("svg");
    const at = new DOMPoint(e.clientX, e.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    return { x: at.x, y: -at.y };
  }
  function show() {
    const { x, y } = held.by;
    held.element.setAttribute("transform", `translate(${x} ${-y})`);
    held.element.classList.toggle("held", x !== 0 || y !== 0);
  }
  function letGo() {
    held?.element.removeAttribute("transform");
    held?.element.classList.remove("held");
    held = null;
  }
  function drop() {
    const { piece, by } = held;
    letGo();
    onDrop(piece, { x: piece.x_in + by.x, y: piece.y_in + by.y });
  }

  board.addEventListener("pointerdown", (e) => {
    const element = e.target.closest(".piece"), piece = pieceOf(element);
    if (!piece || !e.isPrimary || e.button !== 0) return;
    letGo();
    held = { piece, element, from: inches(e), by: { x: 0, y: 0 }, pointer: e.pointerId, x: e.clientX, y: e.clientY };
  });
  board.addEventListener("pointermove", (e) => {
    if (held?.pointer !== e.pointerId) return;
    if (!held.moves && Math.hypot(e.clientX - held.x, e.clientY - held.y) < BEGINS_PX) return;
    if (!held.moves) board.setPointerCapture(e.pointerId);
    held.moves = true;
    const at = inches(e);
    held.by = { x: at.x - held.from.x, y: at.y - held.from.y };
    show();
  });
  board.addEventListener("pointerup", (e) => {
    if (held?.pointer !== e.pointerId) return;
    if (held.moves) drop();
    else letGo(); // a tap, which is a click
  });
  board.addEventListener("pointercancel", letGo);
  board.addEventListener("pointerleave", () => { if (!held?.moves) letGo(); });

  // Before the piece itself takes Enter for a tap.
  board.addEventListener("keydown", (e) => {
    const by = steps[e.key], element = e.target.closest(".piece"), piece = pieceOf(element);
    if (by && piece) {
      const step = e.shiftKey ? WIDE_STEP_IN : STEP_IN;
      if (held?.element !== element) held = { piece, element, by: { x: 0, y: 0 } };
      held.by = { x: held.by.x + by[0] * step, y: held.by.y + by[1] * step };
      show();
    } else if (held && e.key === "Enter") {
      drop();
    } else if (held && e.key === "Escape") {
      letGo();
    } else {
      return;
    }
    e.preventDefault();
    e.stopPropagation();
  }, true);
  board.addEventListener("focusout", () => { if (held && held.pointer === undefined) letGo(); });
  return () => held !== null;
}

// The marks of the place, to be drawn with the board.
export function drawPlace(place, whole) {
  if (!place) return [];
  const r = Math.max(state.board.kind === "ring" ? 0 : 0.6, whole / 45), { x, y } = place;
  return [svg("g", { class: "spot", tabindex: "0", role: "button", "aria-label": "the place of a piece to be put on; arrow keys move it" }, [
    svg("circle", { r, cx: x, cy: -y }), svg("path", { d: `M${x - r} ${-y}h${2 * r}M${x} ${-y - r}v${2 * r}` })])];
}

// `onPlace` is called with a place in inches, `onPiece` with a piece that is as good as hit.
export function takePlaces(board, onPlace, onPiece) {
  board.addEventListener("click", (e) => {
    const drawing = e.target.closest("svg");
    if (!drawing || e.target.closest(".piece")) return;
    const to = drawing.getScreenCTM(), at = new DOMPoint(e.clientX, e.clientY).matrixTransform(to.inverse());
    const place = { x: at.x, y: -at.y }, away = (p) => Math.hypot(p.x_in - place.x, p.y_in - place.y);
    const [near] = [...(state.pieces?.list ?? [])].sort((a, b) => away(a) - away(b));
    if (near && away(near) * to.a < NEAR_PX) onPiece(near);
    else onPlace(place);
  });
  board.addEventListener("keydown", (e) => {
    const by = steps[e.key], spot = e.target.closest(".spot");
    if (!by || !spot) return;
    const step = e.shiftKey ? WIDE_STEP_IN : STEP_IN, circle = spot.querySelector("circle");
    e.preventDefault();
    onPlace({ x: Number(circle.getAttribute("cx")) + by[0] * step, y: -Number(circle.getAttribute("cy")) + by[1] * step });
  });
}

// What may lie there, each in words and as the referee hears it. A side whose colour nobody knows yet is named by one.
export function putsOn(place, colour) {
  const { board } = state, sides = (state.standing?.sides ?? []).filter((s) => s.colour);
  const owners = [...sides.map((s) => s.name), ...(colour ? [colour] : [])], value = [place.x, place.y].map((inches) => Math.round(100 * inches) / 100);
  if (board.kind === "ring")
    return [{ words: "A target", input: { what: "put-on", text: "target", value } },
      ...owners.map((side) => ({ words: `${side}'s taw`, input: { what: "put-on", side, text: "taw", value } }))];
  const { words, onLine } = zonesFrom(place, state.pieces?.list[0]?.radius_in ?? DISC_IN), zones = words.slice(0, onLine ? 2 : 1).filter((z) => z !== "ditch");
  return owners.flatMap((side) => zones.map((z) => ({ words: `${side}: ${z}`, input: { what: "put-on", side, text: z, value } })));
}

// Whether a side has no colour yet.
export function lacksColour() {
  const sides = state.standing?.sides ?? [];
  return sides.filter((s) => s.colour).length < 2;
}
