// A store with people, events that tell them something, a stand-in for Discord, and workers whose clock a test moves.
import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { CustomSaleRecorded } from "#features/sales/events.ts";
import { consignorStreamId } from "#features/accounts/streams.ts";
import { saleStreamId } from "#features/sales/streams.ts";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { createIdentity } from "#identity/identity.ts";
import type { Identity } from "#identity/identity.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { openLedger } from "#ledger/log/writer.ts";
import type { Letter } from "#mail/letter.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import type { BotStandIn } from "#testing/service/discord-bot-stand-in.ts";
import { startBotStandIn } from "#testing/service/discord-bot-stand-in.ts";
import { testSealed } from "#testing/service/test-secrets.ts";
import { makePerson } from "#testing/shop/people.ts";
import { events, streams } from "../../features.ts";
import type { DeliverDeps } from "../../notify/deliver.ts";
import type { DiscordBotSettings } from "../../notify/discord-bot.ts";
import { createDiscordBot } from "../../notify/discord-bot.ts";
import { feedNotifications, registerKinds } from "../../notify/feed.ts";
import type { OutboxDeps } from "../../notify/outbox.ts";
import { openChannel } from "../../notify/outbox.ts";
import { DAY_MS } from "#ledger/day-text.ts";

type Sold = { readonly saleId: string; readonly consignorId: string };

const streamsOf = ({ saleId, consignorId }: Sold): string[] => [
  saleStreamId(saleId),
  consignorStreamId(consignorId),
];

/** Events without money: only the notifications matter here. */
const sellNames: Decider<
  {
    readonly sales: readonly Sold[];
    readonly happenedAt: string;
  },
  { readonly count: number }
> = {
  type: "SellNames",
  streams: ({ sales }) => sales.flatMap(streamsOf),
  decide: ({ sales, happenedAt }) =>
    accept(
      sales.map((sale) =>
        emit(
          CustomSaleRecorded,
          { ...sale, itemName: "Desk *lamp*", amountCents: 1_250 },
          { streams: streamsOf(sale), happenedAt },
        ),
      ),
      { count: sales.length },
    ),
};

export type NotifyDesk = {
  readonly database: TestDatabase;
  readonly sql: Sql;
  readonly ledger: LedgerWriter;
  readonly discord: BotStandIn;
  readonly letters: readonly { readonly letter: Letter; readonly id: string | undefined }[];
  readonly logged: readonly string[];
  /** A person with a Discord account. */
  readonly person: (name: string, role?: "user" | "admin") => Promise<string>;
  readonly discordIdOf: (uid: string) => string;
  /** The person has this Discord account, and typed its code. */
  readonly confirm: (uid: string, discordId: string, at?: string) => Promise<void>;
  /** One event for each of these people. */
  readonly sell: (
    uids: readonly string[],
    given?: {
      readonly key?: string;
      readonly scope?: string;
      readonly actor?: string;
      readonly daysAgo?: number;
    },
  ) => Promise<void>;
  readonly feed: () => Promise<number>;
  /** What a worker works with. It waits a minute for Discord, because this machine may be slow. */
  readonly worker: (
    bot?: Pick<DiscordBotSettings, "timeoutMs" | "ending">,
  ) => DeliverDeps & OutboxDeps;
  readonly clock: () => Date;
  readonly advance: (milliseconds: number) => void;
  readonly rows: () => Promise<readonly NotifyRow[]>;
  /** No rows, no choices, Discord takes everything, and it is a day later. */
  readonly empty: () => Promise<void>;
  /** One event for each of these people, read from the log. */
  readonly tell: (...uids: readonly string[]) => Promise<void>;
  /** State, reason, attempts and whether it is uncertain, of each message for Discord. */
  readonly onDiscord: () => Promise<
    readonly (readonly [state: string, why: string | null, attempts: number, uncertain: boolean])[]
  >;
  /** How many of the messages that arrived since `since` a person can read. */
  readonly arrivedTo: (uid: string, since: number) => number;
  readonly close: () => Promise<void>;
};

export type NotifyRow = {
  readonly id: string;
  readonly uid: string;
  readonly kind: string;
  readonly channel: string;
  readonly position: number | null;
  readonly state: string;
  readonly why: string | null;
  readonly attempts: number;
  readonly isUncertain: boolean;
};

const ANSWER_MS = 60_000;

function quietIdentity(sql: Sql, clock: () => Date): Identity {
  return createIdentity({
    sql,
    clock,
    logger: pino({ level: "silent" }),
    sealed: testSealed,
    mailer: { send: () => Promise.resolve() },
    google: null,
    discord: null,
  });
}

function createSell(ledger: LedgerWriter, clock: () => Date): NotifyDesk["sell"] {
  return async (
    uids,
    { key = randomUUID(), scope = "store", actor = "system:till", daysAgo = 0 } = {},
  ) => {
    const happenedAt = new Date(clock().getTime() - daysAgo * DAY_MS).toISOString();
    const context = { actor, scope, key, requestHash: "00" };
    const sales = uids.map((consignorId) => ({ saleId: randomUUID(), consignorId }));
    await ledger.execute(sellNames, { sales, happenedAt }, context);
  };
}

