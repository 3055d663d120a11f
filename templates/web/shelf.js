// The list of exercises: how far each is, and progress as a file.
import { best, exported, imported, save } from "./keeping.js";

const words = JSON.parse(document.getElementById("words").textContent);
const told = document.getElementById("told");

function mark() {
  document.querySelectorAll("tr[data-name]").forEach((line) => {
    const far = best(line.dataset.name), place = line.querySelector(".begun");
    place.classList.toggle("done", Boolean(far) && far.right === far.total);
    place.textContent = far ? words.far.replace("{right}", far.right).replace("{total}", far.total) : "";
  });
}
document.getElementById("export").addEventListener("click", () => save(exported(), "attnsolve-practice.json", "application/json"));
document.getElementById("import").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  told.textContent = imported(await file.text()) ? words.imported : words.refused;
  mark();
  event.target.value = "";
});
mark();
addEventListener("pageshow", mark); // also when somebody comes back from an exercise
