// Removes a guard, for tests that prove that they can fail. It needs the owner's role.
import { readFile } from "node:fs/promises";
import type { Sql } from "#db/connect.ts";

export type Guard = "version check" | "log lock" | "key check" | "checkpoint lock";

const MIGRATION: Record<Guard, string> = {
  "version check": "0010_kept_answers.sql",
  "log lock": "0010_kept_answers.sql",
  "key check": "0010_kept_answers.sql",
  "checkpoint lock": "0111_definitions.sql",
};

const FUNCTION: Record<Guard, string> = {
  "version check": "log.append",
  "log lock": "log.append",
  "key check": "log.append",
  "checkpoint lock": "read.move_checkpoints",
};

const PAUSE = "perform pg_sleep(0.02);";
/**
 * Where a batch without the log's lock waits: between the end that it read and the positions that it takes. On its own
 * this takes microseconds, and on a busy machine processes get a core in turn, so that they never meet there.
 */
const END_WAS_READ = "v_last := coalesce(v_last, 0);";

/** The text of the guarded function without the guard. Throws if the marks are not found. */
function withoutGuard(text: string, guard: Guard): string {
  const begin = text.indexOf(`create function ${FUNCTION[guard]}(`);
  const body = text.slice(begin, text.indexOf("$$;", begin) + 3);
  const block = new RegExp(`-- guard: ${guard}[\\s\\S]*?-- end guard: ${guard}`, "u");
  const cut = body.replace(block, "");
  const paused = guard === "log lock" ? cut.replace(END_WAS_READ, `${END_WAS_READ} ${PAUSE}`) : cut;
  if (begin === -1 || cut === body || (guard === "log lock" && paused === cut)) {
    throw new Error(`No guard "${guard}" in ${MIGRATION[guard]}`);
  }
  return paused.replace("create function", "create or replace function");
}

/** Replaces the guarded function in this database with one without the guard. */
export async function removeGuard(ownerSql: Sql, guard: Guard): Promise<void> {
  const file = new URL(`../../../migrations/${MIGRATION[guard]}`, import.meta.url);
  await ownerSql.unsafe(withoutGuard(await readFile(file, "utf8"), guard));
}
