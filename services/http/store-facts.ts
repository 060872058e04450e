// What routes of any feature ask about the store itself: its name, address and time zone.
import type { DayBegin, ZoneSpan } from "#http/store-days.ts";

/** An empty text means that there is none. */
export type StoreDetails = {
  readonly storeName: string;
  readonly returnPolicy: string;
  /** An https address. */
  readonly chatLink: string;
  /** Without the @. */
  readonly venmoName: string;
  readonly shippingAddress: {
    readonly name: string;
    readonly street: string;
    readonly city: string;
    readonly state: string;
    readonly zip: string;
    readonly country: string;
  };
};

/** The name of a store that has none yet. */
export const UNNAMED_STORE = "Consignment Ledger";

/** What a receipt says about the store; null where there is none. */
export type ReceiptHead = {
  readonly storeName: string | null;
  readonly addressLines: string[];
  readonly returnPolicy: string | null;
};

export function receiptHead(details: StoreDetails): ReceiptHead {
  const { street, city, state, zip, country } = details.shippingAddress;
  const lines = [street, `${city}, ${state} ${zip}`, country];
  return {
    storeName: details.storeName === "" ? null : details.storeName,
    addressLines: street === "" ? [] : lines.filter((line) => line !== ""),
    returnPolicy: details.returnPolicy === "" ? null : details.returnPolicy,
  };
}

/** What the store shows to everybody; null where there is none. */
export type ShopWindow = {
  readonly storeName: string | null;
  /** The address of the image. */
  readonly logo: string | null;
  readonly chatLink: string | null;
  readonly defaultConsignorPercentage: number;
};

/** Each call reads the primary, so a change applies from the next request on. */
export type StoreFacts = {
  readonly details: () => Promise<StoreDetails>;
  /** `version` is another one after every change of what it has. */
  readonly shopWindow: () => Promise<ShopWindow & { readonly version: string }>;
  /** `UNNAMED_STORE` until an admin names it. */
  readonly name: () => Promise<string>;
  /** An IANA name. */
  readonly timeZone: () => Promise<string>;
  /** When days of the store begin, by its present time zone and its closed months. */
  readonly dayBegins: (days: readonly string[]) => Promise<readonly DayBegin[]>;
  /** The time zones of all its days by the same rules, oldest first, without gaps. */
  readonly zones: () => Promise<readonly ZoneSpan[]>;
  /** Both as they were at a position of the log, so that a statement comes out the same later. */
  readonly at: (position: number) => Promise<{ readonly name: string; readonly timeZone: string }>;
  /** `STORE_TIME_ZONE`, which no setting changes; null if it is not set. */
  readonly fixedTimeZone: string | null;
};
