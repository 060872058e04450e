// What a form about a sale says once somebody else changed the sale while it was open, and a button to see the sale.
import { useEffect, useRef, type ReactNode } from "react";
import type { ApiError } from "#web/lib/api-error.ts";
import { RehearsalBox } from "#web/shared/rehearsal/rehearsal-part.tsx";
import { useRehearsal, type RehearsedCall } from "#web/shared/rehearsal/use-rehearsal.ts";
import { Button } from "#web/ui/button.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";

const SALE_CHANGED = "sale_changed";

type Refusable = { readonly error: ApiError | undefined };

/** For the form's dialog, which would say below the form what `ChangedMeanwhile` says in sight. */
export function withoutChange<Submission extends Refusable>(submission: Submission): Submission {
  return submission.error?.code === SALE_CHANGED ? { ...submission, error: undefined } : submission;
}

type ChangedMeanwhileProps = {
  readonly submission: Refusable;
  /** Before the server's sentence: "Error updating sale". */
  readonly errorPrefix: string;
  readonly onReload: () => void;
};

/** Nothing until the form was refused because somebody else changed the sale. */
export function ChangedMeanwhile({ submission, ...shown }: ChangedMeanwhileProps) {
  const { error } = submission;
  return error?.code === SALE_CHANGED ? <Changed {...shown} refusal={error} /> : null;
}

type SaleRehearsalProps = ChangedMeanwhileProps & {
  /** The call that the form would send; undefined while it is incomplete. */
  readonly call: RehearsedCall | undefined;
  readonly estimate: ReactNode;
};

/** What the form does. Once somebody else changed the sale it says that instead, also before the form is sent. */
export function SaleRehearsal({ call, estimate, submission, ...shown }: SaleRehearsalProps) {
  const rehearsal = useRehearsal(call);
  const { error } = submission;
  if (error?.code === SALE_CHANGED) {
    return <Changed key="refused" {...shown} refusal={error} />;
  }
  return rehearsal.kind === "refused" && rehearsal.code === SALE_CHANGED ? (
    <Changed
      key="foreseen"
      {...shown}
      errorPrefix="As it stands, this will be refused"
      refusal={rehearsal}
    />
  ) : (
    <RehearsalBox rehearsal={rehearsal} estimate={estimate} rows={2} />
  );
}

type ChangedProps = Omit<ChangedMeanwhileProps, "submission"> & {
  readonly refusal: { readonly message: string };
};

function Changed({ refusal, errorPrefix, onReload }: ChangedProps) {
  const box = useRef<HTMLDivElement>(null);
  // In a low window a form is longer than its dialog.
  useEffect(() => {
    box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={box} className="flex shrink-0 flex-col items-start gap-3">
      <ErrorLine>{`${errorPrefix}: ${refusal.message}`}</ErrorLine>
      <Button onClick={onReload}>Show the sale as it is now</Button>
    </div>
  );
}
