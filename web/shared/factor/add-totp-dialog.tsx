// Adds an authenticator app: shows a code to scan, and asks for the first six digits that the app shows.
import { useEffect, useState } from "react";
import type { FactorAdded, TotpStarted } from "#features/sign-in/contract-factors.ts";
import { useAction } from "#web/lib/action.ts";
import { noErrors } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { squareShape } from "#web/shared/code/code-shape.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { addTotp, startTotp } from "./factor-api.ts";

const quiet = 4;

/** Dark on white in both themes: cameras want it that way. */
function QrCode({ text }: { readonly text: string }) {
  const { path, modules } = squareShape(text);
  const size = modules + 2 * quiet;
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here so that it is sharp
      role="img"
      aria-label="QR code for your authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 shrink-0 self-center rounded-control"
    >
      <rect width={size} height={size} fill="white" />
      <path d={path} fill="black" transform={`translate(${quiet} ${size - quiet}) scale(1 -1)`} />
    </svg>
  );
}

function Secret({ started }: { readonly started: TotpStarted }) {
  const spaced = started.secret.replaceAll(/.{4}(?=.)/g, "$& ");
  return (
    <div className="flex flex-col gap-3">
      <QrCode text={started.uri} />
      <p className="text-muted">
        Scan it with your authenticator app, or type this key into the app:
      </p>
      <p className="flex items-center justify-between gap-2 rounded-control border border-border px-3 py-1">
        <span className="font-mono text-12 wrap-anywhere">{spaced}</span>
        <CopyButton text={started.secret} label="Copy the key" />
      </p>
    </div>
  );
}

type AddTotpDialogProps = {
  readonly onAdded: (added: FactorAdded) => void;
  readonly onClose: () => void;
};

export function AddTotpDialog({ onAdded, onClose }: AddTotpDialogProps) {
  const [started, setStarted] = useState<TotpStarted>();
  const [code, setCode] = useState("");
  const { run, error: startError } = useAction(startTotp);
  const submission = useSubmission(addTotp);

  useEffect(() => {
    // A confirmation may come first. If it is left, there is nothing to show here.
    void run(undefined).then((answer) => (answer === undefined ? undefined : setStarted(answer)));
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it opens
  }, []);

  async function add(): Promise<void> {
    const missing =
      code.trim() === "" ? { code: "Enter the six digits that your app shows" } : noErrors;
    const added = await submission.submit(missing, { code });
    if (added !== undefined) {
      onAdded(added);
    }
  }

  return (
    <FormDialog
      title="Add an authenticator app"
      description="Asks for six digits of the app after your password."
      isDirty={code.trim() !== ""}
      submission={submission}
      errorPrefix="Error adding the app"
      saveLabel="Add app"
      busyLabel="Adding..."
      canSave={started !== undefined}
      onClose={onClose}
      onSubmit={() => void add()}
    >
      {started === undefined ? (
        startError === undefined ? (
          <Skeleton className="h-48" />
        ) : (
          <ErrorLine>{startError.message}</ErrorLine>
        )
      ) : (
        <Secret started={started} />
      )}
      <Field label="Code from the app" error={submission.errors["code"]}>
        {(control) => (
          <TextInput
            {...control}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            className="font-mono"
            value={code}
            onValue={(text) => {
              setCode(text);
              submission.clear();
            }}
          />
        )}
      </Field>
    </FormDialog>
  );
}
