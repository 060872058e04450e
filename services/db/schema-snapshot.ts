// Compares the schema with what the migrations make: the part of `npm run verify` about grants, triggers and functions.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql, TransactionSql } from "postgres";
import { OBJECTS, PRIVILEGES, SERVER_TRIGGERS } from "#db/schema-queries.ts";

/** Role names are `{app}` and `{owner}`, so that one snapshot fits every store. */
export type SchemaSnapshot = {
  /** The definition of each object of schemas `log` and `read`, and of each function and trigger of `identity`. */
  readonly objects: Readonly<Record<string, string>>;
  /** Who may do what with these schemas, one sentence per right. */
  readonly privileges: readonly string[];
};

/** Written by `npm run expected-schema`; a test fails if it does not match the migrations. */
const expectedFile = join(import.meta.dirname, "expected-schema.json");

export async function readExpectedSchema(): Promise<SchemaSnapshot> {
  // A file of our own, written by the function below.
  return JSON.parse(await readFile(expectedFile, "utf8")) as SchemaSnapshot;
}

export async function writeExpectedSchema(snapshot: SchemaSnapshot): Promise<void> {
  await writeFile(expectedFile, `${JSON.stringify(snapshot, null, 2)}\n`);
}

export async function readSchema(sql: Sql | TransactionSql): Promise<SchemaSnapshot> {
  const objects = await sql.unsafe<{ name: string; definition: string | null }[]>(
    `select * from (${OBJECTS}) o order by name collate "C"`,
  );
  const privileges = await sql.unsafe<{ line: string }[]>(
    `select distinct line collate "C" as line from (${PRIVILEGES}) p where line is not null order by 1`,
  );
  return {
    objects: Object.fromEntries(objects.map(({ name, definition }) => [name, definition ?? ""])),
    privileges: privileges.map(({ line }) => line),
  };
}

export type ServerTrigger = {
  readonly name: string;
  readonly owner: string;
  readonly definition: string;
};

/** Each event trigger that belongs to the server rather than to the store. */
export async function readServerTriggers(
  sql: Sql | TransactionSql,
): Promise<readonly ServerTrigger[]> {
  return sql.unsafe<ServerTrigger[]>(SERVER_TRIGGERS);
}

/** What is found of an object that the migrations do not make. */
export function describeUnexpected(name: string, definition: string): string {
  return `${name} was not made by a migration: ${definition}`;
}

/** The names of the two roles in this database. */
export async function roleNames(
  sql: Sql | TransactionSql,
): Promise<{ app: string; owner: string }> {
  const [row] = await sql<{ app: string | null; owner: string | null }[]>`
    select (select nspowner::regrole::text from pg_namespace where nspname = 'read') as app,
      (select nspowner::regrole::text from pg_namespace where nspname = 'log') as owner`;
  return { app: row?.app ?? "the app role", owner: row?.owner ?? "the owner" };
}

/** A superuser may do everything: this is reported once, not for each object. */
function comparable(privileges: readonly string[], appIsSuperuser: boolean): Set<string> {
  return new Set(privileges.filter((line) => !appIsSuperuser || !line.startsWith("{app} may ")));
}

/** The parts of one definition that the other lacks. */
function partsBeside(definition: string, other: string): string {
  const others = new Set(other.split(", "));
  const parts = definition.split(", ").filter((part) => !others.has(part));
  return parts.join(", ");
}

/** Every difference as a sentence that names the object. */
export function schemaDifferences(expected: SchemaSnapshot, found: SchemaSnapshot): string[] {
  const differences: string[] = [];
  for (const [name, definition] of Object.entries(expected.objects)) {
    const now = found.objects[name];
    if (now === undefined) {
      differences.push(`${name} is missing`);
    } else if (now !== definition) {
      const [here, there] = [partsBeside(now, definition), partsBeside(definition, now)];
      differences.push(`${name} is not as the migrations make it: "${here}", not "${there}"`);
    }
  }
  for (const [name, definition] of Object.entries(found.objects)) {
    if (expected.objects[name] === undefined) {
      differences.push(describeUnexpected(name, definition));
    }
  }
  const superuser = found.privileges.includes("{app} is a superuser");
  const wanted = comparable(expected.privileges, superuser);
  const there = comparable(found.privileges, superuser);
  for (const line of there) {
    if (!wanted.has(line)) {
      differences.push(`${line}, which no migration grants`);
    }
  }
  for (const line of wanted) {
    if (!there.has(line)) {
      differences.push(line.replace(" may ", " may no longer "));
    }
  }
  return differences;
}
