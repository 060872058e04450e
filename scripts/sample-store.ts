// Fills an empty store for the demo: people first, then six months of goods, sales and payouts, all through commands.
import { createHash } from "node:crypto";
import type { Sql } from "#db/connect.ts";
import type { Store } from "#process/open-store.ts";
import { makeFirstAdmin } from "#features/users/decider.ts";
import { giveUsername } from "#features/users/script-people.ts";
import type { Identity } from "#identity/identity.ts";
import type { BoundHandle } from "#identity/payout-handles.ts";
import { findUser } from "#identity/users.ts";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import type { ExecutionContext } from "#ledger/log/ledger.ts";
import type { ProjectionRunner } from "#ledger/projection/run.ts";
import { makePast } from "./sample/days.ts";
import { adminPerson, consignors, emailOf } from "./sample/people.ts";
import type { SampleConsignor } from "./sample/people.ts";
import { storeSamplePictures } from "./sample/pictures.ts";
import { sampleTimeZone } from "./sample/settings.ts";
import { addSampleVisits } from "./sample/visits.ts";
import { closedMonth } from "./sample/closed-month.ts";
import { tillDays } from "./sample/till-days.ts";
import { uploadSampleLabel } from "./sample/label.ts";
import { beginNews, tellNews } from "./sample/news.ts";
import type { SampleCommand, SampleCommands, SampleUids } from "./sample/commands.ts";

/** Public, so only a demo may use it. */
export const demoPassword = "demo-password";

/** What the sample needs of a store. */
export type SampleTarget = Pick<Store, "ledger" | "clock" | "sql"> & {
  readonly identity: Pick<
    Identity,
    "ensureUser" | "payoutHandles" | "notes" | "tradePapers" | "labels"
  >;
};

const bySample = "system:sample-store";

/**
 * How many commands there are. `leftOut`: those that no longer fit a store which an older sample filled. `kept`: the
 * store has its whole sample, of this version or an older one, so that nothing was sent.
 */
export type SampleLoaded =
  | { readonly kind: "kept" }
  | {
      readonly kind: "loaded";
      readonly commands: number;
      readonly alreadyThere: number;
      readonly leftOut: number;
    };

type Sent = "new" | "repeated" | "left out";

/** Keeps the time the sample store was made, so that a second start uses the same dates. It appends no event. */
const openSampleStore: Decider<{ readonly openedAt: string }, { readonly openedAt: string }> = {
  type: "OpenSampleStore",
  streams: () => [],
  decide: (command) => accept([], command),
};

/** Marks a store that has its whole sample. It appends no event. */
const endSampleStore: Decider<null, null> = {
  type: "EndSampleStore",
  streams: () => [],
  decide: () => accept([], null),
};

