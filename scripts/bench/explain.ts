// What an auditor asks of a store after years of use: numbers explained, the past, and where a payout's money came from.
import { accountHistoryProjection, balancesProjection } from "#features/accounts/projection.ts";
import { explainAccount } from "#features/accounts/queries-explain-account.ts";
import { explainLedgerNumber } from "#features/accounts/queries-explain.ts";
import { compareAsOf, readBalanceAsOf, readHistoryAsOf } from "#features/accounts/queries-as-of.ts";
import { readFunding } from "#features/accounts/queries-funding.ts";
import { inventoryProjection, itemTimelineProjection } from "#features/inventory/projection.ts";
import { readInventoryAsOf } from "#features/inventory/queries-as-of.ts";
import { payoutsProjection } from "#features/payouts/projection.ts";
import { salesProjection } from "#features/sales/projection.ts";
import { findAsOf } from "#http/as-of.ts";
import type { Store } from "#process/open-store.ts";
import { routeDepsOf } from "#process/start-api.ts";
import { explanations } from "../../services/features.ts";
import { BUSY_CONSIGNOR, openHistory } from "./history.ts";
import { percentile } from "./load.ts";
import { showRebuilt } from "./rebuild.ts";
import type { PartOptions, Report } from "./report.ts";
import type { BenchServer } from "./server.ts";
import { openBenchStore } from "./service.ts";

const PAGE = 50;
const TARGET_MS = 50;

type Timed = {
  readonly name: string;
  readonly points: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Null where nothing was promised. */
  readonly targetMs: number | null;
};

/** Asks at points all over the log: the same every time, and no two the same. */
async function time(
  name: string,
  points: number,
  read: (share: number) => Promise<unknown>,
  targetMs: number | null = TARGET_MS,
): Promise<Timed> {
  await read(0.5);
  const times: number[] = [];
  for (let point = 1; point <= points; point += 1) {
    const startedAt = performance.now();
    await read((point * 0.618_033_988_75) % 1);
    times.push(performance.now() - startedAt);
  }
  return { name, points, p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95), targetMs };
}

async function timeAccount(
  store: Store,
  head: number,
  points: number,
): Promise<{ readonly lines: number; readonly times: readonly Timed[] }> {
  const deps = { ...routeDepsOf(store), explanations };
  const uid = BUSY_CONSIGNOR;
  const viewer = { timeZone: "UTC", forAdmin: true };
  const account = async (share: number) => ({
    uid,
    asOf: await findAsOf(deps.reads, { kind: "position", position: Math.ceil(share * head) }, head),
    freshTo: head,
  });
  const explain = async (share: number, number: "available" | "totalPaid") => {
    const { asOf } = await account(share);
    const found = await explainLedgerNumber(deps, explanations, uid, asOf, { number, limit: PAGE });
    if (!found.isBalanced) {
      throw new Error(`${number} does not balance at position ${asOf.position}`);
    }
    return found;
  };
  const lineOf = async (share: number) => {
    const { rows } = await deps.sql<{ line: number }[]>`
      select line from read.account_history
      where uid = ${uid} and type = 'PayoutRequested' and line >= ${Math.ceil(share * 0.98 * lines)}
      order by line limit 1`.then((found) => ({ rows: found }));
    return rows[0]?.line ?? 1;
  };
  const { lineCount: lines } = await explain(1, "available");
  const few = Math.ceil(points / 10);
  const times = [
    await time("explain available", points, (share) => explain(share, "available")),
    await time("explain total paid", points, (share) => explain(share, "totalPaid")),
    await time("balance, recorded", points, async (share) =>
      readBalanceAsOf(deps.reads, await account(share), "recorded"),
    ),
    await time("balance, effective", points, async (share) =>
      readBalanceAsOf(deps.reads, await account(share), "effective"),
    ),
    await time("history, recorded", points, async (share) =>
      readHistoryAsOf(deps, deps, await account(share), viewer, { by: "recorded", limit: PAGE }),
    ),
    await time("history, effective", points, async (share) =>
      readHistoryAsOf(deps, deps, await account(share), viewer, { by: "effective", limit: PAGE }),
    ),
    await time("compare", points, async (share) =>
      compareAsOf(deps, deps, await account(share), viewer, { limit: PAGE }),
    ),
    await time("items of a person", points, async (share) =>
      readInventoryAsOf(deps.reads, deps.readEvent, uid, (await account(share)).asOf, {
        limit: PAGE,
      }),
    ),
    await time(
      "funding of a payout",
      few,
      async (share) => readFunding(deps, uid, await lineOf(share), head, { limit: PAGE }),
      null,
    ),
    await time(
      "an account of the store, a month",
      Math.ceil(few / 10),
      () =>
        explainAccount(
          deps,
          { account: "store:revenue", from: "2026-01-01", to: "2026-01-31" },
          { timeZone: "UTC", now: new Date(), freshTo: head },
        ),
      null,
    ),
  ];
  return { lines, times };
}

export async function benchExplain(server: BenchServer, options: PartOptions): Promise<Report> {
  const database = await server.ledgerDatabase("explain");
  options.progress("explain: writing and copying a log");
  const history = await openHistory(database, options.isSmall ? 1_000 : 20_000);
  const events = await history.growTo(options.isSmall ? 2_000 : options.size(1_000_000));
  await history.close();
  const store = await openBenchStore(database, false);
  try {
    options.progress("explain: filling the read tables");
    await showRebuilt(store.workSql, [
      accountHistoryProjection,
      balancesProjection,
      salesProjection,
      payoutsProjection,
      inventoryProjection,
      itemTimelineProjection,
    ]);
    await store.workSql.unsafe("vacuum analyze read.projections");
    options.progress("explain: asking about the longest account");
    const { lines, times } = await timeAccount(
      store,
      events,
      options.isSmall ? 5 : options.rounds(1_000),
    );
    return {
      part: "explain",
      tables: [
        {
          title: `An account with ${lines.toLocaleString("en-US")} lines in a log of ${events.toLocaleString("en-US")} events, at points all over the log`,
          rows: times.map(({ name, points, p50Ms, p95Ms }) => ({
            read: name,
            points,
            "p50 ms": p50Ms,
            "p95 ms": p95Ms,
          })),
        },
      ],
      notes: ["The routes' own queries, one at a time, including reading and shaping the rows."],
      verdicts: times.flatMap(({ name, p95Ms, targetMs }) =>
        targetMs === null
          ? []
          : [
              {
                name: `${name}, p95`,
                measured: p95Ms,
                target: targetMs,
                unit: "ms",
                atLeast: false,
              },
            ],
      ),
    };
  } finally {
    await store.close();
  }
}
