// SPDX-License-Identifier: MIT
// board.js: the page that everybody may look at.
import { connect, listen, state } from "./live.js";
import { drawBoard, drawCalls, drawScore, where } from "./draw.js";

const CALLS_SHOWN = 40;
const at = (id) => document.getElementById(id);

listen((parts) => {
  if (parts.includes("board") || parts.includes("pieces")) drawBoard(at("board"));
  if (parts.includes("standing")) drawScore(at("score"));
  if (parts.includes("calls")) drawCalls(at("calls"), CALLS_SHOWN);
  at("where").textContent = where();
  at("camera").textContent = state.camera?.words ?? "";
  at("camera").classList.toggle("hidden", !state.camera?.words);
});
connect((on) => { at("link").textContent = on ? "live" : "no connection: trying again"; });

at("look").addEventListener("click", () => {
  const picture = at("picture"), shows = picture.classList.toggle("hidden") === false;
  at("look").textContent = shows ? "Hide the camera" : "Show the camera";
  at("look").setAttribute("aria-expanded", String(shows));
  if (shows) picture.src = "/camera";
  else picture.removeAttribute("src");
});
