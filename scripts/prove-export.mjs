// Proves an export of the log (npm run export-log) with nothing but this file and Node 18 or newer: no package, no database.
// It shares no code with the program that wrote the export.
// oxlint-disable max-lines -- an auditor gets one file
import { createHash } from "node:crypto";
import { createReadStream, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const usage = `Usage: node prove-export.mjs EXPORT… [options]

Recomputes every event's hash and link, checks that no position is missing, that money and units sum to zero, and
that the head is the one the export names. EXPORT is a file, or - for standard input.
Several are proved one after the other.

  --heads PATH          compare with heads that were published and kept elsewhere: a file or a folder (repeatable)
  --head POSITION:HASH  compare with this head, which must be in the export (repeatable)
  --part                the export is a part of the log: it may begin after position 1 and end before the newest head
  --json                write each result as a line of JSON

Exits with 0 if each export is proved, with 1 if one is refused (the first reason is named), with 2 if it was
called wrongly.
`;

const FORMAT = "consignment-ledger export 1";
const GENESIS = "0".repeat(64);
/** No event is nearly as long. */
const LONGEST_LINE = 256 * 1024 * 1024;

/** The export is not what it says. `code` is stable, for programs. */
class Refusal extends Error {
  constructor(code, message, line) {
    super(message);
    this.code = code;
    this.line = line;
  }
}

function endWithUsage(message) {
  process.stderr.write(`${message}\n\n${usage}`);
  process.exit(2);
}

function readArguments(given) {
  const options = { files: [], heads: [], head: [], part: false, json: false };
  for (let index = 0; index < given.length; index += 1) {
    const argument = given[index];
    if (argument === "--help") {
      process.stdout.write(usage);
      process.exit(0);
    } else if (argument === "--heads" || argument === "--head") {
      index += 1;
      if (given[index] === undefined) {
        endWithUsage(`${argument} needs a value`);
      }
      options[argument.slice(2)].push(given[index]);
    } else if (argument === "--part" || argument === "--json") {
      options[argument.slice(2)] = true;
    } else if (argument.startsWith("--")) {
      endWithUsage(`Unexpected argument '${argument}'`);
    } else {
      options.files.push(argument);
    }
  }
  if (options.files.length === 0) {
    endWithUsage("Name the export");
  }
  return options;
}

// The same text for the same value: sorted keys, no spaces.
function canonical(value) {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(",")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const names = Object.keys(value).sort((a, b) => (a < b ? -1 : 1));
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

// Each part with its length in bytes, so that two lists of parts never give the same text.
function lengthPrefixed(parts) {
  return parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join("");
}

function fieldHashOf(event) {
  const parts = [
    `consignment-ledger event ${event.hashForm}`,
    event.id,
    event.type,
    String(event.schemaVersion),
    canonical(event.data),
    event.actor,
    event.keyScope,
    event.commandKey,
    event.happenedAtMicros,
    String(event.postings.length),
  ];
  for (const { from, to, cents } of event.postings) {
    parts.push(from, to, String(cents));
  }
  parts.push(String(event.movements.length));
  for (const { from, to, units } of event.movements) {
    parts.push(from, to, String(units));
  }
  const streams = [...event.streams].sort((a, b) => (a.streamId < b.streamId ? -1 : 1));
  parts.push(String(streams.length));
  for (const { streamId, version } of streams) {
    parts.push(streamId, String(version));
  }
  if (event.hashForm === 2) {
    parts.push(event.answerHash ?? "");
  }
  return createHash("sha256").update(lengthPrefixed(parts)).digest("hex");
}

function linkAfter(previous, position, recordedAtMicros, fieldHash) {
  const numbers = Buffer.alloc(16);
  numbers.writeBigInt64BE(BigInt(position), 0);
  numbers.writeBigInt64BE(BigInt(recordedAtMicros), 8);
  return createHash("sha256")
    .update(previous, "hex")
    .update(numbers)
    .update(fieldHash, "hex")
    .digest("hex");
}

const isText = (value) => typeof value === "string";
const isHash = (value) => isText(value) && /^[0-9a-f]{64}$/.test(value);
const isMicros = (value) => isText(value) && /^(0|-?[1-9]\d{0,17})$/.test(value);
const isCount = (value) => Number.isSafeInteger(value) && value > 0;
const isPosition = (value) => Number.isSafeInteger(value) && value >= 0;
const listOf = (shape) => (value) => Array.isArray(value) && value.every((one) => fits(one, shape));

/** True if the value has these fields and no others: a field that no hash covers could say anything. */
function fits(value, shape) {
  const names = Object.keys(shape);
  return (
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).length === names.length &&
    names.every((name) => Object.hasOwn(value, name) && shape[name](value[name]))
  );
}

const headShape = (value) => fits(value, { position: isPosition, hash: isHash });
const shapes = {
  start: {
    kind: isText,
    format: isText,
    from: isCount,
    to: isCount,
    before: headShape,
  },
  event: {
    kind: isText,
    position: isCount,
    id: isText,
    type: isText,
    schemaVersion: isCount,
    data: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    actor: isText,
    keyScope: isText,
    commandKey: isText,
    happenedAtMicros: isMicros,
    recordedAtMicros: isMicros,
    fieldHash: isHash,
    hash: isHash,
    hashForm: (value) => value === 1 || value === 2,
    answerHash: (value) => value === null || isHash(value),
    postings: listOf({ from: isText, to: isText, cents: isCount }),
    movements: listOf({ from: isText, to: isText, units: isCount }),
    streams: listOf({ streamId: isText, version: isCount }),
  },
  end: { kind: isText, events: isPosition, head: headShape },
};

/** The lines of the export with their numbers, one at a time. */
async function* linesOf(input) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let pieces = [];
  let length = 0;
  let number = 1;
  const decode = (bytes) => {
    try {
      return decoder.decode(bytes);
    } catch {
      throw new Refusal("not_text", "is not UTF-8 text", number);
    }
  };
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      pieces.push(chunk.subarray(start, end));
      yield [decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)), number];
      pieces = [];
      length = 0;
      number += 1;
      start = end + 1;
    }
    if (start < chunk.length) {
      pieces.push(chunk.subarray(start));
      length += chunk.length - start;
    }
    if (length > LONGEST_LINE) {
      throw new Refusal("not_text", "is longer than any event", number);
    }
  }
  if (length > 0) {
    throw new Refusal("cut_off", "has no line break: the end of the export is cut off", number);
  }
}

