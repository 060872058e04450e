// Whether a token's bearer has access, and with which role: read for every request from the log's states and the token's session, many in one query.
import type { Sql } from "#db/connect.ts";
import { createBatchLookup } from "#identity/batch-lookup.ts";
import { EMBEDDED_ISSUER, type VerifiedToken } from "#identity/id-tokens.ts";
import type { Role } from "#identity/profiles.ts";
import { endOfSession, type SessionLimits } from "#identity/session-life.ts";
import { isUuid } from "#ledger/uuid.ts";

/** A token's bearer, from a query made for this request. */
export type Standing =
  /** Somebody without a profile here. */
  | { readonly kind: "unknown" }
  | { readonly kind: "deactivated" }
  /** The session was ended or is too old, all of the person's sessions were ended, or the token's key is gone. */
  | { readonly kind: "ended" }
  /** A sign-in at an outside issuer without a second factor, of somebody who needs one. */
  | { readonly kind: "one-factor" }
  | {
      readonly kind: "present";
      readonly uid: string;
      readonly role: Role;
      /** Null for a sign-in at an outside issuer, and for a token from before tokens named their session. */
      readonly sessionId: string | null;
      /** An admin of a store that requires a second factor, who has none yet. */
      readonly lacksFactor: boolean;
    };

/** `ADMIN_SECOND_FACTOR`. */
export type AdminSecondFactor = "optional" | "required";

export type FindStanding = (token: VerifiedToken) => Promise<Standing>;

type PersonRow = {
  uid: string;
  role: Role;
  is_deactivated: boolean;
  session_epoch: number;
  sessions_ended_at: Date | null;
  lacks_factor: boolean;
};

type OutsideRow = PersonRow & {
  issuer: string;
  subject: string;
  /** Somebody with a second factor here, or who must have one. */
  needs_factor: boolean;
};

type OwnTokenRow = {
  sid: string | null;
  kid: string;
  /** False once the key that signed the token was deleted. */
  has_key: boolean;
};

type SessionRow = {
  /** Null if there is no such session of this person. */
  authenticated_at: Date | null;
  used_at: Date | null;
  ended_at: Date | null;
};

/**
 * A role and a deactivation count from the state of the user's stream only; most people have none and are plain
 * users. The profile has copies of both for lists, and writing to them must not make anybody an admin.
 */
const FROM_THE_LOG = `coalesce(u.state ->> 'role', 'user') as role,
  u.state ->> 'deactivatedAt' is not null as is_deactivated`;

export function createStandingLookup(
  sql: Sql,
  clock: () => Date,
  limits: SessionLimits,
  adminSecondFactor: AdminSecondFactor,
): FindStanding {
  const lacksFactor =
    adminSecondFactor === "required"
      ? `coalesce(u.state ->> 'role', '') = 'admin'
          and not exists (select from identity.factors s where s.uid = p.uid)`
      : "false";
  const needsFactor = sql.unsafe(
    `exists (select from identity.factors s where s.uid = p.uid)
      or ${adminSecondFactor === "required" ? "coalesce(u.state ->> 'role', '') = 'admin'" : "false"}`,
  );
  const person = sql.unsafe(
    `p.uid, ${FROM_THE_LOG}, p.session_epoch, p.sessions_ended_at, ${lacksFactor} as lacks_factor`,
  );
  const ofOwnToken = createBatchLookup(async (keys) => {
    const named = keys.map(partsOf);
    const rows = await sql<(PersonRow & SessionRow & OwnTokenRow)[]>`
      select uid, sid, kid, has_key, role, is_deactivated, session_epoch, sessions_ended_at,
        lacks_factor, authenticated_at, used_at, ended_at
      from identity.standing_of_tokens(
        ${named.map(([uid]) => uid)}::text[],
        ${named.map(([, sid]) => (sid === "" ? null : sid))}::uuid[],
        ${named.map(([, , kid]) => kid)}::text[],
        ${adminSecondFactor === "required"})`;
    return new Map(rows.map((row) => [keyOf(row.uid, row.sid ?? "", row.kid), row]));
  });
  const ofOutsideSubject = createBatchLookup(async (keys) => {
    const pairs = keys.map(partsOf);
    const rows = await sql<OutsideRow[]>`
      select s.issuer, s.subject, ${person}, ${needsFactor} as needs_factor
      from unnest(${pairs.map(([issuer]) => issuer)}::text[],
                  ${pairs.map(([, subject]) => subject)}::text[]) as k (issuer, subject)
      join identity.issuer_subjects s on s.issuer = k.issuer and s.subject = k.subject
      join identity.profiles p on p.uid = s.uid
      left join log.streams u on u.id = log.user_stream(p.uid)`;
    return new Map(rows.map((row) => [keyOf(row.issuer, row.subject), row]));
  });

  async function findOwn(token: VerifiedToken): Promise<Standing> {
    const { subject, sessionId, keyId, epoch } = token;
    if (sessionId !== null && !isUuid(sessionId)) {
      return { kind: "ended" };
    }
    // In the store's own tokens, the subject is the uid.
    const row = await ofOwnToken(keyOf(subject, sessionId ?? "", keyId ?? ""));
    if (row === undefined) {
      return { kind: "unknown" };
    }
    const isEnded =
      !row.has_key ||
      epoch !== row.session_epoch ||
      (sessionId !== null && !isOpen(row, limits[row.role], clock()));
    return standingOf(row, sessionId, isEnded);
  }

  async function findOutside(token: VerifiedToken): Promise<Standing> {
    const row = await ofOutsideSubject(keyOf(token.issuer, token.subject));
    if (row === undefined) {
      return { kind: "unknown" };
    }
    const { longestSeconds } = limits[row.role];
    const standing = standingOf(row, null, hasOutsideEnded(token, row, longestSeconds, clock()));
    return standing.kind === "present" && row.needs_factor && !token.hasSecondFactor
      ? { kind: "one-factor" }
      : standing;
  }

  return (token) => (token.issuer === EMBEDDED_ISSUER ? findOwn(token) : findOutside(token));
}

function standingOf(row: PersonRow, sessionId: string | null, isEnded: boolean): Standing {
  if (row.is_deactivated) {
    return { kind: "deactivated" };
  }
  const { uid, role, lacks_factor: lacksFactor } = row;
  return isEnded ? { kind: "ended" } : { kind: "present", uid, role, sessionId, lacksFactor };
}

function isOpen(row: SessionRow, limit: SessionLimits[Role], now: Date): boolean {
  const { authenticated_at: signedInAt, used_at: usedAt, ended_at: endedAt } = row;
  return (
    signedInAt !== null &&
    usedAt !== null &&
    endedAt === null &&
    endOfSession({ signedInAt, usedAt }, limit) > now
  );
}

/** An outside issuer keeps its own sessions. Ours can only ask for a newer sign-in than the token's. */
function hasOutsideEnded(
  { authenticatedAt, issuedAt }: VerifiedToken,
  { sessions_ended_at: endedAt }: PersonRow,
  longestSeconds: number,
  now: Date,
): boolean {
  const saysWhen = authenticatedAt.getTime() > 0;
  const signedInAt = saysWhen ? authenticatedAt : issuedAt;
  return (
    (endedAt !== null && signedInAt <= endedAt) ||
    (saysWhen && authenticatedAt.getTime() + longestSeconds * 1000 <= now.getTime())
  );
}

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

function partsOf(key: string): [string, string, string] {
  const [first, second, third = ""] = JSON.parse(key) as [string, string, string?];
  return [first, second, third];
}
