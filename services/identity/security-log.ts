// Notes who tried to get in and what was refused, in the process's log and in `security.log`. It never fails a request.
import type { Logger } from "pino";
import type { Sql } from "#db/connect.ts";
import { normalEmail } from "#identity/accounts.ts";
import { staysAfterErasure } from "#identity/forget-notes.ts";
import { createReservationKeys } from "#identity/reservation-keys.ts";
import type { SecurityNote, SecurityRow } from "#identity/security-slots.ts";
import { createNoteSlots, together } from "#identity/security-slots.ts";

export type SecurityLog = {
  /**
   * Written when it resolves, or after a second if the database is that slow. It never rejects: a note that cannot be
   * written is in the process's log.
   */
  readonly note: (note: SecurityNote) => Promise<void>;
  /** Kept in memory and written within a second, for what may happen a thousand times a second. */
  readonly count: (note: SecurityNote) => void;
  /** Resolves when everything that was counted is written. It never rejects. */
  readonly flush: () => Promise<void>;
};

export type SecurityLogDeps = {
  readonly sql: Sql;
  readonly clock: () => Date;
  readonly logger: Logger;
};

const FLUSHED_AFTER_MS = 1_000;
const PATIENCE_MS = 1_000;

/** The work goes on, but nobody waits longer for it. */
async function withPatience(work: Promise<void>): Promise<void> {
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, PATIENCE_MS);
  await Promise.race([work, enough]);
  clearTimeout(timer);
}

export function createSecurityLog({ sql, clock, logger }: SecurityLogDeps): SecurityLog {
  const slotOf = createNoteSlots();
  const keys = createReservationKeys(sql);
  let counted = new Map<string, SecurityRow>();
  let flushing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const write = async (rows: readonly SecurityRow[]): Promise<void> => {
    try {
      const hashed = await Promise.all(
        rows.map(async ({ email, ...row }) => ({
          ...row,
          emailHash: email === null ? null : await keys.keyOf("typed-email", normalEmail(email)),
        })),
      );
      for (const { id: _id, notedAt: _notedAt, lastAt, ...note } of hashed) {
        logger.info({ security: { ...note, at: lastAt.toISOString() } }, "security");
      }
      await insert(sql, hashed);
    } catch (error) {
      const kinds = rows.map(({ kind, outcome, count }) => `${kind} ${outcome} ${count}`);
      logger.error({ err: error, kinds }, "notes of the security log could not be written");
    }
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const rows = [...counted.values()];
    counted = new Map();
    if (rows.length > 0) {
      flushing = flushing.then(() => write(rows));
    }
    return flushing;
  };

  return {
    note: (note) => withPatience(write([slotOf(note, clock())])),
    count(note) {
      const row = slotOf(note, clock());
      const before = counted.get(row.id);
      counted.set(row.id, before === undefined ? row : together(before, row));
      timer ??= setTimeout(() => void flush(), FLUSHED_AFTER_MS).unref();
    },
    flush,
  };
}

type HashedRow = Omit<SecurityRow, "email"> & { readonly emailHash: string | null };

/**
 * Adds to the rows that other requests and processes began. An erased person gets no new row, but that somebody else
 * saved a file of theirs is noted.
 */
async function insert(sql: Sql, rows: readonly HashedRow[]): Promise<void> {
  // In one order everywhere, so that two processes cannot wait for each other.
  const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const column = <Name extends keyof HashedRow>(name: Name) => sorted.map((row) => row[name]);
  const times = (name: "notedAt" | "lastAt") => sorted.map((row) => row[name].toISOString());
  await sql`
    insert into security.log as l
      (id, noted_at, last_at, kind, outcome, uid, by_uid, email_hash, network, address, user_agent,
        detail, count)
    select * from unnest(
      ${column("id")}::uuid[], ${times("notedAt")}::timestamptz[], ${times("lastAt")}::timestamptz[],
      ${column("kind")}::text[], ${column("outcome")}::text[], ${column("uid")}::text[],
      ${column("byUid")}::text[], ${column("emailHash")}::text[], ${column("network")}::text[],
      ${column("address")}::text[], ${column("userAgent")}::text[], ${column("detail")}::text[],
      ${column("count")}::int[]
    ) as l (id, noted_at, last_at, kind, outcome, uid, by_uid, email_hash, network, address, user_agent,
      detail, count)
    where ${staysAfterErasure(sql)} or not exists (select from identity.erasures e where e.uid = l.uid)
    on conflict (id) do update set
      count = least(l.count::bigint + excluded.count, 2147483647)::int,
      last_at = greatest(l.last_at, excluded.last_at),
      email_hash = case when l.email_hash = excluded.email_hash then l.email_hash end,
      address = case when l.address = excluded.address then l.address end,
      user_agent = case when l.user_agent = excluded.user_agent then l.user_agent end,
      detail = case when l.detail = excluded.detail then l.detail end`;
}
