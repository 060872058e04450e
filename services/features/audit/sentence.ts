// How an event reads in the audit log: the words of the history that says most about it, for an admin or a consignor. Pure.
import type { ChangedText, EventExplanations, LedgerWords } from "#features/histories.ts";
import type { AuditGroup } from "#features/audit/contract.ts";
import type { Fields } from "#features/audit/named-in.ts";
import { textField } from "#features/audit/named-in.ts";
import type { ReadableEvent } from "#ledger/explain.ts";
import { readIn, spelledOut } from "#ledger/explain.ts";

/** What the sentence needs in addition to the event. */
export type Facts = {
  /** The event's data in the current version. */
  readonly fields: Fields;
  /** The item's name, from the event or from the inventory; null if nobody knows it. */
  readonly itemName: string | null;
  /** The personal text that the event refers to. */
  readonly text: ChangedText;
};

export type Said = {
  readonly title: string;
  readonly group: AuditGroup;
  readonly steps: LedgerWords["steps"];
  readonly notes: readonly string[];
  /** The given reason, in identity.notes. */
  readonly noteId: string | null;
};

const nothingMore = { steps: [], notes: [], noteId: null } as const;

/** No text, and none was erased. */
export const NO_TEXT: ChangedText = { isKept: true, before: null, after: null };

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

const groupOfKind: Readonly<Partial<Record<string, AuditGroup>>> = {
  sale: "sale",
  refund: "sale",
  correction: "sale",
  payout: "payout",
  adjustment: "money",
};

function tradeWords(
  explanations: EventExplanations,
  event: ReadableEvent,
  facts: Facts,
): Said | null {
  const read = readIn(explanations, "trade", event, null);
  return read === null ? null : inTrade(read.words.description, facts, read.words.noteId);
}

/** "Accepted: 2 units at $5.00 each (trade of Desk lamp)" */
function inTrade(description: string, { itemName }: Facts, noteId: string | null): Said {
  const title = itemName === null ? description : `${description} (trade of ${itemName})`;
  return { ...nothingMore, title, group: "trade", noteId };
}

function ledgerWords(
  explanations: EventExplanations,
  event: ReadableEvent,
  uid: string,
): Said | null {
  const read = readIn(explanations, "consignor", event, { uid });
  if (read === null) {
    return null;
  }
  const { description: title, steps, adminNotes: notes = [], noteId } = read.words;
  return { title, group: groupOfKind[read.kind] ?? "trade", steps, notes, noteId };
}

/** "Desk lamp: counted 5, was 3" */
function itemWords(
  explanations: EventExplanations,
  event: ReadableEvent,
  { itemName }: Facts,
  unitsDelta: number,
): Said | null {
  const read = readIn(explanations, "item", event, { unitsDelta });
  if (read === null) {
    return null;
  }
  const { title, notes } = read.words;
  return {
    ...nothingMore,
    title: itemName === null ? title : `${itemName}: ${lowerFirst(title)}`,
    group: "item",
    notes,
  };
}

function userWords(
  explanations: EventExplanations,
  event: ReadableEvent,
  { text }: Facts,
): Said | null {
  const read = readIn(explanations, "user", event, text);
  if (read === null) {
    return null;
  }
  const { description: title, noteId } = read.words;
  return { ...nothingMore, title, group: groupOfUser(read.kind), noteId };
}

function groupOfUser(kind: string): AuditGroup {
  return kind === "shipment" ? "shipment" : "user";
}

function storeWords(explanations: EventExplanations, event: ReadableEvent): Said | null {
  const read = readIn(explanations, "store", event, { before: null, after: null });
  if (read === null) {
    return null;
  }
  const lines = read.words.map(({ what, before, after }) =>
    before === null && after !== null
      ? `${what}: ${after}`
      : `${what}: ${before ?? "none"} to ${after ?? "none"}`,
  );
  const title = lines.length === 0 ? spelledOut(event.type) : lines.join("; ");
  return { ...nothingMore, title, group: "store" };
}

/** A count of the drawer closes its day; a corrected payment and an erased certificate are about sales. */
function groupOfTill(kind: string): AuditGroup {
  return kind === "counted" ? "closing" : "sale";
}

function tillWords(explanations: EventExplanations, event: ReadableEvent): Said | null {
  const read = readIn(explanations, "till", event, null);
  if (read === null) {
    return null;
  }
  const { description: title, noteId } = read.words;
  return { ...nothingMore, title, group: groupOfTill(read.kind), noteId };
}

/** Closed months, and the sales tax that was passed on. */
function monthWords(explanations: EventExplanations, event: ReadableEvent): Said | null {
  const closed = readIn(explanations, "months", event, null);
  if (closed !== null) {
    const { description: title, steps, notes } = closed.words;
    return { ...nothingMore, title, group: "closing", steps, notes };
  }
  const remitted = readIn(explanations, "remittances", event, null);
  if (remitted === null) {
    return null;
  }
  const { description: title, noteId } = remitted.words;
  return { ...nothingMore, title, group: "money", noteId };
}

