// The variables of a request, set by the middlewares from the outermost to the route's own.
import type { Logger } from "pino";
import type { VerifiedToken } from "#identity/id-tokens.ts";
import type { KeptAnswers } from "#identity/kept-answers.ts";
import type { Role } from "#identity/profiles.ts";
import type { CountCommand } from "#http/command-limit.ts";
import type { ExpensiveCall, ExpensiveReads } from "#http/expensive-reads.ts";
import type { Freshness } from "#http/freshness.ts";
import type { Rehearsals } from "#http/rehearsal.ts";
import type { RequestSecurity } from "#http/request-security.ts";

/** Who a request comes from, according to its bearer token and the identity tables. */
export type Caller =
  | { readonly kind: "nobody" }
  /** The token is expired, forged, or from an unknown issuer. */
  | { readonly kind: "refused"; readonly message: string }
  /** A valid token of a person who was deactivated. */
  | { readonly kind: "barred"; readonly code: string; readonly message: string }
  /** A valid token of somebody without a profile here. */
  | { readonly kind: "newcomer"; readonly token: VerifiedToken }
  /** `subject` is the issuer's id of the person; in our own tokens it is the uid. */
  | { readonly kind: "person"; readonly person: Person; readonly subject: string };

/** A signed-in person. Role and standing were read for this request. */
export type Person = {
  readonly uid: string;
  readonly role: Role;
  /** Null for a sign-in at an outside issuer, and for a token from before tokens named their session. */
  readonly sessionId: string | null;
  /** An admin who has to set up a second factor before anything else. */
  readonly lacksFactor: boolean;
  /** When the person last signed in, and when the token ends. */
  readonly authenticatedAt: Date;
  readonly tokenExpiresAt: Date;
};

/** Set for every request. */
export type AppEnv = {
  Variables: {
    requestId: string;
    /** The process's logger; include the request id in log lines. */
    log: Logger;
    /** The address of the caller, in one spelling, for counting attempts. */
    clientAddress: string;
    /** Verifies the bearer token on the first call; open routes do not call it. */
    caller: () => Promise<Caller>;
    /** Reads the caller's standing again, for an answer that takes long. A token that expires meanwhile stays valid. */
    callerNow: () => Promise<Caller>;
    /** The same, if it was called before. */
    identified: () => Promise<Caller> | undefined;
    /** Notes what the request did in the security log. */
    security: RequestSecurity;
    freshness: Freshness;
    /** Throws 429 if this person, who is not an admin, has sent too many commands. */
    countCommand: CountCommand;
    /** Limits what one person may ask of files, searches and live streams. */
    expensiveReads: ExpensiveReads;
    /** Whether this person has signed in, or confirmed who they are, in the last minutes. */
    isConfirmed: (person: Person) => Promise<boolean>;
    /** The first answers of calls that are not commands, by their idempotency keys. */
    keptAnswers: KeptAnswers;
    /** Says what a command would do. */
    rehearse: Rehearsals["rehearse"];
    /** The JSON body as it was sent, before the schema's defaults; the request's hash is computed from it. */
    sentBody: unknown;
    /** The most bytes of a JSON body, where that is not the usual limit. */
    maxBodyBytes?: number;
    /** Set by `signedIn`, `self` and `admin`. */
    commandScope?: string;
    /** Set if the work was stopped early: then the answer is not kept under the request's key. */
    isUnfinished?: boolean;
  };
};

/** Set after `signedIn`, `self` or `admin`. */
export type SignedInEnv = {
  Variables: AppEnv["Variables"] & {
    person: Person;
    /** The scope of this request's idempotency key: `store`, or `user:<uid>`. */
    commandScope: string;
    /** The person named in the path, set after `self`. */
    subjectUid?: string;
  };
};

/** Set after `expensiveFileInParts`. */
export type ExpensiveEnv = {
  Variables: SignedInEnv["Variables"] & {
    /** Runs expensive work when it is the person's turn. */
    inTurn: ExpensiveCall["inTurn"];
  };
};

/** Set after `readsFrom`. */
export type FreshEnv = {
  Variables: AppEnv["Variables"] & {
    /** The position that the route's read tables have reached. */
    freshTo: number;
    /** True if they had not caught up within the time a read may wait. */
    stale: boolean;
    /** The number of held row keys that concern the read. */
    held: number;
    person?: Person;
    subjectUid?: string;
  };
};