/** A line as a value of the wanted kind. */
function parseLine(text, line, kinds) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal("not_json", "is not JSON", line);
  }
  const kind = value === null ? undefined : value.kind;
  if (!kinds.includes(kind)) {
    throw new Refusal(
      "kind",
      `is of kind ${JSON.stringify(kind)}, not ${kinds.join(" or ")}`,
      line,
    );
  }
  if (!fits(value, shapes[kind])) {
    throw new Refusal("shape", `has other fields than a line of kind ${kind} has`, line);
  }
  if (canonical(value) !== text) {
    throw new Refusal("not_canonical", "is not in canonical form", line);
  }
  return value;
}

/** Account and holding names without ids, so that a trial balance has a few rows however large the store is. */
function familyOf(name) {
  const parts = name.split(":");
  return parts[0] === "store" || parts[0] === "world" || parts.length < 2
    ? name
    : [parts[0], "*", ...parts.slice(2)].join(":");
}

class Sums {
  constructor(what) {
    this.what = what;
    this.count = 0;
    this.byFamily = new Map();
  }

  move(from, to, amount, line) {
    if (from === to) {
      throw new Refusal("unbalanced", `moves ${this.what} from ${from} to itself`, line);
    }
    this.count += 1;
    this.add(from, -BigInt(amount));
    this.add(to, BigInt(amount));
  }

  add(name, amount) {
    const family = familyOf(name);
    this.byFamily.set(family, (this.byFamily.get(family) ?? 0n) + amount);
  }

  total() {
    return [...this.byFamily.values()].reduce((sum, amount) => sum + amount, 0n);
  }
}

function parseHead(text) {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (position === undefined) {
    endWithUsage(`'${text}' is not a head: it is written POSITION:HASH`);
  }
  return { position: Number(position), hash, source: "--head" };
}

