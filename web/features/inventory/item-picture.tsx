// The picture in the item form: shown as it will be, found by the link, taken with the camera, or given by its address.
import { Camera, Trash2 } from "lucide-react";
import { useId, useRef, useState, type ReactNode } from "react";
import { storedImageId } from "#ledger/fields.ts";
import { ItemImage } from "#web/shared/item/item-image.tsx";
import { Button } from "#web/ui/button.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Field } from "#web/ui/field.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import type { ItemDraft } from "./item-draft.ts";
import type { PictureWork } from "./picture-work.ts";

type ItemPictureProps = {
  readonly draft: ItemDraft;
  readonly work: PictureWork;
  readonly onRemove: () => void;
  /** The field for its address, where the store does not keep the picture itself. */
  readonly children: (help: string | undefined) => ReactNode;
};

/** Shown in the preview, which has always the same size: a form that grows moves its buttons away from a click. */
const stateTexts: Readonly<Record<PictureWork["state"], string>> = {
  idle: "",
  looking: "Looking for its picture…",
  "nothing-found": "No picture was found for this link",
  uploading: "",
};

/** Browsers only load pictures from hosts in the page's security policy. */
const unshownText =
  "No picture is shown from this address. Pictures are shown only from this store and its retailer. Add a photo instead.";

export function ItemPicture({ draft, work, onRemove, children }: ItemPictureProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const url = draft.imageUrl.trim();
  const isStored = storedImageId(url) !== null;
  const [unshown, setUnshown] = useState<string>();
  const isAddress = isStored || /^https?:\/\/./.test(url);
  const isShown = isAddress && unshown !== url;
  const text = isAddress ? "" : stateTexts[work.state];
  return (
    <div className="col-span-full flex items-start gap-4 max-sm:gap-3">
      <figure aria-labelledby={id} className="relative shrink-0">
        <figcaption id={id} className="sr-only">
          Preview
        </figcaption>
        <ItemImage
          key={url}
          url={isAddress ? url : ""}
          size="large"
          onFail={() => setUnshown(url)}
        />
        <output className="absolute inset-px flex items-center justify-center rounded-card bg-fill p-1 text-center text-12 text-muted empty:hidden">
          {text}
        </output>
      </figure>
      <div className="flex min-w-0 grow flex-col gap-2">
        {isStored ? (
          <Field label="Image URL" isOptional>
            {(control) => (
              <TextInput
                {...control}
                readOnly
                value="Kept by this store"
                onValue={() => undefined}
              />
            )}
          </Field>
        ) : (
          children(isAddress && !isShown ? unshownText : undefined)
        )}
        <div className="flex items-center gap-1">
          <input
            ref={input}
            type="file"
            accept="image/*"
            aria-label="Photo file"
            tabIndex={-1}
            className="sr-only"
            onChange={({ target }) => {
              const file = target.files?.[0];
              // The same file may be chosen again.
              target.value = "";
              if (file !== undefined) {
                work.upload(file);
              }
            }}
          />
          <Button
            icon={Camera}
            isBusy={work.state === "uploading"}
            busyLabel="Uploading..."
            onClick={() => input.current?.click()}
          >
            {isShown ? "Replace photo" : "Add photo"}
          </Button>
          {url === "" ? null : (
            <IconButton icon={Trash2} label="Remove picture" onClick={onRemove} />
          )}
        </div>
        <ErrorLine>{work.error}</ErrorLine>
      </div>
    </div>
  );
}
