"use strict";
// Everything on the page can be read without this: it folds all steps at once and shows where a number came from.
{
  const boxes = document.querySelectorAll(".formula, .scroll, .wide, pre");
  const steps = document.querySelectorAll(".step > details");

  // -- folding ---------------------------------------------------------------------------------------
  const tools = document.querySelector(".tools");
  if (tools && steps.length) {
    tools.hidden = false;
    tools.addEventListener("click", event => {
      const button = event.target.closest("button");
      if (button) for (const step of steps) step.open = button.hasAttribute("data-open");
    });
  }
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const one of folded) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of folded) one.open = false;
  });
  addEventListener("hashchange", () => {
    const step = document.querySelector(":target")?.closest(".step");
    if (step) step.querySelector("details").open = true;
  });

  // -- where a number came from ------------------------------------------------------------------------
  const cells = table => [...table.children].map(row => [...row.children]);
  const isMatrix = table => table.previousElementSibling?.textContent === "[";
  // A matrix with its brackets, and with the sign of a transpose.
  const whole = table => {
    const fenced = table.parentElement;
    const raised = fenced.parentElement;
    return raised.localName === "msup" && raised.firstElementChild === fenced ? raised : fenced;
  };
  const read = table => {
    const rows = cells(table);
    const outer = whole(table);
    const turned = outer.localName === "msup";
    return { table, outer, rows: turned ? rows[0].map((_, j) => rows.map(row => row[j])) : rows };
  };
  // The two factors whose product a matrix is: side by side before it, and of shapes that fit.
  const factors = (table, box) => {
    const before = [...box.querySelectorAll("mtable")].filter(isMatrix).map(read);
    const place = before.findIndex(one => one.table === table);
    const shown = before[place].rows;
    for (let i = place - 2; i >= 0; i--) {
      const [left, right] = [before[i].rows, before[i + 1].rows];
      const beside = before[i].outer.nextElementSibling === before[i + 1].outer;
      if (
        beside &&
        left.length === shown.length &&
        left[0].length === right.length &&
        right[0].length === shown[0].length
      )
        return [left, right];
    }
    return null;
  };
  const mapCells = svg => {
    const rows = new Map();
    for (const cell of svg.querySelectorAll("rect[stroke]")) {
      const top = cell.getAttribute("y");
      rows.set(top, [...(rows.get(top) || []), cell]);
    }
    return [...rows.values()];
  };
  let marked = [];
  const clear = () => {
    for (const one of marked) one.classList.remove("lit", "here");
    marked = [];
  };
  const mark = (some, name) => {
    for (const one of some) one.classList.add(name);
    marked.push(...some);
  };
  const rowsAround = cell =>
    cell.localName === "mtd" ? cells(cell.closest("mtable")) : mapCells(cell.closest("svg"));
  const show = (cell, box) => {
    clear();
    const rows = rowsAround(cell);
    const i = rows.findIndex(row => row.includes(cell));
    const j = rows[i].indexOf(cell);
    const found = cell.localName === "mtd" ? factors(cell.closest("mtable"), box) : null;
    if (found) {
      mark(found[0][i], "lit");
      mark(
        found[1].map(row => row[j]),
        "lit",
      );
    } else {
      mark(rows[i], "lit");
      mark(rows.map(row => row[j]).filter(Boolean), "lit");
    }
    mark([cell], "here");
    return [i, j, rows];
  };
  const cellAt = target => {
    const cell = target.closest?.("mtd, rect[stroke]");
    if (!cell) return null;
    if (cell.localName === "rect") return cell.closest(".map") && cell;
    return isMatrix(cell.closest("mtable"))
      ? cell
      : cell.parentElement.closest("mtd") && cellAt(cell.parentElement);
  };
  document.addEventListener("pointerover", event => {
    const cell = cellAt(event.target);
    const box = cell?.closest(".formula, .scroll");
    if (box) show(cell, box);
    else clear();
  });

  // -- with the keyboard: arrows go from number to number in the last matrix of a formula ----------------------
  const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const grid = box => {
    const tables = [...box.querySelectorAll("mtable")].filter(isMatrix);
    if (tables.length) return cells(tables[tables.length - 1]);
    const svg = box.closest(".map") && box.querySelector("svg");
    return svg ? mapCells(svg) : null;
  };
  for (const box of boxes) {
    box.addEventListener("keydown", event => {
      const move = moves[event.key];
      const rows = event.target === box && grid(box);
      if (event.key === "Escape") clear();
      if (!move || !rows) return;
      const i = rows.findIndex(row => row.some(cell => cell.classList.contains("here")));
      const j = i < 0 ? -1 : rows[i].findIndex(cell => cell.classList.contains("here"));
      const next = i < 0 ? rows[0][0] : rows[i + move[0]]?.[j + move[1]];
      if (!next) return;
      event.preventDefault();
      show(next, box);
      next.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
    box.addEventListener("blur", clear);
  }
  // What scrolls, or has numbers to go through, can be reached with the keyboard.
  const reach = () => {
    for (const box of boxes) {
      const numbers = !box.matches(".wide") && grid(box);
      if (box.scrollWidth > box.clientWidth || numbers) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  reach();
  addEventListener("resize", reach);

  // -- the index of a folder: titles that have all words of a search, whatever their accents -------------
  const search = document.querySelector(".search");
  if (search) {
    const plain = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    const lines = [...document.querySelectorAll(".pages > li")];
    search.hidden = false;
    search.addEventListener("input", event => {
      const words = plain(event.target.value).split(/\s+/);
      for (const line of lines) line.hidden = !words.every(word => plain(line.textContent).includes(word));
      const found = lines.filter(line => !line.hidden).length;
      search.querySelector("[role=status]").textContent = `${found} / ${lines.length}`;
    });
  }
}
