// An exercise to type into. What is judged, hinted and drawn comes from Python in a worker; this moves and shows it.
import { engine } from "./engine.js";
import { cells, fields, fill, keypad, listen, paint, values } from "./grids.js";
import { keep, read, standing } from "./keeping.js";
import { author } from "./own.js";
import { ticks } from "./ticks.js";

const find = (id) => document.getElementById(id);
const held = (id) => JSON.parse(find(id)?.textContent || "null");
const words = held("words"), place = find("exercise"), state = find("state");
const query = new URLSearchParams(location.search);
const whole = (text) => (/^\d{1,6}$/.test(text || "") ? Number(text) : null);

const own = place.dataset.own !== undefined;
const name = place.dataset.name || "own", seed = whole(query.get("seed")) ?? 1;
const slot = `attnsolve:${name}:${seed}`;
const asked = whole(query.get("variant")) ?? (query.has("seed") ? 1 : null);
const source = { text: held("problem") || "", files: held("files") || {} };
let variant = asked ?? (own ? 0 : standing(name, seed).variant);
const ask = engine(document.body.dataset, words, state);

/* -- what is said ------------------------------------------------------------------------- */
const MARKS = { right: "✓", follows: "✓", passed: "✓", wrong: "✗", shown: "◦", partly: "…", unclear: "?" };
function line([tone, markup], isText) {
  const box = document.createElement("div");
  box.className = tone;
  if (isText) box.textContent = markup;
  else box.innerHTML = markup; // made by our own templates, which escape what was typed
  return box;
}
function show(answer, value, { below = false } = {}) {
  if (answer.kept && !own) {
    variant = answer.variant;
    const kept = keep(`${slot}:${variant}`, answer.kept);
    if (!keep(slot, JSON.stringify({ variant, ...answer.score })) || !kept) state.textContent = words.unkept;
  }
  Object.entries(answer.stands || {}).forEach(([called, stand]) => {
    const one = values(place).find((each) => each.dataset.name === called);
    if (!one) return;
    one.dataset.stand = stand;
    one.querySelector(".stand").textContent = MARKS[stand] || "";
  });
  const box = value?.querySelector(".said") || find("told");
  const made = (answer.said || []).map((one) => line([one.tone, one.html]));
  const faults = own && !value ? [] : (answer.faults || []).map((fault) => line(["bad", fault.said], true));
  const before = below ? [...box.children].filter((one) => made.every((each) => each.innerHTML !== one.innerHTML)) : [];
  box.replaceChildren(...before, ...faults, ...made);
  reach();
  if (answer.stands) [find("score").textContent, find("which").textContent] = [answer.progress, answer.numbers];
  else if (answer.faults && !value) find("score").textContent = find("which").textContent = "";
}
// What scrolls can be reached with the keyboard.
const reach = () =>
  document.querySelectorAll(".formula, .scroll, .worked").forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  });
addEventListener("resize", reach);

/* -- wishes ------------------------------------------------------------------------------- */
async function wish(what, value) {
  const said = value?.querySelector(".said");
  if (what === "answer" && cells(value).flat().every((one) => !one)) {
    said.textContent = words.empty;
    return;
  }
  if (said && document.body.dataset.ready === undefined) said.textContent = words.soon;
  if (!value) state.textContent = words.drawing;
  const answer = await ask({ kind: "wish", wish: what, name: value?.dataset.name || "", cells: what === "answer" ? cells(value) : [] });
  if (answer.body) draw(answer);
  if (answer.body) scrollTo(0, 0);
  show(answer, value, { below: what === "hint" });
  if (what === "show" && value.dataset.kind === "numbers" && answer.stands[value.dataset.name] === "shown")
    fields(value).forEach((one) => (one.value = ""));
}
const check = (value) => wish("answer", value);
// An attention map fills as one types; Python reads the numbers, as it does everything that is typed.
const pending = new Map();
function changed(value) {
  if (!value?.querySelector(".fills")) return;
  const first = !pending.has(value);
  pending.set(value, cells(value));
  if (first) shade(value);
}
async function shade(value) {
  const typed = pending.get(value);
  const { shares } = await ask({ kind: "shares", cells: typed });
  paint(value, shares);
  if (typed !== pending.get(value)) shade(value);
  else pending.delete(value);
}
// The address of these numbers, whatever somebody did before.
function address(number) {
  const there = new URL(location.href);
  there.hash = "";
  there.searchParams.set("variant", number);
  return there.href;
}
function draw(answer) {
  place.innerHTML = answer.body;
  if (!own) history.replaceState(null, "", address(answer.variant));
  prepare();
}
function prepare() {
  values(place).forEach((value) => {
    paint(value);
    ticks(value, check);
    if (cells(value).flat().some(Boolean)) changed(value);
  });
  reach();
}

/* -- the page ----------------------------------------------------------------------------- */
listen(place, { check, changed });
keypad(find("keypad"), place, changed);
place.addEventListener("click", (event) => {
  const button = event.target.closest("[data-wish]");
  if (button) wish(button.dataset.wish, button.closest(".value"));
});
// Words are kept as they are; nobody judges them.
place.addEventListener("change", async ({ target }) => {
  const value = target.closest(".value");
  if (value?.dataset.kind === "words") {
    const answer = await ask({ kind: "wish", wish: "answer", name: value.dataset.name, cells: cells(value) });
    show({ ...answer, said: [] }, null);
  }
});
find("new").addEventListener("click", () => wish("new", null));
find("link")?.addEventListener("click", async () => {
  const link = document.createElement("a");
  link.href = link.textContent = address(variant);
  const copied = await navigator.clipboard?.writeText(link.href).then(() => words.copied, () => "");
  find("told").replaceChildren(link, ` ${copied || ""}`);
});
find("beside")?.addEventListener("click", ({ target }) => {
  const frame = find("example"), isOpen = target.getAttribute("aria-pressed") === "true";
  target.setAttribute("aria-pressed", String(!isOpen));
  frame.hidden = isOpen;
  frame.src ||= frame.dataset.src;
  document.body.classList.toggle("two", !isOpen);
  reach();
});

async function open() {
  const kept = own ? "" : read(`${slot}:${variant}`);
  if (!own && !variant) fill(place, kept); // its own numbers stand in the page already
  prepare();
  const lang = document.documentElement.lang;
  const answer = await ask({ kind: "open", ...source, name, seed, variant, kept, lang });
  if (answer.body && (own || variant)) {
    draw(answer);
    fill(place, answer.kept);
    prepare();
  }
  find("new").hidden = !answer.varies;
  if (find("link")) find("link").hidden = !answer.varies;
  show(answer, null);
  return answer;
}
if (own) author(source, open, place);
else open();
