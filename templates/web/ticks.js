// Printed options become boxes to tick; their letters stand in the field of the value, where everything is read.
export function ticks(value, check) {
  const field = value.querySelector(".letters"), options = value.closest(".part").querySelector(".options");
  if (!field || !options) return;
  const boxes = [...options.querySelectorAll("li")].map((item) => box(item, check, value));
  const ticked = field.value.toUpperCase().split(/[^A-Z]+/);
  boxes.forEach((one) => (one.checked = ticked.includes(one.value)));
  field.parentElement.hidden = true;
  options.onchange = () => (field.value = boxes.filter((one) => one.checked).map((one) => one.value).join(" "));
}
function box(item, check, value) {
  const there = item.querySelector("input");
  if (there) return there;
  const made = document.createElement("input"), label = document.createElement("label");
  made.type = "checkbox";
  made.value = item.querySelector("strong").textContent.trim();
  made.addEventListener("keydown", (event) => event.key === "Enter" && check(value));
  label.append(made, ...item.childNodes);
  label.querySelector(".tick").remove();
  item.append(label);
  return made;
}
