// What an auditor asks of a store after years of use: numbers explained, the past, and where a payout's money came from.
import { accountHistoryProjection, balancesProjection } from "#features/accounts/projection.ts";
import { accountBlocksProjection } from "#features/accounts/projection-blocks.ts";
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
import { DAY_MS } from "#ledger/day-text.ts";

const PAGE = 50;
const TARGET_MS = 50;
/** The ones with the most postings. */
const STORE_ACCOUNTS = ["store:revenue", "world:customers", "store:shipping"] as const;

type Timed = {
  readonly name: string;
  readonly points: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
};

/** Asks at points all over the log: the same every time, and no two the same. */
async function time(
  name: string,
  points: number,
  read: (share: number) => Promise<unknown>,
): Promise<Timed> {
  await read(0.5);
  const times: number[] = [];
  for (let point = 1; point <= points; point += 1) {
    const startedAt = performance.now();
    await read((point * 0.618_033_988_75) % 1);
    times.push(performance.now() - startedAt);
  }
  return { name, points, p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) };
}

async function timeAccount(
  store: Store,
  head: number,
  points: number,
): Promise<{ readonly lines: number; readonly times: readonly Timed[] }> {
  const deps = { ...routeDepsOf(store), explanations };
  const uid = BUSY_CONSIGNOR;
  const viewer = { timeZone: "UTC", closings: { closed: [] }, forAdmin: true };
  const account = async (share: number) => ({
    uid,
    asOf: await findAsOf(deps, { kind: "position", position: Math.ceil(share * head) }, head),
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
  const payouts = await deps.sql<{ line: number }[]>`
    select line from read.account_history
    where uid = ${uid} and type = 'PayoutRequested' order by line`;
  const fund = async (share: number) => {
    const { line } = payouts[Math.floor(share * payouts.length)] ?? { line: 0 };
    const found = await readFunding(deps, uid, line, head, { limit: PAGE });
    if (found?.isBalanced !== true || found.payoutID === null) {
      throw new Error(`The payout in line ${line} is not funded`);
    }
  };
  const [recorded] = await deps.sql<{ first: Date; last: Date }[]>`
    select min(recorded_at) as first, max(recorded_at) as last from log.events`;
  const [first = 0, last = 0] = [recorded?.first.getTime(), recorded?.last.getTime()];
  const explainStore = async (share: number) => {
    const from = new Date(first + share * (last - first));
    const to = new Date(from.getTime() + 31 * DAY_MS);
    const [fromDay, toDay] = [from, to].map((day) => day.toISOString().slice(0, 10));
    const account =
      STORE_ACCOUNTS[Math.floor(share * 1_000) % STORE_ACCOUNTS.length] ?? "store:revenue";
    const found = await explainAccount(
      deps,
      { account, from: fromDay, to: toDay },
      { timeZone: "UTC", now: to, freshTo: head },
    );
    if (!found.isBalanced) {
      throw new Error(`${account} does not balance from ${fromDay} on`);
    }
  };
  const { lineCount: lines } = await explain(1, "available");
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
    await time("funding of a payout", points, fund),
    await time("an account of the store, a month by days", points, explainStore),
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
      accountBlocksProjection,
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
      verdicts: times.map(({ name, p95Ms }) => ({
        name: `${name}, p95`,
        measured: p95Ms,
        target: TARGET_MS,
        unit: "ms",
        atLeast: false,
      })),
    };
  } finally {
    await store.close();
  }
}
