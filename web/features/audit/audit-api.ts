// The reads of the audit log: a list page by page, and one event.
import { useEffect, useEffectEvent } from "react";
import {
  auditEventResponse,
  auditEventsResponse,
  type AuditEventResponse,
  type AuditEventsResponse,
  type AuditLine,
} from "#features/audit/contract.ts";
import { pathOf, type Query } from "#web/lib/http.ts";
import { usePagedRead, useRead, type PagedRead, type Read } from "#web/lib/read.ts";

const pageSize = 50;

const linesOf = (page: AuditEventsResponse): readonly AuditLine[] => page.events;
const hasMoreEvents = (page: AuditEventsResponse): boolean => page.nextCursor !== null;

/** While nothing matched yet, the next part of the log is searched at once. */
export function useAuditEvents(query: Query): PagedRead<AuditLine, AuditEventsResponse> {
  const read = usePagedRead({
    pathOf: (_page, previous: AuditEventsResponse | undefined) =>
      pathOf("/audit/events", {
        ...query,
        cursor: previous?.nextCursor ?? undefined,
        limit: pageSize,
      }),
    schema: auditEventsResponse,
    rowsOf: linesOf,
    hasMoreAfter: hasMoreEvents,
  });
  const isEmptySoFar = read.rows?.length === 0 && read.hasMore && read.error === undefined;
  // How many pages were searched in vain.
  const searched = isEmptySoFar ? (read.pages?.length ?? 0) : 0;
  const searchOn = useEffectEvent(() => read.loadMore());
  useEffect(() => {
    if (searched > 0) {
      searchOn();
    }
  }, [searched]);
  return read;
}

export function useAuditEvent(position: number): Read<AuditEventResponse> {
  return useRead(`/audit/events/${position}`, auditEventResponse, { keepPrevious: true });
}