/** The heads in files that somebody kept. Torn lines, left by a full disk or a power cut, are counted. */
function readHeads(paths) {
  const found = [];
  let torn = 0;
  for (const path of paths) {
    let files;
    try {
      files = statSync(path).isDirectory()
        ? readdirSync(path)
            .filter((name) => name.endsWith(".log"))
            .map((name) => join(path, name))
        : [path];
    } catch {
      endWithUsage(`There is no file or folder ${path}`);
    }
    for (const file of files) {
      for (const [index, line] of readFileSync(file, "latin1").split("\n").entries()) {
        const [, position, hash] =
          /^(\d{1,15}):([0-9a-f]{64})(?: [\d:.TZ-]{0,24})?$/.exec(line.trim()) ?? [];
        if (position !== undefined) {
          found.push({ position: Number(position), hash, source: `${file}:${index + 1}` });
        } else if (line.trim() !== "") {
          torn += 1;
        }
      }
    }
  }
  return { found, torn };
}

/** Walks the export once; only the sums and the last event are kept. */
class Walk {
  constructor(start, heads) {
    this.start = start;
    this.position = start.before.position;
    this.hash = start.before.hash;
    this.recordedAtMicros = null;
    this.events = 0;
    this.cents = new Sums("cents");
    this.units = new Sums("units");
    this.headsAt = new Map();
    this.compared = 0;
    for (const head of heads) {
      this.headsAt.set(head.position, [...(this.headsAt.get(head.position) ?? []), head]);
    }
    this.compareHeads(1);
  }

  compareHeads(line) {
    for (const head of this.headsAt.get(this.position) ?? []) {
      if (head.hash !== this.hash) {
        throw new Refusal(
          "head_differs",
          `position ${this.position} has the hash ${this.hash}, but the head in ${head.source} says ${head.hash}`,
          line,
        );
      }
      this.compared += 1;
    }
  }

  take(event, line) {
    const expected = this.position + 1;
    if (event.position > expected) {
      throw new Refusal("gap", `position ${expected} is missing before ${event.position}`, line);
    }
    if (event.position < expected) {
      throw new Refusal("order", `position ${event.position} is where ${expected} belongs`, line);
    }
    if (event.position > this.start.to) {
      throw new Refusal("range", `position ${event.position} is after the range's end`, line);
    }
    if (event.hashForm === 1 && event.answerHash !== null) {
      throw new Refusal(
        "fields",
        `event ${event.position} names an answer that it does not cover`,
        line,
      );
    }
    if (fieldHashOf(event) !== event.fieldHash) {
      throw new Refusal(
        "fields",
        `the fields of event ${event.position} are not those that were hashed`,
        line,
      );
    }
    if (
      linkAfter(this.hash, event.position, event.recordedAtMicros, event.fieldHash) !== event.hash
    ) {
      throw new Refusal(
        "link",
        `the hash of event ${event.position} does not follow from the event before`,
        line,
      );
    }
    const recorded = BigInt(event.recordedAtMicros);
    if (this.recordedAtMicros !== null && recorded < this.recordedAtMicros) {
      throw new Refusal(
        "time",
        `event ${event.position} was recorded before its predecessor`,
        line,
      );
    }
    event.postings.forEach(({ from, to, cents }) => this.cents.move(from, to, cents, line));
    event.movements.forEach(({ from, to, units }) => this.units.move(from, to, units, line));
    this.position = event.position;
    this.hash = event.hash;
    this.recordedAtMicros = recorded;
    this.events += 1;
    this.compareHeads(line);
  }

  end({ events, head }, line) {
    if (
      this.position !== this.start.to ||
      events !== this.events ||
      head.position !== this.position
    ) {
      throw new Refusal(
        "cut_off",
        `the export ends at position ${this.position} after ${this.events} events, but it says ${this.start.to} and ${events}`,
        line,
      );
    }
    if (head.hash !== this.hash) {
      throw new Refusal(
        "head_differs",
        `the last line names the head ${head.hash}, but it is ${this.hash}`,
        line,
      );
    }
    if (this.cents.total() !== 0n || this.units.total() !== 0n) {
      throw new Refusal("unbalanced", "money or units do not sum to zero", line);
    }
  }
}

function begin(text, options, heads) {
  const start = parseLine(text, 1, ["start"]);
  const { format, from, to, before } = start;
  if (format !== FORMAT) {
    throw new Refusal("format", `has the unknown format ${JSON.stringify(format)}`, 1);
  }
  if (before.position !== from - 1 || to < from || (from === 1 && before.hash !== GENESIS)) {
    throw new Refusal("start", "names a range or a first link that cannot be", 1);
  }
  if (from > 1 && !options.part) {
    throw new Refusal("not_whole", `begins at position ${from}; call with --part if it should`, 1);
  }
  return new Walk(start, heads);
}

