// An admin decides who an old account belongs to. Everything in it goes to that person, once.
import { useState } from "react";
import type { LegacyUser } from "#features/migration/contract.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { noErrors } from "#web/lib/form-errors.ts";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { showToast } from "#web/ui/toast.ts";
import { ConsignorField } from "#web/shared/consignor/consignor-field.tsx";
import { pickError, pickOf } from "#web/shared/consignor/consignor-pick.ts";
import { ApiError } from "#web/lib/api-error.ts";
import { migrateUser, type MigrationInput } from "./consignors-api.ts";
import { holdingsText } from "./holdings.ts";
import { legacyName } from "./migration-api.ts";

type AssignLegacyFormProps = { readonly account: LegacyUser; readonly onClose: () => void };

/** Also throws ApiError if the server answers that nothing was migrated. */
async function assign(input: MigrationInput, key: string): Promise<string> {
  const { status, reason, message } = await migrateUser(input, key);
  if (status !== "migrated") {
    throw new ApiError(409, reason ?? status, message);
  }
  return message;
}

export function AssignLegacyForm({ account, onClose }: AssignLegacyFormProps) {
  const [only, ...others] = account.candidates;
  const [start] = useState(() =>
    pickOf(
      only === undefined || others.length > 0
        ? undefined
        : { uid: only.uid, label: only.name, hint: only.email ?? undefined },
    ),
  );
  const [pick, setPick] = useState(start);
  const submission = useSubmission(assign);

  async function save(): Promise<void> {
    const wrong = pickError(pick, "Please select a user from the dropdown");
    const message = await submission.submit(wrong === undefined ? noErrors : { consignor: wrong }, {
      uid: pick.chosen?.uid ?? "",
      legacyId: account.legacyId,
    });
    if (message !== undefined) {
      showToast(message);
      onClose();
    }
  }

  return (
    <FormDialog
      title={`Who does ${legacyName(account)} belong to?`}
      description={`${holdingsText(account.holdings)}. It goes to the person you choose, and this cannot be undone.`}
      onClose={onClose}
      isDirty={pick !== start}
      submission={submission}
      errorPrefix="Failed to migrate inventory"
      saveLabel="Migrate"
      onSubmit={() => void save()}
    >
      <ConsignorField
        label="Belongs to"
        pick={pick}
        onPick={(next) => {
          setPick(next);
          submission.clear();
        }}
        error={submission.errors["consignor"]}
      />
    </FormDialog>
  );
}
