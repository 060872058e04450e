// The table where the old app's accounts wait: they are loaded from its export and found by the users they may belong to.
import type { Sql } from "#db/connect.ts";
import type { ReservationKeys } from "#identity/reservation-keys.ts";
import { toDollars } from "#ledger/money.ts";
import { uuidOf } from "#ledger/uuid.ts";
import type { LegacyHoldings, LoadLegacyResponse } from "#features/migration/contract.ts";
import type { LegacyAccount, Rounding } from "#features/migration/legacy-file.ts";
import { identityOf } from "#features/migration/legacy-file.ts";

export type LegacyLoaded = {
  readonly users: number;
  readonly added: number;
  /** Existed already and were updated from the file. */
  readonly updated: number;
  /** Were migrated before and stay as they are. */
  readonly migrated: number;
  readonly roundings: readonly (Rounding & { readonly account: string })[];
};

/** What is said about a file besides its roundings, loaded or only checked. */
export type LegacyNotices = Pick<LoadLegacyResponse, "ignored" | "withoutHandle">;

const BATCH = 500;

/** A permanent id for an old account that does not reveal its name. */
async function legacyIdOf(keys: ReservationKeys, account: LegacyAccount): Promise<string> {
  const bytes = Buffer.from(await keys.keyOf("legacy", identityOf(account)), "base64url");
  return uuidOf(bytes);
}

/** Counts and amounts of an account, in dollars. */
export function summaryOf({ holdings, roundings }: LegacyAccount): LegacyHoldings {
  const { items, sales, payouts } = holdings;
  const pending = payouts.filter(({ paid }) => !paid);
  return {
    balance: toDollars(holdings.balanceCents),
    items: items.length,
    units: items.reduce((sum, item) => sum + item.units, 0),
    sales: sales.length,
    paidPayouts: payouts.length - pending.length,
    pendingPayouts: pending.length,
    pendingAmount: toDollars(pending.reduce((sum, { amountCents }) => sum + amountCents, 0)),
    roundings: [...roundings],
  };
}

/** Loads accounts. A second load updates those that still wait and leaves the others alone. */
export async function stageLegacy(
  deps: { readonly sql: Sql; readonly keys: ReservationKeys; readonly clock: () => Date },
  accounts: readonly LegacyAccount[],
): Promise<LegacyLoaded> {
  const { sql, keys, clock } = deps;
  let added = 0;
  let updated = 0;
  for (let from = 0; from < accounts.length; from += BATCH) {
    const rows = await Promise.all(
      accounts.slice(from, from + BATCH).map(async (account) => ({
        id: await legacyIdOf(keys, account),
        old_id: account.oldId,
        email: account.email,
        username: account.username,
        display_name: account.displayName,
        holdings: account.holdings,
        summary: summaryOf(account),
      })),
    );
    const stored = await sql<{ is_new: boolean }[]>`
      insert into identity.legacy_users as l
        (id, old_id, email, username, display_name, holdings, summary, loaded_at)
      select r.*, ${clock()}::timestamptz
      from jsonb_to_recordset(${sql.json(rows)}) as r (id uuid, old_id text, email text, username text,
        display_name text, holdings jsonb, summary jsonb)
      on conflict (id) do update
      set old_id = excluded.old_id, email = excluded.email, username = excluded.username,
        display_name = excluded.display_name, holdings = excluded.holdings,
        summary = excluded.summary, loaded_at = excluded.loaded_at
      where l.migrated_uid is null
      returning xmax = 0 as is_new`;
    added += stored.filter((row) => row.is_new).length;
    updated += stored.filter((row) => !row.is_new).length;
  }
  return {
    users: accounts.length,
    added,
    updated,
    migrated: accounts.length - added - updated,
    roundings: roundingsOf(accounts),
  };
}

/** Every rounding of a file, with its account. */
export function roundingsOf(accounts: readonly LegacyAccount[]): LegacyLoaded["roundings"] {
  return accounts.flatMap((account) =>
    account.roundings.map((rounding) => ({ account: identityOf(account), ...rounding })),
  );
}

/** What of a file nobody reads, and what is missing in it. */
export function noticesOf(accounts: readonly LegacyAccount[]): LegacyNotices {
  const ignored = new Map<string, number>();
  let withoutHandle = 0;
  for (const account of accounts) {
    for (const [field, count] of account.ignored) {
      ignored.set(field, (ignored.get(field) ?? 0) + count);
    }
    const { payouts } = account.holdings;
    withoutHandle += payouts.filter(({ paid, handle }) => !paid && handle === "").length;
  }
  return {
    ignored: [...ignored].map(([field, count]) => ({ field, count })),
    withoutHandle,
  };
}

/** An old account that a user may get. */
export type StagedAccount = {
  readonly legacyId: string;
  readonly oldId: string | null;
  readonly email: string | null;
  readonly username: string | null;
  readonly displayName: string | null;
  readonly summary: LegacyHoldings;
  readonly migratedUid: string | null;
};

type StagedRow = {
  id: string;
  old_id: string | null;
  email: string | null;
  username: string | null;
  display_name: string | null;
  summary: LegacyHoldings;
  migrated_uid: string | null;
};

function stagedOf(row: StagedRow): StagedAccount {
  return {
    legacyId: row.id,
    oldId: row.old_id,
    email: row.email,
    username: row.username,
    displayName: row.display_name,
    summary: row.summary,
    migratedUid: row.migrated_uid,
  };
}

export async function findStaged(sql: Sql, legacyId: string): Promise<StagedAccount | undefined> {
  const [row] = await sql<StagedRow[]>`
    select id, old_id, email, username, display_name, summary, migrated_uid
    from identity.legacy_users where id = ${legacyId}`;
  return row === undefined ? undefined : stagedOf(row);
}

/** Waiting accounts that match this address or username; matches by address first. */
export async function findMatches(
  sql: Sql,
  person: { readonly email: string | null; readonly username: string | null },
): Promise<StagedAccount[]> {
  const rows = await sql<StagedRow[]>`
    select id, old_id, email, username, display_name, summary, migrated_uid
    from identity.legacy_users
    where migrated_uid is null
      and (lower(email) = lower(${person.email}) or lower(username) = ${person.username})
    order by (lower(email) = lower(${person.email})) is true desc, loaded_at, id limit 20`;
  return rows.map(stagedOf);
}

export async function hasMigrated(sql: Sql, uid: string): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (select from identity.legacy_users where migrated_uid = ${uid}) as found`;
  return row?.found === true;
}

/** The content of a waiting account; undefined if it is no longer waiting. */
export async function readHoldings(sql: Sql, legacyId: string): Promise<unknown> {
  const [row] = await sql<{ holdings: unknown }[]>`
    select holdings from identity.legacy_users
    where id = ${legacyId} and migrated_uid is null`;
  return row?.holdings ?? undefined;
}
