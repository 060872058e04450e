// The report on the old app's accounts: who has which, and to whom the waiting ones may belong.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { wordsOfPerson } from "#identity/people-search.ts";
import type { Profiles } from "#identity/profiles.ts";
import { asSearched, containing } from "#db/like.ts";
import type {
  LegacyHoldings,
  LegacyUser,
  LegacyUsersResponse,
} from "#features/migration/contract.ts";

type Row = {
  id: string;
  email: string | null;
  username: string | null;
  display_name: string | null;
  summary: LegacyHoldings;
  migrated_uid: string | null;
  loaded_at: Date;
  candidates: {
    uid: string;
    name: string;
    email: string | null;
    matchedBy: "verified-email" | "email" | "username";
  }[];
};

/** The users an old account may belong to, as a JSON list: the best match first. */
const candidates = sql`
  select coalesce(jsonb_agg(jsonb_build_object('uid', c.uid, 'name', c.name, 'email', c.email,
    'matchedBy', c.matched_by) order by c.rank, c.uid), '[]')
  from (
    select p.uid, coalesce(p.display_name, p.username, p.email, p.uid) as name, p.email,
      m.matched_by, m.rank
    from identity.profiles p
    cross join lateral (
      select case when lower(p.email) = lower(l.email) and p.email_verified_at is not null
          then 'verified-email' when lower(p.email) = lower(l.email) then 'email'
          else 'username' end as matched_by,
        case when lower(p.email) = lower(l.email) and p.email_verified_at is not null then 1
          when lower(p.email) = lower(l.email) then 2 else 3 end as rank
    ) m
    where l.migrated_uid is null and p.deactivated_at is null
      and (lower(p.email) = lower(l.email) or p.username = lower(l.username))
    order by m.rank, p.uid limit 5
  ) c`;

export async function readLegacyUsers(
  reads: Reads,
  profiles: Profiles,
  query: {
    readonly q: string | undefined;
    readonly status: "waiting" | "needs_review" | "migrated" | "all";
    readonly page: number;
    readonly limit: number;
  },
): Promise<LegacyUsersResponse> {
  const { status, page, limit } = query;
  const pattern = query.q === undefined || query.q === "" ? null : containing(asSearched(query.q));
  const filtered = sql`
    from identity.legacy_users l
    cross join lateral (${candidates}) as c (candidates)
    where (${pattern}::text is null
        or ${sql.raw(wordsOfPerson("l"))} like ${pattern})
      and case ${status}::text when 'all' then true when 'migrated' then l.migrated_uid is not null
        when 'waiting' then l.migrated_uid is null
        else l.migrated_uid is null and c.candidates <> '[]' end`;
  const [found, counted] = await Promise.all([
    sql<Row>`
      select l.id, l.email, l.username, l.display_name, l.summary, l.migrated_uid, l.loaded_at,
        c.candidates
      ${filtered}
      order by lower(coalesce(l.display_name, l.username, l.email)), l.id
      limit ${limit} offset ${(page - 1) * limit}`.execute(reads),
    sql<{ total: number }>`select count(*) as total ${filtered}`.execute(reads),
  ]);
  const { rows } = found;
  const total = counted.rows[0]?.total ?? 0;
  const names = await profiles.displayNames(
    rows.flatMap(({ migrated_uid: uid }) => (uid === null ? [] : [uid])),
  );
  return {
    legacyUsers: rows.map((row) => legacyUserOf(row, names)),
    total,
    hasMore: page * limit < total,
  };
}

function legacyUserOf(row: Row, names: ReadonlyMap<string, string>): LegacyUser {
  const { migrated_uid: uid } = row;
  return {
    legacyId: row.id,
    email: row.email,
    username: row.username,
    displayName: row.display_name,
    status: uid !== null ? "migrated" : row.candidates.length > 0 ? "needs_review" : "waiting",
    holdings: row.summary,
    candidates: row.candidates,
    migratedTo: uid === null ? null : { uid, name: names.get(uid) ?? uid },
    loadedAt: row.loaded_at.toISOString(),
  };
}
