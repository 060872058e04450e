// Changes that only show when compared with heads published outside the database, and changes of those heads.
import { readFile, rm, writeFile } from "node:fs/promises";
import { headFilesIn } from "#ledger/log/head-files.ts";
import { nextLink } from "#ledger/log/chain.ts";
import { readHead, readRange } from "#ledger/log/read.ts";
import type { Change, Copy } from "./change.ts";

const TABLES = ["events", "postings", "movements", "event_streams", "command_keys"];
const CUT = 4;
const HOUR_MICROS = 3_600_000_000n;

async function firstFile({ heads }: Copy): Promise<string> {
  const [file] = await headFilesIn(heads);
  if (file === undefined) {
    throw new Error("The store has published no heads");
  }
  return file;
}

async function addLine(copy: Copy, text: string): Promise<void> {
  const file = await firstFile(copy);
  await writeFile(file, `${text}\n${await readFile(file, "utf8")}`);
}

async function removeHeads({ heads }: Copy): Promise<void> {
  await rm(heads.folder, { recursive: true });
  await rm(heads.formerFile, { force: true });
}

/** Rewrites the chain from `position` on, as if its events had been recorded later: anyone who may write the log can. */
async function chainAnew({ sql }: Copy, position: number, laterMicros: bigint): Promise<void> {
  let hash = "";
  for (const event of await readRange(sql, position - 2, Number.MAX_SAFE_INTEGER)) {
    if (event.position >= position) {
      const recorded = event.recordedAtMicros + laterMicros;
      hash = nextLink(hash, event.position, recorded, event.fieldHash);
      await sql`
        update log.events set hash = decode(${hash}, 'hex'),
          recorded_at = recorded_at + ${String(laterMicros)}::bigint * interval '1 microsecond'
        where position = ${event.position}`;
    } else {
      ({ hash } = event);
    }
  }
}

export const headChanges: readonly Change[] = [
  {
    name: "a cut tail",
    tamper: async ({ sql }, { end }) => {
      await sql.unsafe(
        TABLES.map((table) => `delete from log.${table} where position > ${end - CUT};`).join(""),
      );
    },
    shown: ({ end }) => ({ positions: [end - CUT + 1], keys: [], check: "head" }),
  },
  {
    name: "a rewritten tail with matching hashes",
    tamper: (copy, { end }) => chainAnew(copy, end - CUT, 1n),
    shown: ({ end }) => ({ positions: [end], keys: [], check: "head" }),
  },
  {
    name: "a line of heads that is not a head",
    tamper: (copy) => addLine(copy, "nothing to see here"),
    shown: () => ({ positions: [], keys: ["line 1"], check: "head" }),
  },
  {
    name: "a line of heads that was torn",
    tamper: (copy) => addLine(copy, "12:0123456789abcdef"),
    shown: () => ({ positions: [], keys: ["line 1: the head is torn"], check: "head" }),
  },
  {
    name: "a head of another log",
    tamper: (copy) => addLine(copy, `2:${"0".repeat(64)}`),
    shown: () => ({ positions: [2], keys: [], check: "head" }),
  },
  {
    name: "no heads",
    tamper: removeHeads,
    shown: () => ({ positions: [1], keys: [], check: "head" }),
  },
  {
    name: "heads that end an hour early",
    tamper: async (copy, { end }) => {
      await removeHeads(copy);
      const { position, hash } = await readHeadAt(copy, end - CUT);
      await writeFile(copy.heads.formerFile, `${position}:${hash}\n`);
      await chainAnew(copy, end - 1, HOUR_MICROS);
    },
    shown: ({ end }) => ({ positions: [end - CUT + 1], keys: [], check: "head" }),
  },
];

async function readHeadAt({ sql }: Copy, position: number) {
  const [event] = await readRange(sql, position - 1, position);
  return event ?? (await readHead(sql));
}
