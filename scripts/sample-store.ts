// Fills an empty store for the demo: people first, then six months of goods, sales and payouts, all through commands.
import { createHash } from "node:crypto";
import type { Store, Worker } from "../services/compose.ts";
import type { Identity } from "#identity/identity.ts";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import type { ExecutionContext } from "#ledger/log/ledger.ts";
import { makePast } from "./sample/days.ts";
import { adminPerson, consignors, emailOf } from "./sample/people.ts";
import type { SampleConsignor } from "./sample/people.ts";
import type { SampleUids } from "./sample/wishes.ts";

/** Known to everybody, so only a demo may use it. */
export const demoPassword = "demo-password";

/** What of a store the sample needs. */
export type SampleTarget = Pick<Store, "ledger" | "clock"> & {
  readonly identity: Pick<Identity, "ensureUser" | "payoutHandles" | "notes">;
};

/** How much there is in it. */
export type SampleLoaded = { readonly commands: number; readonly alreadyThere: number };

/** Keeps when the sample store was made: a second start dates nothing anew. It is no event. */
const openSampleStore: Decider<{ readonly openedAt: string }, { readonly openedAt: string }> = {
  type: "OpenSampleStore",
  streams: () => [],
  decide: (command) => accept([], command),
};

/**
 * Loads what is missing, dated back from the first time it was loaded; on a store that has it all, nothing
 * changes. Throws when the ledger refuses a command, which on a store that only the sample filled is a bug.
 */
export async function loadSampleStore(
  store: SampleTarget,
  worker: { readonly runner: Pick<Worker["runner"], "catchUp"> },
): Promise<SampleLoaded> {
  const uids = await ensurePeople(store);
  const { ledger, identity } = store;
  const opened = await ledger.execute(
    openSampleStore,
    { openedAt: store.clock().toISOString() },
    contextOf("opened", uids.admin),
  );
  if (opened.kind !== "accepted") {
    throw new Error(`The sample store could not be opened: ${opened.kind}`);
  }
  const wishes = makePast(new Date(opened.answer.openedAt), uids);
  // Sent all at once and in order: the ledger decides them in that order.
  const repeated = await Promise.all(
    wishes.all.map(async ({ key, actor, send }) => {
      const note = wishes.notes.get(key);
      const handleId = wishes.handles.get(key);
      const outcome = await send(ledger, {
        ...contextOf(key, actor),
        ...(note === undefined
          ? {}
          : { beside: (transaction) => identity.notes.write(transaction, note) }),
        ...(handleId === undefined
          ? {}
          : { beside: (transaction) => identity.payoutHandles.markUsed(transaction, [handleId]) }),
      });
      if (outcome.kind !== "accepted") {
        const why = outcome.kind === "rejected" ? outcome.rejection.message : outcome.kind;
        throw new Error(`The sample's ${key} was refused: ${why}`);
      }
      return outcome.repeated;
    }),
  );
  await worker.runner.catchUp();
  return { commands: repeated.length, alreadyThere: repeated.filter(Boolean).length };
}

function contextOf(key: string, actor: string): ExecutionContext {
  const sampleKey = `sample:${key}`;
  const requestHash = createHash("sha256").update(sampleKey).digest("hex");
  return { actor, scope: "store", key: sampleKey, requestHash };
}

async function ensurePeople({ identity }: SampleTarget): Promise<SampleUids> {
  const password = demoPassword;
  const admin = await identity.ensureUser({ ...adminPerson, password });
  const uids = new Map<SampleConsignor, string>();
  const handles = new Map<SampleConsignor, string>();
  await Promise.all(
    consignors.map(async (who) => {
      const { name: username, displayName } = who;
      const email = emailOf(who.name);
      const person = { email, displayName, username, role: "user", password } as const;
      const uid = await identity.ensureUser(person);
      uids.set(who, uid);
      const handleId = await identity.payoutHandles.idOf(uid, who.method, who.handle);
      if (handleId !== undefined) {
        handles.set(who, handleId);
      }
    }),
  );
  const of = (known: ReadonlyMap<SampleConsignor, string>) => (who: SampleConsignor) => {
    const id = known.get(who);
    if (id === undefined) {
      throw new Error(`${who.displayName} is nobody of the sample`);
    }
    return id;
  };
  return { admin, of: of(uids), handleOf: of(handles) };
}
