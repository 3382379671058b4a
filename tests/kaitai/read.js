// Reads files by a Kaitai Struct description and tells each field: what it is called, and its bytes.
//
// Usage: read.js MODULES FORMAT.ksy FILE...
// Prints a JSON object a file: {"file", "fields": [[name, start, end], ...]} or {"file", "error"}.
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");
const { createRequire } = require("module");

const [modules, description, ...files] = process.argv.slice(2);
const load = createRequire(path.join(path.resolve(modules), "package.json"));

// With debug on, objects remember where each of their fields was read.
async function compile() {
  const ksy = load("js-yaml").load(fs.readFileSync(description, "utf8"));
  const compiler = load("kaitai-struct-compiler");
  const sources = await (compiler.compile ? compiler : new compiler())
    .compile("javascript", ksy, null, true);
  const [name] = Object.keys(sources);
  const module = { exports: {} };
  vm.runInThisContext(`(function (module, exports, require) { ${sources[name]}\n})`)(
    module, module.exports, load);
  const main = name.replace(".js", "");
  return module.exports[main] || module.exports;
}

function getters(object) {
  return Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(object)))
    .filter(([name, what]) => what.get && !name.startsWith("_")).map(([name]) => name);
}

const isObject = (value) => value !== null && typeof value === "object" && value._debug;

// Objects that something refers to are read once for each place and kind.
function read(Main, file) {
  const { KaitaiStream } = load("kaitai-struct");
  const bytes = fs.readFileSync(file);
  const root = new Main(new KaitaiStream(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)));
  root._read();
  const fields = [];
  const seen = new Set();
  const waiting = [root];
  const add = (value, at) => {
    if (isObject(value)) {
      const args = Object.entries(value).filter(([name, one]) =>
        typeof one === "number" && !name.startsWith("_") && !(name in value._debug));
      const key = `${value.constructor.name}@${at.start} ${JSON.stringify(args)}`;
      if (!seen.has(key)) {
        seen.add(key);
        waiting.push(value);
      }
    } else if (Array.isArray(value)) {
      value.forEach((one, i) => add(one, at.arr[i]));
    }
  };
  while (waiting.length > 0) {
    const object = waiting.pop();
    for (const [name, at] of Object.entries(object._debug)) {
      const value = object[name];
      if (name.startsWith("_")) {
        continue;
      }
      if (isObject(value) || (Array.isArray(value) && isObject(value[0]))) {
        add(value, at);
      } else if (at.end > at.start) {
        fields.push([name, at.start, at.end]);
      }
    }
    for (const name of getters(object)) {
      const value = object[name];
      const at = object._debug[`_m_${name}`];
      if (isObject(value) || (Array.isArray(value) && isObject(value[0]))) {
        add(value, at);
      } else if (name === "wholeFile") {
        fields.push([name, at.start, at.end]);
      }
    }
  }
  return fields;
}

compile().then((Main) => {
  for (const file of files) {
    try {
      console.log(JSON.stringify({ file, fields: read(Main, file) }));
    } catch (error) {
      console.log(JSON.stringify({ file, error: String(error) }));
    }
  }
}).catch((error) => {
  console.error(String(error));
  process.exit(1);
});
