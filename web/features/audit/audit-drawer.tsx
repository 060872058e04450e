// One event next to the list: what it says, moves and changes, what corrected it, and how it is chained into the log.
import type { AuditEvent, AuditLine } from "#features/audit/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { Calculation } from "#web/shared/history/calculation.tsx";
import { Button } from "#web/ui/button.tsx";
import { Chip } from "#web/ui/chip.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { Drawer } from "#web/ui/drawer.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { Money } from "#web/ui/money.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { useAuditEvent } from "./audit-api.ts";
import { AuditProof } from "./audit-proof.tsx";
import { Moved, Related, Said, StreamChanges, ThingLink } from "./audit-parts.tsx";
import { groupIcons, groupWord } from "./audit-words.ts";

type AuditDrawerProps = {
  readonly position: number;
  /** The event as the list shows it, until the event's own read has loaded. */
  readonly known: AuditLine | undefined;
  readonly isAdmin: boolean;
  readonly onClose: () => void;
  readonly onOpen: (position: number) => void;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
};

/** Nothing is ever deleted from the log. */
const noEvent = {
  title: "There is no such event",
  text: "The log has no event at this position.",
};
const noOwnEvent = {
  title: "No such event concerns you",
  text: "Here you see the events that are about you.",
};

export function AuditDrawer(props: AuditDrawerProps) {
  const { position, known, isAdmin, onClose, onOpen, onPrevious, onNext } = props;
  const { data, error, freshness, refresh } = useAuditEvent(position);
  // The previous event stays until the next one is there, but its title would be wrong.
  const event = data?.event.position === position ? data.event : undefined;
  const line = event ?? known;
  const go = (to: number | null | undefined) => ({
    disabled: typeof to !== "number",
    onClick: () => (typeof to === "number" ? onOpen(to) : undefined),
  });
  return (
    <Drawer
      title={line?.title ?? `Event ${formatCount(position)}`}
      subtitle={
        line === undefined ? undefined : (
          <span className="flex flex-wrap items-center gap-2">
            <Chip kind="neutral" icon={groupIcons[line.group]}>
              {groupWord[line.group]}
            </Chip>
            <span className="tabular-nums">{`Position ${formatCount(line.position)}`}</span>
            <span className="font-mono">{line.type}</span>
          </span>
        )
      }
      freshness={freshness}
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      footer={
        <>
          <Button {...go(event?.previous)}>Earlier event</Button>
          <Button {...go(event?.next)}>Later event</Button>
        </>
      }
    >
      {event === undefined ? (
        error === undefined ? (
          <Skeleton className="h-96" />
        ) : (
          <ErrorState
            title="The event could not be loaded"
            thing="event"
            missing={isAdmin ? noEvent : noOwnEvent}
            error={error}
            onRetry={refresh}
          />
        )
      ) : (
        <Details event={event} isAdmin={isAdmin} onOpen={onOpen} />
      )}
    </Drawer>
  );
}

type DetailsProps = {
  readonly event: AuditEvent;
  readonly isAdmin: boolean;
  readonly onOpen: (position: number) => void;
};

function Details({ event, isAdmin, onOpen }: DetailsProps) {
  const whom = event.whom?.uid ?? null;
  return (
    <div className="flex flex-col gap-6">
      {event.readable ? null : (
        <p className="text-pending">
          This program cannot read what the event says. Everything else about it is shown.
        </p>
      )}
      <FactList facts={factsOf(event, isAdmin)} />
      <Calculation steps={event.steps} isOwn={!isAdmin} />
      <Moved event={event} />
      <Said said={event.said} />
      <section className="flex flex-col gap-4">
        <h3 className="font-medium">Before and after</h3>
        {event.streams.map((stream) => (
          <StreamChanges
            key={`${stream.thing.kind}-${stream.thing.id}-${stream.stream ?? ""}`}
            stream={stream}
            path={{ isAdmin, whom }}
            onOpen={onOpen}
          />
        ))}
      </section>
      <Related title="Corrects" events={event.corrects} onOpen={onOpen} />
      <Related title="Corrected by" events={event.correctedBy} onOpen={onOpen} />
      <AuditProof event={event} onOpen={onOpen} />
    </div>
  );
}

function factsOf(event: AuditEvent, isAdmin: boolean) {
  const { about, whom, amount, notes, reason, handle, reference } = event;
  return [
    { label: "Happened", value: <DateTime at={event.happenedAt} /> },
    { label: "Recorded", value: <DateTime at={event.recordedAt} /> },
    { label: "By", value: event.actor.name },
    ...(whom === null ? [] : [{ label: "Concerns", value: whom.name }]),
    ...(about === null
      ? []
      : [
          {
            label: "About",
            value: <ThingLink thing={about} path={{ isAdmin, whom: whom?.uid ?? null }} />,
          },
        ]),
    ...(amount === null
      ? []
      : [
          {
            label: isAdmin ? "Amount" : "Your balance",
            value: <Money cents={toCents(amount)} isChange={!isAdmin} />,
          },
        ]),
    ...(handle === null ? [] : [{ label: "Handle", value: handle }]),
    ...(reference === null ? [] : [{ label: "Transfer reference", value: reference }]),
    ...(reason === null ? [] : [{ label: "Reason", value: reason }]),
    ...notes.map((note, index) => ({
      label: notes.length === 1 ? "Note" : `Note ${index + 1}`,
      value: withIsolatedNames(note),
    })),
  ];
}
