// node values.mjs ENGINE INPUT: what tests/practice/fingerprints.py says in the Python of browsers.
import { readFileSync } from "node:fs";

const [engine, input] = process.argv.slice(2);
const { loadPyodide } = await import(`${engine}/pyodide.mjs`);
globalThis.toMathML = (await import(`${engine}/formulas.js`)).toMathML;
const python = await loadPyodide({ indexURL: `${engine}/` });
const bytes = (name) => new Uint8Array(readFileSync(`${engine}/${name}`));
python.unpackArchive(bytes("flint.whl"), "wheel");
for (const name of ["python.zip", "sympy.zip"]) python.unpackArchive(bytes(name), "zip", { extractDir: "/attnsolve" });
python.globals.set("asked", readFileSync(input, "utf8"));
console.log(
  python.runPython(`
import json, sys
sys.path.insert(0, "/attnsolve")
given = json.loads(asked)
namespace = {}
exec(given["code"], namespace)
json.dumps(namespace["fingerprints"](given["texts"], given["drawn"]))
`),
);
