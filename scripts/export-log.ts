// npm run export-log: writes the log, or a part of it, as lines that prove-export.mjs can prove without this program.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ExportRange } from "#ledger/log/export-log.ts";
import { positionAt } from "#http/as-of.ts";
import { readsOver } from "#http/reads.ts";
import { exportLog } from "#ledger/log/export-log.ts";
import { readHead } from "#ledger/log/read.ts";
import type { Books } from "./books.ts";
import { withBooks } from "./books.ts";
import type { CommandLine } from "./command-line.ts";
import {
  endWithUsage,
  readCommandLine,
  refusePositionals,
  runScript,
  untilInterrupted,
} from "./command-line.ts";
import { writeWholeFile } from "./whole-file.ts";
import { DAY_MS } from "#ledger/day-text.ts";

const options = {
  from: { type: "string", value: "WHERE", help: "the first position, day or instant (default: 1)" },
  to: {
    type: "string",
    value: "WHERE",
    help: "the last position, day or instant, included (default: the newest event)",
  },
  out: { type: "string", value: "FILE", help: "the new file (default: standard output)" },
} as const;

type Bound =
  | { readonly kind: "position"; readonly position: number }
  | { readonly kind: "instant"; readonly instant: string }
  /** The end of a day is the beginning of the next. */
  | { readonly kind: "day"; readonly begins: string; readonly ends: string };

function boundIn(line: CommandLine, name: "from" | "to"): Bound | undefined {
  const [text] = line.values.get(name) ?? [];
  if (text === undefined) {
    return undefined;
  }
  if (/^[1-9]\d{0,14}$/u.test(text)) {
    return { kind: "position", position: Number(text) };
  }
  const isDay = /^\d{4}-\d{2}-\d{2}$/u.test(text);
  const isInstant =
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/u.test(text);
  const at = isDay || isInstant ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) {
    return endWithUsage(
      `--${name} '${text}' is not a position (18204), a day (2026-11-30, in UTC) or an instant (2026-11-30T18:00:00Z)`,
    );
  }
  return isDay
    ? { kind: "day", begins: text, ends: new Date(at + DAY_MS).toISOString() }
    : { kind: "instant", instant: text };
}

async function positionOf(
  sql: Books["sql"],
  bound: { readonly instant: string; readonly isIncluded: boolean },
): Promise<number> {
  return positionAt(readsOver(sql).reads, bound, (await readHead(sql)).position);
}

async function firstOf(bound: Bound | undefined, { sql }: Books): Promise<number> {
  if (bound === undefined || bound.kind === "position") {
    return bound?.position ?? 1;
  }
  const instant = bound.kind === "day" ? `${bound.begins}T00:00:00Z` : bound.instant;
  return (await positionOf(sql, { instant, isIncluded: false })) + 1;
}

async function lastOf(bound: Bound | undefined, { sql }: Books): Promise<number> {
  const { position: newest } = await readHead(sql);
  if (bound === undefined) {
    return newest;
  }
  switch (bound.kind) {
    case "position": {
      return Math.min(bound.position, newest);
    }
    case "day": {
      return positionOf(sql, { instant: bound.ends, isIncluded: false });
    }
    default: {
      return positionOf(sql, { instant: bound.instant, isIncluded: true });
    }
  }
}

async function run(
  line: CommandLine,
  asked: { readonly from: Bound | undefined; readonly to: Bound | undefined },
  books: Books,
): Promise<number> {
  const range: ExportRange = {
    from: await firstOf(asked.from, books),
    to: await lastOf(asked.to, books),
  };
  const { from, to } = range;
  if (to < from) {
    process.stderr.write("There is no event in this range, so nothing was written.\n");
    return 1;
  }
  const lines = exportLog(books.sql, range);
  const [file] = line.values.get("out") ?? [];
  if (file === undefined) {
    await pipeline(Readable.from(lines), process.stdout, { end: false });
    return 0;
  }
  await writeWholeFile(lines, file, untilInterrupted("Stopped; nothing was written"));
  const result = { file, from, to, events: to - from + 1 };
  process.stdout.write(
    line.json
      ? `${JSON.stringify(result)}\n`
      : `${file} has positions ${from} to ${to}. Prove it with: node scripts/prove-export.mjs ${file} --heads COPY` +
          `${from === 1 && asked.to === undefined ? "" : " --part"}\n`,
  );
  return 0;
}

const line = readCommandLine(
  "npm run -s export-log -- [options]",
  "Writes the log, or a part of it, one event a line (NDJSON in canonical form), with everything that its hashes cover\n" +
    "and no personal data. `node scripts/prove-export.mjs FILE` proves it on any machine with Node 18 or newer, without\n" +
    "this program. Times are those at which events were recorded. The shop can stay open. With --out the file gets its\n" +
    "name when it is whole and on the disk; `> FILE` leaves an empty or cut file behind if it is stopped.\n\n" +
    "Exits with 0 if it was written; with 1 if the range has no event, the file exists already, or there is no store;\n" +
    "with 2 if it was called wrongly; with 75 if a service that started took the store over.",
  options,
);
refusePositionals(line);
const asked = { from: boundIn(line, "from"), to: boundIn(line, "to") };
if (line.json && !line.values.has("out")) {
  endWithUsage("--json needs --out, because the export itself goes to standard output");
}
await runScript(() =>
  withBooks({ name: "export-log", mayBegin: false, ofOlder: "refuse" }, (books) =>
    run(line, asked, books),
  ),
);
