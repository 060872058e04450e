// The security log as lines of a CSV file: exactly what its screen shows. No note holds a secret.
import { CSV_MAX_LINES, pagesOf, tooManyLines } from "#http/csv.ts";
import type { Cell } from "#http/csv.ts";
import type { Sql } from "#db/connect.ts";
import { outcomeWords, securityKinds } from "#identity/security-kinds.ts";
import { accountIn, sourceIn } from "#features/security/contract.ts";
import type { ListedNote, SecurityFilters } from "#features/security/contract.ts";
import { hasMoreNotesThan, readSecurityLog } from "#features/security/read-notes.ts";

const LIMITS = { lines: CSV_MAX_LINES, page: 1_000 };

export const SECURITY_CSV_HEAD = [
  "What happened",
  "Detail",
  "Outcome",
  "Account",
  "Address",
  "Device",
  "Times",
  "First at",
  "Last at",
] as const;

function cellsOf(note: ListedNote): readonly Cell[] {
  return [
    securityKinds[note.kind],
    note.detail,
    outcomeWords[note.outcome],
    accountIn(note),
    sourceIn(note),
    note.userAgent,
    note.count,
    note.notedAt,
    note.lastAt,
  ];
}

/** All notes that match, the newest first, in batches. Throws HttpError 400 if they are too many for a file. */
export async function* exportSecurityLog(
  sql: Sql,
  filters: SecurityFilters,
  limits = LIMITS,
): AsyncGenerator<readonly (readonly Cell[])[]> {
  if (await hasMoreNotesThan(sql, filters, limits.lines)) {
    throw tooManyLines(limits.lines);
  }
  const pages = pagesOf((cursor) =>
    readSecurityLog(sql, { ...filters, cursor, limit: limits.page }),
  );
  for await (const { notes } of pages) {
    yield notes.map(cellsOf);
  }
}