async function prove(file, options, asked, kept) {
  const input = file === "-" ? process.stdin : createReadStream(file, { highWaterMark: 1 << 20 });
  const heads = [...asked, ...kept.found];
  let walk;
  let isEnded = false;
  let lines = 0;
  for await (const [text, line] of linesOf(input)) {
    lines = line;
    if (walk === undefined) {
      walk = begin(text, options, heads);
      continue;
    }
    if (isEnded) {
      throw new Refusal("after_end", "comes after the export's last line", line);
    }
    const value = parseLine(text, line, ["event", "end"]);
    isEnded = value.kind === "end";
    if (isEnded) {
      walk.end(value, line);
    } else {
      walk.take(value, line);
    }
  }
  if (walk === undefined || !isEnded) {
    throw new Refusal(
      "cut_off",
      `the export has no last line: it is cut off after position ${walk?.position ?? 0}`,
      lines + 1,
    );
  }
  return { ...resultOf(walk, options, asked, heads), torn: kept.torn };
}

/** The heads that the walk did not meet are after its end or before its beginning. */
function resultOf(walk, options, asked, heads) {
  const last = walk.start.to;
  const later = heads.filter(({ position }) => position > last);
  const newest = later.reduce((most, { position }) => Math.max(most, position), 0);
  const outside = asked.find(({ position }) => position > last || position < walk.start.from - 1);
  if (outside !== undefined) {
    throw new Refusal(
      "head_beyond",
      `the head at position ${outside.position} is not in the export, which ends at ${last}`,
    );
  }
  if (later.length > 0 && !options.part) {
    throw new Refusal(
      "head_beyond",
      `the export ends at position ${last}, but heads up to position ${newest} were published: its tail is cut off. Call with --part if it should end there`,
    );
  }
  if (heads.length > 0 && walk.compared === 0) {
    throw new Refusal(
      "no_head",
      "none of the published heads is in the export, so nothing confirms it",
    );
  }
  const rows = (sums) =>
    Object.fromEntries(
      [...sums.byFamily]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([family, amount]) => [family, String(amount)]),
    );
  return {
    from: walk.start.from,
    to: last,
    events: walk.events,
    head: `${last}:${walk.hash}`,
    headsCompared: walk.compared,
    headsLater: later.length,
    postings: walk.cents.count,
    movements: walk.units.count,
    cents: rows(walk.cents),
    units: rows(walk.units),
  };
}

function print(file, result) {
  const write = (text) => process.stdout.write(`${text}\n`);
  write(
    `${file}: proved. Positions ${result.from} to ${result.to}, ${result.events} events, no gap, every hash and link right.`,
  );
  write(`  Head             ${result.head}`);
  write(
    `  Published heads  ${result.headsCompared} compared, ${result.headsLater} after the export's end, ${result.torn} torn lines`,
  );
  write(`  Money            ${result.postings} postings sum to 0 cents`);
  for (const [family, amount] of Object.entries(result.cents)) {
    write(`    ${family.padEnd(30)}${amount.padStart(20)}`);
  }
  write(`  Units            ${result.movements} movements sum to 0 units`);
  for (const [family, amount] of Object.entries(result.units)) {
    write(`    ${family.padEnd(30)}${amount.padStart(20)}`);
  }
  if (result.headsCompared === 0) {
    write(
      "  No published head was compared: the export agrees with itself. That it is the store's log shows only a head",
    );
    write("  that was kept elsewhere: --heads PATH or --head POSITION:HASH.");
  }
}

/** Proves one export and says so. Returns false if it is refused. */
async function judge(file, options, asked, kept) {
  try {
    const result = await prove(file, options, asked, kept);
    if (options.json) {
      process.stdout.write(`${JSON.stringify({ file, proved: true, ...result })}\n`);
    } else {
      print(file, result);
    }
    return true;
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "EISDIR") {
      endWithUsage(`There is no file ${file}`);
    }
    if (!(error instanceof Refusal)) {
      throw error;
    }
    const { code, message, line = null } = error;
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ file, proved: false, refusal: { code, message, line } })}\n`
        : `${file}: REFUSED (${code})${line === null ? "" : `, line ${line}`}: ${message}\n`,
    );
    return false;
  }
}

const options = readArguments(process.argv.slice(2));
const asked = options.head.map(parseHead);
const kept = readHeads(options.heads);
for (const file of options.files) {
  if (!(await judge(file, options, asked, kept))) {
    process.exitCode = 1;
  }
}