function rowsOf(sql: Sql) {
  return sql<NotifyRow[]>`
    select id, uid, kind, channel, position, state, why, attempts,
      uncertain_at is not null as "isUncertain"
    from identity.notifications order by id limit 100000`;
}

function createConfirm(sql: Sql): NotifyDesk["confirm"] {
  return async (uid, discordId, at = "2026-11-21T10:00:00Z") => {
    await sql`update identity.profiles set discord_id = ${discordId} where uid = ${uid}`;
    await sql`
      insert into identity.discord_confirmations (uid, discord_id, asked_at, confirmed_at)
      values (${uid}, ${discordId}, ${at}, ${at})
      on conflict (uid, discord_id) do update set confirmed_at = excluded.confirmed_at`;
  };
}

type DiscordTools = Pick<NotifyDesk, "empty" | "tell" | "onDiscord" | "arrivedTo">;

function createDiscordTools({
  sql,
  discord,
  feed,
  advance,
  sell,
  discordIdOf,
}: Pick<
  NotifyDesk,
  "sql" | "discord" | "feed" | "advance" | "sell" | "discordIdOf"
>): DiscordTools {
  return {
    async empty() {
      await feed();
      await sql`delete from identity.notifications`;
      await sql`delete from identity.notification_choices`;
      await sql`delete from identity.discord_reach`;
      advance(DAY_MS);
      discord.mood = () => "takes";
      discord.openingMood = () => "takes";
      discord.knowsNonces = true;
      discord.counts.opened = 0;
      discord.counts.messages = 0;
    },
    async tell(...uids) {
      await sell(uids);
      await feed();
    },
    onDiscord: async () =>
      (await rowsOf(sql))
        .filter(({ channel }) => channel === "discord")
        .map(
          ({ state, why, attempts, isUncertain }) => [state, why, attempts, isUncertain] as const,
        ),
    arrivedTo: (uid, since) =>
      discord.arrived.slice(since).filter(({ discordId }) => discordId === discordIdOf(uid)).length,
  };
}

export async function openNotifyDesk(given?: TestDatabase): Promise<NotifyDesk> {
  const database = given ?? (await testDatabase());
  const { sql } = database;
  const writerSql = connect(database.appUrl, { applicationName: "notify", maxConnections: 1 });
  const ledger = openLedger({ sql: writerSql, streams, events, newId: randomUUID });
  const discord = await startBotStandIn();
  const letters: { letter: Letter; id: string | undefined }[] = [];
  const logged: string[] = [];
  const logger = pino({ level: "debug" }, { write: (line: string) => void logged.push(line) });
  let now = new Date("2026-11-21T10:00:00.000Z");
  const clock = () => now;
  const identity = quietIdentity(sql, clock);
  const discordIds = new Map<string, string>();
  const readEvent = createReadEvent(events);
  const worker: NotifyDesk["worker"] = (bot) => ({
    sql,
    readEvent,
    clock,
    random: () => 0,
    mailer: {
      send: (letter, id) => {
        letters.push({ letter, id });
        return Promise.resolve();
      },
    },
    bot: createDiscordBot({ ...discord, clock, timeoutMs: ANSWER_MS, ...bot }),
    storeName: () => Promise.resolve("Corner Store"),
    appUrl: () => "https://store.test",
    logger,
  });
  await registerKinds(sql);
  await openChannel(worker(), "discord", true);
  await openChannel(worker(), "email", true);
  const feed = () => feedNotifications({ sql, readEvent, clock, hasDiscord: true });
  const advance = (milliseconds: number): void => {
    now = new Date(now.getTime() + milliseconds);
  };
  const sell = createSell(ledger, clock);
  const confirm = createConfirm(sql);
  const discordIdOf = (uid: string) => discordIds.get(uid) ?? "";
  return {
    ...createDiscordTools({ sql, discord, feed, advance, sell, discordIdOf }),
    database,
    sql,
    ledger,
    discord,
    letters,
    logged,
    async person(name, role = "user") {
      const email = `${name.toLowerCase()}@people.test`;
      const uid = await makePerson(
        { sql, ledger, clock, identity },
        { email, displayName: name, role },
      );
      const discordId = String(900_000_000_000_000_000n + BigInt(discordIds.size));
      discordIds.set(uid, discordId);
      await sql`update identity.profiles set email_verified_at = now() where uid = ${uid}`;
      await confirm(uid, discordId, clock().toISOString());
      return uid;
    },
    confirm,
    discordIdOf,
    sell,
    feed,
    worker,
    clock,
    advance,
    rows: () => rowsOf(sql),
    async close() {
      await discord.close();
      await ledger.close();
      await writerSql.end({ timeout: 5 });
      await database.close();
    },
  };
}
