// One sentence for an event that was not appended, from the history in which it says the most. Pure.
import type { EventExplanations } from "#features/histories.ts";
import { itemHolding } from "#features/inventory/streams.ts";
import { availableAccount, payoutsAccount } from "#features/accounts/streams.ts";
import type { NewEvent } from "#ledger/event.ts";
import { readIn, spelledOut } from "#ledger/explain.ts";
import { netUnitsOf } from "#ledger/posting.ts";

export type Reader = {
  /** Whose ledger the event is read in: the caller's, or for an admin that of the first person it touches. */
  readonly uid: string | null;
  readonly isAdmin: boolean;
  /** Null for an item that the reader may not see. */
  readonly itemNameOf: (itemId: string) => string | null;
};

/** An event that no history explains reads as its type. */
export function sentenceOf(
  event: NewEvent,
  explanations: EventExplanations,
  reader: Reader,
): string {
  const inTrade = () => readIn(explanations, "trade", event, null)?.words.description ?? null;
  const inLedger = () => ledgerSentence(event, explanations, reader.uid);
  const inItem = () => itemSentence(event, explanations, reader);
  const readings = reader.isAdmin ? [inTrade, inLedger, inItem] : [inLedger, inItem, inTrade];
  for (const read of [...readings, () => otherSentence(event, explanations)]) {
    const sentence = read();
    if (sentence !== null) {
      return sentence;
    }
  }
  return spelledOut(event.type);
}

function ledgerSentence(
  event: NewEvent,
  explanations: EventExplanations,
  uid: string | null,
): string | null {
  const isLine =
    uid !== null &&
    event.postings.some(({ from, to }) =>
      [availableAccount.of(uid), payoutsAccount.of(uid)].some(
        (account) => account === from || account === to,
      ),
    );
  return isLine
    ? (readIn(explanations, "consignor", event, { uid })?.words.description ?? null)
    : null;
}

/** "Desk lamp: Sold 2 units", for the first item whose units move. */
function itemSentence(
  event: NewEvent,
  explanations: EventExplanations,
  { itemNameOf }: Reader,
): string | null {
  const holding = event.movements
    .flatMap(({ from, to }) => [from, to])
    .find((name) => itemHolding.is(name) && itemNameOf(itemHolding.idOf(name)) !== null);
  const unitsDelta = holding === undefined ? 0 : netUnitsOf(event.movements, holding);
  const title = readIn(explanations, "item", event, { unitsDelta })?.words.title ?? null;
  const name = holding === undefined ? null : itemNameOf(itemHolding.idOf(holding));
  return title === null || name === null ? title : `${name}: ${title}`;
}

const PERSONAL_TEXTS: ReadonlySet<string> = new Set(["username", "email", "display-name"]);

/** Changes of users, settings, holds, closed months and remitted tax. The new texts are not kept in a rehearsal, so they are not in the sentence. */
function otherSentence(event: NewEvent, explanations: EventExplanations): string | null {
  const text = { isKept: true, before: null, after: null };
  const inUser = readIn(explanations, "user", event, text);
  if (inUser !== null) {
    return PERSONAL_TEXTS.has(inUser.kind) ? null : inUser.words.description;
  }
  const inPayouts =
    readIn(explanations, "hold", event, null) ?? readIn(explanations, "payout", event, null);
  if (inPayouts !== null) {
    return inPayouts.words.description;
  }
  const inBooks =
    readIn(explanations, "remittances", event, null) ?? readIn(explanations, "months", event, null);
  if (inBooks !== null) {
    return inBooks.words.description;
  }
  const lines = readIn(explanations, "store", event, { before: null, after: null })?.words ?? [];
  return lines.length === 0
    ? null
    : lines
        .map(({ what, before, after }) => `${what}: ${before ?? "none"} to ${after ?? "none"}`)
        .join(", ");
}
