// A market in memory and the same one in a running service: every command goes to both, which must decide and write the same.
import { randomUUID } from "node:crypto";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { sweepDeadlines } from "#features/trades/deadline-sweep.ts";
import { readRange } from "#ledger/log/read.ts";
import type { StoredEvent } from "#ledger/log/read.ts";
import type { NewEvent } from "#ledger/event.ts";
import { callOf } from "#testing/shop/market-calls.ts";
import type { MarketCall } from "#testing/shop/market-calls.ts";
import type { Decided } from "#testing/shop/memory-books.ts";
import { KnownIds } from "#testing/shop/same-facts.ts";
import { TradeMarket } from "#testing/shop/trade-market.ts";

const HOUR_MS = 3_600_000;
/** One in this many accepted commands is sent again under its key. */
const REPEATED = 4;

type Act =
  | {
      readonly kind: "command";
      readonly type: string;
      readonly command: unknown;
      readonly decided: Decided<unknown>;
    }
  | { readonly kind: "wait"; readonly hours: number }
  | { readonly kind: "sweep" };

type Answer = { readonly status: number; readonly body: unknown };

export class ServedMarket {
  readonly market: TradeMarket;
  readonly ids = new KnownIds();
  readonly shop: TestApp;
  readonly admin: TestPerson;
  /** Types of the commands that were accepted. */
  readonly accepted = new Set<string>();
  readonly #acts: Act[] = [];
  readonly #tokens = new Map<string, string>();
  #head = 0;
  #acceptedCount = 0;

  private constructor(shop: TestApp, admin: TestPerson, people: readonly string[]) {
    this.shop = shop;
    this.admin = admin;
    const left = (uid: unknown) => typeof uid === "string" && this.hasLeft(uid);
    this.market = new TradeMarket({
      people,
      barcode: `M-${randomUUID()}`,
      startsAt: shop.deps.clock().getTime(),
      watch: {
        ran: (type, command, decided) =>
          this.#acts.push({ kind: "command", type, command, decided }),
        waited: (hours) => this.#acts.push({ kind: "wait", hours }),
        sweeps: () => this.#acts.push({ kind: "sweep" }),
        // Deleted people cannot sign in, and are not deleted again.
        isSilent: (command) =>
          left(Reflect.get(Object(command), "actorUid")) ||
          left(Reflect.get(Object(command), "buyerUid")) ||
          left(Reflect.get(Object(Reflect.get(Object(command), "actor")), "uid")) ||
          (Array.isArray(Reflect.get(Object(command), "itemIds")) &&
            left(Reflect.get(Object(command), "uid"))),
      },
    });
  }

  /** Three new people with money and items, in a service that may have others. */
  static async open(shop: TestApp, admin: TestPerson): Promise<ServedMarket> {
    const people = ["a", "b", "c"].map((name) => `${name}-${randomUUID()}`);
    for (const uid of people) {
      const email = `${uid}@people.test`;
      await shop.identity.ensureUser({ uid, email, displayName: `Trader ${uid}` });
    }
    const served = new ServedMarket(shop, admin, people);
    const [row] = await shop.database.sql<{ head: number }[]>`
      select coalesce(max(position), 0)::int as head from log.events`;
    served.#head = row?.head ?? 0;
    await served.settle();
    return served;
  }

  hasLeft(uid: string): boolean {
    // The market asks while it is made, before there is one.
    const made = this.market as TradeMarket | undefined;
    return made?.hasLeft(uid) ?? false;
  }

  /** The clock moves, so tokens run out. */
  async person(uid: string | null): Promise<TestPerson> {
    const who = uid ?? this.admin.uid;
    const token = this.#tokens.get(who) ?? (await this.shop.identity.issueTokenFor(who));
    this.#tokens.set(who, token);
    return { uid: who, email: "", token };
  }

  /** Does in the service what was done in memory. Returns whether the log grew. Throws where the two differ. */
  async settle(): Promise<boolean> {
    const before = this.#head;
    for (let act = this.#acts.shift(); act !== undefined; act = this.#acts.shift()) {
      if (act.kind === "wait") {
        this.shop.advance(act.hours * HOUR_MS);
        this.#tokens.clear();
      } else if (act.kind === "sweep") {
        await this.#sweep();
      } else {
        await this.#send(act);
      }
    }
    return this.#head > before;
  }

  async #readNew(): Promise<readonly StoredEvent[]> {
    const events = await readRange(this.shop.database.sql, this.#head, this.#head + 100_000);
    this.#head = events.at(-1)?.position ?? this.#head;
    return events;
  }

