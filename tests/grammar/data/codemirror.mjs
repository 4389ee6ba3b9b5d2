// Print the tokens that the CodeMirror modes find in files: [line, column, style] of each.
import { cardgame } from "./cardgame.js";
import { scenarios } from "./scenarios.js";
import { readFileSync } from "node:fs";
class Stream {
  constructor(line) { this.line = line; this.pos = 0; }
  sol() { return this.pos === 0; }
  eol() { return this.pos >= this.line.length; }
  next() { return this.line[this.pos++]; }
  eatSpace() { return this.match(/^\s+/) !== null; }
  match(regex) { const found = this.line.slice(this.pos).match(regex); if (found) this.pos += found[0].length; return found; }
}
const out = [];
for (const [name, file] of JSON.parse(process.argv[2])) {
  const mode = name === "scenario" ? scenarios : cardgame;
  const tokens = [];
  readFileSync(file, "utf-8").split("\n").forEach((line, row) => {
    const stream = new Stream(line);
    while (!stream.eol()) { const from = stream.pos, style = mode.token(stream); if (style) tokens.push([row, from, style]); }
  });
  out.push(tokens);
}
console.log(JSON.stringify(out));