async function hasWholeSample(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (select from log.command_keys where scope = 'store' and key = 'sample:loaded') as found`;
  return row?.found === true;
}

/**
 * Loads the sample, with dates relative to the first load; a load that was broken off is continued. A store that has
 * its sample keeps it as it is: what a newer sample has would come between what people did since, with dates before it.
 * `isOlder`: the store was upgraded at this start, so an older program has loaded all that it had. Throws when the
 * ledger refuses a command in a new store, which is a bug. In a store that was opened before, people and older samples
 * may have done something else since: what is refused there is left out. No worker may run meanwhile: by the clock,
 * trades of the past end between two of their steps.
 */
export async function loadSampleStore(
  store: SampleTarget,
  runner: ProjectionRunner,
  isOlder = false,
): Promise<SampleLoaded> {
  if (await hasWholeSample(store.sql)) {
    return { kind: "kept" };
  }
  await beginNews(store.sql);
  const uids = await ensurePeople(store);
  const { ledger } = store;
  const opened = await ledger.execute(
    openSampleStore,
    { openedAt: store.clock().toISOString() },
    contextOf("opened", uids.admin),
  );
  if (opened.kind !== "accepted") {
    throw new Error(`The sample store could not be opened: ${opened.kind}`);
  }
  if (opened.repeated && isOlder) {
    await ledger.execute(endSampleStore, null, contextOf("loaded", uids.admin));
    return { kind: "kept" };
  }
  const past = makePast(new Date(opened.answer.openedAt), uids);
  const isNew = !opened.repeated;
  const send = (command: SampleCommand) => sendSample(store, past, command, isNew);
  await storeSamplePictures(store.sql, store.clock());
  // All are sent at once; the ledger decides them in this order.
  const sent = await Promise.all(past.all.map(send));
  for (const command of past.inTurn) {
    sent.push(await send(command));
  }
  await uploadSampleLabel(store, uids.admin);
  await addSampleVisits(store.sql, store.clock(), sampleTimeZone);
  await runner.catchUp();
  for (const command of await tillDays(store.sql, new Date(opened.answer.openedAt), past)) {
    sent.push(await send(command));
  }
  for (const command of await closedMonth(store.sql, new Date(opened.answer.openedAt), past)) {
    sent.push(await send(command));
  }
  await runner.catchUp();
  if (isNew) {
    await tellNews(store.sql, new Date(opened.answer.openedAt));
  }
  await ledger.execute(endSampleStore, null, contextOf("loaded", uids.admin));
  return {
    kind: "loaded",
    commands: sent.length,
    alreadyThere: sent.filter((how) => how === "repeated").length,
    leftOut: sent.filter((how) => how === "left out").length,
  };
}

/** Throws when the ledger refuses the command in a new store. */
async function sendSample(
  { ledger, identity }: SampleTarget,
  past: SampleCommands,
  { key, actor, send }: SampleCommand,
  isNew: boolean,
): Promise<Sent> {
  const note = past.notes.get(key);
  const handle = past.handles.get(key);
  const row = past.rows.get(key);
  const outcome = await send(ledger, {
    ...contextOf(key, actor),
    ...(note === undefined
      ? {}
      : { inSameTransaction: (transaction) => identity.notes.write(transaction, note) }),
    ...(handle === undefined ? {} : { inSameTransaction: handle.keep }),
    ...(row === undefined ? {} : { inSameTransaction: row }),
  });
  if (outcome.kind === "rejected" && !isNew) {
    return "left out";
  }
  if (outcome.kind !== "accepted") {
    const why = outcome.kind === "rejected" ? outcome.rejection.message : outcome.kind;
    throw new Error(`The sample's ${key} was refused: ${why}`);
  }
  return outcome.repeated ? "repeated" : "new";
}

function contextOf(key: string, actor: string): ExecutionContext {
  const sampleKey = `sample:${key}`;
  const requestHash = createHash("sha256").update(sampleKey).digest("hex");
  return { actor, scope: "store", key: sampleKey, requestHash };
}

/** Makes the sample's admin the store's admin, unless it already has one. */
async function makeSampleAdmin({ ledger, clock }: SampleTarget, uid: string): Promise<void> {
  const happenedAt = clock().toISOString();
  const command = { uid, cause: "script", timeZone: null, happenedAt } as const;
  const outcome = await ledger.execute(makeFirstAdmin, command, contextOf("admin", bySample));
  if (outcome.kind !== "accepted" && outcome.kind !== "rejected") {
    throw new Error(`The sample store has no admin: ${outcome.kind}`);
  }
}

/** A username that was changed in the demo is kept. */
async function nameSample(store: SampleTarget, uid: string, username: string): Promise<void> {
  const current = (await findUser(store.sql, uid))?.username ?? null;
  if (current === null || current === username) {
    await giveUsername(store, uid, username, contextOf(`username:${username}`, bySample));
  }
}

async function ensurePeople(store: SampleTarget): Promise<SampleUids> {
  const { identity } = store;
  const password = demoPassword;
  const { username: adminName, ...adminProfile } = adminPerson;
  const admin = await identity.ensureUser({ ...adminProfile, password });
  await makeSampleAdmin(store, admin);
  await nameSample(store, admin, adminName);
  const uids = new Map<SampleConsignor, string>();
  const handles = new Map<SampleConsignor, BoundHandle>();
  await Promise.all(
    consignors.map(async (who) => {
      const { name: username, displayName } = who;
      const email = emailOf(who.name);
      const uid = await identity.ensureUser({ email, displayName, password });
      await nameSample(store, uid, username);
      uids.set(who, uid);
      const handle = await identity.payoutHandles.bind(uid, who.method, who.handle, uid);
      if (handle !== undefined) {
        handles.set(who, handle);
      }
    }),
  );
  function of<Found>(known: ReadonlyMap<SampleConsignor, Found>): (who: SampleConsignor) => Found {
    return (who) => {
      const found = known.get(who);
      if (found === undefined) {
        throw new Error(`${who.displayName} is not in the sample`);
      }
      return found;
    };
  }
  const { tradePapers: papers, labels } = identity;
  return { admin, of: of(uids), handleOf: of(handles), papers, labels };
}
