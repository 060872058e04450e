// The read of the security log, page by page.
import {
  securityLogResponse,
  type ListedNote,
  type SecurityLogResponse,
} from "#features/security/contract.ts";
import { pathOf, type Query } from "#web/lib/http.ts";
import { usePagedRead, type PagedRead } from "#web/lib/read.ts";

const pageSize = 50;
/** Nothing of it is in the ledger, so no live event tells of a new note. */
const pollMs = 30_000;

const notesOf = (page: SecurityLogResponse): readonly ListedNote[] => page.notes;
const hasMoreNotes = (page: SecurityLogResponse): boolean => page.nextCursor !== null;

export function useSecurityLog(query: Query): PagedRead<ListedNote, SecurityLogResponse> {
  return usePagedRead({
    pathOf: (_page, previous: SecurityLogResponse | undefined) =>
      pathOf("/security/log", {
        ...query,
        cursor: previous?.nextCursor ?? undefined,
        limit: pageSize,
      }),
    schema: securityLogResponse,
    rowsOf: notesOf,
    hasMoreAfter: hasMoreNotes,
    pollMs,
  });
}
