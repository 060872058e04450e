// What free text may mean to an auditor: an amount, a position, an id, a code, or a name of a person, an item or a sale.
import { sql } from "kysely";
import { asSearched, containing } from "#db/like.ts";
import { wordsOfPerson } from "#identity/people-search.ts";
import type { ValueOf } from "#http/statement.ts";
import { statement } from "#http/statement.ts";
import type { Sought } from "#features/audit/search-check.ts";
import { byHandle } from "#features/audit/search-text-handles.ts";
import { byReference } from "#features/audit/search-text-references.ts";
import type { Found, TextReads } from "#features/audit/search-text-things.ts";
import {
  byFormerBarcode,
  byId,
  byItem,
  byReceipt,
  bySale,
  byTracking,
  ownersOf,
} from "#features/audit/search-text-things.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { formatCents } from "#ledger/money.ts";

/** What was found, and in words what the text was understood as. */
export type Understood = { readonly sought: Sought; readonly words: readonly string[] };

/** "12.34", "$1,234" and "$12.34"; a whole number without a dollar sign is not an amount. */
export function amountIn(text: string): number | null {
  const match = /^(\$?)\s*(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?$/u.exec(text);
  if (match === null) {
    return null;
  }
  const [, sign = "", whole = "", part] = match;
  return sign === "" && part === undefined
    ? null
    : Number(whole.replaceAll(",", "")) * 100 + Number((part ?? "").padEnd(2, "0"));
}

type PersonRow = {
  readonly uid: string;
  readonly display_name: string | null;
  readonly username: string | null;
  readonly email: string | null;
  readonly is_deleted: boolean;
};

const readPeople = statement(
  (
    _reads,
    value: ValueOf<{ readonly text: string; readonly plain: string; readonly pattern: string }>,
  ) => sql<PersonRow>`
    select p.uid, p.display_name, p.username, p.email, p.deactivated_at is not null as is_deleted
    from identity.profiles p
    where p.uid = ${value("text")} or upper(right(p.uid, 8)) = upper(${value("text")}::text)
      or (p.deactivated_at is null
        and ${sql.raw(wordsOfPerson("p"))} like ${value("pattern")})
    order by ${value("plain")} in (log.searchable(p.display_name), p.username, log.searchable(p.email))
      desc nulls last, p.uid
    limit 10`,
);

/** People with this text in name, username or address, and the person with this uid or with its last eight characters. */
async function byPerson({ reads }: TextReads, text: string): Promise<Found[]> {
  const plain = asSearched(text);
  const rows = await readPeople(reads, { text, plain, pattern: containing(plain) });
  return rows.map(({ uid, display_name: displayName, username, email, is_deleted: isDeleted }) => ({
    words: isDeleted ? "Deleted user" : `Person ${displayName ?? username ?? email ?? uid}`,
    uids: [uid],
  }));
}

function byNumber(text: string, head: number): Found[] {
  const cents = amountIn(text);
  const position = /^[1-9]\d{0,14}$/u.test(text) ? Number(text) : null;
  return [
    ...(cents === null ? [] : [{ words: `Amount ${formatCents(cents)}`, cents: [cents] }]),
    ...(position === null || position > head
      ? []
      : [{ words: `Event ${position}`, positions: [position] }]),
  ];
}

/**
 * Everything the text may mean. For a consignor (`ownUid`) only what is theirs: no people, no receipts, and items,
 * parcels and former barcodes of their own.
 */
export async function understand(
  deps: TextReads & { readonly readEvent: ReadEvent },
  text: string,
  ownUid: string | null,
  head: number,
): Promise<Understood> {
  const isAmount = amountIn(text) !== null && text.startsWith("$");
  const isOwn = ownUid !== null;
  const looked = isAmount
    ? []
    : await Promise.all([
        byId(deps, text, isOwn),
        isOwn ? [] : byReceipt(deps, text),
        byItem(deps, text, ownUid),
        bySale(deps, text, ownUid),
        byTracking(deps, text, ownUid),
        byHandle(deps, text, ownUid),
        byReference(deps, text, ownUid),
        isOwn || text.length < 2 ? [] : byPerson(deps, text),
      ]);
  const found = [...byNumber(text, head), ...looked.flat()];
  const all =
    found.length > 0 || isAmount
      ? found
      : await byFormerBarcode(deps, text, await ownersOf(deps.reads, ownUid));
  const unique = <Value>(values: readonly Value[]) => [...new Set(values)];
  return {
    sought: {
      streams: unique(all.flatMap(({ streams = [] }) => streams)),
      uids: unique(all.flatMap(({ uids = [] }) => uids)),
      cents: unique(all.flatMap(({ cents = [] }) => cents)),
      positions: unique(all.flatMap(({ positions = [] }) => positions)),
    },
    words: unique(all.flatMap(({ words }) => words ?? [])),
  };
}
