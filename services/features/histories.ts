// The histories in which people read events, and what each shows: every feature's explain.ts returns these types.
import type { LedgerLine } from "#features/accounts/contract.ts";
import type { HoldHistoryKind } from "#features/holds/contract.ts";
import type { AlertHistoryKind } from "#features/alerts/contract.ts";
import type { TimelineLine } from "#features/inventory/contract.ts";
import type { SettingsChange, StoreDetails } from "#features/settings/contract.ts";
import type { TradeHistoryLine } from "#features/trades/contract-reads.ts";
import type { UserChange } from "#features/users/contract-people.ts";
import type { EventDefinition } from "#ledger/event.ts";
import type { Explanations, ExplanationRegister } from "#ledger/explain.ts";

/** Each is named after the streams whose events it shows. */
export type Histories = {
  /** A consignor's ledger and statements, which the consignor reads too. */
  readonly consignor: {
    readonly kind: Exclude<LedgerLine["kind"], "other">;
    readonly facts: {
      /** Whose ledger it is: an event may be a line of several. */
      readonly uid: string;
    };
    readonly words: LedgerWords;
  };
  /** What happened to an item. */
  readonly item: {
    readonly kind: TimelineLine["kind"];
    readonly facts: {
      /** What the event changed of this item's units. */
      readonly unitsDelta: number;
    };
    readonly words: ItemWords;
  };
  /** What was changed about a user; for admins. */
  readonly user: {
    readonly kind: Exclude<UserChange["kind"], "other">;
    readonly facts: ChangedText;
    readonly words: ChangeWords;
  };
  /** How the store's settings were changed; for admins. */
  readonly store: {
    readonly kind: Exclude<SettingsChange["section"], "other">;
    readonly facts: SettingsTexts;
    readonly words: readonly SettingsLine[];
  };
  /** What happened to a trade; for its buyer and admins. */
  readonly trade: {
    readonly kind: Exclude<TradeHistoryLine["kind"], "other">;
    readonly facts: null;
    readonly words: TradeWords;
  };
  /** What operators did to read tables and jobs; for admins. */
  readonly operations: {
    readonly kind: "tables" | "jobs";
    readonly facts: null;
    readonly words: OperatorWords;
  };
  /** When payouts were held and released; for admins. */
  readonly hold: {
    readonly kind: HoldHistoryKind;
    readonly facts: null;
    readonly words: HoldWords;
  };
  /** What happened to a payout request without moving money; for its consignor and admins. */
  readonly payout: {
    readonly kind: "handle" | "claim";
    readonly facts: null;
    readonly words: { readonly description: string };
  };
  /** What was wrong with the books or the machinery; for admins. */
  readonly alert: {
    readonly kind: AlertHistoryKind;
    readonly facts: null;
    readonly words: { readonly description: string };
  };
  /** When the till's drawer was counted, what was wrong about its payments, and erased certificates; for admins. */
  readonly till: {
    readonly kind: "counted" | "tender" | "certificate";
    readonly facts: null;
    readonly words: { readonly description: string; readonly noteId: string | null };
  };
  /** When months were closed, and at which totals; for admins. */
  readonly months: {
    readonly kind: "closed";
    readonly facts: null;
    readonly words: ClosingWords;
  };
  /** The sales tax that was passed on; for admins. */
  readonly remittances: {
    readonly kind: "remitted" | "reversed";
    readonly facts: null;
    readonly words: { readonly description: string; readonly noteId: string | null };
  };
};

export type LedgerWords = {
  readonly chip: LedgerLine["chip"];
  /** "2 × Desk lamp sold" */
  readonly description: string;
  /** What a screen can open. */
  readonly about: { readonly kind: "sale" | "payout" | "trade"; readonly id: string } | null;
  /** How the amount came about: the last step is the amount, the sum of the others. Empty if there is nothing to explain. */
  readonly steps: readonly { readonly label: string; readonly cents: number }[];
  /** What the audit log adds for admins, one sentence each. */
  readonly adminNotes?: readonly string[];
  /** The given reason, in identity.notes. */
  readonly noteId: string | null;
};

export type ItemWords = {
  /** The only text that the item's consignor sees too. */
  readonly title: string;
  /** What changed and why, one sentence each. */
  readonly notes: readonly string[];
  /** Who got the units; the screen adds the name to the title. */
  readonly consignorUid: string | null;
  readonly saleId: string | null;
  /** The units' price; the screen adds it to the title. */
  readonly priceCents: number | null;
  /** The given reason, in identity.notes. */
  readonly noteId: string | null;
};

/** An item's line with only a title. */
export const titleOnly: Omit<ItemWords, "title"> = {
  notes: [],
  consignorUid: null,
  saleId: null,
  priceCents: null,
  noteId: null,
};

/** The personal text that an event changed. The log refers to it, and it may be erased. */
export type ChangedText = {
  /** False if the text was erased, or if the event changed none. */
  readonly isKept: boolean;
  readonly before: string | null;
  readonly after: string | null;
};

export type ChangeWords = {
  readonly description: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly isErased: boolean;
  /** The given reason, in identity.notes. */
  readonly noteId: string | null;
};

/** The rows of store.details that a change refers to; null where it refers to none. */
export type SettingsTexts = {
  readonly before: StoreDetails | null;
  readonly after: StoreDetails | null;
};

/** One value of the settings that changed; null where there was none. */
export type SettingsLine = SettingsChange["lines"][number];

export type TradeWords = {
  /** "Accepted: 2 units at $5.00 each". The screen shows separately who did it. */
  readonly description: string;
  /** The reason that somebody gave, in identity.notes. */
  readonly noteId: string | null;
};

export type OperatorWords = {
  /** "Started a rebuild of balances (version 1)" */
  readonly description: string;
  /** The order in `read.rebuilds` that says what came of it; null for what is done with its event. */
  readonly orderId: string | null;
  /** The given reason, in identity.notes. */
  readonly noteId: string;
};

export type ClosingWords = {
  readonly description: string;
  /** What the store keeps, as the admin saw it before: the last step is the sum of the others. */
  readonly steps: LedgerWords["steps"];
  /** The other totals, one sentence each. */
  readonly notes: readonly string[];
};

export type HoldWords = {
  readonly description: string;
  /** The reason that an admin gave, in identity.notes. */
  readonly noteId: string | null;
};

/** How each event of a feature reads in each history. Only changes of the settings name `store`, and so on. */
export type FeatureExplanations<Definitions extends readonly EventDefinition[]> = Explanations<
  Definitions,
  Histories,
  "store" | "trade" | "hold" | "payout" | "alert" | "operations" | "till" | "months" | "remittances"
>;

/** How every event of the store reads. */
export type EventExplanations = ExplanationRegister<Histories>;
