// Everything about one event as the reader may see it: an admin all of it, a consignor their own part.
import type {
  AuditChange,
  AuditEvent,
  AuditRelated,
  AuditSaid,
  AuditStream,
} from "#features/audit/contract.ts";
import { changesBetween } from "#features/audit/changes.ts";
import type { Names, Own } from "#features/audit/places.ts";
import {
  isOwnPlace,
  isThing,
  labelOfThing,
  placeForAdmin,
  placeForConsignor,
  thingOf,
} from "#features/audit/places.ts";
import { linesOf } from "#features/audit/queries.ts";
import type { Fold, FullRow, Step, StreamRow } from "#features/audit/queries-event.ts";
import {
  aroundOf,
  findEvent,
  positionsOfCall,
  previousHashOf,
  relatedRows,
  stateAround,
  streamsOf,
} from "#features/audit/queries-event.ts";
import type { AuditDeps, Reader } from "#features/audit/queries-words.ts";
import { itemsById, prepareSentences } from "#features/audit/queries-words.ts";
import type { Fields } from "#features/audit/named-in.ts";
import { peopleIn, textField } from "#features/audit/named-in.ts";
import { handleNamedBy, handleTexts } from "#features/audit/handles.ts";
import { redacted } from "#features/audit/redacted.ts";
import { relatedOf } from "#features/audit/relations.ts";
import { saidBy } from "#features/audit/said.ts";
import { availableAccount, payoutsAccount } from "#features/accounts/streams.ts";
import { itemHolding } from "#features/inventory/streams.ts";
import { PayoutPaid } from "#features/payouts/events.ts";
import { escrowAccount } from "#features/trades/streams.ts";
import type { Notes } from "#identity/notes.ts";
import type { PayoutHandles } from "#identity/payout-handles.ts";
import { fieldsOf } from "#ledger/log/read-event.ts";
import { toDollars } from "#ledger/money.ts";
import type { Posting } from "#ledger/posting.ts";

export type EventDeps = AuditDeps & {
  readonly notes: Notes;
  readonly payoutHandles: Pick<PayoutHandles, "findMany">;
  readonly streams: Fold["streams"];
  /** The event types that a consignor sees. */
  readonly ownTypes: readonly string[];
};

