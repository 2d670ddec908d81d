// SPDX-License-Identifier: MIT
// overlay.js: score and calls on a transparent ground, for programs that stream.
import { at, connect, listen, state } from "./live.js";
import { drawPause, drawScore } from "./draw.js";
import { showEnlarged } from "./replay.js";

const SHOWN_MS = 6000, ENLARGED_MS = 9000;
const enlarged = at("enlarged"), call = at("call");
let shrink = 0, hide = 0, asked = null;

listen((parts, isNew) => {
  if (parts.includes("standing")) {
    drawScore(at("score"));
    drawPause(at("paused"));
  }
  const last = state.calls[0];
  if (!parts.includes("calls") || !isNew || !last || last.event !== "call") return;
  call.textContent = last.text;
  call.className = "shown" + (last.verdict === "close" ? " close" : "");
  const close = state.calls.find((c) => c.verdict === "close" && c.piece && c.shot === last.shot && !c.change && !c.withdrawn);
  if (close && close !== asked)
    showEnlarged(enlarged, asked = close).then((found) => {
      enlarged.classList.toggle("shown", Boolean(found));
      clearTimeout(shrink);
      shrink = setTimeout(() => enlarged.classList.remove("shown"), ENLARGED_MS);
    });
  clearTimeout(hide);
  hide = setTimeout(() => { call.className = call.className.replace("shown", ""); }, SHOWN_MS);
});
connect(() => {});
