// Renders a chat template by one package of npm: node node_engine.mjs NAME FOLDER
//
// One line of JSON comes in, {"template": ..., "contexts": [...], "clock": ...}, and one goes out,
// {"found": [{"text": ...} or {"error": ...}, ...]}.
import { createRequire } from "node:module";
import { readSync, writeSync } from "node:fs";

const [name, folder] = process.argv.slice(2);
const require = createRequire(`${folder}/node_modules/`);
const words = (error) => ({ error: String(error?.message ?? error).slice(0, 500) });
const refuse = (message) => { throw new Error(message); };

// As @huggingface/jinja has it.
function strftime_now(format) {
  const now = new Date();
  const month = (how) => now.toLocaleDateString("en-US", { month: how, timeZone: "UTC" });
  const two = (number) => String(number).padStart(2, "0");
  const parts = {
    Y: now.getUTCFullYear(), m: two(now.getUTCMonth() + 1), d: two(now.getUTCDate()),
    b: month("short"), B: month("long"), H: two(now.getUTCHours()), M: two(now.getUTCMinutes()),
    S: two(now.getUTCSeconds()),
  };
  return format.replace(/%([YmdbBHMS])/g, (_, letter) => parts[letter]);
}

const engines = {
  "@huggingface/jinja": (template) => {
    const { Template } = require("@huggingface/jinja");
    const compiled = new Template(template);
    return (context) => compiled.render(context);
  },
  "minijinja-js": (template) => {
    const { Environment } = require("minijinja-js");
    const own = { raise_exception: refuse, strftime_now };
    return (context) => {
      const engine = new Environment(); // one that has met an error renders nothing any more
      engine.trimBlocks = engine.lstripBlocks = true;
      engine.enablePyCompat();
      return engine.renderNamedStr("chat", template, { ...context, ...own });
    };
  },
};

// The clock stops: one package reads it by itself, and the other is given `strftime_now`.
function stop(clock) {
  const Running = Date;
  globalThis.Date = class extends Running {
    constructor(...given) { super(...(given.length ? given : [`${clock}Z`])); }
  };
}

function answer({ template, contexts, clock }) {
  stop(clock);
  let render;
  try { render = engines[name](template); } catch (error) { return contexts.map(() => words(error)); }
  return contexts.map((context) => {
    try { return { text: render(context) }; } catch (error) { return words(error); }
  });
}

// Read at once and not by events: the worker may make few calls of the system.
const chunk = Buffer.alloc(1 << 20);
let line = Buffer.alloc(0);
while (line.indexOf(10) < 0) {
  const size = readSync(0, chunk);
  if (size === 0) break;
  line = Buffer.concat([line, chunk.subarray(0, size)]);
}
let said;
try { said = { found: answer(JSON.parse(line.toString())) }; } catch (error) { said = words(error); }
const data = Buffer.from(JSON.stringify(said) + "\n");
for (let at = 0; at < data.length; ) at += writeSync(1, data, at);
