// An exercise to type into. What is judged, hinted and drawn comes from Python in a worker; this moves and shows it.
const words = JSON.parse(document.getElementById("words").textContent);
const place = document.getElementById("exercise");
const state = document.getElementById("state");
const query = new URLSearchParams(location.search);
const all = (where, what) => [...where.querySelectorAll(what)];
const whole = (text) => (/^\d{1,9}$/.test(text || "") ? Number(text) : null);

const seed = whole(query.get("seed"));
const asked = whole(query.get("variant")) ?? (seed === null ? null : 1);
const own = place.dataset.own !== undefined;
let text = own ? "" : JSON.parse(document.getElementById("problem").textContent);
const name = place.dataset.name;
const slot = () => `attnsolve:${own ? "own" : name}:${seed ?? 1}`;

/* -- Python ------------------------------------------------------------------------------- */
const worker = new Worker(document.body.dataset.worker, { type: "module" });
const waiting = new Map();
let count = 0;
const ask = (message) =>
  new Promise((resolve) => {
    waiting.set(++count, resolve);
    worker.postMessage({ id: count, asked: message });
  });
worker.onmessage = ({ data }) => {
  if (data.kind === "loading") state.textContent = words.loading[data.step - 1];
  if (data.kind === "failed") state.textContent = `${words.failed} ${data.why}`;
  if (data.kind === "ready") {
    state.textContent = words.ready;
    document.body.dataset.ready = "";
    // Only now: a service worker that takes over while Python loads would cut that off.
    if (navigator.serviceWorker) navigator.serviceWorker.register(document.body.dataset.offline).catch(() => {});
  }
  if (data.kind === "answer") {
    waiting.get(data.id)?.(data.answer);
    waiting.delete(data.id);
  }
};
worker.onerror = () => (state.textContent = words.failed);
state.textContent = words.loading[0];

/* -- what is kept ------------------------------------------------------------------------- */
const read = () => {
  try {
    return localStorage.getItem(slot()) || "";
  } catch {
    return "";
  }
};
const keep = (content) => {
  try {
    localStorage.setItem(slot(), content);
  } catch {
    state.textContent = words.unkept;
  }
};

/* -- grids -------------------------------------------------------------------------------- */
const values = () => all(place, ".value");
const fields = (value) => all(value, "input, textarea");
const width = (value) => value.querySelector("tr:last-child")?.querySelectorAll("input").length || 1;
function cells(value) {
  const typed = fields(value).map((one) => one.value.trim());
  const across = width(value);
  return Array.from({ length: typed.length / across }, (_, row) => typed.slice(row * across, (row + 1) * across));
}
function fill(kept) {
  let record;
  try {
    record = JSON.parse(kept);
  } catch {
    return;
  }
  values().forEach((value) => {
    const rows = record.values?.[value.dataset.name]?.cells;
    if (!Array.isArray(rows)) return;
    fields(value).forEach((one, number) => (one.value = String(rows.flat()[number] ?? "")));
    draw(value);
  });
}
// A whole matrix that is pasted: rows by lines or semicolons, numbers by blanks, tabs, commas with a blank or &.
function spread(value, first, pasted) {
  const rows = pasted
    .trim()
    .replace(/\\\\/g, "\n")
    .split(/[\n;]+|\]\s*,?\s*\[/)
    .map((row) => row.replace(/[[\](){}]/g, " ").trim().split(/\s*&\s*|,\s+|\s+/).filter(Boolean))
    .filter((row) => row.length);
  if (rows.length < 2 && (rows[0] || []).length < 2) return false;
  const inputs = fields(value), across = width(value), start = inputs.indexOf(first);
  const turned = across === 1 && rows.length === 1 ? rows[0].map((one) => [one]) : rows;
  turned.forEach((row, i) =>
    row.forEach((typed, j) => {
      const to = start + i * across + j;
      if ((start % across) + j < across && inputs[to]) inputs[to].value = typed;
    }),
  );
  draw(value);
  return true;
}
// How much of the range from 0 to 1 a typed number is, for the map alone; what is judged is never this.
function share(typed) {
  const [above, below = "1"] = typed.replace(",", ".").replace("−", "-").replace(/%$/, "/100").split("/");
  const number = Number(above) / Number(below);
  return typed && Number.isFinite(number) ? Math.max(0, Math.min(1, number)) : null;
}
function draw(value) {
  const map = value.querySelector(".fills");
  if (!map) return;
  const inputs = fields(value);
  map.style.setProperty("--columns", String(width(value)));
  map.replaceChildren(
    ...inputs.map((one) => {
      const cell = document.createElement("span"), much = share(one.value.trim());
      cell.className = much === null ? "empty" : "";
      if (much !== null) cell.style.setProperty("--share", `${Math.round(much * 100)}%`);
      return cell;
    }),
  );
}

