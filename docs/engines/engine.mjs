// An engine that gives each byte of a text as its id, as `tokaudit.engine/1` asks.
import { createInterface } from "node:readline";

const can = ["decode", "batch"];
const answers = {
  hello: () => ({ protocol: "tokaudit.engine/1", name: "bytes", version: "1", can }),
  encode: ({ texts }) => ({ ids: texts.map((text) => [...Buffer.from(text, "utf8")]) }),
  decode: ({ ids }) => ({ texts: ids.map((one) => Buffer.from(one).toString("utf8")) }),
};

function answer(asked) {
  try {
    return answers[asked.op](asked);
  } catch (error) {
    return { error: String(error) };
  }
}
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(answer(JSON.parse(line))));
}
