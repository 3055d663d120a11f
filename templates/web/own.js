// A teacher's own file: typed, opened or dropped, with its faults to go to, and kept as a draft.
import { keep, read, save } from "./keeping.js";

const DRAFT = "attnsolve-draft";
const LONGEST = 1000000;
const find = (id) => document.getElementById(id);
const isProblem = (file) => /\.ya?ml$/i.test(file.name);

// `source` gets what is typed; `open` opens it, and answers with its faults.
export function author(source, open, place) {
  const typed = find("source");
  let timer = 0, checking = null;
  async function check() {
    clearTimeout(timer);
    if (checking) return; // what was typed meanwhile is checked right after
    source.text = checking = typed.value;
    keep(DRAFT, typed.value);
    const { faults = [] } = await open();
    place.classList.toggle("stale", faults.length > 0);
    place.inert = faults.length > 0;
    find("faults").replaceChildren(...faults.map(entry));
    checking = null;
    if (typed.value !== source.text) check();
  }
  // A fault as a button that goes to its place.
  function entry({ line, column, said }) {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.textContent = said;
    button.addEventListener("click", () => {
      const lines = typed.value.split("\n"), before = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      typed.focus();
      typed.setSelectionRange(before + column - 1, before + (lines[line - 1] || "").length);
      typed.scrollTop = (line - 4) * parseFloat(getComputedStyle(typed).lineHeight);
    });
    item.append(button);
    return item;
  }
  async function take(files) {
    const taken = [...files], problem = taken.find(isProblem) || (taken.length === 1 ? taken[0] : null);
    for (const file of taken.filter((one) => one !== problem)) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      source.files = { ...source.files, [file.name]: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) };
    }
    if (problem) typed.value = (await problem.text()).slice(0, LONGEST);
    check();
  }
  typed.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(check, 400);
  });
  for (const kind of ["dragover", "drop"]) document.addEventListener(kind, (event) => event.preventDefault());
  document.addEventListener("drop", (event) => event.dataTransfer.files.length && take(event.dataTransfer.files));
  find("open").addEventListener("change", async ({ target }) => {
    await take(target.files);
    target.value = "";
  });
  find("save").addEventListener("click", () => save(typed.value, "exercise.yaml", "application/yaml"));
  find("again").addEventListener("click", () => {
    typed.value = typed.defaultValue;
    check();
  });
  typed.value = read(DRAFT) || typed.defaultValue;
  check();
}