/* -- wishes ------------------------------------------------------------------------------- */
async function wish(what, value) {
  const said = value?.querySelector(".said");
  if (said && document.body.dataset.ready === undefined) said.textContent = words.soon;
  if (what === "answer" && cells(value).flat().every((one) => !one)) {
    said.textContent = words.empty;
    return;
  }
  const answer = await ask({ kind: "wish", wish: what, name: value?.dataset.name || "", cells: what === "answer" ? cells(value) : [] });
  if (answer.body) {
    place.innerHTML = answer.body;
    history.replaceState(null, "", address(answer.variant));
    prepare();
    scrollTo(0, 0);
  }
  show(answer, value);
  if (what === "show" && value.dataset.kind === "numbers") fields(value).forEach((one) => (one.value = ""));
}
function show(answer, value) {
  if (answer.kept) keep(answer.kept);
  Object.entries(answer.stands || {}).forEach(([called, stand]) => {
    const one = values().find((each) => each.dataset.name === called);
    if (one) {
      one.dataset.stand = stand;
      one.querySelector(".stand").textContent = { right: "✓", follows: "✓", passed: "✓", wrong: "✗", shown: "◦" }[stand] || "";
    }
  });
  const line = value?.querySelector(".said") || document.getElementById("told");
  const made = [...(answer.faults || []).map((fault) => ["bad", fault.said]), ...(answer.said || []).map((one) => [one.tone, one.html])];
  line.replaceChildren(
    ...made.map(([tone, markup], number) => {
      const box = document.createElement("div");
      box.className = tone;
      if (number < (answer.faults || []).length) box.textContent = markup;
      else box.innerHTML = markup; // made by our own templates, which escape what was typed
      return box;
    }),
  );
  reach();
  const right = Object.values(answer.stands || {}).filter((stand) => ["right", "follows", "passed"].includes(stand)).length;
  if (answer.stands) document.getElementById("score").textContent = `${right} / ${Object.keys(answer.stands).length}`;
}
function address(variant) {
  const there = new URL(location.href);
  there.hash = "";
  if (variant) there.searchParams.set("variant", variant);
  else there.searchParams.delete("variant");
  return there.href;
}

/* -- keys --------------------------------------------------------------------------------- */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
place.addEventListener("keydown", (event) => {
  const value = event.target.closest(".value");
  if (!value || event.target.tagName !== "INPUT") return;
  if (event.key === "Enter") {
    event.preventDefault();
    wish("answer", value);
    return;
  }
  const step = STEPS[event.key], { selectionStart, selectionEnd, value: typed } = event.target;
  if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (step[1] < 0 && (selectionStart > 0 || selectionEnd > 0)) return; // inside a number arrows move the cursor
  if (step[1] > 0 && selectionEnd < typed.length) return;
  const inputs = fields(value), across = width(value), at = inputs.indexOf(event.target);
  const column = (at % across) + step[1], to = at + step[0] * across + step[1];
  if (column < 0 || column >= across || !inputs[to]) return;
  event.preventDefault();
  inputs[to].focus();
  inputs[to].select();
});
place.addEventListener("paste", (event) => {
  const value = event.target.closest(".value");
  if (value?.dataset.kind === "numbers" && spread(value, event.target, event.clipboardData.getData("text"))) event.preventDefault();
});
place.addEventListener("input", (event) => draw(event.target.closest(".value")));
place.addEventListener("click", (event) => {
  const button = event.target.closest("[data-wish]");
  if (button) wish(button.dataset.wish, button.closest(".value"));
});
let last = null;
place.addEventListener("focusin", (event) => (last = event.target.tagName === "INPUT" ? event.target : last));
const keypad = document.getElementById("keypad");
keypad?.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the cursor
keypad?.addEventListener("click", (event) => {
  const key = event.target.dataset.key;
  if (key === undefined || !last?.isConnected) return;
  last.setRangeText(key, last.selectionStart, last.selectionEnd, "end");
  last.focus();
  draw(last.closest(".value"));
});
document.getElementById("new")?.addEventListener("click", () => wish("new", null));
document.getElementById("link")?.addEventListener("click", async (event) => {
  const link = address(JSON.parse(read() || "{}").variant || 0);
  document.getElementById("told").textContent = link;
  await navigator.clipboard?.writeText(link).catch(() => {});
  event.target.blur();
});

/* -- beginning ---------------------------------------------------------------------------- */
// What scrolls can be reached with the keyboard.
const reach = () =>
  all(document, ".formula, .scroll, .worked").forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  });
addEventListener("resize", reach);
function prepare() {
  values().forEach(draw);
  reach();
}
async function open(kept) {
  const answer = await ask({ kind: "open", text, name: name || "own", seed: seed ?? 1, variant: asked, kept, lang: document.documentElement.lang });
  if (answer.body && (own || answer.variant)) {
    place.innerHTML = answer.body;
    prepare();
    if (!own) history.replaceState(null, "", address(answer.variant));
  }
  if (answer.faults) {
    if (own) place.replaceChildren();
  } else if (answer.variant) fill(answer.kept);
  const button = document.getElementById("new");
  if (button) button.hidden = !answer.varies;
  show(answer, null);
}
if (own) {
  const source = document.getElementById("source");
  let timer = 0;
  const check = () => {
    text = source.value;
    if (text.trim()) open("");
  };
  source.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(check, 500);
  });
  source.addEventListener("dragover", (event) => event.preventDefault());
  source.addEventListener("drop", async (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    source.value = (await file.text()).slice(0, 1000000);
    check();
  });
  check();
} else {
  prepare();
  const kept = read();
  if (!(asked ?? 0)) fill(kept);
  open(kept);
}
