// Edits an item. If somebody else changed it in the meantime, shows the changes, and the admin picks a value for each field.
import { useState, type ReactNode } from "react";
import { type InventoryItem } from "#features/inventory/contract.ts";
import {
  addMasterItemRequest,
  editItemRequest,
  itemChangedCurrent,
  type ItemChangedCurrent,
} from "#features/inventory/contract-commands.ts";
import { ApiError } from "#web/lib/api-error.ts";
import { errorsIn, hasErrors } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { showErrorToast, showToast } from "#web/ui/toast.ts";
import { DuplicateBarcode, useDuplicate } from "./duplicate-barcode.tsx";
import { editItem } from "./inventory-api.ts";
import { ItemConflicts } from "./item-conflicts.tsx";
import {
  conflictsOf,
  draftOf,
  editRequestOf,
  isSameDraft,
  itemErrorFields,
  latePhotoText,
  mergedDraft,
  requestOf,
  type Conflict,
} from "./item-draft.ts";
import { ItemFields } from "./item-fields.tsx";
import { usePictureWork } from "./picture-work.ts";
import { useItemConsignor } from "#web/shared/consignor/consignor-api.ts";
import { countingNote, heldUnits } from "#web/shared/item/held-units.tsx";
import { ownerName } from "#web/shared/item/owner-chip.tsx";

type EditItemFormProps = {
  readonly item: InventoryItem;
  readonly onClose: () => void;
  readonly onOpenItem: (id: string) => void;
};

type Edited =
  | { readonly kind: "saved" }
  /** Somebody else saved first; nothing was saved. */
  | { readonly kind: "changed"; readonly current: ItemChangedCurrent };

const noConflicts: readonly Conflict[] = [];

async function edit(
  item: InventoryItem,
  body: ReturnType<typeof editRequestOf>,
  key: string,
): Promise<Edited> {
  try {
    await editItem(item, body, key);
    return { kind: "saved" };
  } catch (error) {
    const current = itemChangedCurrent.safeParse(
      error instanceof ApiError && error.code === "item_changed" ? error.current : undefined,
    );
    if (!current.success) {
      throw error;
    }
    return { kind: "changed", current: current.data };
  }
}

/** Whose item it is. An edit cannot change that. */
function OwnerField({ consignorID }: { readonly consignorID: string }) {
  const consignor = useItemConsignor(consignorID);
  return (
    <Field
      label="Consignor"
      help="An item stays with its consignor. Copy units of it to give them to somebody else"
    >
      {(control) => (
        <TextInput
          {...control}
          readOnly
          value={consignor?.label ?? ""}
          onValue={() => undefined}
          placeholder="Loading..."
        />
      )}
    </Field>
  );
}

function noteOf(
  holder: ReturnType<typeof useDuplicate>,
  onOpenItem: (id: string) => void,
): ReactNode {
  return holder === undefined ? undefined : (
    <DuplicateBarcode holder={holder} onOpenItem={onOpenItem} />
  );
}

/** `was` is the quantity before the person changed it. */
function quantityNoteOf(item: InventoryItem, was: string | undefined): string | undefined {
  const notes = [
    ...(was === undefined ? [] : [`Was ${was}`]),
    ...(heldUnits(item) === 0 ? [] : [countingNote(item)]),
  ];
  return notes.length === 0 ? undefined : notes.join(". ");
}

export function EditItemForm({ item, onClose, onOpenItem }: EditItemFormProps) {
  const [loaded, setLoaded] = useState({ draft: draftOf(item), version: item.version });
  const [draft, setDraft] = useState(loaded.draft);
  const [reason, setReason] = useState("");
  const [conflicts, setConflicts] = useState(noConflicts);
  const submission = useSubmission(
    (body: ReturnType<typeof editRequestOf>, key: string) => edit(item, body, key),
    itemErrorFields,
  );
  const { errors } = submission;
  const duplicate = useDuplicate(draft.barcode1, item.consignorID, item.id);
  const picture = usePictureWork(draft, setDraft);
  const isCountChanged = draft.quantity.trim() !== loaded.draft.quantity;

  async function save(): Promise<void> {
    const wrong = errorsIn(addMasterItemRequest, requestOf(draft));
    const ready = hasErrors(wrong) ? draft : await picture.settled(draft);
    const body = editRequestOf(ready, loaded.version, isCountChanged ? reason : "");
    const edited = await submission.submit(wrong, body);
    if (edited === undefined) {
      return;
    }
    if (edited.kind === "saved") {
      showToast(`${draft.itemName.trim()} saved`);
      if (picture.leavePhoto() !== undefined) {
        showErrorToast(latePhotoText(draft));
      }
      onClose();
      return;
    }
    const theirs = draftOf(edited.current);
    const changed = conflictsOf(loaded.draft, theirs, draft);
    setDraft(mergedDraft(draft, changed, {}));
    setConflicts(changed);
    setLoaded({ draft: theirs, version: edited.current.version });
  }

  return (
    <FormDialog
      title="Edit Item"
      description={`${item.itemName}, ${ownerName(item)}`}
      isWide
      onClose={onClose}
      isDirty={!isSameDraft(draft, loaded.draft)}
      submission={{ ...submission, isBusy: submission.isBusy || picture.isSettling }}
      errorPrefix="Error updating item"
      onSubmit={() => void save()}
    >
      {conflicts.length === 0 ? null : (
        <ItemConflicts
          key={loaded.version}
          conflicts={conflicts}
          draft={draft}
          onTake={(field, value) => setDraft({ ...draft, [field]: value })}
        />
      )}
      {item.consignorID === null ? null : <OwnerField consignorID={item.consignorID} />}
      <ItemFields
        draft={draft}
        picture={picture}
        onChange={(changes) => {
          setDraft({ ...draft, ...changes });
          submission.clear();
        }}
        errors={errors}
        barcodeNote={noteOf(duplicate, onOpenItem)}
        quantityNote={quantityNoteOf(item, isCountChanged ? loaded.draft.quantity : undefined)}
      />
      {isCountChanged ? (
        <TextField
          label="Why the count changed"
          isOptional
          error={errors["reason"]}
          value={reason}
          onValue={setReason}
          into={editItemRequest.shape.reason}
          placeholder="Manual edit"
        />
      ) : null}
    </FormDialog>
  );
}
