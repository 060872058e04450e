// Says of every table what a back-up does with it, and reads from the catalog which tables a database really has.
import type { Sql, TransactionSql } from "#db/connect.ts";

/**
 * `log`: new rows are added to each back-up. `backed-up`: every back-up has all rows, and only the newest copy is
 * kept. `rebuilt`: a restore makes it again. `disposable`: a restore begins without its rows.
 */
export type Treatment =
  | { readonly kind: "log"; readonly newRows: (after: number) => string }
  | { readonly kind: "backed-up" }
  | { readonly kind: "rebuilt"; readonly by: string }
  | { readonly kind: "disposable"; readonly because: string };

const byPosition = (after: number) => `position > ${after}`;

const LOG: Readonly<Record<string, (after: number) => string>> = {
  "log.events": byPosition,
  "log.postings": byPosition,
  "log.movements": byPosition,
  "log.event_streams": byPosition,
  // A stream's row changes only with an event that extends it.
  "log.streams": (after) =>
    after === 0
      ? "true"
      : `id in (select stream_id from log.event_streams where position > ${after})`,
  // Refusals are kept at the position they were decided at, also after the last event of the previous back-up.
  "log.command_keys": (after) => (after === 0 ? "true" : `position >= ${after}`),
};

const BACKED_UP = [
  "files.images",
  "files.labels",
  "identity.before_the_log",
  "identity.browser_secret",
  "identity.chosen_handles",
  "identity.credentials",
  "identity.custom_tokens",
  "identity.discord_confirmations",
  "identity.email_changes",
  "identity.erasures",
  "identity.factors",
  "identity.invitations",
  "identity.issuer_subjects",
  "identity.label_keys",
  "identity.legacy_users",
  "identity.mail_links",
  "identity.notes",
  "identity.notification_choices",
  "identity.notifications",
  "identity.oauth_flows",
  "identity.payout_handles",
  "identity.profiles",
  "identity.rate_limits",
  "identity.recovery_codes",
  "identity.refresh_families",
  "identity.reservation_secret",
  "identity.setup_link",
  "identity.shipment_texts",
  "identity.signing_keys",
  "identity.spent_ids",
  "identity.statement_keys",
  "identity.trade_addresses",
  "identity.trade_labels",
  "identity.unlinked_providers",
  "identity.user_changes",
  "security.log",
  "store.details",
  "store.image_backfill_items",
  "store.image_backfills",
  "store.logos",
  "visits.days",
  "visits.paths",
  "visits.sessions",
];

const REBUILT: Readonly<Record<string, string>> = {
  "ledger_meta.migrations": "the migrations themselves",
  "read.projections": "the rebuild of the read tables",
  "read.quarantine": "the rebuild of the read tables",
  "read.upcast_events": "the rebuild of the read tables",
  "read.upcasts": "the rebuild of the read tables",
  "read.definitions": "the rebuild of the read tables",
};

/** Tables, and schemas whose tables the program makes itself. */
const DISPOSABLE: Readonly<Record<string, string>> = {
  "files.image_lookups": "a picture that is asked for again is looked for again",
  "identity.purge_due": "a restored database has no dead rows and no old write-ahead log",
  "identity.confirmations": "whoever confirmed before the restore confirms again",
  "identity.discord_reach": "the next message to each person finds out again",
  "identity.kept_answers":
    "a request repeated after the restore runs again, and finds what is there",
  "identity.passkey_challenges": "a passkey asks for a new one",
  "identity.second_steps": "whoever was about to sign in begins again",
  "identity.totp_setups": "whoever was about to add an authenticator app begins again",
  "store.notification_kinds": "a restored store tells people of what happens from then on",
  "store.notification_channels": "each worker says at its start what it can send",
  "ledger_meta.backup_runs": "runs before the restore say nothing about the restored store",
  "read.lag_samples": "workers take new samples within a quarter of a minute",
  "read.proof": "the next proofs of accounts and of the whole books write it",
  "read.order_outcomes":
    "the log says what was ordered; only how it ended and how long it took is lost",
  "read.processes": "each process reports itself every few seconds",
  "read.rebuilds":
    "the log says which rebuilds are open, and an operator resumes or cancels them with a new row",
  pgboss:
    "queues are made again, and their jobs follow from the log and from rows that are looked at again",
};

/** Every declared table with what a back-up does with it. Tables of projections and of job queues have no names here. */
export const TABLES: ReadonlyMap<string, Treatment> = new Map<string, Treatment>([
  ...Object.entries(LOG).map(([name, newRows]): [string, Treatment] => [
    name,
    { kind: "log", newRows },
  ]),
  ...BACKED_UP.map((name): [string, Treatment] => [name, { kind: "backed-up" }]),
  ...Object.entries(REBUILT).map(([name, by]): [string, Treatment] => [
    name,
    { kind: "rebuilt", by },
  ]),
  ...Object.entries(DISPOSABLE)
    .filter(([name]) => name.includes("."))
    .map(([name, because]): [string, Treatment] => [name, { kind: "disposable", because }]),
]);

/** What a back-up does with a table; undefined if nobody declared it. */
export function treatmentOf(schema: string, table: string): Treatment | undefined {
  const because = DISPOSABLE[schema];
  return because === undefined ? TABLES.get(`${schema}.${table}`) : { kind: "disposable", because };
}

/** A table of the catalog. */
export type FoundTable = {
  readonly schema: string;
  readonly table: string;
  /** The columns that can be written, in order. */
  readonly columns: readonly string[];
};

/** All tables of a database, apart from PostgreSQL's own and those that belong to an extension. */
export async function readTables(sql: Sql | TransactionSql): Promise<FoundTable[]> {
  return sql<FoundTable[]>`
    select n.nspname as schema, c.relname as table,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
      and not starts_with(n.nspname, 'pg_temp') and not starts_with(n.nspname, 'pg_toast')
      and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by n.nspname, c.relname limit 10000`;
}

/** A table that a back-up copies. */
export type CopiedTable = FoundTable & { readonly name: string; readonly where: string | null };

export type TablesToCopy = {
  readonly log: readonly CopiedTable[];
  readonly others: readonly CopiedTable[];
};

/** Schemas with tables that a restore cannot make again. */
const OURS = new Set(["identity", "files", "security", "store", "visits"]);

/**
 * What a back-up of this database copies, beginning behind a position. A start backs up before it migrates, so there
 * may be tables of an older schema that nobody declares any more: they are copied in full, unless they are part of the
 * log. How that one grows must be known. Tables in schemas that are not ours are not copied.
 */
export function tablesToCopy(tables: readonly FoundTable[], after: number): TablesToCopy {
  const log: CopiedTable[] = [];
  const others: CopiedTable[] = [];
  for (const found of tables) {
    const name = `${found.schema}.${found.table}`;
    const treatment = treatmentOf(found.schema, found.table);
    if (treatment?.kind === "log") {
      log.push({ ...found, name, where: treatment.newRows(after) });
    } else if (found.schema === "log") {
      throw new Error(`${name} is not a table that this program knows how to back up`);
    } else if (
      treatment?.kind === "backed-up" ||
      (treatment === undefined && OURS.has(found.schema))
    ) {
      others.push({ ...found, name, where: null });
    }
  }
  return { log, others };
}
