// What routes of any feature ask about the store itself: what it is called, where it is, and by which clock its days go.

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

/** What a store is called that nobody named. */
export const UNNAMED_STORE = "Consignment Ledger";

/** Each is read when it is asked for, on the primary: a change counts from the next request on. */
export type StoreFacts = {
  readonly details: () => Promise<StoreDetails>;
  /** `UNNAMED_STORE` until an admin names it. */
  readonly name: () => Promise<string>;
  /** An IANA name. */
  readonly timeZone: () => Promise<string>;
  /** Both as they were at a position of the log: what was issued then comes out the same for ever. */
  readonly at: (position: number) => Promise<{ readonly name: string; readonly timeZone: string }>;
  /** `STORE_TIME_ZONE`, which no setting changes; null where it is not set. */
  readonly fixedTimeZone: string | null;
};
