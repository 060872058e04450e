// Whether the owner of the typed Discord account wants messages there: the code that the store's bot sent, or another one.
import { useEffect, useRef, useState } from "react";
import { CircleCheck, TriangleAlert } from "lucide-react";
import type { NotificationSettings } from "#features/notifications/contract.ts";
import { useAction } from "#web/lib/action.ts";
import { noErrors } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Button } from "#web/ui/button.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Field } from "#web/ui/field.tsx";
import { isFocusLost } from "#web/ui/focus-heading.ts";
import { Form } from "#web/ui/form.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { confirmDiscord, sendDiscordCode } from "./notifications-api.ts";

type DiscordConfirmationProps = {
  readonly discord: NotificationSettings["discord"];
  readonly onChanged: () => void;
};

export function DiscordConfirmation({ discord, onChanged }: DiscordConfirmationProps) {
  const [wasTyped, setTyped] = useState(false);
  switch (discord.confirmation) {
    case "none":
      return null;
    case "confirmed":
      return <Confirmed takesFocus={wasTyped} />;
    case "unasked":
      return (
        <Notice
          what="This account is not confirmed. Nothing is sent there yet."
          fix="The store's bot sends a code to this Discord account. Type it here to start getting messages."
        >
          <SendCode onSent={onChanged} />
        </Notice>
      );
    case "waiting":
    case "asked":
      return (
        <Notice
          what="Waiting for confirmation. Nothing else is sent there yet."
          fix={
            discord.confirmation === "asked"
              ? "The store's bot sent a code to this Discord account. Type it here to start getting messages."
              : "The store's bot sends a code to this Discord account. Type it here when it has arrived."
          }
        >
          <Code
            onConfirmed={() => {
              setTyped(true);
              onChanged();
            }}
          />
          <p className="text-12 text-muted">
            The code works for a day. You can have another one sent from{" "}
            <DateTime at={discord.askAgainAt} />.
          </p>
        </Notice>
      );
    default:
      return discord.confirmation satisfies never;
  }
}

/** Takes the focus from the form of the code, which has disappeared. */
function Confirmed({ takesFocus }: { readonly takesFocus: boolean }) {
  const ref = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (takesFocus && isFocusLost()) {
      ref.current?.focus({ preventScroll: true });
    }
  }, [takesFocus]);
  return (
    <p ref={ref} tabIndex={-1} className="inline-flex items-center gap-1.5 text-credit">
      <Icon of={CircleCheck} />
      Account confirmed
    </p>
  );
}

type NoticeProps = {
  readonly what: string;
  readonly fix: string;
  readonly children: React.ReactNode;
};

function Notice({ what, fix, children }: NoticeProps) {
  return (
    <div className="flex flex-col gap-3 rounded-control bg-pending-tint px-3 py-3">
      <output className="flex items-start gap-2">
        <Icon of={TriangleAlert} className="mt-0.5 text-pending" />
        <span className="flex min-w-0 flex-col gap-1">
          <span className="font-medium">{what}</span>
          <span>{fix}</span>
        </span>
      </output>
      {children}
    </div>
  );
}

function SendCode({ onSent }: { readonly onSent: () => void }) {
  const action = useAction(sendDiscordCode);
  async function run(): Promise<void> {
    if ((await action.run(undefined)) !== undefined) {
      onSent();
    }
  }
  return (
    <div className="flex flex-col items-start gap-2">
      <Button isBusy={action.isBusy} busyLabel="Sending..." onClick={() => void run()}>
        Send code
      </Button>
      <ErrorLine>
        {action.error === undefined ? undefined : `Error sending: ${action.error.message}`}
      </ErrorLine>
    </div>
  );
}

function Code({ onConfirmed }: { readonly onConfirmed: () => void }) {
  const [typed, setTyped] = useState("");
  const submission = useSubmission(confirmDiscord, { wrong_code: "code" });
  const { errors, error, isBusy } = submission;
  async function save(): Promise<void> {
    const wrong = typed.trim() === "" ? { code: "Type the code of the message" } : noErrors;
    if ((await submission.submit(wrong, { code: typed })) !== undefined) {
      onConfirmed();
      showToast("Discord account confirmed");
    }
  }
  return (
    <Form onSubmit={() => void save()} errors={errors} className="flex flex-col gap-2">
      <Field label="Code from Discord" error={errors["code"]}>
        {(control) => (
          <span className="grid gap-2 sm:grid-cols-[1fr_auto]">
            <TextInput
              {...control}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              placeholder="ABCD-EFGH-JKMN"
              value={typed}
              onValue={(text) => {
                setTyped(text);
                submission.clear();
              }}
            />
            <Button type="submit" isBusy={isBusy} busyLabel="Confirming...">
              Confirm account
            </Button>
          </span>
        )}
      </Field>
      <ErrorLine>{error === undefined ? undefined : `Error saving: ${error.message}`}</ErrorLine>
    </Form>
  );
}
