// SPDX-License-Identifier: MIT
// draw.js: the board from above, drawn from inches; a table of the score, and the calls.
import { at, clock, state } from "./live.js";

const UNKNOWN_PAINT = "#8f8f94";
const SEEN_PX = 5; // radius of what is seen without being looked for

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

// How far the drawing reaches from the middle, inches.
function reach(board) {
  return (board.surface_in > 0 ? board.surface_in : board.circle_in[0] * 1.25) * 1.08;
}

// Inches, y upwards as on the board: turned over once, for the whole drawing. `px`: of the screen, in inches.
function drawGround(board, px) {
  const whole = reach(board), line = Math.max(board.line_width_in, 0.08, px);
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

// A marble of a big ring is two pixels wide: it is seen by a halo around it, as wide as its neighbours leave room for.
function haloOf(p, list, px) {
  const away = Math.min(...list.filter((q) => q !== p).map((q) => Math.hypot(q.x_in - p.x_in, q.y_in - p.y_in)));
  return Math.max(p.radius_in, Math.min(SEEN_PX * px, 0.48 * away));
}

// Black or white, whichever is read on that paint.
function inkOn(colour) {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(paint(colour).slice(i, i + 2), 16) / 255);
  return 0.3 * r + 0.59 * g + 0.11 * b > 0.45 ? "#000" : "#fff";
}

// As it is spoken of: by its number, but for one that a judge put on.
export const nameOf = (p) => `${p.colour} ${p.kind} ${p.put_on ? "put on" : p.id}`;

const zoneName = (p) => p.zone + (p.verdict === "close" ? "?" : "");

// Of the last shot: a ring where a piece lay, and its way to where it lies; a cross where one lay that is out of play.
function drawPaths(whole) {
  const { paths, pieces } = state;
  if ((pieces?.list ?? []).some((p) => p.moving)) return [];
  return (paths?.list ?? []).map((p) => {
    const width = Math.min(whole / 110, 0.8 * p.radius_in); // a marble is seen at the end of its way
    const [[x, y]] = p.at, r = p.radius_in - width / 2, points = p.at.map(([u, v]) => `${u},${-v}`).join(" ");
    const marks = (name, more) => [
      svg("circle", { class: name, cx: x, cy: -y, r, ...more }),
      ...(p.at.length > 1 ? [svg("polyline", { class: name, points, ...more })] : []),
      ...(p.left ? [svg("path", { class: name, d: `M${x - r / 2} ${-y - r / 2}l${r} ${r}m0 ${-r}l${-r} ${r}`, ...more })] : []),
    ];
    return svg("g", { class: "path", "data-id": p.id }, [
      svg("title", {}, [`${p.colour} ${p.kind} ${p.id}, ${p.left ? "out of play" : "moved"} in shot ${paths.shot}`]),
      ...marks("casing", { "stroke-width": 2.2 * width, stroke: inkOn(p.colour) }),
      ...marks("way", { "stroke-width": width, stroke: paint(p.colour) }),
    ]);
  });
}

// What lies where, in words: of each colour how many in which zone.
function lies(list) {
  const colours = new Map();
  for (const p of list.filter((q) => q.zone)) {
    const zones = colours.get(p.colour) ?? colours.set(p.colour, new Map()).get(p.colour);
    zones.set(zoneName(p), (zones.get(zoneName(p)) ?? 0) + 1);
  }
  return [...colours].map(([colour, zones]) =>
    `${colour}: ${[...zones].map(([zone, n]) => (n > 1 ? `${n} × ${zone}` : zone)).join(", ")}`).join("; ");
}

