// Whether a token's bearer has access, and with which role: read for every request from the log's states, many in one query.
import type { Sql } from "#db/connect.ts";
import { createBatchLookup } from "#identity/batch-lookup.ts";
import { EMBEDDED_ISSUER } from "#identity/id-tokens.ts";
import type { Role } from "#identity/profiles.ts";

/** A person's role and whether they have access, from a query made for this request. */
export type Standing = {
  readonly uid: string;
  readonly role: Role;
  readonly isDeactivated: boolean;
  /** Our ID tokens from an older epoch are no longer valid. */
  readonly sessionEpoch: number;
};

/** Undefined for somebody without a profile here. */
export type FindStanding = (issuer: string, subject: string) => Promise<Standing | undefined>;

type StandingRow = { uid: string; role: Role; is_deactivated: boolean; session_epoch: number };

// The profile has copies of both for lists. Writing to them must not make anybody an admin, so only the state of the
// user's stream counts; most people have none and are plain users.
const FROM_THE_LOG = `coalesce(u.state ->> 'role', 'user') as role,
  u.state ->> 'deactivatedAt' is not null as is_deactivated`;

export function createStandingLookup(sql: Sql): FindStanding {
  const byUid = createBatchLookup(async (uids) => {
    const rows = await sql<StandingRow[]>`
      select p.uid, ${sql.unsafe(FROM_THE_LOG)}, p.session_epoch
      from identity.profiles p left join log.streams u on u.id = log.user_stream(p.uid)
      where p.uid = any(${[...uids]}::text[])`;
    return new Map(rows.map((row) => [row.uid, fromRow(row)]));
  });
  const byOutsideSubject = createBatchLookup(async (keys) => {
    const pairs = keys.map(partsOf);
    const rows = await sql<(StandingRow & { issuer: string; subject: string })[]>`
      select s.issuer, s.subject, p.uid, ${sql.unsafe(FROM_THE_LOG)}, p.session_epoch
      from unnest(${pairs.map(([issuer]) => issuer)}::text[],
                  ${pairs.map(([, subject]) => subject)}::text[]) as k (issuer, subject)
      join identity.issuer_subjects s on s.issuer = k.issuer and s.subject = k.subject
      join identity.profiles p on p.uid = s.uid
      left join log.streams u on u.id = log.user_stream(p.uid)`;
    return new Map(rows.map((row) => [keyOf(row.issuer, row.subject), fromRow(row)]));
  });
  return (issuer, subject) =>
    // In the store's own tokens, the subject is the uid.
    issuer === EMBEDDED_ISSUER ? byUid(subject) : byOutsideSubject(keyOf(issuer, subject));
}

function fromRow(row: StandingRow): Standing {
  return {
    uid: row.uid,
    role: row.role,
    isDeactivated: row.is_deactivated,
    sessionEpoch: row.session_epoch,
  };
}

function keyOf(issuer: string, subject: string): string {
  return JSON.stringify([issuer, subject]);
}

function partsOf(key: string): [string, string] {
  const [issuer, subject] = JSON.parse(key) as [string, string];
  return [issuer, subject];
}
