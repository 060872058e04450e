// Adds an item to the master inventory or to a consignor's. "Save & add another" keeps the consignor and the location.
import { useEffect, useRef, useState, type ReactNode } from "react";
import { addMasterItemRequest, type KnownBarcode } from "#features/inventory/contract-commands.ts";
import { errorsIn, hasErrors, type FieldErrors } from "#web/lib/form-errors.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Button } from "#web/ui/button.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { showErrorToast, showToast } from "#web/ui/toast.ts";
import { ConsignorField } from "#web/shared/consignor/consignor-field.tsx";
import { pickError, pickOf, type ConsignorPick } from "#web/shared/consignor/consignor-pick.ts";
import { rememberConsignor, rememberedConsignor } from "#web/shared/consignor/consignor-api.ts";
import { useKnownCodes } from "#web/shared/intake/known-codes.ts";
import { DuplicateBarcode, useDuplicate } from "./duplicate-barcode.tsx";
import { addConsignorItem, addMasterItem } from "./inventory-api.ts";
import {
  draftAfter,
  emptyDraft,
  filledFrom,
  isSameDraft,
  itemErrorFields,
  latePhotoText,
  requestOf,
  type ItemDraft,
} from "./item-draft.ts";
import { ItemFields } from "./item-fields.tsx";
import type { MissedPhoto } from "./photo-upload.ts";
import { usePictureWork } from "./picture-work.ts";

type AddItemFormProps = {
  readonly owner: "master" | "consignor";
  /** A scanned code that no item has. */
  readonly barcode1: string | undefined;
  readonly onClose: () => void;
  readonly onOpenItem: (id: string) => void;
};

type Sent = { readonly draft: ItemDraft; readonly consignorID: string | undefined };

function send({ draft, consignorID }: Sent, key: string) {
  const body = requestOf(draft);
  return consignorID === undefined
    ? addMasterItem(body, key)
    : addConsignorItem({ ...body, consignorID }, key);
}

/** `pick` is undefined for an item of the store. */
function wrongWith(draft: ItemDraft, pick: ConsignorPick | undefined): FieldErrors {
  const consignorError =
    pick === undefined ? undefined : pickError(pick, "Please select a user from the dropdown");
  return {
    ...(consignorError === undefined ? {} : { consignorID: consignorError }),
    ...errorsIn(addMasterItemRequest, requestOf(draft)),
  };
}

/** Another item with the draft's barcode: this owner's, else anybody's. */
function useKnownCode({ barcode1 }: ItemDraft, ownerUid: string | null): KnownBarcode | undefined {
  const code = barcode1.trim();
  return useKnownCodes(ownerUid, code === "" ? [] : [code]).get(code) ?? undefined;
}

/** Fills the draft in once for each item that is known by its barcode. */
function useFillIn(
  draft: ItemDraft,
  setDraft: (draft: ItemDraft) => void,
  like: KnownBarcode | undefined,
): void {
  const [filled, setFilled] = useState<KnownBarcode>();
  if (like !== undefined && like !== filled) {
    setFilled(like);
    setDraft(filledFrom(draft, like, filled));
  }
}

/** The fields of one item after another, and how many were added so far. */
function useDrafts(barcode1: string | undefined) {
  const [start, setStart] = useState(() => ({ ...emptyDraft, barcode1: barcode1 ?? "" }));
  const [draft, setDraft] = useState(start);
  const [addedCount, setAddedCount] = useState(0);
  // The fields can be typed in while an item is on its way: what is in them when the answer comes.
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  }, [draft]);
  return {
    draft,
    setDraft,
    addedCount,
    isDirty: !isSameDraft(draft, start),
    /** Keeps what was typed of the next item meanwhile; true if that is nothing. */
    beginNext: (saved: ItemDraft, late: MissedPhoto | undefined): boolean => {
      const fresh = { ...emptyDraft, location: saved.location };
      const next = draftAfter(saved, latest.current, late?.imageUrl);
      setStart(fresh);
      setDraft(next);
      setAddedCount(addedCount + 1);
      return isSameDraft(next, fresh);
    },
  };
}

function placeText(isMaster: boolean, addedCount: number): string {
  const place = isMaster ? "To the store's own inventory" : "To a consignor's inventory";
  return addedCount === 0 ? place : `${place}. ${formatQuantity(addedCount, "item")} added so far`;
}

function noteOf(
  holder: ReturnType<typeof useDuplicate>,
  like: KnownBarcode | undefined,
  onOpenItem: (id: string) => void,
): ReactNode {
  if (holder !== undefined) {
    return <DuplicateBarcode holder={holder} onOpenItem={onOpenItem} />;
  }
  return like === undefined ? undefined : "Filled in from another item with this barcode";
}

export function AddItemForm({ owner, barcode1, onClose, onOpenItem }: AddItemFormProps) {
  const isMaster = owner === "master";
  const { draft, setDraft, addedCount, isDirty, beginNext } = useDrafts(barcode1);
  const [pick, setPick] = useState(() => pickOf(isMaster ? undefined : rememberedConsignor()));
  const submission = useSubmission(send, itemErrorFields);
  const { errors } = submission;
  const fieldsRef = useRef<HTMLDivElement>(null);
  const consignorID = pick.chosen?.uid;
  const duplicate = useDuplicate(draft.barcode1, isMaster ? null : consignorID);
  const like = useKnownCode(draft, isMaster ? null : (consignorID ?? null));
  const picture = usePictureWork(draft, setDraft);
  const isBusy = submission.isBusy || picture.isSettling;
  useFillIn(draft, setDraft, duplicate === undefined ? like : undefined);

  async function save(goesOn: boolean): Promise<void> {
    const wrong = wrongWith(draft, isMaster ? undefined : pick);
    const ready = hasErrors(wrong) ? draft : await picture.settled(draft);
    if ((await submission.submit(wrong, { draft: ready, consignorID })) === undefined) {
      return;
    }
    if (pick.chosen !== undefined) {
      rememberConsignor(pick.chosen);
    }
    showToast(`${draft.itemName.trim()} added`);
    const late = picture.leavePhoto();
    if (late !== undefined) {
      showErrorToast(latePhotoText(draft));
    }
    if (!goesOn) {
      onClose();
    } else if (beginNext(ready, late)) {
      fieldsRef.current?.querySelector("input")?.focus();
    }
  }

  return (
    <FormDialog
      title="Add Item"
      description={placeText(isMaster, addedCount)}
      isWide
      onClose={onClose}
      isDirty={isDirty}
      submission={{ ...submission, isBusy }}
      errorPrefix="Error adding item"
      onSubmit={() => void save(false)}
      otherButton={
        <Button onClick={() => void save(true)} disabled={isBusy}>
          {"Save & add another"}
        </Button>
      }
    >
      {isMaster ? null : (
        <ConsignorField
          pick={pick}
          onPick={(next) => {
            setPick(next);
            submission.clear();
          }}
          error={errors["consignorID"]}
        />
      )}
      <div ref={fieldsRef}>
        <ItemFields
          isScanned
          draft={draft}
          picture={picture}
          onChange={(changes) => {
            setDraft({ ...draft, ...changes });
            submission.clear();
          }}
          errors={errors}
          barcodeNote={noteOf(duplicate, like, onOpenItem)}
        />
      </div>
    </FormDialog>
  );
}
