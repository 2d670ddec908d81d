// SPDX-License-Identifier: MIT
// draw.js: the board from above, drawn from inches; a table of the score, and the calls.
import { clock, state } from "./live.js";

const UNKNOWN_PAINT = "#8f8f94";

export function paint(colour) {
  return state.board?.paints[colour] ?? UNKNOWN_PAINT;
}

export function svg(name, attributes, children = []) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// Inches, y upwards as on the board: turned over once, for the whole drawing.
function drawGround(board) {
  const whole = (board.surface_in > 0 ? board.surface_in : board.circle_in[0] * 1.25) * 1.08;
  const line = Math.max(board.line_width_in, 0.08);
  const parts = [];
  if (board.surface_in > 0) {
    parts.push(svg("circle", { class: "paddock", r: board.surface_in * 1.08 }), svg("circle", { class: "wood", r: board.surface_in }));
  } else {
    parts.push(svg("circle", { class: "floor", r: whole }));
  }
  const lineClass = board.kind === "ring" ? "ringline" : "rule";
  board.circle_in.forEach((r) => parts.push(svg("circle", { class: lineClass, r, "stroke-width": line })));
  if (board.quadrant_lines && board.circle_in.length > 1) {
    const inner = board.circle_in[1], outer = board.circle_in[0];
    for (const [x, y] of [[1, 0], [0, 1], [-1, 0], [0, -1]])
      parts.push(svg("line", { class: "rule", "stroke-width": line, x1: x * inner, y1: y * inner, x2: x * outer, y2: y * outer }));
  }
  board.points.forEach((points, i) => {
    const inside = board.circle_in[i + 1] ?? board.hole_in;
    const at = ((board.circle_in[i] + inside) / 2) * Math.SQRT1_2;
    if (board.kind === "circles" && points > 0)
      parts.push(svg("text", { class: "zone-name", x: at, y: at, "font-size": board.circle_in[0] / 9 }, [String(points)]));
  });
  if (board.hole_in > 0) parts.push(svg("circle", { class: "hole", r: board.hole_in }));
  for (let i = 0; i < board.pegs; i++) {
    const angle = ((i + 0.5) * 2 * Math.PI) / board.pegs, r = board.circle_in[board.circle_in.length - 1];
    parts.push(svg("circle", { class: "peg", r: Math.max(board.peg_in, 0.15), "stroke-width": 0.04, cx: r * Math.cos(angle), cy: r * Math.sin(angle) }));
  }
  return { whole, parts };
}

// `onPiece` is called with a piece that a judge points at; without it pieces are only looked at.
export function drawBoard(into, onPiece, chosen) {
  const { board, pieces } = state;
  if (!board) return;
  const { whole, parts } = drawGround(board);
  for (const p of pieces?.list ?? []) {
    const name = `${p.colour} ${p.kind} ${p.id}`;
    const piece = svg("g", { class: "piece" + (p.moving ? " moving" : "") + (p.id === chosen ? " chosen" : ""), "data-id": p.id }, [
      svg("title", {}, [name]),
      svg("circle", { r: p.radius_in, cx: p.x_in, cy: -p.y_in, fill: paint(p.colour), "stroke-width": p.id === chosen ? 0.22 : 0.06 }),
    ]);
    if (onPiece) {
      piece.classList.add("takes");
      piece.setAttribute("tabindex", "0");
      piece.setAttribute("role", "button");
      piece.setAttribute("aria-label", name);
      piece.addEventListener("click", () => onPiece(p));
      piece.addEventListener("keydown", (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); onPiece(p); } });
    }
    parts.push(piece);
  }
  into.replaceChildren(svg("svg", { viewBox: `${-whole} ${-whole} ${2 * whole} ${2 * whole}`, role: onPiece ? "group" : "img",
    "aria-label": `the board from above with ${(pieces?.list ?? []).length} pieces` }, parts));
}

function cell(text, name) {
  return html("td", name ? { class: name } : {}, String(text));
}

export function drawScore(table) {
  const standing = state.standing;
  const discs = standing?.sides.some((s) => s.on_board !== null) ?? false;
  const games = standing?.sides.some((s) => s.games > 0) ?? false;
  const heads = ["", ...(discs ? ["twenties", "on board"] : []), ...(games ? ["games"] : []), "points"];
  const head = html("tr", {}, ...heads.map((h) => html("th", { scope: "col" }, h || html("span", { class: "aside" }, "side"))));
  const rows = (standing?.sides ?? []).map((s) => {
    const plays = standing.to_shoot === s.name && !standing.over;
    const swatch = html("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = paint(s.colour);
    const dot = html("span", { class: "turn", title: plays ? "plays now" : "" });
    if (plays) dot.append(html("span", { class: "aside" }, "plays now"));
    const names = html("span", { class: "names" }, html("b", {}, s.name), html("span", {}, s.players.join(", ")));
    const row = html("tr", { class: (plays ? "plays" : "") + (standing.over && standing.winner === s.name ? " won" : "") },
      html("td", {}, html("span", { class: "who" }, dot, swatch, names)));
    if (discs) row.append(cell(s.twenties), cell(s.on_board ?? ""));
    if (games) row.append(cell(s.games));
    row.append(cell(s.points, "points"));
    return row;
  });
  table.replaceChildren(html("thead", {}, head), html("tbody", {}, ...rows));
}

export function where() {
  const s = state.standing;
  if (!s) return "waiting for the board";
  if (s.over) return s.winner ? `${s.winner} wins` : "a draw";
  const part = s.game === "american-marbles" ? "inning" : "round";
  return `game ${s.game_number}, ${part} ${s.round}` + (s.to_shoot ? `, ${s.player ?? s.to_shoot} to shoot` : "");
}

export function drawCalls(list, most) {
  list.replaceChildren(...state.calls.slice(0, most).map((c) => {
    if (c.event === "camera")
      return html("li", { class: "camera" }, html("time", {}, clock(c.t_s)), html("span", {}, `camera: ${c.what}`));
    const name = c.withdrawn ? "withdrawn" : c.verdict === "close" ? "close" : "";
    return html("li", name ? { class: name } : {}, html("time", {}, clock(c.t_s)),
      html("span", {}, c.text + (name === "close" ? " (close)" : "")));
  }));
}
