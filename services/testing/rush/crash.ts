// A rush through kills from beginning to end: make the ground, kill, let every caller get an answer, judge.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { bookChecks, events, projections, streams } from "../../features.ts";
import { connect } from "#db/connect.ts";
import { startEmbedded } from "#db/embedded.ts";
import { readHead } from "#ledger/log/read.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { makeGround, makePeople } from "#testing/rush/ground.ts";
import { readHistory } from "#testing/rush/history.ts";
import { judgeRush } from "#testing/rush/judge.ts";
import type { Kill } from "#testing/rush/kills.ts";
import { killAround } from "#testing/rush/kills.ts";
import { runRush } from "#testing/rush/run.ts";
import { openShop } from "#testing/rush/shop.ts";
import { seededNumbers } from "#testing/till-rush.ts";

export type CrashReport = {
  readonly kills: readonly Kill[];
  readonly answers: number;
  readonly accepted: number;
  readonly positions: number;
  readonly broken: readonly string[];
};

export type CrashOptions = {
  readonly kills: number;
  readonly callers: number;
  readonly seed: number;
  readonly onKilled?: (kill: Kill, count: number) => void;
};

/** Runs it on a PostgreSQL of its own with fsync on. */
export async function crashRush(options: CrashOptions): Promise<CrashReport> {
  const folder = await mkdtemp(path.join(tmpdir(), "crash-"));
  const server = await startEmbedded({ dataDir: folder, durability: "durable" });
  const shop = await openShop(server);
  const sql = connect(server.appUrl, { applicationName: "judge", maxConnections: 4 });
  try {
    const people = await makePeople(sql, 6);
    // Tokens are made before the first kill and outlive the run, so that no caller depends on the database.
    await Promise.all([null, ...people.consignors].map((uid) => people.tokenOf(uid)));
    const ground = await makeGround(shop.apis[0]?.url ?? "", people, 3, 60);
    let isOver = false;
    const rush = runRush({
      urls: shop.apis.map((api) => api.url),
      people,
      ground,
      commands: Number.POSITIVE_INFINITY,
      callers: options.callers,
      seed: options.seed,
      isOver: () => isOver,
      retryForMs: 120_000,
    });
    const killed = killAround({
      shop,
      server,
      kills: options.kills,
      random: seededNumbers(options.seed),
      ...(options.onKilled === undefined ? {} : { onKilled: options.onKilled }),
    }).finally(() => {
      isOver = true;
    });
    const [kills, answers] = await Promise.all([killed, rush]);
    const history = await readHistory(sql);
    await createRunner({ sql, projections }).catchUp();
    const report = await verifyBooks({
      sql,
      events,
      streams,
      projections,
      checks: bookChecks,
      heads: [],
    });
    const head = await readHead(sql);
    return {
      kills,
      answers: answers.length,
      accepted: answers.filter((answer) => answer.code === null).length,
      positions: head.position,
      broken: [
        ...judgeRush(history, answers),
        ...report.problems.map((problem) => `verify: ${problem.message}`),
      ],
    };
  } finally {
    await sql.end({ timeout: 5 });
    await shop.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