  async #call(call: MarketCall, key: string): Promise<Answer> {
    const { token } = await this.person(call.as);
    const isForm = call.body instanceof FormData;
    const response = await this.shop.app.request(
      `http://app.test/api/${this.ids.served(call.path)}`,
      {
        method: call.method,
        headers: {
          Authorization: `Bearer ${token}`,
          "Idempotency-Key": key,
          ...(isForm ? {} : { "Content-Type": "application/json" }),
        },
        body:
          call.body instanceof FormData ? call.body : this.ids.served(JSON.stringify(call.body)),
      },
    );
    return { status: response.status, body: await response.json() };
  }

  async #send({ type, command, decided }: Extract<Act, { kind: "command" }>): Promise<void> {
    const call = callOf(type, command);
    const key = randomUUID();
    const answer = await this.#call(call, key);
    const written = await this.#readNew();
    const wrong = [
      ...this.#wrongEvents(decided.added, written),
      ...this.#wrongAnswer(decided, answer),
    ];
    if (decided.kind === "accepted") {
      this.accepted.add(type);
      this.#acceptedCount += 1;
      if (this.#acceptedCount % REPEATED === 0) {
        const again = await this.#call(call, key);
        wrong.push(...this.ids.differences(answer, again, "repeated"));
        wrong.push(...(await this.#readNew()).map((event) => `repeated: ${event.type} again`));
      }
    }
    if (wrong.length > 0) {
      const said = `${type} ${JSON.stringify(command)} answered ${JSON.stringify(answer)}`;
      throw new Error(`${said}\n${wrong.join("\n")}`);
    }
  }

  #wrongEvents(added: readonly NewEvent[], written: readonly StoredEvent[]): string[] {
    return this.ids.differences(added.map(factsOf), written.map(storedFactsOf), "events");
  }

  #wrongAnswer(decided: Decided<unknown>, { status, body }: Answer): string[] {
    if (decided.kind === "rejected") {
      const { status: expected, code } = decided;
      const said = { status, code: Reflect.get(Object(body), "error") };
      return this.ids.differences({ status: expected, code }, said, "refusal");
    }
    const { answer } = decided;
    if (Reflect.get(Object(answer), "status") === "no_stock") {
      return Reflect.get(Object(body), "error") === "no_stock" ? [] : ["the offer was not closed"];
    }
    const both = Object.keys(Object(answer)).filter((name) => name in Object(body));
    return [
      ...(status === 200 ? [] : [`accepted in memory, answered ${status}`]),
      ...both.flatMap((name) =>
        this.ids.differences(
          Reflect.get(Object(answer), name),
          Reflect.get(Object(body), name),
          name,
        ),
      ),
    ];
  }

  /** The worker's sweep, and then the same deadlines in memory, in the order in which they were met. */
  async #sweep(): Promise<void> {
    const { deps, runner } = this.shop;
    await runner.catchUp();
    const failed: unknown[] = [];
    await sweepDeadlines({
      ...deps,
      queueLetters: () => Promise.resolve(),
      onError: (_tradeId, error) => failed.push(error),
    });
    // Other trades of the same service may be due too.
    const own = (await this.#readNew()).filter(({ commandKey }) => this.ids.knows(commandKey));
    const byKey = Map.groupBy(own, ({ commandKey }) => commandKey);
    const order = [...byKey.keys()];
    const due = this.market
      .due()
      .map((one) => ({ ...one, key: this.ids.served(one.due.key) }))
      .toSorted((a, b) => rank(order, a.key) - rank(order, b.key));
    const wrong = failed.map(String);
    for (const { tradeId, due: deadline, key } of due) {
      const decided = this.market.meet(tradeId, deadline);
      // It was met in the service already.
      this.#acts.pop();
      wrong.push(...this.#wrongEvents(decided.added, byKey.get(key) ?? []));
      byKey.delete(key);
    }
    wrong.push(...[...byKey.keys()].map((key) => `${key} was not due`));
    if (wrong.length > 0) {
      throw new Error(`sweep\n${wrong.join("\n")}`);
    }
  }
}

/** Those that the service did not meet come last. */
function rank(order: readonly string[], key: string): number {
  const place = order.indexOf(key);
  return place === -1 ? order.length : place;
}

function factsOf({ type, data, postings, movements, streams, happenedAt }: NewEvent) {
  return { type, data, postings, movements, streams: streams.length, happenedAt };
}

function storedFactsOf(event: StoredEvent): ReturnType<typeof factsOf> {
  const { type, data, postings, movements, streams } = event;
  const happenedAt = new Date(Number(event.happenedAtMicros / 1_000n)).toISOString();
  return { type, data, postings, movements, streams: streams.length, happenedAt };
}
