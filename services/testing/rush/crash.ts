// A complete rush with kills: make the ground, kill, let every caller get an answer, judge.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Sql } from "#db/connect.ts";
import { connect } from "#db/connect.ts";
import type { EmbeddedPostgres } from "#db/embedded.ts";
import { startEmbedded } from "#db/embedded.ts";
import type { RushVerdict } from "#testing/rush/books.ts";
import { judgeBooks } from "#testing/rush/books.ts";
import type { RushAnswer } from "#testing/rush/judge.ts";
import type { Kill, KillOptions } from "#testing/rush/kills.ts";
import {
  armedSeats,
  killAround,
  killAtPoints,
  killEachOnce,
  refuseEnded,
} from "#testing/rush/kills.ts";
import { rushDuring } from "#testing/rush/rush-during.ts";
import type { ArmedSeats, Shop } from "#testing/rush/shop.ts";
import { openShop } from "#testing/rush/shop.ts";
import { seededNumbers } from "#testing/jar/jar-rush.ts";

export type CrashOptions = {
  /** The number of kills, one after another; or a short run that kills in each way once, or only at points. */
  readonly kills: number | "each once" | "at points";
  readonly callers: number;
  readonly seed: number;
  /** A caller's pause between two commands, so that killed processes start sooner; by default 0. */
  readonly pauseMs?: number;
  readonly onKilled?: (kill: Kill, count: number) => void;
};

/** The state after the last kill: every answer, and the books to check them against. */
export type Aftermath = {
  readonly kills: readonly Kill[];
  readonly answers: readonly RushAnswer[];
  readonly server: EmbeddedPostgres;
  /** Checks every answer against the log and verifies the books. */
  readonly judge: () => Promise<RushVerdict>;
  readonly close: () => Promise<void>;
};

async function rushAndKill(
  options: CrashOptions,
  server: EmbeddedPostgres,
  shop: Shop,
  sql: Sql,
  armed: ArmedSeats | undefined,
): Promise<Pick<Aftermath, "kills" | "answers">> {
  const how: KillOptions = {
    shop,
    server,
    random: seededNumbers(options.seed),
    ...(options.onKilled === undefined ? {} : { onKilled: options.onKilled }),
  };
  const { kills: count } = options;
  const rush = {
    urls: shop.apis.map((api) => api.url),
    callers: options.callers,
    seed: options.seed,
    retryForMs: 120_000,
    ...(options.pauseMs === undefined ? {} : { pauseMs: options.pauseMs }),
  };
  const { happened: kills, answers } = await rushDuring(sql, rush, async () => {
    if (armed !== undefined) {
      return killAtPoints(how, armed);
    }
    return typeof count === "number" ? killAround(how, count) : killEachOnce(how);
  });
  [...shop.apis, shop.worker].forEach(refuseEnded);
  return { kills, answers };
}

/** Runs it on its own PostgreSQL with fsync on. Close it afterwards. */
export async function crashRush(options: CrashOptions): Promise<Aftermath> {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), "crash-"));
  parts.defer(() => rm(folder, { recursive: true, force: true }));
  const server = await startEmbedded({ dataDir: folder, durability: "durable", holder: "service" });
  parts.defer(server.stop);
  const armed = options.kills === "at points" ? armedSeats(seededNumbers(options.seed)) : undefined;
  const shop = await openShop(server, armed);
  parts.defer(shop.close);
  const sql = connect(server.appUrl, { applicationName: "judge", maxConnections: 4 });
  parts.defer(() => sql.end({ timeout: 5 }));
  const { kills, answers } = await rushAndKill(options, server, shop, sql, armed);
  const left = parts.move();
  return {
    kills,
    answers,
    server,
    judge: () => judgeBooks(sql, answers),
    close: () => left.disposeAsync(),
  };
}
