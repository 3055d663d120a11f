// node browser.mjs ENGINE CODE PROBLEM: the times of practising.py in the Python of browsers.
import { readFileSync } from "node:fs";

const [engine, code, problem] = process.argv.slice(2);
const { loadPyodide } = await import(`${engine}/pyodide.mjs`);
globalThis.toMathML = (await import(`${engine}/formulas.js`)).toMathML;
globalThis.used = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
const python = await loadPyodide({ indexURL: `${engine}/` });
const bytes = (name) => new Uint8Array(readFileSync(`${engine}/${name}`));
python.unpackArchive(bytes("flint.whl"), "wheel");
python.unpackArchive(bytes("python.zip"), "zip", { extractDir: "/attnsolve" });
python.FS.writeFile("/attnsolve/practising.py", readFileSync(code, "utf8"));
python.globals.set("problem", readFileSync(problem, "utf8"));
console.log(
  python.runPython(`
import json, sys
sys.path.insert(0, "/attnsolve")
from js import used
from practising import times
json.dumps(times(problem, used))
`),
);
