// Connections for work that gives way to the shop: rebuilds, the proof of everything, and reads of people who read a lot.
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { givingWay } from "#db/give-way.ts";
import type { OpenedDatabase } from "#db/open.ts";
import type { Gentle } from "#http/read-place.ts";

export const PROOF_NAME = "ledger-proof";

export type BackgroundPools = {
  /** For rebuilds, so that they take no connection from other work. Nothing is opened before the first. */
  readonly rebuildSql: Sql;
  /** Called while a rebuild works, so that it gives way to the shop. */
  readonly slowRebuild: () => Promise<void>;
  /** The same for the proof of everything, which has connections of its own. */
  readonly slowProof: () => Promise<void>;
};

type Options = {
  readonly name: string;
  /** Where backends are looked up. */
  readonly workSql: Sql;
  readonly requestTimeoutMs: number;
};

/** Each statement uses one core, and where the server is ours, what the shop leaves of it. */
export function openBackgroundPools(
  parts: AsyncDisposableStack,
  { appUrl, isEmbedded }: Pick<OpenedDatabase, "appUrl" | "isEmbedded">,
  { name, workSql, requestTimeoutMs }: Options,
): { readonly pools: BackgroundPools; readonly gentle: Gentle } {
  // The backends of a server elsewhere are not processes of this machine.
  const slowing = (applicationName: string) =>
    isEmbedded ? givingWay(workSql, applicationName) : () => Promise.resolve();
  const rebuildName = `ledger-${name}-rebuild`;
  const rebuildSql = connect(appUrl, {
    applicationName: rebuildName,
    maxConnections: 4,
    isInBackground: true,
    // Three times a second it notes how far it is. While a backend that gets only what is left of the processor writes its
    // commit to the disk, nobody else can: sales waited for that. What a crash loses is done again.
    commit: "off",
  });
  parts.defer(() => rebuildSql.end({ timeout: 5 }));
  const gentleName = `ledger-${name}-gentle`;
  const gentleSql = connect(appUrl, {
    applicationName: gentleName,
    maxConnections: 3,
    isInBackground: true,
    statementTimeoutMs: requestTimeoutMs,
  });
  parts.defer(() => gentleSql.end({ timeout: 5 }));
  return {
    pools: { rebuildSql, slowRebuild: slowing(rebuildName), slowProof: slowing(PROOF_NAME) },
    gentle: { sql: gentleSql, giveWay: slowing(gentleName) },
  };
}
