// The store's logo: shown as it is, replaced by a file, or removed.
import { ImageUp, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { MAX_LOGO_BYTES } from "#features/settings/contract.ts";
import { useAction } from "#web/lib/action.ts";
import { fileKeyOf } from "#web/lib/file-key.ts";
import { Button } from "#web/ui/button.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { showToast } from "#web/ui/toast.ts";
import { saveLogo } from "./settings-api.ts";

/** `address` is null without a logo. */
export function LogoPart({ address }: { readonly address: string | null }) {
  const input = useRef<HTMLInputElement>(null);
  const [wrong, setWrong] = useState<string>();
  const action = useAction(saveLogo);

  async function save(file: File | null): Promise<void> {
    if (file !== null && file.size > MAX_LOGO_BYTES) {
      setWrong("A logo is at most 1 MB");
      return;
    }
    setWrong(undefined);
    const saved = await action.run({ file, fileKey: file === null ? "" : fileKeyOf(file) });
    if (saved !== undefined) {
      showToast(saved.message);
    }
  }

  const failure = wrong ?? action.error?.message;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        {address === null ? (
          <span className="text-muted">No logo</span>
        ) : (
          <img
            src={address}
            alt="The store's logo"
            className="h-12 max-w-48 rounded-bit border border-border bg-surface object-contain p-1"
          />
        )}
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          aria-label="Logo file"
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => {
            const file = event.target.files?.[0];
            // The same file may be chosen again.
            event.target.value = "";
            if (file !== undefined) {
              void save(file);
            }
          }}
        />
        <Button
          icon={ImageUp}
          isBusy={action.isBusy}
          busyLabel="Saving..."
          onClick={() => input.current?.click()}
        >
          {address === null ? "Upload logo" : "Replace logo"}
        </Button>
        {address === null ? null : (
          <Button
            variant="quiet"
            icon={Trash2}
            disabled={action.isBusy}
            onClick={() => void save(null)}
          >
            Remove logo
          </Button>
        )}
      </div>
      <p className="text-12 text-muted">PNG, JPEG or WebP, at most 1 MB. Shown beside the name.</p>
      <ErrorLine>
        {failure === undefined ? undefined : `Error saving the logo: ${failure}`}
      </ErrorLine>
    </div>
  );
}
