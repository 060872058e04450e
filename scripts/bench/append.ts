// How fast commands get into the log: group append against a transaction per command and against emmett, interleaved.
import { getPostgreSQLEventStore } from "@event-driven-io/emmett-postgresql";
import { streams } from "../../services/features.ts";
import { recordSale } from "#features/sales/decider-record.ts";
import type { StreamDefinition } from "#ledger/decider.ts";
import { fillJar, jarEvents, jarStreams } from "#testing/jar/jar.ts";
import type { Throughput } from "./load.ts";
import { median, runCallers } from "./load.ts";
import type { PartOptions, Report, Verdict } from "./report.ts";
import type { BenchServer } from "./server.ts";
import type { Executor, Shop, ShopItem } from "./shop.ts";
import { newContext, openShop, saleOf, stockShelves } from "./shop.ts";
import { openTransactionStore } from "./transaction-per-command.ts";

const MANY = 10_000;
const CALLERS = [1, 8, 32, 64] as const;
/** Callers on the one hot stream or account. */
const HOT_CALLERS = 32;
const KYSELY_CONNECTIONS = 16;

type Contender = {
  readonly name: "one event" | "sale" | "transaction" | "emmett";
  readonly many: () => Promise<unknown>;
  readonly hot: () => Promise<unknown>;
};

function pick<Element>(elements: readonly Element[]): Element {
  const element = elements[Math.floor(Math.random() * elements.length)];
  if (element === undefined) {
    throw new Error("There is nothing to pick from");
  }
  return element;
}

async function accepted(outcome: Promise<{ kind: string }>): Promise<void> {
  const { kind } = await outcome;
  if (kind !== "accepted") {
    throw new Error(`A command of the benchmark was answered: ${kind}`);
  }
}

/** Appends one event to one stream; the jar's event has a posting and a movement. */
function oneEvent(executor: Executor): Contender {
  const fill = (jar: string) =>
    accepted(executor.execute(fillJar, { jar, cents: 100 }, newContext()));
  return {
    name: "one event",
    many: () => fill(String(Math.floor(Math.random() * MANY))),
    hot: () => fill("hot"),
  };
}

/** Records sales; all hot ones are of one consignor's items. */
function sales(
  name: "sale" | "transaction",
  executor: Executor,
  items: readonly ShopItem[],
): Contender {
  const sell = (item: ShopItem) =>
    accepted(executor.execute(recordSale, saleOf(item), newContext()));
  const hotItems = items.filter(({ consignorId }) => consignorId === items[0]?.consignorId);
  return { name, many: () => sell(pick(items)), hot: () => sell(pick(hotItems)) };
}

/** The other event store's plain append with its own schema and defaults; lost races are retried. */
async function emmett(ownerUrl: string): Promise<Contender & { close: () => Promise<void> }> {
  const store = getPostgreSQLEventStore(ownerUrl);
  await store.schema.migrate();
  const fill = async (jar: string): Promise<void> => {
    const event = { type: "JarFilled", data: { jar, cents: 100 } } as const;
    for (;;) {
      try {
        await store.appendToStream(`jar-${jar}`, [event]);
        return;
      } catch (error) {
        if (!(error instanceof Error) || !/version|duplicate key/iu.test(error.message)) {
          throw error;
        }
      }
    }
  };
  return {
    name: "emmett",
    many: () => fill(String(Math.floor(Math.random() * MANY))),
    hot: () => fill("hot"),
    close: () => store.close(),
  };
}

type Setting = { readonly label: string; readonly callers: number; readonly isHot: boolean };

const settings: readonly Setting[] = [
  ...CALLERS.map((callers) => ({ label: String(callers), callers, isHot: false })),
  { label: `hot, ${HOT_CALLERS}`, callers: HOT_CALLERS, isHot: true },
];

type Measured = Record<Contender["name"], Throughput[]>;

/** One round runs all contenders at all settings, so that all have the same noise. */
async function measureAll(
  server: BenchServer,
  contenders: readonly Contender[],
  shop: Shop,
  options: PartOptions,
): Promise<{ bySetting: Map<Setting, Measured>; lagMs: number }> {
  const bySetting = new Map<Setting, Measured>(
    settings.map((setting) => [
      setting,
      { "one event": [], sale: [], transaction: [], emmett: [] },
    ]),
  );
  let lagMs = 0;
  const rounds = options.rounds(3);
  const seconds = options.seconds(3);
  for (let round = 1; round <= rounds; round += 1) {
    for (const [setting, measured] of bySetting) {
      options.progress(`append: round ${round} of ${rounds}, ${setting.label} callers`);
      for (const contender of contenders) {
        shop.takeLagMs();
        const act = setting.isHot ? contender.hot : contender.many;
        const { callers } = setting;
        measured[contender.name].push(await runCallers({ callers, seconds, server }, act));
        lagMs = Math.max(lagMs, shop.takeLagMs());
      }
    }
  }
  return { bySetting, lagMs };
}

