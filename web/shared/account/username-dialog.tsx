// Asks for a username and shows, 500 ms after the last key, whether it is available.
import { CircleCheck } from "lucide-react";
import { useState, type ReactNode } from "react";
import useSWR from "swr";
import { messages, username as usernameSchema } from "#features/users/contract-names.ts";
import { setUsernameRequest } from "#features/users/contract-own.ts";
import { asApiError } from "#web/lib/api-error.ts";
import { useDebounced } from "#web/lib/debounced.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { useSession } from "./session.tsx";
import { useSubmission } from "#web/lib/submission.ts";
import { Button } from "#web/ui/button.tsx";
import { CancelButton } from "#web/ui/cancel-button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Field } from "#web/ui/field.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { checkUsername, setUsername } from "./username-api.ts";

const checkDelayMs = 500;

type UsernameDialogProps = {
  /** The current username, if it is being changed. */
  readonly current: string | null;
  readonly onClose: () => void;
};

type Standing =
  | { readonly kind: "untyped" | "checking" | "available" }
  | { readonly kind: "wrong"; readonly message: string };

/** Whether the typed name is available. */
function useStanding(typed: string, current: string | null): Standing {
  const settled = useDebounced(typed, checkDelayMs);
  const parsed = usernameSchema.safeParse(settled);
  const asks = settled !== "" && settled !== current && parsed.success;
  const { data, error } = useSWR<Awaited<ReturnType<typeof checkUsername>>, unknown>(
    asks ? ["check-username", settled] : null,
    () => checkUsername(settled),
    { revalidateOnFocus: false, shouldRetryOnError: false, dedupingInterval: 0 },
  );
  if (typed === "" || typed === current) {
    return { kind: "untyped" };
  }
  if (typed !== settled) {
    return { kind: "checking" };
  }
  if (!parsed.success) {
    return { kind: "wrong", message: messages.usernameShape };
  }
  if (error !== undefined) {
    return { kind: "wrong", message: asApiError(error).message };
  }
  if (data === undefined) {
    return { kind: "checking" };
  }
  return data.available
    ? { kind: "available" }
    : { kind: "wrong", message: data.message ?? messages.usernameTaken };
}

function helpFor(standing: Standing): ReactNode {
  if (standing.kind === "checking") {
    return "Checking...";
  }
  return standing.kind === "available" ? (
    <span className="flex items-start gap-1 text-credit">
      <Icon of={CircleCheck} size={14} className="mt-px" />
      Available
    </span>
  ) : (
    "3 to 20 lowercase letters, digits, hyphens or underscores"
  );
}

export function UsernameDialog({ current, onClose }: UsernameDialogProps) {
  const { reloadProfile } = useSession();
  const [typed, setTyped] = useState(current ?? "");
  const standing = useStanding(typed, current);
  const submission = useSubmission(setUsername, {
    username_taken: "username",
    admin_name_taken: "username",
  });
  const { errors, error, isBusy } = submission;
  const wrong = standing.kind === "wrong" ? standing.message : undefined;
  // Of a name that is still being checked, the server decides: Enter follows the last letter at once.
  const canSave = standing.kind === "available" || standing.kind === "checking";

  async function save(): Promise<void> {
    if (!canSave) {
      return;
    }
    const body = { username: typed };
    const taken = await submission.submit(errorsIn(setUsernameRequest, body), body);
    if (taken !== undefined) {
      await reloadProfile();
      showToast(`Your username is ${taken}`);
      onClose();
    }
  }

  return (
    <Dialog
      title={current === null ? "Choose a username" : "Change your username"}
      description="The store uses it to find your items and sales."
      onClose={onClose}
      isDirty={typed !== (current ?? "")}
      isBusy={isBusy}
      errors={errors}
      onSubmit={() => void save()}
      footer={
        <>
          <CancelButton isBusy={isBusy}>{current === null ? "Not now" : "Cancel"}</CancelButton>
          <Button
            type="submit"
            variant="primary"
            isBusy={isBusy}
            busyLabel="Saving..."
            disabled={!canSave}
          >
            Continue
          </Button>
        </>
      }
    >
      <Field
        label="Username"
        error={errors["username"] ?? wrong}
        help={<output>{helpFor(standing)}</output>}
      >
        {(control) => (
          <TextInput
            {...control}
            name="nickname"
            autoComplete="nickname"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onValue={(text) => {
              setTyped(text.trim().toLowerCase());
              submission.clear();
            }}
          />
        )}
      </Field>
      <ErrorLine>
        {error === undefined ? undefined : `Failed to set username: ${error.message}`}
      </ErrorLine>
    </Dialog>
  );
}
