// What a request carries on its way through the middlewares, from the outermost to the route's own.
import type { Logger } from "pino";
import type { VerifiedToken } from "#identity/id-tokens.ts";
import type { Role } from "#identity/profiles.ts";
import type { CountCommand } from "#http/command-limit.ts";
import type { Freshness } from "#http/freshness.ts";

/** Who a request comes from, as far as its bearer token and our own tables say. */
export type Caller =
  | { readonly kind: "nobody" }
  /** A token was sent that is expired, forged, or from somebody unknown. */
  | { readonly kind: "refused"; readonly message: string }
  /** A good token of a person who may not come in any more. */
  | { readonly kind: "barred"; readonly code: string; readonly message: string }
  /** A good token of somebody who has no profile here yet. */
  | { readonly kind: "newcomer"; readonly token: VerifiedToken }
  /** `subject` is what the token's issuer calls them; with our own tokens it is the uid. */
  | { readonly kind: "person"; readonly person: Person; readonly subject: string };

/** A signed-in person. Role and standing were read from our tables for this very request. */
export type Person = {
  readonly uid: string;
  readonly role: Role;
  /** When the person last proved who they are, and when the token ends. */
  readonly authenticatedAt: Date;
  readonly tokenExpiresAt: Date;
};

/** On every request. */
export type AppEnv = {
  Variables: {
    requestId: string;
    /** The process's logger; name the request id in what you log. */
    log: Logger;
    /** Where the request comes from: what attempts are counted by. */
    clientAddress: string;
    /** Verifies the bearer token when first asked; open routes never ask. */
    caller: () => Promise<Caller>;
    freshness: Freshness;
    /** Throws 429 when this person, who is no admin, has sent too many commands. */
    countCommand: CountCommand;
    /** The JSON body as it was sent, before the schema's defaults: what the request's hash is made from. */
    sentBody: unknown;
  };
};

/** After `signedIn`, `self` or `admin`. */
export type SignedInEnv = {
  Variables: AppEnv["Variables"] & {
    person: Person;
    /** Where this request's idempotency keys are unique: `store`, or `user:<uid>`. */
    commandScope: string;
    /** Whom the path names, after `self`. */
    subjectUid?: string;
  };
};

/** After `readsFrom`. */
export type FreshEnv = {
  Variables: AppEnv["Variables"] & {
    /** The position that the route's read tables have reached. */
    freshTo: number;
    /** True when they had not caught up within the time a read may wait. */
    stale: boolean;
    /** Row keys that they hold back and that the read is about. */
    held: number;
    person?: Person;
    subjectUid?: string;
  };
};
