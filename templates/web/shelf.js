// The list of exercises: how far each is, and progress as a file.
const words = JSON.parse(document.getElementById("words").textContent);
const MINE = /^attnsolve:[\w.-]{1,100}:\d{1,9}$/;
const mine = () => Object.keys(localStorage).filter((key) => MINE.test(key));
const told = document.getElementById("told");

function mark() {
  document.querySelectorAll("[data-name]").forEach((line) => {
    const kept = localStorage.getItem(`attnsolve:${line.dataset.name}:1`);
    line.querySelector(".begun").textContent = kept ? words.begun : "";
  });
}
document.getElementById("export").addEventListener("click", () => {
  const record = Object.fromEntries(mine().map((key) => [key, localStorage.getItem(key)]));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(record)], { type: "application/json" }));
  link.download = "attnsolve-practice.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
});
document.getElementById("import").addEventListener("change", async (event) => {
  try {
    const record = JSON.parse((await event.target.files[0].text()).slice(0, 5000000));
    const entries = Object.entries(record).filter(([key, text]) => MINE.test(key) && typeof text === "string" && text.length < 1000000);
    if (!entries.length) throw new Error();
    entries.forEach(([key, text]) => localStorage.setItem(key, text));
    told.textContent = words.imported;
    mark();
  } catch {
    told.textContent = words.refused;
  }
  event.target.value = "";
});
mark();
