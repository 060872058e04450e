// How long ordinary calls take while ten people ask for the longest statements, exports and searches without a pause.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "#db/connect.ts";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import type { Store } from "#process/open-store.ts";
import { makePerson } from "#testing/shop/people.ts";
import type { ExpensiveAsk, ExpensiveReadersReport } from "./expensive-readers.ts";
import { startExpensiveReaders } from "./expensive-readers.ts";
import { growStore } from "./grown-store.ts";
import { BUSY_CONSIGNOR } from "./history.ts";
import { percentile } from "./load.ts";
import type { PartOptions, Report } from "./report.ts";
import type { BenchDatabase, BenchServer } from "./server.ts";
import {
  makeAdmin,
  makeAdmins,
  makeConsignors,
  openBenchStore,
  signIn,
  withService,
} from "./service.ts";
import type { ShopItem } from "./shop.ts";
import { consignorIdOf, newContext, stockShelves } from "./shop.ts";

const EVENTS = 100_000;
const STRETCH = 20_000;
const PEOPLE = 10;
const PER_SECOND = 12;
const TARGET_MS = 50;

/** Lines of an account, and those of them in May. */
type Lines = { readonly json: number; readonly pdf: number };

/** The most that a statement has on screen and in a PDF. */
const LONGEST: Lines = { json: 5_000, pdf: 2_000 };

type Goods = {
  readonly emails: readonly string[];
  readonly longUid: string;
  readonly items: readonly ShopItem[];
};

async function writeLongAccount(store: Store, lines: Lines): Promise<string> {
  const uid = await makePerson(store, {
    email: "longest@bench.test",
    displayName: "The longest account",
  });
  await Promise.all(
    Array.from({ length: lines.json }, (_, index) =>
      store.ledger.execute(
        recordCustomSale,
        {
          saleId: randomUUID(),
          consignorId: uid,
          itemName: `Repair of lamp ${index}, with a new cable and a plug`,
          amountCents: 700,
          happenedAt: `2026-0${index < lines.pdf ? 5 : 6}-15T12:00:00.000Z`,
        },
        newContext(),
      ),
    ),
  );
  return uid;
}