/** How many times faster one contender was than another in the same round; the median over the rounds. */
function ratio(measured: Measured, one: Contender["name"], other: Contender["name"]): number {
  return median(
    measured[one].map(
      ({ perSecond }, round) => perSecond / (measured[other][round]?.perSecond ?? Number.NaN),
    ),
  );
}

/** How many times as much CPU one contender took for a command as another; the median over the rounds. */
function cpuRatio(measured: Measured, one: Contender["name"], other: Contender["name"]): number {
  const micros = (run: Throughput | undefined) =>
    run === undefined ? Number.NaN : run.processMicros + run.serverMicros;
  return median(measured[one].map((run, round) => micros(run) / micros(measured[other][round])));
}

function summarize(bySetting: ReadonlyMap<Setting, Measured>, lagMs: number): Report {
  const perSecond = (of: readonly Throughput[]) =>
    Math.round(median(of.map((run) => run.perSecond)));
  const rows = [...bySetting].map(([{ label }, measured]) => ({
    callers: label,
    "one event/s": perSecond(measured["one event"]),
    "sales/s": perSecond(measured.sale),
    "transactions/s": perSecond(measured.transaction),
    "emmett/s": perSecond(measured.emmett),
    "one event : emmett": ratio(measured, "one event", "emmett"),
    "sale : emmett": ratio(measured, "sale", "emmett"),
    "sale : transaction": ratio(measured, "sale", "transaction"),
  }));
  const cpu = (name: Contender["name"]) =>
    [...bySetting].map(([{ label }, measured]) => [
      label,
      `${Math.round(median(measured[name].map((run) => run.processMicros)))} + ${Math.round(median(measured[name].map((run) => run.serverMicros)))}`,
    ]);
  const at = (label: string) => {
    const found = [...bySetting].find(([setting]) => setting.label === label);
    if (found === undefined) {
      throw new Error(`Nothing was measured at ${label}`);
    }
    return found[1];
  };
  const many = at("32");
  const hot = at(`hot, ${HOT_CALLERS}`);
  const target = (name: string, measured: number, wanted: number): Verdict => ({
    name,
    measured,
    target: wanted,
    unit: "times",
    atLeast: true,
  });
  return {
    part: "append",
    tables: [
      { title: "Answers per second, and ratios within the same rounds (medians)", rows },
      {
        title: "CPU for one command in microseconds, this process + PostgreSQL",
        rows: (["one event", "sale", "transaction", "emmett"] as const).map((name) => ({
          contender: name,
          ...Object.fromEntries(cpu(name)),
        })),
      },
      {
        title: "The same as ratios: how many times as much CPU the other takes for one command",
        rows: [...bySetting].map(([{ label }, measured]) => ({
          callers: label,
          "emmett : one event": cpuRatio(measured, "emmett", "one event"),
          "emmett : sale": cpuRatio(measured, "emmett", "sale"),
          "transaction : sale": cpuRatio(measured, "transaction", "sale"),
        })),
      },
    ],
    notes: [
      "One event: a jar's event with a posting, a movement, its stream's state and an idempotency key.",
      "On a shared machine, whoever runs more processes gets more of the cores. CPU times depend less on that.",
      "The ledger always hashes its chain, and all projections follow in this process.",
    ],
    verdicts: [
      target("one event, 32 callers, against emmett", ratio(many, "one event", "emmett"), 6),
      target("whole sale, 32 callers, against emmett", ratio(many, "sale", "emmett"), 2.5),
      target(
        "whole sale, 32 callers, against a transaction",
        ratio(many, "sale", "transaction"),
        5,
      ),
      target("one hot account, against a transaction", ratio(hot, "sale", "transaction"), 12),
      {
        name: "read tables behind the log at most",
        measured: lagMs / 1000,
        target: 1,
        unit: "s",
        atLeast: false,
      },
    ],
  };
}

export async function benchAppend(server: BenchServer, options: PartOptions): Promise<Report> {
  await using parts = new AsyncDisposableStack();
  const ledgerDatabase = await server.ledgerDatabase("append_ledger");
  const shop = await openShop(ledgerDatabase.appUrl, { streams: jarStreams, events: jarEvents });
  parts.defer(shop.close);
  const ledgerItems = await stockShelves(shop.ledger);

  const plainDatabase = await server.emptyDatabase("append_transaction");
  const register = new Map<string, StreamDefinition<unknown>>(streams);
  const store = await openTransactionStore(plainDatabase.ownerUrl, register, KYSELY_CONNECTIONS);
  parts.defer(store.close);
  const plainItems = await stockShelves(store);

  const other = await emmett((await server.emptyDatabase("append_emmett")).ownerUrl);
  parts.defer(other.close);

  const contenders = [
    oneEvent(shop.ledger),
    other,
    sales("sale", shop.ledger, ledgerItems),
    sales("transaction", store, plainItems),
  ];
  const { bySetting, lagMs } = await measureAll(server, contenders, shop, options);
  return summarize(bySetting, lagMs);
}
