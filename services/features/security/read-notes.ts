// Reads the security log on the primary, where it was just written: newest first, page by page.
import type { Sql } from "#db/connect.ts";
import type { SecurityKind, SecurityOutcome } from "#identity/security-kinds.ts";
import type {
  ListedNote,
  OwnSecurityResponse,
  SecurityFilters,
  SecurityLogQuery,
  SecurityLogResponse,
} from "#features/security/contract.ts";

type NoteRow = {
  id: string;
  kind: SecurityKind;
  outcome: SecurityOutcome;
  count: number;
  noted_at: Date;
  last_at: Date;
  address: string | null;
  user_agent: string | null;
  uid: string | null;
  name: string | null;
  by_uid: string | null;
  by_name: string | null;
  email_hash: string | null;
  network: string;
  detail: string | null;
};

type Filters = SecurityFilters & {
  /** Only notes about this person's own account. */
  readonly about?: string;
};

/** Without the filters: an id that somebody tried there may be another person's. */
const fileOf = (detail: string | null): string | null => detail?.split(" · ")[0] ?? null;

type Page = { readonly cursor?: string | undefined; readonly limit: number };

export async function readSecurityLog(
  sql: Sql,
  { cursor, limit, ...filters }: SecurityLogQuery,
): Promise<SecurityLogResponse> {
  const { rows, nextCursor } = await readPage(sql, filters, { cursor, limit });
  return {
    notes: rows.map((row) => ({
      ...seenIn(row),
      person: personOf(row.uid, row.name),
      by: personOf(row.by_uid, row.by_name),
      email: row.email_hash?.slice(0, 8) ?? null,
      network: row.network,
      detail: row.detail,
    })),
    nextCursor,
  };
}

/**
 * What a person may know of their own account: not who of the store did it and from where, and no refused call by its
 * name. That the store saved a list of theirs is not an act on the account.
 */
export async function readOwnSecurity(
  sql: Sql,
  uid: string,
  page: Page,
): Promise<OwnSecurityResponse> {
  const { rows, nextCursor } = await readPage(sql, { about: uid }, page);
  return {
    notes: rows.map((row) => {
      const note = { ...seenIn(row), byStore: row.by_uid !== null };
      return note.byStore
        ? { ...note, address: null, userAgent: null, file: null }
        : { ...note, file: row.kind === "exported" ? fileOf(row.detail) : null };
    }),
    nextCursor,
  };
}

async function readPage(sql: Sql, filters: Filters, { cursor, limit }: Page) {
  const [beforeTime, beforeId] = cursor?.split("_") ?? [];
  const rows = await sql<NoteRow[]>`
    select l.id, l.kind, l.outcome, l.count, l.noted_at, l.last_at, l.address, l.user_agent,
      l.uid, p.display_name as name, l.by_uid, b.display_name as by_name,
      l.email_hash, l.network, l.detail
    from security.log l
    left join lateral (${nameOf(sql, sql`l.uid`)}) p on true
    left join lateral (${nameOf(sql, sql`l.by_uid`)}) b on true
    where ${matching(sql, filters)}
      ${
        beforeTime === undefined || beforeId === undefined
          ? sql``
          : sql`and (l.noted_at, l.id) < (${new Date(beforeTime)}, ${beforeId})`
      }
    order by l.noted_at desc, l.id desc limit ${limit + 1}`;
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    rows: shown,
    nextCursor:
      rows.length > limit && last !== undefined
        ? `${last.noted_at.toISOString()}_${last.id}`
        : null,
  };
}

function matching(sql: Sql, { about, kind, outcome, person, from, to }: Filters): Part {
  return sql`true
      ${
        about === undefined
          ? sql``
          : sql`and l.uid = ${about} and not (l.kind = 'exported' and l.by_uid is not null)`
      }
      ${kind === undefined ? sql`` : sql`and l.kind = ${kind}`}
      ${outcome === undefined ? sql`` : sql`and l.outcome = ${outcome}`}
      ${person === undefined ? sql`` : sql`and (l.uid = ${person} or l.by_uid = ${person})`}
      ${from === undefined ? sql`` : sql`and l.noted_at >= ${new Date(from)}`}
      ${to === undefined ? sql`` : sql`and l.noted_at < ${new Date(to)}`}`;
}

/** Whether there are more notes than that. */
export async function hasMoreNotesThan(
  sql: Sql,
  filters: SecurityFilters,
  most: number,
): Promise<boolean> {
  const rows = await sql`
    select from security.log l where ${matching(sql, filters)}
    order by l.noted_at desc, l.id desc offset ${most} limit 1`;
  return rows.length > 0;
}

type Part = ReturnType<typeof partOf>;

function partOf(sql: Sql) {
  return sql``;
}

function nameOf(sql: Sql, uid: Part): Part {
  return sql`
    select coalesce(nullif(display_name, ''), username, email) as display_name
    from identity.profiles where uid = ${uid}`;
}

function seenIn(row: NoteRow) {
  return {
    id: row.id,
    kind: row.kind,
    outcome: row.outcome,
    count: row.count,
    notedAt: row.noted_at.toISOString(),
    lastAt: row.last_at.toISOString(),
    address: row.address,
    userAgent: row.user_agent,
  };
}

function personOf(uid: string | null, name: string | null): ListedNote["person"] {
  return uid === null ? null : { uid, name: name ?? "Deleted user" };
}
