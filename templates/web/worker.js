// Python in a worker: it loads what it needs from this site, then answers messages one after the other.
import { loadPyodide } from "./pyodide.mjs";
import { toMathML } from "./formulas.js";

self.toMathML = toMathML; // what math_core.py in python.zip calls

const say = (kind, more) => postMessage({ kind, ...more });

async function bytes(file) {
  const answer = await fetch(new URL(file, import.meta.url));
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

async function start() {
  const archives = ["flint.whl", "python.zip"].map(bytes); // on their way while Pyodide starts
  const python = await loadPyodide({ indexURL: new URL(".", import.meta.url).href });
  say("loading", { step: 2 });
  python.unpackArchive(await archives[0], "wheel");
  python.unpackArchive(await archives[1], "zip", { extractDir: "/attnsolve" });
  python.runPython("import sys; sys.path.insert(0, '/attnsolve')");
  say("loading", { step: 3 });
  const desk = python.runPython("from attnsolve.practice.browser import Desk\nDesk()");
  say("ready");
  return { python, desk };
}

const started = start().catch((error) => {
  say("failed", { why: String(error.message || error).slice(0, 300) });
  throw error;
});
let queue = started;

onmessage = ({ data }) => {
  queue = queue.then(async (engine) => {
    const { python, desk } = engine;
    let answer = JSON.parse(desk.handle(JSON.stringify(data.asked)));
    if (answer.needs === "sympy" || answer.needs === "mpmath") {
      say("loading", { step: 4 });
      python.unpackArchive(await bytes("sympy.zip"), "zip", { extractDir: "/attnsolve" });
      answer = JSON.parse(desk.handle(JSON.stringify(data.asked)));
    }
    say("answer", { id: data.id, answer });
    return engine;
  });
  queue = queue.catch((error) => {
    say("answer", { id: data.id, answer: { faults: [{ line: 1, column: 1, said: String(error.message || error).slice(-600) }] } });
    return started;
  });
};
