// SPDX-License-Identifier: MIT
// drag.js: a piece moved on the drawn board, by pointer, touch or arrow keys, to say where it truly stands; and between which lines
// a place lies.
import { state } from "./live.js";

const BEGINS_PX = 6;                  // less is a hand that taps
export const STEP_IN = 0.25, WIDE_STEP_IN = 1; // of an arrow key, alone and with Shift
export const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

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
