// Loads one package of npm and answers JSON lines: node node_encoder.mjs NAME FOLDER
//
// {"op": "load", "path": ..., "config": ..., "encoding": ...}, then
// {"op": "encode", "texts": [...], "add": false} and {"op": "decode", "ids": [[...]], "skip": false}.
import { createRequire } from "node:module";
import { readFileSync, readSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [name, folder] = process.argv.slice(2);
const modules = `${folder}/node_modules`;
const require = createRequire(`${modules}/`);
const json = (path) => JSON.parse(readFileSync(path, "utf8"));
const version = (module) => json(`${modules}/${module}/package.json`).version;

const packages = {
  "@huggingface/tokenizers": async (asked) => {
    const home = `${modules}/@huggingface/tokenizers`;
    const { Tokenizer } = await import(pathToFileURL(`${home}/dist/tokenizers.mjs`));
    const loaded = new Tokenizer(json(asked.path), asked.config ? json(asked.config) : {});
    return {
      version: version("@huggingface/tokenizers"),
      capabilities: ["encode", "decode", "parses", "adds"],
      encode: (text, add) => loaded.encode(text, { add_special_tokens: add }).ids,
      decode: (ids, skip) =>
        loaded.decode(ids, { skip_special_tokens: skip, clean_up_tokenization_spaces: false }),
    };
  },
  "gpt-tokenizer": async (asked) => {
    const path = `${modules}/gpt-tokenizer/esm/encoding/${asked.encoding}.js`;
    const loaded = await import(pathToFileURL(path));
    return {
      version: version("gpt-tokenizer"),
      note: `its own encoding ${asked.encoding}, chosen by the number of ranks`,
      capabilities: ["encode", "decode"],
      encode: (text) => loaded.encode(text, { disallowedSpecial: new Set() }),
      decode: (ids) => loaded.decode(ids),
    };
  },
  "tiktoken-wasm": async (asked) => {
    const loaded = require("tiktoken").get_encoding(asked.encoding);
    return {
      version: version("tiktoken"),
      note: `its own encoding ${asked.encoding}, chosen by the number of ranks`,
      capabilities: ["encode", "decode"],
      encode: (text) => loaded.encode_ordinary(text),
      decode: (ids) => new TextDecoder().decode(loaded.decode(new Uint32Array(ids))),
    };
  },
};

let loaded;
const words = (error) => String(error).slice(0, 1000);
const each = (items, call) => items.map((item) => { try { return call(item); } catch (error) { return words(error); } });

async function answer(asked) {
  if (asked.op === "load") {
    loaded = await packages[name](asked);
    return { version: loaded.version, capabilities: loaded.capabilities, note: loaded.note };
  }
  if (asked.op === "encode")
    return { found: each(asked.texts, (text) => Array.from(loaded.encode(text, asked.add), Number)) };
  return { found: asked.ids.map((ids) => loaded.decode(ids, asked.skip)) };
}

// Read at once and not by events: the worker may make few calls of the system.
const chunk = Buffer.alloc(1 << 20);
let rest = Buffer.alloc(0);
for (;;) {
  const size = readSync(0, chunk);
  if (size === 0) break;
  rest = Buffer.concat([rest, chunk.subarray(0, size)]);
  for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
    const line = rest.subarray(0, end).toString();
    rest = rest.subarray(end + 1);
    let said;
    try { said = await answer(JSON.parse(line)); } catch (error) { said = { error: words(error) }; }
    const data = Buffer.from(JSON.stringify(said) + "\n");
    for (let at = 0; at < data.length; ) at += writeSync(1, data, at);
  }
}
