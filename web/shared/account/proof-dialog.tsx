// A dialog in which somebody proves who they are, with one of several ways: passkey, code, recovery code or password.
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { hasErrors, noErrors, type FieldErrors } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Button } from "#web/ui/button.tsx";
import { CancelButton } from "#web/ui/cancel-button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Field } from "#web/ui/field.tsx";
import { PasswordInput } from "#web/ui/password-input.tsx";
import { TextButton } from "#web/ui/text-button.tsx";
import { TextInput } from "#web/ui/text-input.tsx";

export type ProofWay = "passkey" | "totp" | "recovery-code" | "password";

/** What the calls take; a passkey is asked for when it is sent. */
export type Proof =
  | { readonly way: "passkey" }
  | { readonly way: Exclude<ProofWay, "passkey">; readonly typed: string };

type WayWords = {
  readonly choose: string;
  readonly label: string;
  /** The server's name of the field. */
  readonly field: string;
  readonly missing: string;
};

const words: Record<Exclude<ProofWay, "passkey">, WayWords> = {
  totp: {
    choose: "Use a code from your app",
    label: "Code from your authenticator app",
    field: "code",
    missing: "Enter the six digits that your app shows",
  },
  "recovery-code": {
    choose: "Use a recovery code",
    label: "Recovery code",
    field: "recoveryCode",
    missing: "Enter one of your recovery codes",
  },
  password: {
    choose: "Use your password",
    label: "Password",
    field: "password",
    missing: "Enter your password",
  },
};

type TypedFieldProps = {
  readonly way: Exclude<ProofWay, "passkey">;
  readonly error: string | undefined;
  readonly value: string;
  readonly onValue: (value: string) => void;
};

function TypedField({ way, error, value, onValue }: TypedFieldProps) {
  return (
    <Field
      label={words[way].label}
      error={error}
      {...(way === "recovery-code"
        ? { help: "One of the ten codes that you kept. Each works once." }
        : {})}
    >
      {(control) =>
        way === "password" ? (
          <PasswordInput
            {...control}
            name="password"
            autoComplete="current-password"
            value={value}
            onValue={onValue}
          />
        ) : (
          <TextInput
            {...control}
            name={words[way].field}
            autoComplete={way === "totp" ? "one-time-code" : "off"}
            inputMode={way === "totp" ? "numeric" : "text"}
            autoCapitalize="none"
            spellCheck={false}
            className="font-mono"
            value={value}
            onValue={onValue}
          />
        )
      }
    </Field>
  );
}

type ProofDialogProps<Result> = {
  readonly title: string;
  readonly description: string;
  /** The best first; at least one. */
  readonly ways: readonly [ProofWay, ...ProofWay[]];
  readonly act: string;
  readonly busyAct: string;
  readonly prove: (proof: Proof, key: string) => Promise<Result>;
  readonly onProven: (result: Result) => void;
  readonly onClose: () => void;
};

export function ProofDialog<Result>(props: ProofDialogProps<Result>) {
  const { title, description, ways, act, busyAct, prove, onProven, onClose } = props;
  const [way, setWay] = useState<ProofWay>(ways[0]);
  const [typed, setTyped] = useState("");
  const box = useRef<HTMLParagraphElement>(null);
  const submission = useSubmission(prove);
  const { errors, error, isBusy } = submission;

  async function submit(): Promise<void> {
    const wrong: FieldErrors =
      way === "passkey" || typed.trim() !== ""
        ? noErrors
        : { [words[way].field]: words[way].missing };
    const proof: Proof = way === "passkey" ? { way } : { way, typed };
    const result = await submission.submit(wrong, proof);
    if (result !== undefined) {
      onProven(result);
    } else if (!hasErrors(wrong) && way !== "password") {
      // A code works once or not at all.
      setTyped("");
    }
  }

  function choose(next: ProofWay): void {
    submission.clear();
    setTyped("");
    // The button that was pressed goes away, so the focus moves to what is asked now.
    flushSync(() => setWay(next));
    const form = box.current?.closest("form");
    form?.querySelector<HTMLElement>("input, [type=submit]")?.focus();
  }

  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      isDirty={typed !== ""}
      isBusy={isBusy}
      errors={errors}
      onSubmit={() => void submit()}
      footer={
        <>
          <CancelButton isBusy={isBusy} />
          <Button type="submit" variant="primary" isBusy={isBusy} busyLabel={busyAct}>
            {way === "passkey" ? "Use passkey" : act}
          </Button>
        </>
      }
    >
      {way === "passkey" ? (
        <p>Your browser asks for the passkey of this device, your phone or your security key.</p>
      ) : (
        <TypedField
          key={way}
          way={way}
          error={errors[words[way].field]}
          value={typed}
          onValue={(text) => {
            setTyped(text);
            submission.clear();
          }}
        />
      )}
      <ErrorLine>{error?.message}</ErrorLine>
      <p ref={box} className="flex flex-col items-start gap-1 empty:hidden">
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <TextButton key={other} disabled={isBusy} onClick={() => choose(other)}>
              {other === "passkey" ? "Use a passkey" : words[other].choose}
            </TextButton>
          ))}
      </p>
    </Dialog>
  );
}
