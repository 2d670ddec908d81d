// SPDX-License-Identifier: MIT
// overlay.js: score and calls on a transparent ground, for programs that stream.
import { connect, listen, state } from "./live.js";
import { drawScore } from "./draw.js";

const SHOWN_MS = 6000;
const call = document.getElementById("call");
let hide = 0;

listen((parts, isNew) => {
  if (parts.includes("standing")) drawScore(document.getElementById("score"));
  const last = state.calls[0];
  if (!parts.includes("calls") || !isNew || !last || last.event !== "call") return;
  call.textContent = last.text;
  call.className = "shown" + (last.verdict === "close" ? " close" : "");
  clearTimeout(hide);
  hide = setTimeout(() => { call.className = call.className.replace("shown", ""); }, SHOWN_MS);
});
connect(() => {});
