// Checks the definitions stored with the read tables: no generation may have another definition than the program's.
import type { Sql } from "postgres";
import type { Projection } from "#ledger/projection/define.ts";
import { hashOfDefinition, readDefinition } from "#ledger/projection/definition.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import type { Problem } from "#ledger/verify/problem.ts";

type Said = { readonly problem: string } | { readonly note: string } | undefined;

async function say(
  sql: Sql,
  projections: readonly Projection[],
  { name, generation, state, version, definitionHash }: Generation,
): Promise<Said> {
  const which = `generation ${generation} of ${name} (${state}, version ${version})`;
  const own = projections.find((entry) => entry.name === name);
  if (own === undefined) {
    // Nothing feeds or reads it: a program that has this projection left it.
    return { note: `${which} belongs to no projection of this program` };
  }
  if (definitionHash === null) {
    return undefined;
  }
  const stored = await readDefinition(sql, name, generation);
  if (stored === undefined || hashOfDefinition(stored) !== definitionHash) {
    return { problem: `${which} has a definition that is not the one it was made by` };
  }
  if (version < own.version && state === "previous") {
    // An upgrade leaves these, and the next rebuild drops them.
    return undefined;
  }
  if (version !== own.version) {
    return { note: `${which}: only a program that makes version ${version} can check its step` };
  }
  return definitionHash === hashOfDefinition(own)
    ? undefined
    : { problem: `${which} is fed by another definition than this program's` };
}

/** Problems, and notes on tables of other versions, whose step only their own program can check. */
export async function checkDefinitions(
  sql: Sql,
  projections: readonly Projection[],
): Promise<{ readonly problems: readonly Problem[]; readonly notes: readonly string[] }> {
  const said: Said[] = [];
  for (const generation of await readGenerations(sql)) {
    said.push(await say(sql, projections, generation));
  }
  return {
    problems: said.flatMap((entry) =>
      entry !== undefined && "problem" in entry
        ? [{ check: "projection", position: 0, message: entry.problem } as const]
        : [],
    ),
    notes: said.flatMap((entry) => (entry !== undefined && "note" in entry ? [entry.note] : [])),
  };
}
