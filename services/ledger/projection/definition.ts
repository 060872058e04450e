// The definition that a generation was made with, kept beside its row: every process feeds the tables with that one.
import { createHash } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import * as z from "zod/mini";
import { canonicalJson } from "#ledger/log/chain.ts";
import type { Projection, ProjectionTable, StoredProjection } from "#ledger/projection/define.ts";

const texts = z.readonly(z.array(z.string()));

const parts = {
  name: z.string(),
  version: z.int(),
  tables: z.readonly(
    z.array(
      z.readonly(z.object({ name: z.string(), columns: z.string(), keys: texts, indexes: texts })),
    ),
  ),
  step: texts,
  keysTouched: z.string(),
  forgetKeys: texts,
};

const storedDefinition: z.ZodMiniType<StoredProjection> = z.union([
  z.readonly(
    z.object({
      ...parts,
      streamsOfKey: z.string(),
      derived: z.optional(z.readonly(z.object({ tables: texts, deriveKeys: texts }))),
    }),
  ),
  z.readonly(z.object({ ...parts, streamOfKey: z.string() })),
]);

function storedTable({ name, columns, keys, indexes }: ProjectionTable): ProjectionTable {
  return { name, columns, keys, indexes };
}

/** Only the stored fields, without any others that the object has. */
function storedPart(projection: StoredProjection): StoredProjection {
  const { name, version, step, keysTouched, forgetKeys } = projection;
  const tables = projection.tables.map(storedTable);
  const part = { name, version, tables, step, keysTouched, forgetKeys };
  if (!("streamsOfKey" in projection)) {
    return { ...part, streamOfKey: projection.streamOfKey };
  }
  const { streamsOfKey, derived } = projection;
  // Left out where there is none, so that the hash of such a definition stays what it was.
  return derived === undefined
    ? { ...part, streamsOfKey }
    : { ...part, streamsOfKey, derived: { ...derived } };
}

/** sha256 (hex) of the definition's canonical JSON. */
export function hashOfDefinition(projection: StoredProjection): string {
  return createHash("sha256")
    .update(canonicalJson(storedPart(projection)))
    .digest("hex");
}

/** What is stored of a definition, as JSON. */
export function jsonOfDefinition(projection: StoredProjection): string {
  return JSON.stringify(storedPart(projection));
}

/** The definition a generation was made with; undefined if it was not kept. Throws if it cannot be read. */
export async function readDefinition(
  sql: Sql | TransactionSql,
  name: string,
  generation: number,
): Promise<StoredProjection | undefined> {
  const [row] = await sql<{ definition: unknown }[]>`
    select definition from read.definitions where name = ${name} and generation = ${generation}`;
  if (row === undefined) {
    return undefined;
  }
  const parsed = storedDefinition.safeParse(row.definition);
  if (!parsed.success) {
    throw new Error(`The stored definition of ${name}, generation ${generation}, cannot be read`);
  }
  return parsed.data;
}

/** Stores a definition: from now on every process feeds the generation with it. */
export async function keepDefinition(
  sql: Sql | TransactionSql,
  generation: number,
  projection: Projection,
): Promise<void> {
  const { name } = projection;
  await sql`
    with kept as (
      insert into read.definitions as d (name, generation, definition)
      values (${name}, ${generation}, ${jsonOfDefinition(projection)}::text::jsonb)
      on conflict on constraint definitions_pkey do update set definition = excluded.definition
    )
    update read.projections set definition_hash = ${hashOfDefinition(projection)}
    where name = ${name} and generation = ${generation}`;
}

/** A table's definition without comments and differences in white space, which PostgreSQL ignores. */
function meaningOf({ name, columns, keys, indexes }: ProjectionTable): ProjectionTable {
  const plain = (sql: string) =>
    sql
      .replaceAll(/--[^\n]*/gu, " ")
      .replaceAll(/\s+/gu, " ")
      .replaceAll(/(?<=\() | (?=\))/gu, "")
      .trim();
  return { name, columns: plain(columns), keys: keys.map(plain), indexes: indexes.map(plain) };
}

/** Whether two definitions make the same tables: then they differ at most in how they fill the tables. */
export function makesSameTables(one: StoredProjection, other: StoredProjection): boolean {
  const text = ({ tables }: StoredProjection) => canonicalJson(tables.map(meaningOf));
  return text(one) === text(other);
}
