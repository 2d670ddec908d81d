// SPDX-License-Identifier: MIT
// live.js: the match as the referee tells it: one object, kept up to date, and who wants to hear of it; and what only those may ask who
// have the secret. It stands behind '#', which no browser sends, and is kept for this tab alone.

export const state = { match: 0, board: null, standing: null, pieces: null, shot: null, paths: null, camera: null, offers: null, said: null, calls: [] };
const CALLS_KEPT = 200;
export const at = (id) => document.getElementById(id);
const listeners = [];
const sayers = [];

export function listen(listener) {
  listeners.push(listener);
}

// The referee's own words, as they come.
export function hear(sayer) {
  sayers.push(sayer);
}

function tell(parts, isNew) {
  for (const listener of listeners) listener(parts, isNew);
}

// What was withdrawn stays in the list, marked; what stands instead comes behind it.
function addCall(call) {
  if (call.change === "withdrawn") {
    const old = state.calls.find((c) => c.shot === call.shot && c.text === call.text && !c.withdrawn);
    if (old) old.withdrawn = true;
  } else {
    state.calls.unshift(call);
    state.calls.length = Math.min(state.calls.length, CALLS_KEPT);
  }
}

function takeWhole(whole) {
  const { calls, ...parts } = whole;
  Object.assign(state, parts);
  state.calls = [];
  calls.forEach(addCall);
  tell(Object.keys(state), false);
}

// Of the pieces only those come that changed.
function piecesAfter({ hand, list, gone }) {
  const now = new Map((state.pieces?.list ?? []).map((p) => [p.id, p]));
  list.forEach((p) => now.set(p.id, p));
  gone.forEach((id) => now.delete(id));
  return { hand, list: [...now.values()] };
}

function takeChange(change) {
  const { call, say, moved, ...parts } = change;
  if (moved) parts.pieces = piecesAfter(moved);
  if (say) sayers.forEach((sayer) => sayer(say));
  Object.assign(state, parts);
  if (call) addCall(call);
  tell([...Object.keys(parts), ...(call ? ["calls"] : [])], true);
}

// The browser comes back by itself, with the number of the last message that it had. The page's head asks for the whole too, so that it
// is here with this file: the stream, which is only asked for now, would tell it an answer later.
export function connect(onLink) {
  const events = new EventSource("/api/events");
  let told = false;
  fetch("/api/state").then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status))).then((whole) => { if (!told) takeWhole(whole); }, () => {});
  events.onopen = () => onLink(true);
  events.onerror = () => onLink(false);
  events.addEventListener("state", (e) => {
    told = true;
    takeWhole(JSON.parse(e.data));
  });
  events.onmessage = (e) => takeChange(JSON.parse(e.data));
}

export function clock(seconds) {
  const tenths = Math.round(seconds * 10);
  const minutes = Math.floor(tenths / 600);
  return `${String(minutes).padStart(2, "0")}:${((tenths % 600) / 10).toFixed(1).padStart(4, "0")}`;
}

// Calls that wait for the judge: close ones of the last shot.
export function openCalls() {
  const { standing, calls } = state;
  if (!standing || !standing.asked) return [];
  const shot = calls.find((c) => c.event === "call" && c.verdict === "close" && !c.withdrawn)?.shot;
  return calls.filter((c) => c.event === "call" && c.verdict === "close" && c.shot === shot && !c.withdrawn);
}

function askForSecret(wanted) {
  at("enter").classList.toggle("hidden", !wanted);
  if (wanted && document.activeElement !== at("secret")) at("secret").focus();
}

// Takes it out of the address; where there is none it is asked for in the form "enter".
export function takeSecret() {
  if (location.hash.length > 1) {
    sessionStorage.setItem("secret", location.hash.slice(1));
    history.replaceState(null, "", location.pathname);
  }
  askForSecret(!sessionStorage.getItem("secret"));
  at("enter").addEventListener("submit", (e) => {
    e.preventDefault();
    sessionStorage.setItem("secret", at("secret").value.trim());
    askForSecret(false);
  });
}

export function hasSecret() {
  return Boolean(sessionStorage.getItem("secret")) && at("enter").classList.contains("hidden");
}

// What shows that one has it.
export const bearer = () => ({ Authorization: `Bearer ${sessionStorage.getItem("secret") ?? ""}` });

// The answer; an Error with words for people where it was refused or nobody answered. `said` undefined: only asks.
export async function ask(url, said) {
  let answer, words;
  try {
    answer = await fetch(url, { method: said === undefined ? "GET" : "POST", body: said === undefined ? undefined : JSON.stringify(said),
      headers: { "Content-Type": "application/json", ...bearer() } });
    words = await answer.json();
  } catch {
    throw new Error("no connection; say it again");
  }
  if (answer.status === 401) askForSecret(true);
  if (!answer.ok) throw new Error(words.error);
  return words;
}
