// The fingerprint of a projection: a hash of its DDL and of all its SQL, whatever the white space.
import { createHash } from "node:crypto";
import { canonicalJson } from "#ledger/log/chain.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { createIndexSql, createTableSql } from "#ledger/projection/render.ts";

/** Everything but the name and the version, so that a field that projections gain later takes part too. */
export function projectionFingerprint(projection: Projection): string {
  const { name: _name, version: _version, tables, ...sql } = projection;
  const ddl = tables.map((table) => [createTableSql(table, 1), ...createIndexSql(table, 1)]);
  const text = canonicalJson({ ddl, sql }).replaceAll(/(?:\\n|\\t|\s)+/gu, " ");
  return createHash("sha256").update(text).digest("hex");
}
