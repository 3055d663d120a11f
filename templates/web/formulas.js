// Formulas to MathML as the pages that were made beforehand have it: looks by classes, never by styles in the markup.
import temml from "./temml.mjs";

const SIDES = { "tml-right": "right", "tml-left": "left" };
const comma = '<mo separator="true">,</mo>';

export const toMathML = (source, display) =>
  temml
    .renderToString(source, { displayMode: display, throwOnError: true, strict: false, trust: false })
    .replace(/ style="[^"]*"/g, "")
    .replace(/ class="([^"]*)"/g, (_, name) => (SIDES[name] ? ` class="${SIDES[name]}"` : ""))
    // The row and column of an index are two numbers.
    .replace(/<mn>(\d+(?:,\d+)+)<\/mn>/g, (_, pair) => `<mrow><mn>${pair.replaceAll(",", `</mn>${comma}<mn>`)}</mn></mrow>`);
