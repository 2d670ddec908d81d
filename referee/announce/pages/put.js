// SPDX-License-Identifier: MIT
// put.js: an empty place of the drawn board, at which a judge points by a tap or with the arrow keys, for a piece that no camera saw;
// and what may be put on there.
import { state } from "./live.js";
import { svg } from "./draw.js";
import { STEP_IN, WIDE_STEP_IN, steps, zonesFrom } from "./drag.js";

const DISC_IN = 0.625; // where none lies to be measured
const NEAR_PX = 14; // a finger that means a piece hits the board so near to it

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
