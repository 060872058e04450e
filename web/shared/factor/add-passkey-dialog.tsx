// Adds a passkey: asks what to call it, then the browser asks for a finger, a face, a PIN or a security key.
import { useState } from "react";
import { addPasskeyRequest, type FactorAdded } from "#features/sign-in/contract-factors.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { addPasskey } from "./factor-api.ts";

type AddPasskeyDialogProps = {
  readonly onAdded: (added: FactorAdded) => void;
  readonly onClose: () => void;
};

export function AddPasskeyDialog({ onAdded, onClose }: AddPasskeyDialogProps) {
  const [name, setName] = useState("");
  const submission = useSubmission(addPasskey);

  async function add(): Promise<void> {
    const wrong = errorsIn(addPasskeyRequest.shape.name, name.trim());
    const first = Object.values(wrong)[0];
    const named = first === undefined ? {} : { name: first };
    const added = await submission.submit(named, { name: name.trim() });
    if (added !== undefined) {
      onAdded(added);
    }
  }

  return (
    <FormDialog
      title="Add a passkey"
      description="Signs you in with this device, your phone or a security key, without a password."
      isDirty={name.trim() !== ""}
      submission={submission}
      errorPrefix="Error adding the passkey"
      saveLabel="Add passkey"
      busyLabel="Adding..."
      onClose={onClose}
      onSubmit={() => void add()}
    >
      <Field
        label="Name"
        typed={{ text: name, into: addPasskeyRequest.shape.name }}
        error={submission.errors["name"]}
        help="A name you will recognize, such as Work laptop"
      >
        {(control) => (
          <TextInput
            {...control}
            name="passkey-name"
            autoComplete="off"
            value={name}
            onValue={(text) => {
              setName(text);
              submission.clear();
            }}
          />
        )}
      </Field>
    </FormDialog>
  );
}
