// One event with everything it touches, before anything is left out for its reader.
import type { Names, Own } from "#features/audit/places.ts";
import { thingOf } from "#features/audit/places.ts";
import type { Fold, FullRow, Step, StreamRow } from "#features/audit/queries-event.ts";
import { stateAround, streamsOf } from "#features/audit/queries-event.ts";
import type { AuditDeps, Reader } from "#features/audit/queries-words.ts";
import { itemsById } from "#features/audit/queries-words.ts";
import type { Fields } from "#features/audit/named-in.ts";
import { peopleIn, textField } from "#features/audit/named-in.ts";
import { handleTexts } from "#features/audit/handles.ts";
import { availableAccount, payoutsAccount } from "#features/accounts/streams.ts";
import { itemHolding } from "#features/inventory/streams.ts";
import type { Notes } from "#identity/notes.ts";
import type { PayoutHandles } from "#identity/payout-handles.ts";
import { fieldsOf } from "#ledger/log/read-event.ts";

export type EventDeps = AuditDeps & {
  readonly notes: Notes;
  readonly payoutHandles: Pick<PayoutHandles, "findMany">;
  readonly streams: Fold["streams"];
  /** The event types that a consignor sees. */
  readonly ownTypes: readonly string[];
};

export type LoadedEvent = {
  readonly row: FullRow;
  readonly fields: Fields;
  readonly streams: readonly (StreamRow & { readonly step: Step | null })[];
  readonly names: Names;
  readonly own: Own;
  /** What is shown of the payment handles that it names, by their ids. */
  readonly handles: ReadonlyMap<string, string>;
};

/** The people and items that an event's streams, accounts and holdings name. */
function namedIn(row: FullRow, streams: readonly StreamRow[]) {
  const things = streams.map(({ stream }) => thingOf(stream));
  const accounts = row.postings.flatMap(({ from, to }) => [from, to]);
  const holdings = row.movements.flatMap(({ from, to }) => [from, to]);
  const uids = [availableAccount, payoutsAccount].flatMap(({ is, idOf }) =>
    accounts.filter(is).map(idOf),
  );
  const ofKind = (kinds: readonly string[]) =>
    things.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id);
  return {
    uids: [...new Set([...ofKind(["consignor", "user", "trader"]), ...uids])],
    items: [
      ...new Set([...ofKind(["item"]), ...holdings.filter(itemHolding.is).map(itemHolding.idOf)]),
    ],
  };
}

export async function loadEvent(
  deps: EventDeps,
  reader: Reader,
  row: FullRow,
): Promise<LoadedEvent> {
  const { reads, profiles, readEvent } = deps;
  const rows = await streamsOf(reads, reader, row.position);
  const { uids, items } = namedIn(row, rows);
  const steps = await Promise.all(rows.map((stream) => stateAround(deps, row, stream)));
  const inStates = steps.flatMap((step) => (step === null ? [] : peopleInStates(step)));
  const fields = fieldsOf(readEvent(row));
  const [names, known, handles] = await Promise.all([
    reader.isAdmin
      ? profiles.displayNames([...new Set([...uids, ...inStates, ...peopleIn(fields)])])
      : new Map([[reader.uid, "You"]]),
    itemsById(reads, items),
    handleTexts(deps.payoutHandles, fields, steps),
  ]);
  const tradeId = textField(fields, "tradeId");
  return {
    row,
    fields,
    handles,
    streams: rows.map((stream, index) => ({ ...stream, step: steps[index] ?? null })),
    names: {
      people: names,
      items: new Map([...known].map(([id, { name }]) => [id, name])),
    },
    own: {
      uid: reader.uid,
      items: new Set(
        [...known].flatMap(([id, item]) => (item.ownerUid === reader.uid ? [id] : [])),
      ),
      bought: new Set(tradeId !== null && fields["buyerUid"] === reader.uid ? [tradeId] : []),
    },
  };
}

/** The people whom a stream's states name, such as those for whom units are set aside. */
function peopleInStates({ before, after }: Step): readonly string[] {
  return [before, after].flatMap((state) => peopleIn(Object(state) as Fields));
}
