// SPDX-License-Identifier: MIT
// board.js: the page that everybody may look at.
import { at, connect, hear, listen } from "./live.js";
import { drawBoard, drawCalls, drawHead, drawLink, drawPause, drawScore } from "./draw.js";

const CALLS_SHOWN = 40;

listen((parts) => {
  if (["board", "pieces", "paths"].some((part) => parts.includes(part))) drawBoard(at("board"));
  if (parts.includes("standing")) {
    drawScore(at("score"));
    drawPause(at("paused"));
  }
  if (parts.includes("calls")) drawCalls(at("calls"), CALLS_SHOWN);
  drawHead();
});
connect(drawLink);

at("look").addEventListener("click", () => {
  const picture = at("picture"), shows = picture.classList.toggle("hidden") === false;
  at("look").textContent = shows ? "Hide the camera" : "Show the camera";
  at("look").setAttribute("aria-expanded", String(shows));
  if (shows) picture.src = "/camera";
  else picture.removeAttribute("src");
});

// What is begun is spoken to its end, then the newest: what came between is stale.
let newest = null;
function speak(said) {
  newest = said;
  if (!said || at("speak").getAttribute("aria-pressed") !== "true" || speechSynthesis.speaking) return;
  const words = new SpeechSynthesisUtterance(said.text);
  words.lang = said.language;
  words.onend = () => speak(newest === said ? null : newest);
  speechSynthesis.speak(words);
}
if (window.speechSynthesis) {
  at("speak").classList.remove("hidden");
  at("speak").addEventListener("click", () => {
    const on = at("speak").getAttribute("aria-pressed") !== "true";
    at("speak").setAttribute("aria-pressed", String(on));
    at("speak").textContent = on ? "Do not speak the calls" : "Speak the calls";
    if (!on) speechSynthesis.cancel();
  });
  hear(speak);
}
