// A byte-level engine as one writes it in JavaScript; started with a table and the name of a fault.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [table, form, fault] = process.argv.slice(2);
const ids = new Map(), ranks = new Map(), added = new Map(), values = new Map();
const latin = (hex) => Buffer.from(hex, "hex").toString("latin1");
for (const row of readFileSync(table, "ascii").trimEnd().split("\n")) {
  const [kind, one, other] = row.split(" ");
  if (kind === "merge") ranks.set(`${latin(one)}\u0100${latin(other)}`, ranks.size);
  else if (kind === "added") added.set(Buffer.from(one, "hex").toString("utf8"), Number(other));
  else if (kind === "token") ids.set(latin(one), Number(other));
  if (kind === "token" || kind === "added") values.set(Number(other), Buffer.from(one, "hex"));
}

const own = fault === "white space of JavaScript";
const white = own ? "\\s" : "[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const ink = own ? "\\S" : `[^${white.slice(1)}`;
const alone = fault === "letters beyond the first plane stand alone";
const letters = alone ? "(?:[\\u{10000}-\\u{10ffff}]|(?:(?![\\u{10000}-\\u{10ffff}])\\p{L})+)" : "\\p{L}+";
const listed = "'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]";
const long = fault === "contractions of listed letters" ? "" : "|'\u017f";
const split = new RegExp(
  `${listed}${long}|[^\\r\\n\\p{L}\\p{N}]?${letters}|\\p{N}{1,3}| ?(?:(?![\\p{L}\\p{N}])${ink})+[\\r\\n]*` +
    `|${white}*[\\r\\n]+|${white}+(?!${ink})|${white}+`, "gu");
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const words = [...added.keys()].sort((a, b) => b.length - a.length);
const insensitive = fault === "added tokens in any case";
const special = new RegExp(`(${words.map(escaped).join("|")})`, insensitive ? "giu" : "gu");
const tokens = new Map(words.map((word) => [insensitive ? word.toLowerCase() : word, added.get(word)]));
const token = (part) => tokens.get(insensitive ? part.toLowerCase() : part);

const kept = new Map();
function merged(piece) {
  if (kept.has(piece)) return kept.get(piece);
  const parts = [...Buffer.from(piece, "utf8").toString("latin1")];
  while (parts.length > 1) {
    let best = Infinity, at = -1;
    for (let i = 0; i + 1 < parts.length; i++) {
      const rank = ranks.get(`${parts[i]}\u0100${parts[i + 1]}`);
      if (rank < best) [best, at] = [rank, i];
    }
    if (at < 0) break;
    parts.splice(at, 2, parts[at] + parts[at + 1]);
  }
  kept.set(piece, parts.map((part) => ids.get(part)));
  return kept.get(piece);
}

function plain(text) {
  text = text.normalize(fault === "composed by NFKC" ? "NFKC" : "NFC");
  if (fault === "a curly apostrophe is a straight one") text = text.replaceAll("\u2019", "'");
  if (form === "uncased")
    text = fault === "lower case with a final sigma" ? text.toLowerCase()
      : [...text].map((one) => one.toLowerCase()).join("");
  const size = fault === "texts are cut every 1,024 units" ? 1024 : text.length || 1;
  const found = [];
  for (let at = 0; at < text.length; at += size)
    for (const [piece] of text.slice(at, at + size).matchAll(split)) found.push(...merged(piece));
  return found;
}

function encode(text, parse, add) {
  if (fault === "NUL ends the text") text = text.split("\0")[0];
  const found = [];
  for (const part of parse ? text.split(special) : [text])
    if (parse && token(part) !== undefined) found.push(token(part));
    else found.push(...plain(part));
  return add ? [added.get("<bos>"), ...found, added.get("<eos>")] : found;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: fault !== "a mark of byte order is dropped in decoding" });
const decode = (row) => decoder.decode(Buffer.concat(row.map((id) => values.get(id))));
const can = ["special", "adds", "decode", "batch"];
const answers = {
  hello: ({ protocol }) => ({ protocol, name: "bpe.mjs", version: "1", can }),
  encode: (asked) => ({ ids: asked.texts.map((text) => encode(text, asked.special, asked.add)) }),
  decode: (asked) => ({ texts: asked.ids.map(decode) }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  console.log(JSON.stringify(answers[asked.op](asked)));
}
