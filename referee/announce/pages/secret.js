// SPDX-License-Identifier: MIT
// secret.js: what only those may ask who have the secret. It stands behind '#', which no browser sends, and is kept for this tab alone.
const at = (id) => document.getElementById(id);

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

// The answer; an Error with words for people where it was refused or nobody answered. `said` undefined: only asks.
export async function ask(url, said) {
  let answer, words;
  try {
    answer = await fetch(url, { method: said === undefined ? "GET" : "POST", body: said === undefined ? undefined : JSON.stringify(said),
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${sessionStorage.getItem("secret") ?? ""}` } });
    words = await answer.json();
  } catch {
    throw new Error("no connection; say it again");
  }
  if (answer.status === 401) askForSecret(true);
  if (!answer.ok) throw new Error(words.error);
  return words;
}
