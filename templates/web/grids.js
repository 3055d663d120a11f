// Grids to type into: their numbers, moving between them, pasting, and the keypad of phones.
const all = (where, what) => [...where.querySelectorAll(what)];
export const values = (place) => all(place, ".value");
export const fields = (value) => all(value, "input, textarea");
const width = (value) => value.querySelector("tr:last-child")?.querySelectorAll("input").length || 1;

export function cells(value) {
  const typed = fields(value).map((one) => one.value.trim());
  const across = width(value);
  return Array.from({ length: typed.length / across }, (_, row) => typed.slice(row * across, (row + 1) * across));
}
// Numbers that were kept, back in their places.
export function fill(place, kept) {
  let record;
  try {
    record = JSON.parse(kept);
  } catch {
    return;
  }
  values(place).forEach((value) => {
    const rows = record?.values?.[value.dataset.name]?.cells;
    if (Array.isArray(rows)) fields(value).forEach((one, number) => (one.value = String(rows.flat()[number] ?? "")));
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
  return true;
}
// An attention map with how much of 100 each of its weights is, or nothing where there is none yet.
export function paint(value, shares) {
  const map = value.querySelector(".fills"), across = width(value);
  map?.style.setProperty("--columns", String(across));
  map?.replaceChildren(
    ...fields(value).map((_, number) => {
      const cell = document.createElement("span"), share = shares?.[Math.floor(number / across)]?.[number % across] ?? null;
      if (share === null) cell.className = "empty";
      else cell.style.setProperty("--share", `${share}%`);
      return cell;
    }),
  );
}

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
function move(event, value) {
  const step = STEPS[event.key], { selectionStart, selectionEnd, value: typed } = event.target;
  if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const selected = selectionStart === 0 && selectionEnd === typed.length;
  if (!selected && step[1] < 0 && selectionStart > 0) return; // inside a number arrows move the cursor
  if (!selected && step[1] > 0 && selectionEnd < typed.length) return;
  const inputs = fields(value), across = width(value), at = inputs.indexOf(event.target);
  const column = (at % across) + step[1], to = at + step[0] * across + step[1];
  if (column < 0 || column >= across || !inputs[to]) return;
  event.preventDefault();
  inputs[to].focus();
  inputs[to].select();
}
// Let keys move and check; `changed` hears of what is typed, `check` of Enter.
export function listen(place, { check, changed }) {
  place.addEventListener("keydown", (event) => {
    const value = event.target.closest(".value");
    if (!value || event.target.tagName !== "INPUT") return;
    if (event.key !== "Enter") return move(event, value);
    event.preventDefault();
    check(value);
  });
  place.addEventListener("paste", (event) => {
    const value = event.target.closest(".value");
    if (value?.dataset.kind !== "numbers" || !spread(value, event.target, event.clipboardData.getData("text"))) return;
    event.preventDefault();
    changed(value);
  });
  place.addEventListener("input", (event) => changed(event.target.closest(".value")));
}
// The signs that number pads of phones lack; it stands above the keyboard of the phone.
export function keypad(pad, place, changed) {
  let last = null;
  place.addEventListener("focusin", (event) => (last = event.target.tagName === "INPUT" ? event.target : null));
  pad.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the cursor
  pad.addEventListener("click", (event) => {
    const { key, move: by } = event.target.dataset;
    if (!last?.isConnected) return;
    if (by) {
      const inputs = all(place, ".value input");
      last = inputs[inputs.indexOf(last) + Number(by)] || last;
      last.focus();
      last.select();
    } else if (key !== undefined) {
      last.setRangeText(key, last.selectionStart, last.selectionEnd, "end");
      last.focus();
      changed(last.closest(".value"));
    }
  });
  const view = window.visualViewport;
  const rise = () => pad.style.setProperty("--above", `${Math.max(0, innerHeight - view.height - view.offsetTop)}px`);
  view?.addEventListener("resize", rise);
  view?.addEventListener("scroll", rise);
}
