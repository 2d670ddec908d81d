// SPDX-License-Identifier: MIT
// replay.js: a close call to be looked at again: enlarged, and its shot a quarter as fast as it was, picture by picture.
import { html } from "./draw.js";
import { bearer, state } from "./live.js";

const SLOWER = 4, TRY_EVERY_MS = 300, TRY_FOR_MS = 30000, KEPT = 6, REST_MS = 1500;
const views = new Map();   // the name of a call to what is shown of it
const players = new Map(); // and to what makes its shot go

// Every match counts its shots and pieces anew.
export const callName = (call) => `${state.match}-${call.shot}-${call.piece}`;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// The picture is made while the call is told already; a machine with much to do takes its time.
async function listed(shot, piece) {
  for (const until = performance.now() + TRY_FOR_MS; performance.now() < until;) {
    try {
      const { close } = await (await fetch("/api/close")).json();
      const found = close.find((c) => c.shot === shot && c.piece === piece);
      if (found) return found;
    } catch { /* the connection comes back by itself */ }
    await pause(TRY_EVERY_MS);
  }
  return null;
}

const load = (image, address) => new Promise((done) => {
  image.onload = () => done(true);
  image.onerror = () => done(false);
  image.src = address;
});

export async function showEnlarged(image, call) {
  for (const until = performance.now() + TRY_FOR_MS; performance.now() < until; await pause(TRY_EVERY_MS)) {
    const found = await listed(call.shot, call.piece);
    image.alt = `enlarged from above: ${call.text}`;
    if (!found || await load(image, `/close/${call.shot}-${call.piece}.jpg?${state.match}-${found.t_s.at(-1) ?? 0}`)) return found;
  }
  return null;
}

// One shot on a canvas: its pictures are fetched once, with the judge's secret, and shown by the clock. The element, and a
// function that makes the shot go.
function player(call, times) {
  const canvas = html("canvas", { role: "img", "aria-label": `the shot in slow motion: ${call.text}` });
  const moment = html("input", { type: "range", min: 0, max: times.length - 1, value: 0, step: 1, "aria-label": "moment of the shot" });
  const toggle = html("button", { type: "button" }, "Play");
  const pictures = [];
  let runs = 0, shown = -1, wanted = -1;

  async function picture(i) {
    if (!pictures[i]) {
      const answer = await fetch(`/api/close/${call.shot}-${call.piece}/${i}`, { headers: bearer() });
      if (!answer.ok) throw new Error(String(answer.status));
      pictures[i] = await answer.blob();
    }
    return createImageBitmap(pictures[i]);
  }
  async function show(i) {
    wanted = i;
    const bitmap = await picture(i);
    if (wanted !== i) return; // another was asked for meanwhile
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    }
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    bitmap.close();
    shown = i;
    moment.value = String(i);
    canvas.dataset.shown = String(i);
  }
  function stop() {
    runs++;
    toggle.textContent = "Play";
  }
  // What a slow connection brings too late is shown late, not left out: it is the pictures that the judge wants.
  async function play() {
    if (!sessionStorage.getItem("secret")) return;
    const mine = ++runs;
    toggle.textContent = "Pause";
    try {
      for (let i = shown + 1 < times.length ? shown + 1 : 0; mine === runs && canvas.isConnected; i = (i + 1) % times.length) {
        const due = performance.now() + (i > 0 ? (times[i] - times[i - 1]) * 1000 * SLOWER : REST_MS);
        await show(i);
        await pause(Math.max(due - performance.now(), 0));
      }
    } catch { /* it is no longer kept, or there is no connection */ }
    if (mine === runs) stop();
  }
  toggle.addEventListener("click", () => (toggle.textContent === "Play" ? play() : stop()));
  moment.addEventListener("input", () => { stop(); show(Number(moment.value)).catch(() => {}); });
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const begin = () => setTimeout(() => (still ? show(times.length - 1).catch(() => {}) : play()), 0);
  return [html("div", { class: "player" }, canvas, html("div", { class: "row" }, toggle, moment,
    html("span", { class: "what" }, "a quarter as fast"))), begin];
}

// What is shown of a call; the same element each time that it is asked for, so that it goes on playing. One that was put away has
// stopped: brought back it begins again.
export function replayOf(call) {
  const name = callName(call);
  if (!call.piece) return html("div");
  if (!views.has(name)) {
    const image = html("img", { class: "enlarged hidden", alt: "", width: 640, height: 560 });
    const view = html("div", { class: "replay", "data-call": name }, image);
    views.set(name, view);
    if (views.size > KEPT) {
      const [oldest] = views.keys();
      views.delete(oldest);
      players.delete(oldest);
    }
    showEnlarged(image, call).then((found) => {
      if (!found) {
        views.delete(name);
        view.replaceChildren(html("p", { class: "what" }, "No picture of this call is kept."));
        return;
      }
      image.classList.remove("hidden");
      if (found.t_s.length < 2) return;
      const [element, begin] = player(call, found.t_s);
      view.append(element);
      players.set(name, begin);
      begin();
    });
  } else if (!views.get(name).isConnected) players.get(name)?.();
  return views.get(name);
}
