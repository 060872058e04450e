// What happened to the person's own account: sign-ins, wrong passwords, sessions that ended, and changes.
import {
  ownSecurityResponse,
  type OwnNote,
  type OwnSecurityResponse,
} from "#features/security/contract.ts";
import { securityKinds } from "#identity/security-kinds.ts";
import { pathOf } from "#web/lib/http.ts";
import { usePagedRead } from "#web/lib/read.ts";
import { deviceOf } from "#web/shared/account/device.ts";
import { NotedTime } from "#web/shared/security/noted-time.tsx";
import { OutcomeChip } from "#web/shared/security/outcome-chip.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { LoadMore } from "#web/ui/load-more.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Section } from "./section.tsx";

const pageSize = 8;

const notesOf = (page: OwnSecurityResponse): readonly OwnNote[] => page.notes;
const hasMoreNotes = (page: OwnSecurityResponse): boolean => page.nextCursor !== null;

function ActivityLine({ note }: { readonly note: OwnNote }) {
  const { kind, outcome, count, notedAt, lastAt, address, userAgent, byStore, file } = note;
  const from = [
    ...(byStore ? ["by the store"] : []),
    ...(userAgent === null ? [] : [deviceOf(userAgent)]),
    ...(address === null ? [] : [address]),
  ];
  return (
    <li className="flex flex-col gap-0.5 py-2">
      <span className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="font-medium">
          {securityKinds[kind]}
          {count === 1 ? null : <span className="text-muted">{` ${count}×`}</span>}
        </span>
        {outcome === "ok" ? null : <OutcomeChip outcome={outcome} />}
      </span>
      {file === null ? null : <span className="text-12 wrap-anywhere">{file}</span>}
      <span className="text-12 wrap-anywhere text-muted">
        <NotedTime notedAt={notedAt} lastAt={lastAt} />
        {from.length === 0 ? null : `, ${from.join(", ")}`}
      </span>
    </li>
  );
}

export function ActivitySection() {
  const notes = usePagedRead({
    pathOf: (_page, previous: OwnSecurityResponse | undefined) =>
      pathOf("/security/log/own", { cursor: previous?.nextCursor ?? undefined, limit: pageSize }),
    schema: ownSecurityResponse,
    rowsOf: notesOf,
    hasMoreAfter: hasMoreNotes,
  });
  return (
    <Section
      title="Recent security activity"
      description="If you do not recognize a sign-in, sign out everywhere and reset your password."
    >
      {notes.rows === undefined ? (
        notes.error === undefined ? (
          <Skeleton className="h-12" />
        ) : (
          <ErrorState
            title="Your security activity could not be loaded"
            error={notes.error}
            onRetry={notes.refresh}
          />
        )
      ) : notes.rows.length === 0 ? (
        <p className="text-muted">Nothing in the last 180 days.</p>
      ) : (
        <ul className="-my-2 flex flex-col divide-y divide-border">
          {notes.rows.map((note) => (
            <ActivityLine key={note.id} note={note} />
          ))}
        </ul>
      )}
      <LoadMore list={notes} className="sm:self-start" />
    </Section>
  );
}
