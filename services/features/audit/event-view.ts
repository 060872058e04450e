// Everything about one event as the reader may see it: an admin all of it, a consignor their own part.
import type { AuditEvent, AuditRelated, AuditSaid } from "#features/audit/contract.ts";
import type { EventDeps, LoadedEvent } from "#features/audit/event-loaded.ts";
import { loadEvent } from "#features/audit/event-loaded.ts";
import { streamsFor } from "#features/audit/event-streams.ts";
import { handleNamedBy } from "#features/audit/handles.ts";
import { textField } from "#features/audit/named-in.ts";
import { isOwnPlace, placeForAdmin, placeForConsignor, thingOf } from "#features/audit/places.ts";
import { linesOf } from "#features/audit/queries.ts";
import type { FullRow } from "#features/audit/queries-event.ts";
import {
  aroundOf,
  findEvent,
  positionsOfCall,
  previousHashOf,
  relatedRows,
} from "#features/audit/queries-event.ts";
import type { Reader } from "#features/audit/queries-words.ts";
import { prepareSentences } from "#features/audit/queries-words.ts";
import { relatedOf } from "#features/audit/relations.ts";
import { saidBy } from "#features/audit/said.ts";
import { PayoutPaid } from "#features/payouts/events.ts";
import { escrowAccount } from "#features/trades/streams.ts";
import { fieldsOf } from "#ledger/log/read-event.ts";
import { toDollars } from "#ledger/money.ts";
import type { Posting } from "#ledger/posting.ts";

/** The number of the transfer, which has a field of its own. */
function referenceOf({ row, fields }: LoadedEvent): string | null {
  return row.type === PayoutPaid.type ? textField(fields, "reference") : null;
}

/** Only admins read what an event's data says by itself: a new field is not a consignor's before somebody says so. */
function saidFor(reader: Reader, loaded: LoadedEvent, notes: readonly string[]): AuditSaid[] {
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

function handleShown({ fields, streams, handles }: LoadedEvent): string | null {
  const steps = streams.map(({ step }) => step);
  return handles.get(handleNamedBy(fields, steps) ?? "") ?? null;
}

function movedFor(
  { isAdmin }: Reader,
  { row, names, own }: LoadedEvent,
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
  { row, streams }: LoadedEvent,
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
    loadEvent(deps, reader, row),
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
