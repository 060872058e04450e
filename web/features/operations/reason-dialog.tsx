// Asks an operator for the reason of an action, says what it does, and carries it out.
import { useState, type ReactNode } from "react";
import { operatorRequest } from "#features/operations/contract.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import { showToast } from "#web/ui/toast.ts";
import { Differences } from "./differences.tsx";
import { act, useOlder, type OperatorRequest } from "./operations-api.ts";

type Words = {
  readonly title: string;
  /** What it does, and what stays as it is. */
  readonly what: string;
  readonly button: string;
};

function wordsOf(request: OperatorRequest): Words {
  switch (request.kind) {
    case "table":
      return tableWords(request);
    case "fold-again":
      return {
        title:
          request.key === undefined
            ? `Replay all held rows of ${request.projection}`
            : `Replay ${request.key}`,
        what: "A worker computes them again from the log. Rows that still fail stay held.",
        button: "Replay",
      };
    default:
      if (request.queue === "notifications") {
        return messageWords(request.act);
      }
      return request.act === "retry"
        ? {
            title: "Retry job",
            what: `A job of ${request.queue} is tried once more.`,
            button: "Retry job",
          }
        : {
            title: "Drop job",
            what: `A job of ${request.queue} is deleted. Its work will not be done.`,
            button: "Drop job",
          };
  }
}

function messageWords(act: "retry" | "drop"): Words {
  return act === "retry"
    ? {
        title: "Send message now",
        what: "The worker sends it within a second. If it arrived before, the person gets it twice.",
        button: "Send now",
      }
    : {
        title: "Drop message",
        what: "It is not sent again, and not listed any more.",
        button: "Drop message",
      };
}

function tableWords(request: Extract<OperatorRequest, { readonly kind: "table" }>): Words {
  const { projection, hides } = request;
  const missing =
    hides === 0
      ? ""
      : ` ${formatQuantity(hides, "row key")} that those tables hold back will be missing.`;
  const words: Record<typeof request.act, Words> = {
    rebuild: {
      title: `Rebuild ${projection}`,
      what: "A worker fills new tables from the log and compares them with the shown ones. The shop stays open, and nothing is switched before you look at the differences.",
      button: "Start rebuild",
    },
    pause: {
      title: `Pause the rebuild of ${projection}`,
      what: "It stops within a moment and can be resumed.",
      button: "Pause rebuild",
    },
    resume: {
      title: `Resume the rebuild of ${projection}`,
      what: "It continues where it stopped.",
      button: "Resume rebuild",
    },
    cancel: {
      title: `Cancel the rebuild of ${projection}`,
      what: "The new tables are dropped. The shown ones stay.",
      button: "Cancel rebuild",
    },
    flip: {
      title: `Switch to the new tables of ${projection}`,
      what: `Everyone sees the new tables at once.${missing} You can switch back.`,
      button: "Switch tables",
    },
    "take-back": {
      title: `Switch ${projection} back`,
      what: `The tables from before the last switch are shown again. They were kept up to date, but rows that a rebuild repaired are shown as they were before it, and rows that only the present tables have are gone.${missing} To see the present ones again, rebuild.`,
      button: "Switch back",
    },
  };
  return words[request.act];
}

/** `ask` opens the dialog for an action; `dialog` is to be rendered where the action is offered. */
export function useReason(): {
  readonly ask: (request: OperatorRequest) => void;
  readonly dialog: ReactNode;
} {
  const [asked, setAsked] = useState<OperatorRequest>();
  return {
    ask: setAsked,
    dialog:
      asked === undefined ? null : (
        <ReasonDialog request={asked} onClose={() => setAsked(undefined)} />
      ),
  };
}

type ReasonDialogProps = { readonly request: OperatorRequest; readonly onClose: () => void };

function ReasonDialog({ request, onClose }: ReasonDialogProps) {
  const [why, setWhy] = useState("");
  const submission = useSubmission(act);
  const { title, what, button } = wordsOf(request);

  async function carryOut(): Promise<void> {
    const wrong = errorsIn(operatorRequest, { why });
    const message = await submission.submit(wrong, { request, why: why.trim() });
    if (message !== undefined) {
      showToast(message);
      onClose();
    }
  }

  return (
    <FormDialog
      title={title}
      description={what}
      isDirty={why.trim() !== ""}
      submission={submission}
      errorPrefix="Nothing was done"
      saveLabel={button}
      busyLabel="Sending..."
      cancelLabel="Keep as it is"
      onClose={onClose}
      onSubmit={() => void carryOut()}
    >
      {request.kind === "table" && request.act === "take-back" ? (
        <OlderDifferences projection={request.projection} />
      ) : null}
      <Field
        label="Reason"
        help="Kept in the ledger with your name"
        typed={{ text: why, into: operatorRequest.shape.why }}
        error={submission.errors["why"]}
      >
        {(control) => (
          <TextArea
            {...control}
            value={why}
            onValue={(value) => {
              setWhy(value);
              submission.clear();
            }}
          />
        )}
      </Field>
    </FormDialog>
  );
}

/** What the switch would change, as the preview of a rebuild says it. */
function OlderDifferences({ projection }: { readonly projection: string }) {
  const { data, error, refresh } = useOlder(projection);
  if (data === undefined) {
    return error === undefined ? (
      <Skeleton className="h-10 w-full" />
    ) : (
      <ErrorState title="The tables could not be compared" error={error} onRetry={refresh} />
    );
  }
  return (
    <section aria-label="What changes" className="flex max-h-80 flex-col gap-3 overflow-y-auto">
      {data.reason === null ? (
        <Differences differences={data.differences} />
      ) : (
        <p className="text-muted">{`${data.reason}.`}</p>
      )}
    </section>
  );
}