/** Where a payout request goes, and who pays it. */
function requestWords(explanations: EventExplanations, event: ReadableEvent): Said | null {
  const read = readIn(explanations, "payout", event, null);
  return read === null ? null : { ...nothingMore, title: read.words.description, group: "payout" };
}

/** What operators did, and payout holds: both have a sentence and a reason. */
function otherWords(explanations: EventExplanations, event: ReadableEvent): Said | null {
  const hold = readIn(explanations, "hold", event, null);
  const words = hold?.words ?? readIn(explanations, "operations", event, null)?.words;
  return words === undefined
    ? null
    : {
        ...nothingMore,
        title: words.description,
        group: hold === null ? "operations" : "payout",
        noteId: words.noteId,
      };
}

function plainWords({ type }: ReadableEvent): Said {
  return { ...nothingMore, title: spelledOut(type), group: "other" };
}

/** Never throws: an event that no version of the program could have written is shown by its type. */
function orPlain(event: ReadableEvent, say: () => Said | null): Said {
  try {
    return say() ?? plainWords(event);
  } catch {
    return plainWords(event);
  }
}

export function sayToAdmin(
  explanations: EventExplanations,
  event: ReadableEvent,
  facts: Facts,
): Said {
  const whose = textField(facts.fields, "consignorId") ?? textField(facts.fields, "uid") ?? "";
  return orPlain(
    event,
    () =>
      tradeWords(explanations, event, facts) ??
      ledgerWords(explanations, event, whose) ??
      // Of an allocation's two items, the sentence is about the one that gives units.
      itemWords(explanations, event, facts, -1) ??
      userWords(explanations, event, facts) ??
      storeWords(explanations, event) ??
      tillWords(explanations, event) ??
      monthWords(explanations, event) ??
      requestWords(explanations, event) ??
      otherWords(explanations, event),
  );
}

/** What a consignor is to an event. */
export type OwnPart = {
  readonly uid: string;
  /** It is a line of their ledger. */
  readonly isLedgerLine: boolean;
  readonly isBuyer: boolean;
  /** How a seller may read an event of a trade: null as the description is as everybody reads it. Null for other events. */
  readonly sellersWords: { readonly description: string | null; readonly hasNote: boolean } | null;
};

/** Without what only admins read: all notes, and the reasons given for changes of users. */
export function sayToConsignor(
  explanations: EventExplanations,
  event: ReadableEvent,
  facts: Facts,
  { uid, isLedgerLine, isBuyer, sellersWords }: OwnPart,
): Said {
  return orPlain(event, () => {
    const own = isLedgerLine ? ledgerWords(explanations, event, uid) : null;
    if (own !== null) {
      return { ...own, notes: [] };
    }
    if (isBuyer) {
      return tradeWords(explanations, event, facts);
    }
    if (sellersWords !== null) {
      const usual = tradeWords(explanations, event, facts);
      const noteId = sellersWords.hasNote ? (usual?.noteId ?? null) : null;
      return sellersWords.description === null
        ? usual && { ...usual, noteId }
        : inTrade(sellersWords.description, facts, noteId);
    }
    const item = itemWords(explanations, event, facts, 1);
    return item === null
      ? (userWords(explanations, event, facts) ?? requestWords(explanations, event))
      : { ...item, notes: [] };
  });
}

/** A user's changes that touch what a consignor gets or has: goods that came, the agreed share, the old account. */
const OWN_USER_KINDS: ReadonlySet<string> = new Set(["shipment", "agreed-share", "migrated"]);

/**
 * The event types that a consignor sees: those of money, goods, trades and payout requests. A type that nobody explained
 * is left out.
 */
export function typesForConsignors(explanations: EventExplanations): readonly string[] {
  return [...explanations].flatMap(([type, { explanation }]) => {
    const { consignor, item, trade, payout, user } = explanation;
    const isOwn = user !== null && user !== undefined && OWN_USER_KINDS.has(user.kind);
    return [consignor, item, trade, payout].some(Boolean) || isOwn ? [type] : [];
  });
}

type Explained = NonNullable<ReturnType<EventExplanations["get"]>>["explanation"];

function groupOf(explanation: Explained): AuditGroup {
  const { trade, consignor, item, user, store, hold, payout, operations, till } = explanation;
  const { months, remittances } = explanation;
  if (trade) {
    return "trade";
  }
  if (consignor) {
    return groupOfKind[consignor.kind] ?? "trade";
  }
  if (item) {
    return "item";
  }
  if (user) {
    return groupOfUser(user.kind);
  }
  if (hold || payout) {
    return "payout";
  }
  if (remittances) {
    return "money";
  }
  if (till) {
    return groupOfTill(till.kind);
  }
  if (months) {
    return "closing";
  }
  return store ? "store" : operations ? "operations" : "other";
}

/** The event types of a group: the history that says most about an event decides. */
export function typesOfGroup(
  explanations: EventExplanations,
  group: AuditGroup,
): readonly string[] {
  return [...explanations].flatMap(([type, { explanation }]) => {
    return groupOf(explanation) === group ? [type] : [];
  });
}
