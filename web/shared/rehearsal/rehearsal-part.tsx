// The part of a form that says what it will do before it is sent: before and after of everybody's money and units.
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { RehearsalResponse } from "#features/rehearsal/contract.ts";
import { formatCount } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { BeforeAfter } from "#web/ui/before-after.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Money } from "#web/ui/money.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TextButton } from "#web/ui/text-button.tsx";
import { changedRows, storeChanges } from "./rehearsal-words.ts";
import { useRehearsal, type Rehearsal, type RehearsedCall } from "./use-rehearsal.ts";

type RehearsalPartProps = {
  /** The call that the form would send; undefined while it is incomplete. */
  readonly call: RehearsedCall | undefined;
  /** What the form itself knows, shown until the server has answered and if it does not answer. */
  readonly estimate?: ReactNode;
  /** About how many rows there will be, so that the form does not jump. */
  readonly rows: number;
};

/** It never keeps the form from being sent. */
export function RehearsalPart({ call, ...shown }: RehearsalPartProps) {
  return <RehearsalBox {...shown} rehearsal={useRehearsal(call)} />;
}

/** For a form that needs the server's answer itself. */
export function RehearsalBox(props: OutcomeProps) {
  return (
    <section
      aria-label="What this does"
      aria-live="polite"
      className="flex flex-col gap-2 rounded-card bg-fill p-4 max-sm:p-3"
    >
      <Outcome {...props} />
    </section>
  );
}

type OutcomeProps = Omit<RehearsalPartProps, "call"> & { readonly rehearsal: Rehearsal };

function Outcome({ rehearsal, estimate, rows }: OutcomeProps) {
  if (rehearsal.kind === "ready") {
    return <Ready outcome={rehearsal.outcome} />;
  }
  if (rehearsal.kind === "refused") {
    return <Refused message={rehearsal.message} />;
  }
  if (rehearsal.kind === "none") {
    return <>{estimate ?? <p className="text-muted">Complete the form to see what it does.</p>}</>;
  }
  if (rehearsal.kind === "loading") {
    return <>{estimate ?? <Loading rows={rows} />}</>;
  }
  return (
    <>
      {estimate}
      <p className="text-12 text-muted">
        The exact result could not be loaded. You can go on without it.{" "}
        <TextButton onClick={rehearsal.retry}>Try again</TextButton>
      </p>
    </>
  );
}

function Refused({ message }: { readonly message: string }) {
  return (
    <p className="flex items-start gap-2 text-pending">
      <Icon of={CircleAlert} className="mt-0.5" />
      <span className="min-w-0 wrap-anywhere">
        {`As it stands, this will be refused: ${message}`}
      </span>
    </p>
  );
}

function Loading({ rows }: { readonly rows: number }) {
  return (
    <div className="flex flex-col gap-2">
      <span className="sr-only">Loading what this does</span>
      {Array.from({ length: rows + 1 }, (_, row) => (
        <Skeleton key={row} className="h-6 w-full" />
      ))}
    </div>
  );
}

function Ready({ outcome }: { readonly outcome: RehearsalResponse }) {
  const rows = changedRows(outcome);
  const store = storeChanges(outcome);
  if (outcome.events.length === 0) {
    return <p className="text-muted">Nothing would change.</p>;
  }
  return (
    <>
      <p className="text-12 text-muted">This will be recorded:</p>
      <ul className="flex flex-col gap-1 font-medium">
        {outcome.events.map(({ type, sentence }) => (
          <li key={`${type} ${sentence}`}>{withIsolatedNames(sentence)}</li>
        ))}
      </ul>
      {rows.length === 0 ? null : <BeforeAfter rows={rows} isBalance />}
      {store.length === 0 ? null : (
        <dl className="flex flex-wrap gap-x-4 gap-y-1 border-t border-border pt-2 text-12">
          {store.map(({ label, cents }) => (
            <div key={label} className="flex gap-1">
              <dt className="text-muted">{label}</dt>
              <dd>
                <Money cents={cents} isChange />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className="text-12 text-muted">
        {`Nothing is saved yet. This is how it stands at position ${formatCount(outcome.position)}.`}
      </p>
    </>
  );
}
