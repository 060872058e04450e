// The fields of an item, the same for adding and editing.
import type { ReactNode } from "react";
import { addMasterItemRequest } from "#features/inventory/contract-commands.ts";
import { ScanButton } from "#web/shared/scan/scan-button.tsx";
import type { FieldErrors } from "#web/lib/form-errors.ts";
import { Field } from "#web/ui/field.tsx";
import { MoneyInput } from "#web/ui/money-input.tsx";
import { NumberInput } from "#web/ui/number-input.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { draftLabels, type DraftField, type ItemDraft } from "./item-draft.ts";
import { ItemPicture } from "./item-picture.tsx";
import type { PictureWork } from "./picture-work.ts";

type ItemFieldsProps = {
  readonly draft: ItemDraft;
  readonly onChange: (changes: Partial<ItemDraft>) => void;
  readonly errors: FieldErrors;
  readonly picture: PictureWork;
  /** A warning below the first barcode, for example that another item has it. */
  readonly barcodeNote: ReactNode;
  readonly quantityNote?: ReactNode;
  /** The barcodes come first, because a known one fills in the rest. */
  readonly isScanned?: boolean;
};

type OneFieldProps = Pick<ItemFieldsProps, "draft" | "onChange" | "errors"> & {
  readonly field: Exclude<DraftField, "quantity" | "tagPrice" | "asin">;
  readonly isOptional?: boolean;
  readonly help?: ReactNode;
  readonly placeholder?: string;
  readonly type?: "text" | "url";
  readonly isCode?: boolean;
  readonly className?: string;
  readonly onBlur?: () => void;
};

function OneField({
  field,
  draft,
  onChange,
  errors,
  isOptional = true,
  help,
  placeholder,
  type = "text",
  isCode = false,
  className = "",
  onBlur,
}: OneFieldProps) {
  return (
    <Field
      label={draftLabels[field]}
      typed={{ text: draft[field], into: addMasterItemRequest.shape[field] }}
      error={errors[field]}
      help={help}
      isOptional={isOptional}
      className={className}
    >
      {(control) => (
        <span className="flex items-center gap-1">
          <TextInput
            {...control}
            type={type}
            value={draft[field]}
            onValue={(value) => onChange({ [field]: value })}
            autoComplete="off"
            spellCheck={isCode || type === "url" ? false : undefined}
            placeholder={placeholder}
            onBlur={onBlur}
            onKeyDown={(event) => {
              // A scanner ends its code with Enter, which would submit a half-filled form.
              if (isCode && event.key === "Enter") {
                event.preventDefault();
              }
            }}
            {...(isCode ? { className: "font-mono" } : {})}
          />
          {isCode ? (
            <ScanButton
              title={`Scan code ${field === "barcode2" ? 2 : 1} with the camera`}
              takes="one"
              onCode={(code) => onChange({ [field]: code })}
              className="touch:border touch:border-border-strong touch:text-text"
            />
          ) : null}
        </span>
      )}
    </Field>
  );
}

export function ItemFields({
  draft,
  onChange,
  errors,
  picture,
  barcodeNote,
  quantityNote,
  isScanned = false,
}: ItemFieldsProps) {
  const same = { draft, onChange, errors };
  const name = <OneField {...same} field="itemName" isOptional={false} className="col-span-full" />;
  return (
    <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
      {isScanned ? null : name}
      <OneField {...same} field="barcode1" isOptional={false} isCode help={barcodeNote} />
      <OneField {...same} field="barcode2" isCode />
      {isScanned ? name : null}
      <div className="col-span-full grid grid-cols-3 gap-4 max-sm:grid-cols-2">
        <Field label={draftLabels.quantity} error={errors["quantity"]} help={quantityNote}>
          {(control) => (
            <NumberInput
              {...control}
              value={draft.quantity}
              onValue={(quantity) => onChange({ quantity })}
            />
          )}
        </Field>
        <Field label={draftLabels.tagPrice} error={errors["tagPriceCents"]} isOptional>
          {(control) => (
            <MoneyInput
              {...control}
              value={draft.tagPrice}
              onValue={(tagPrice) => onChange({ tagPrice })}
            />
          )}
        </Field>
        <OneField {...same} field="location" placeholder="A-01" className="max-sm:col-span-full" />
      </div>
      <OneField {...same} field="listingTitle" className="col-span-full" />
      <OneField
        {...same}
        field="link"
        type="url"
        placeholder="https://"
        onBlur={() => picture.look(draft.link)}
        className="col-span-full"
      />
      <ItemPicture draft={draft} work={picture} onRemove={() => onChange({ imageUrl: "" })}>
        {(help) => (
          <OneField {...same} field="imageUrl" type="url" placeholder="https://" help={help} />
        )}
      </ItemPicture>
    </div>
  );
}