async function prepare(database: BenchDatabase, options: PartOptions): Promise<Goods> {
  const sql = connect(database.appUrl, { applicationName: "bench-expensive", maxConnections: 3 });
  try {
    await growStore(database, sql, {
      stretchEvents: options.isSmall ? 1_000 : Math.min(STRETCH, options.size(EVENTS)),
      events: options.isSmall ? 2_000 : options.size(EVENTS),
      progress: (line) => options.progress(`expensive-reads: ${line}`),
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
  const store = await openBenchStore(database, false);
  try {
    await makeAdmin(store);
    await makeConsignors(database);
    const emails = await makeAdmins(store, PEOPLE);
    const items = await stockShelves(store.ledger);
    const lines = options.isSmall ? { json: 100, pdf: 50 } : LONGEST;
    return { emails, items, longUid: await writeLongAccount(store, lines) };
  } finally {
    await store.close();
  }
}

function expensiveAsks(longUid: string): readonly ExpensiveAsk[] {
  const statement = (uid: string) => `/api/accounts/${uid}/statement`;
  return [
    {
      name: "statement, PDF",
      path: `${statement(longUid)}?from=2026-05-01&to=2026-05-31&format=pdf`,
    },
    { name: "sales, CSV", path: "/api/sales/export" },
    { name: "sales by item", path: "/api/sales?sort=item&limit=200" },
    {
      name: "statement, CSV",
      path: `${statement(BUSY_CONSIGNOR)}?from=2026-01-01&to=2026-12-31&format=csv`,
    },
    { name: "inventory, CSV", path: "/api/inventory/search/export" },
    { name: "audit log by text", path: "/api/audit/events?q=lamp&limit=100" },
    { name: "statement, data", path: `${statement(longUid)}?from=2026-05-01&to=2026-06-30` },
    { name: "ledger, CSV", path: `/api/sales/ledger/${BUSY_CONSIGNOR}/export` },
    {
      name: "items by name",
      path: "/api/inventory/search?searchTerm=e&sort=itemName&page=40&limit=200",
    },
  ];
}

type Ordinary = { readonly name: string; readonly send: (index: number) => Promise<Response> };

function ordinaryCalls(url: string, token: string, items: readonly ShopItem[]): Ordinary[] {
  const headers = { Authorization: `Bearer ${token}` };
  const get = (path: string) => fetch(url + path, { headers });
  return [
    { name: "balance", send: (index) => get(`/api/sales/balance/${consignorIdOf(index % 200)}`) },
    {
      name: "history page",
      send: (index) => get(`/api/sales/ledger/${consignorIdOf(index % 200)}`),
    },
    {
      name: "till search",
      send: (index) => get(`/api/inventory/search?searchTerm=lamp+${index}&limit=20`),
    },
    {
      name: "sale",
      send: (index) => {
        const item = items[index % items.length];
        return fetch(`${url}/api/sales/record`, {
          method: "POST",
          headers: {
            ...headers,
            "Content-Type": "application/json",
            "Idempotency-Key": randomUUID(),
          },
          body: JSON.stringify({
            consignorID: item?.consignorId,
            itemUID: item?.itemId,
            salePrice: 40,
            shippingCost: 5,
            quantitySold: 1,
            consignorPercentage: 50,
            channel: "online",
          }),
        });
      },
    },
  ];
}

type Measured = ReadonlyMap<string, readonly number[]>;

/** Sends by the clock, whether or not earlier calls were answered. */
async function measure(calls: readonly Ordinary[], seconds: number): Promise<Measured> {
  const times = new Map<string, number[]>(calls.map(({ name }) => [name, []]));
  const sent: Promise<void>[] = [];
  const startedAt = performance.now();
  const sendOne = async ({ name, send }: Ordinary, index: number, dueAt: number): Promise<void> => {
    const answer = await send(index);
    await answer.arrayBuffer();
    // A refusal helps nobody, however soon it comes.
    times.get(name)?.push(answer.status === 200 ? performance.now() - dueAt : Infinity);
  };
  for (let index = 0; index < seconds * PER_SECOND; index += 1) {
    const dueAt = startedAt + (index * 1000) / PER_SECOND;
    await delay(Math.max(0, dueAt - performance.now()));
    const call = calls[index % calls.length];
    if (call !== undefined) {
      sent.push(sendOne(call, index, dueAt));
    }
  }
  await Promise.all(sent);
  return times;
}

function rowsOf(when: string, measured: Measured): Record<string, string | number>[] {
  const all = ["all", [...measured.values()].flat()] as const;
  return [...measured, all].map(([call, times]) => ({
    when,
    call,
    calls: times.length,
    refused: times.filter((ms) => ms === Infinity).length,
    "p50 ms": percentile(times, 0.5),
    "p95 ms": percentile(times, 0.95),
    "p99 ms": percentile(times, 0.99),
    "max ms": percentile(times, 1),
  }));
}

function expensiveRows(readers: ExpensiveReadersReport): Record<string, string | number>[] {
  return readers.map(({ name, answeredMs, limited, turnedAway, bytes }) => ({
    asked: name,
    answered: answeredMs.length,
    limited,
    "turned away": turnedAway,
    "p50 ms": answeredMs.length === 0 ? "" : percentile(answeredMs, 0.5),
    "kB each": answeredMs.length === 0 ? "" : bytes / answeredMs.length / 1000,
  }));
}

export async function benchExpensiveReads(
  server: BenchServer,
  options: PartOptions,
): Promise<Report> {
  const database = await server.ledgerDatabase("expensive_reads");
  const { emails, longUid, items } = await prepare(database, options);
  const seconds = options.seconds(30);
  const asks = expensiveAsks(longUid);
  const { calm, loaded, readers } = await withService(database, {}, async ({ url }) => {
    const calls = ordinaryCalls(url, await signIn(url), items);
    const tokens: string[] = [];
    for (const email of emails) {
      tokens.push(await signIn(url, email));
    }
    await measure(calls, Math.min(3, seconds));
    options.progress(`expensive-reads: ordinary calls alone for ${seconds} s`);
    const calm = await measure(calls, seconds);
    options.progress(`expensive-reads: ${PEOPLE} people ask for expensive reads, for ${seconds} s`);
    const people = startExpensiveReaders({ url, tokens, asks });
    try {
      await delay(Math.min(3, seconds) * 1000);
      const loaded = await measure(calls, seconds);
      return { calm, loaded, readers: await people.end() };
    } finally {
      people.kill();
    }
  });
  return {
    part: "expensive-reads",
    tables: [
      {
        title: `${PER_SECOND} ordinary calls a second of one person`,
        rows: [...rowsOf("alone", calm), ...rowsOf(`with ${PEOPLE} people`, loaded)],
      },
      { title: `What the ${PEOPLE} people asked for`, rows: expensiveRows(readers) },
    ],
    notes: [
      `The ${PEOPLE} people are admins, who may ask for the most. Each asks for everything in turn, without a pause, and again 0.1 s after a refusal.`,
      "A call that is refused counts as one that takes forever. `balance` is the only one of the three reads that needs no turn.",
      "API, worker, work thread, PostgreSQL and both sides of the calls share the machine.",
    ],
    verdicts: [
      {
        name: `ordinary calls while ${PEOPLE} people ask for expensive reads, p95`,
        measured: percentile([...loaded.values()].flat(), 0.95),
        target: TARGET_MS,
        unit: "ms",
        atLeast: false,
      },
    ],
  };
}