type Loaded = {
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

async function load(deps: EventDeps, reader: Reader, row: FullRow): Promise<Loaded> {
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

/** Of a trade its buyer sees everything but the sellers; a seller only the own offer. */
function ownOfTrade(state: unknown, { uid, bought }: Own): unknown {
  const { trade, ...held } = Object(state) as Fields;
  if (bought.size > 0) {
    return redacted({ ...held, trade });
  }
  const { offers } = Object(trade) as Fields;
  const own = Array.isArray(offers)
    ? (offers as readonly Fields[]).filter((offer) => offer["sellerUid"] === uid)
    : [];
  return redacted({ offers: own });
}

/** The state of a consignor's own stream, as far as it is theirs; null for a stream that is not. */
function ownState(kind: string, id: string, state: unknown, own: Own): unknown {
  const fields = Object(state) as Fields;
  switch (kind) {
    case "consignor":
      return id === own.uid ? state : null;
    case "item":
      return own.items.has(id) ? redacted(state) : null;
    case "trade":
      return ownOfTrade(state, own);
    case "sale":
    case "payout":
    case "shipment":
      return fields["consignorId"] === own.uid ? redacted(state) : null;
    default:
      return null;
  }
}

function changesFor(
  { isAdmin }: Reader,
  { kind, id }: ReturnType<typeof thingOf>,
  { before, after }: Step,
  { own, names, handles }: Loaded,
): AuditChange[] | null {
  const inWords = (words: ReadonlyMap<string, string>) => (change: AuditChange) => {
    const said = (value: string | null) => words.get(value ?? "") ?? value;
    return { ...change, before: said(change.before), after: said(change.after) };
  };
  if (isAdmin) {
    const words = new Map([...handles, ...names.items, ...names.people]);
    return changesBetween(before, after).map(inWords(words));
  }
  const seen = ownState(kind, id, after, own);
  const seenBefore = ownState(kind, id, before, own) ?? {};
  return seen === null ? null : changesBetween(seenBefore, seen).map(inWords(handles));
}

/** The number of the transfer, which has a field of its own. */
function referenceOf({ row, fields }: Loaded): string | null {
  return row.type === PayoutPaid.type ? textField(fields, "reference") : null;
}

/** Only admins read what an event's data says by itself: a new field is not a consignor's before somebody says so. */
function saidFor(reader: Reader, loaded: Loaded, notes: readonly string[]): AuditSaid[] {
  const { fields, streams, names } = loaded;
  const states = streams.map(({ step }) => step?.after);
  const ids = streams.map(({ stream }) => thingOf(stream).id);
  const shown = { ids: [...ids, referenceOf(loaded) ?? ""], notes };
  const words = new Map([...names.items, ...names.people]);
  return reader.isAdmin
    ? saidBy(fields, states, shown).map(({ field, value }) => ({
        field,
        value: words.get(value) ?? value,
      }))
    : [];
}

function handleShown({ fields, streams, handles }: Loaded): string | null {
  const steps = streams.map(({ step }) => step);
  return handles.get(handleNamedBy(fields, steps) ?? "") ?? null;
}

function streamsFor(reader: Reader, loaded: Loaded): AuditStream[] {
  const { streams, names } = loaded;
  return streams.flatMap(({ stream, version, previous, next, step }) => {
    const thing = thingOf(stream);
    const changes =
      step === null ? (reader.isAdmin ? [] : null) : changesFor(reader, thing, step, loaded);
    return changes === null
      ? []
      : [
          {
            stream: reader.isAdmin || isThing(thing.kind) ? stream : null,
            thing: { ...thing, label: labelOfThing(thing, names, stream) },
            version,
            changes,
            previous,
            next,
          },
        ];
  });
}

function movedFor(
  { isAdmin }: Reader,
  { row, names, own }: Loaded,
): Pick<AuditEvent, "postings" | "movements"> {
  const place = (name: string) =>
    isAdmin ? placeForAdmin(name, names) : placeForConsignor(name, own, names);
  const isSeen = ({ from, to }: { readonly from: string; readonly to: string }) =>
    isAdmin || isOwnPlace(from, own) || isOwnPlace(to, own);
  const isPayment = ({ from, to }: Posting) =>
    !isAdmin && escrowAccount.is(from) && !isOwnPlace(to, own);
  const postings = row.postings.filter(isSeen);
  const payments = postings.filter(isPayment);
  const [payment] = payments;
  return {
    postings: [
      ...postings
        .filter((posting) => !isPayment(posting))
        .map(({ from, to, cents }) => ({
          from: place(from),
          to: place(to),
          amount: toDollars(cents),
        })),
      // How a buyer's money is shared is between the store and the seller.
      ...(payment === undefined
        ? []
        : [
            {
              from: place(payment.from),
              to: { label: "Seller and store", name: null },
              amount: toDollars(payments.reduce((sum, { cents }) => sum + cents, 0)),
            },
          ]),
    ],
    movements: row.movements
      .filter(isSeen)
      .map(({ from, to, units }) => ({ from: place(from), to: place(to), units })),
  };
}

/** A consignor reads only relations between events that touch them, as their own streams show them. */
async function relatedFor(
  deps: EventDeps,
  reader: Reader,
  { row, streams }: Loaded,
): Promise<Pick<AuditEvent, "corrects" | "correctedBy">> {
  const { version, rows } = await relatedRows(deps.reads, row, streams);
  const { corrects, correctedBy } = relatedOf(
    version,
    rows.map((one) => ({ ...one, fields: fieldsOf(deps.readEvent(one)) })),
  );
  const all = [...corrects, ...correctedBy];
  const visible = reader.isAdmin
    ? all
    : (
        await Promise.all(
          all.map(async (one) => {
            const seen = await findEvent(deps.reads, reader, deps.ownTypes, one.position);
            return seen === undefined ? [] : [one];
          }),
        )
      ).flat();
  const say = await prepareSentences(deps, reader, visible);
  const shown = (some: readonly (typeof all)[number][]): AuditRelated[] =>
    some
      .filter((one) => visible.includes(one))
      .map((one) => ({
        position: one.position,
        type: one.type,
        title: say(one).said.title,
        happenedAt: one.happened_at.toISOString(),
      }));
  return { corrects: shown(corrects), correctedBy: shown(correctedBy) };
}

async function wordsFor(
  deps: EventDeps,
  reader: Reader,
  row: FullRow,
): Promise<Pick<AuditEvent, "steps" | "notes" | "reason">> {
  const say = await prepareSentences(deps, reader, [row]);
  const { steps, notes, noteId } = say(row).said;
  const texts = await deps.notes.findMany(noteId === null ? [] : [noteId]);
  return {
    steps: steps.map(({ label, cents }) => ({ label, amount: toDollars(cents) })),
    notes: [...notes],
    reason: noteId === null ? null : (texts.get(noteId) ?? null),
  };
}

/** A consignor sees only the keys of their own calls. */
async function commandFor(
  { reads }: EventDeps,
  { isAdmin, uid }: Reader,
  row: FullRow,
): Promise<AuditEvent["command"]> {
  if (!isAdmin && row.actor !== uid) {
    return null;
  }
  return {
    scope: row.key_scope,
    key: row.command_key,
    requestHash: row.request_hash,
    positions: await positionsOfCall(reads, row),
  };
}

/** One event; undefined if there is none, or if it is none of the reader's. */
export async function readAuditEvent(
  deps: EventDeps,
  reader: Reader,
  position: number,
): Promise<AuditEvent | undefined> {
  const row = await findEvent(deps.reads, reader, deps.ownTypes, position);
  if (row === undefined) {
    return undefined;
  }
  const [loaded, [line], words, command, around] = await Promise.all([
    load(deps, reader, row),
    linesOf(deps, reader, [row]),
    wordsFor(deps, reader, row),
    commandFor(deps, reader, row),
    aroundOf(deps.reads, reader, deps.ownTypes, position),
  ]);
  return line === undefined
    ? undefined
    : {
        ...line,
        ...words,
        ...movedFor(reader, loaded),
        ...(await relatedFor(deps, reader, loaded)),
        said: saidFor(reader, loaded, words.notes),
        streams: streamsFor(reader, loaded),
        handle: handleShown(loaded),
        reference: referenceOf(loaded),
        id: row.id,
        schemaVersion: row.schema_version,
        readable: deps.readEvent(row).kind === "read",
        command,
        fieldHash: row.field_hash,
        previousHash: previousHashOf(row),
        hash: row.hash,
        ...around,
      };
}