// `onPiece` is called with a piece that a judge points at; without it pieces are only looked at. `more` gives what is drawn above
// all, by how far the drawing reaches.
export function drawBoard(into, onPiece, chosen, more = () => []) {
  const { board, pieces } = state;
  if (!board) return;
  const px = (2 * reach(board)) / (into.clientWidth || window.innerWidth);
  const { whole, parts } = drawGround(board, px), list = pieces?.list ?? [];
  parts.push(...drawPaths(whole));
  for (const p of list) {
    const name = nameOf(p), named = board.kind === "circles" && p.zone, halo = haloOf(p, list, px), small = halo > p.radius_in;
    const edge = p.id === chosen ? Math.max(0.22, 2 * px) : Math.max(0.06, small ? px / 2 : 0), where = { cx: p.x_in, cy: -p.y_in };
    const piece = svg("g", { class: "piece" + (p.moving ? " moving" : "") + (p.put_on ? " put-on" : "") + (p.id === chosen ? " chosen" : "") + (p.zone ? ` in-${p.zone}` : ""),
      "data-id": p.id }, [
      svg("title", {}, [p.zone ? `${name}: ${zoneName(p)}` : name]),
      ...(small ? [svg("circle", { class: "halo", r: halo - edge / 2, ...where, fill: paint(p.colour), "stroke-width": edge })] : []),
      svg("circle", { class: "true", r: p.radius_in, ...where, fill: paint(p.colour), "stroke-width": small ? p.radius_in / 8 : edge }),
      ...(named ? [svg("text", { class: "zone", x: p.x_in, y: -p.y_in, "font-size": p.radius_in * (zoneName(p).length > 3 ? 0.6 : 0.9), fill: inkOn(p.colour) }, [zoneName(p)])] : []),
    ]);
    if (small) piece.querySelector(".true").style.stroke = inkOn(p.colour);
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
  parts.push(...more(whole));
  into.replaceChildren(svg("svg", { viewBox: `${-whole} ${-whole} ${2 * whole} ${2 * whole}`, role: onPiece ? "group" : "img",
    "aria-label": `the board from above with ${list.length} pieces` }, parts), html("p", { class: "lies" }, lies(list)));
}

// Where a close call may change what it reads, both readings behind it: "20 (10-20)".
function cell(reads, name, range) {
  const inDoubt = range && range[0] < range[1] ? [" ", html("span", { class: "range" }, `(${range[0]}-${range[1]})`)] : [];
  return html("td", name ? { class: name } : {}, String(reads ?? ""), ...inDoubt);
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
    if (discs) row.append(cell(s.twenties, "", s.twenties_range), cell(s.on_board, "", s.on_board_range));
    if (games) row.append(cell(s.games));
    row.append(cell(s.points, "points", s.points_range));
    return row;
  });
  table.replaceChildren(html("thead", {}, head), html("tbody", {}, ...rows));
}

function where() {
  const s = state.standing;
  if (!s) return "waiting for the board";
  if (s.over) return (s.winner ? `${s.winner} wins` : "drawn") + (s.close ? " (close)" : "");
  const part = s.game === "american-marbles" ? "inning" : "round";
  return `game ${s.game_number}, ${part} ${s.round}` + (s.to_shoot ? `, ${s.player ?? s.to_shoot} to shoot` : "");
}

// At the head of a page: where the match is and what the camera lacks; and whether anybody is heard.
export function drawHead() {
  at("where").textContent = where();
  at("camera").textContent = state.camera?.words ?? "";
  at("camera").classList.toggle("hidden", !state.camera?.words);
}

export function drawLink(on) {
  at("link").textContent = on ? "live" : "no connection: trying again";
}

// In a pause every page says so.
export function drawPause(notice) {
  notice.classList.toggle("hidden", !state.standing?.paused);
  notice.textContent = state.standing?.paused ? "Paused: nothing is judged until play goes on" : "";
}

// `more` gives what stands behind a call, and is asked for each that is shown.
export function drawCalls(list, most, more = () => []) {
  list.replaceChildren(...state.calls.slice(0, most).map((c) => {
    if (c.event === "camera")
      return html("li", { class: "camera" }, html("time", {}, clock(c.t_s)), html("span", {}, `camera: ${c.what}`));
    const name = c.withdrawn ? "withdrawn" : c.verdict === "close" ? "close" : "";
    return html("li", name ? { class: name } : {}, html("time", {}, clock(c.t_s)),
      html("span", {}, c.text + (name === "close" ? " (close)" : "")), ...more(c));
  }));
}
