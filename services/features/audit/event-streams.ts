// What an event changed in its streams: an admin reads all of it, a consignor their own part.
import type { AuditChange, AuditStream } from "#features/audit/contract.ts";
import { changesBetween } from "#features/audit/changes.ts";
import type { LoadedEvent } from "#features/audit/event-loaded.ts";
import type { Own } from "#features/audit/places.ts";
import { isThing, labelOfThing, thingOf } from "#features/audit/places.ts";
import type { Step } from "#features/audit/queries-event.ts";
import type { Reader } from "#features/audit/queries-words.ts";
import type { Fields } from "#features/audit/named-in.ts";
import { redacted } from "#features/audit/redacted.ts";

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
  { own, names, handles }: LoadedEvent,
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

export function streamsFor(reader: Reader, loaded: LoadedEvent): AuditStream[] {
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
