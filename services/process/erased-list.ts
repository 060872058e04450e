// Keeps the uids of erased people next to the published heads and the back-ups: a restore of an older back-up erases them again.
import { appendFile, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Logger } from "pino";
import type { Sql } from "#db/connect.ts";
import { makeFolder } from "#db/make-folder.ts";
import { repeat } from "#jobs/repeat.ts";
import { retried } from "#jobs/retried.ts";
import type { Sealed } from "#identity/sealed.ts";
import { codeOf } from "#ledger/log/failure.ts";

const FILE = "erased.txt";
/** A uid, when it was erased, and the store's signature. A line that a power cut tore is no such line. */
const LINE = /^((\S{20,128}) \d{4}-\d\d-\d\dT[\d:.]+Z)(?: ([0-9a-f]{64}))?$/u;

/** Who is in lists of erased people. Anybody who can write to a folder could add a line, but not sign it. */
export type ErasedPeople = {
  readonly signed: readonly string[];
  /** Also everybody, where there is no key to check the signatures with. */
  readonly unsigned: readonly string[];
};

/** The uids in these folders; named files count as being in their folder. */
export async function readErased(
  paths: readonly string[],
  sealed: Pick<Sealed, "isSigned"> | null,
): Promise<ErasedPeople> {
  const signed = new Set<string>();
  const all = new Set<string>();
  for (const path of paths) {
    const found = await stat(path).catch(() => null);
    for (const line of await linesIn(found?.isFile() === true ? dirname(path) : path)) {
      all.add(line.uid);
      if (sealed !== null && isProved(line, sealed)) {
        signed.add(line.uid);
      }
    }
  }
  return { signed: [...signed], unsigned: [...all].filter((uid) => !signed.has(uid)) };
}

type Line = { readonly uid: string; readonly text: string; readonly signature: string };

function isProved({ text, signature }: Line, sealed: Pick<Sealed, "isSigned">): boolean {
  return sealed.isSigned("erased-list", text, Buffer.from(signature, "hex"));
}

async function linesIn(folder: string): Promise<Line[]> {
  try {
    const text = await readFile(join(folder, FILE), "utf8");
    return text.split("\n").flatMap((line) => {
      const [, said, uid, signature = ""] = LINE.exec(line) ?? [];
      return said === undefined || uid === undefined ? [] : [{ uid, text: said, signature }];
    });
  } catch (error) {
    if (codeOf(error) === "ENOENT") {
      return [];
    }
    throw new Error(`${basename(folder)}/${FILE} cannot be read`, { cause: error });
  }
}

export type ErasedListDeps = {
  readonly sql: Sql;
  readonly folders: readonly string[];
  readonly sealed: Pick<Sealed, "sign" | "isSigned">;
  readonly logger: Logger;
};

/** Adds everybody who was erased to the list in each folder that lacks them. */
export async function listErased({ sql, folders, sealed }: ErasedListDeps): Promise<void> {
  const people = await sql<{ uid: string; erased_at: Date }[]>`
    select uid, erased_at from identity.erasures order by erased_at, uid limit 1000000`;
  for (const folder of people.length === 0 ? [] : folders) {
    const proved = (await linesIn(folder)).filter((line) => isProved(line, sealed));
    const listed = new Set(proved.map(({ uid }) => uid));
    const lines = people
      .filter(({ uid }) => !listed.has(uid))
      .map(({ uid, erased_at: erasedAt }) => `${uid} ${erasedAt.toISOString()}`)
      .map((text) => `${text} ${sealed.sign("erased-list", text).toString("hex")}\n`);
    if (lines.length > 0) {
      // For nobody but the service: it says who was here, and a restore obeys it.
      await makeFolder(folder, 0o700);
      // A line before it may be torn.
      await appendFile(join(folder, FILE), `\n${lines.join("")}`, { mode: 0o600 });
    }
  }
}

const LOOK_EVERY_MS = 5_000;

/** Looks now and every few seconds whether somebody was erased, in any process. A failure is logged and retried. */
export function startErasedList(deps: ErasedListDeps): { readonly close: () => Promise<void> } {
  let count = -1;
  const failure = "the list of erased people could not be written";
  const look = retried(deps.logger, failure, async () => {
    const [row] = await deps.sql<{ people: number }[]>`
      select count(*) as people from identity.erasures`;
    if (row !== undefined && row.people !== count) {
      await listErased(deps);
      count = row.people;
    }
  });
  return repeat(LOOK_EVERY_MS, look);
}
