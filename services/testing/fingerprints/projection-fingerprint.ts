// The fingerprint of a projection: a hash of its DDL and all its SQL, ignoring whitespace.
import { createHash } from "node:crypto";
import { canonicalJson } from "#ledger/log/chain.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { createIndexSql, tableSql } from "#ledger/projection/render.ts";

/** Everything that makes rows, so that fields added to projections later are covered too. */
export function projectionFingerprint(projection: Projection): string {
  const { name: _name, version: _version, money: _money, tables, ...sql } = projection;
  const ddl = tables.map((table) => [tableSql(table, 1), ...createIndexSql(table, 1)]);
  const text = canonicalJson({ ddl, sql }).replaceAll(/(?:\\n|\\t|\s)+/gu, " ");
  return createHash("sha256").update(text).digest("hex");
}
