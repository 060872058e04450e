// Shows new recovery codes, once. It asks before it closes, unless the person says that they kept them.
import { useState } from "react";
import { saveFile } from "#web/lib/download.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";

type RecoveryCodesDialogProps = {
  readonly codes: readonly string[];
  readonly onClose: () => void;
};

function fileOf(codes: readonly string[]): Blob {
  return new Blob([`${codes.join("\n")}\n`], { type: "text/plain" });
}

export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const [isKept, setKept] = useState(false);
  const [isAsking, setAsking] = useState(false);
  return (
    <Dialog
      title="Keep your recovery codes"
      description="Each code signs you in once if you lose your second factor. They are shown only now: download and print them, or keep them in a password manager."
      onClose={() => (isKept ? onClose() : setAsking(true))}
      footer={
        <Button variant="primary" disabled={!isKept} onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex items-start justify-between gap-2 rounded-card border border-border p-3">
        <ul
          aria-label="Recovery codes"
          className="grid grow grid-cols-2 gap-x-4 gap-y-1 max-sm:grid-cols-1"
        >
          {codes.map((code) => (
            <li key={code} className="font-mono text-12">
              {code}
            </li>
          ))}
        </ul>
        <CopyButton text={codes.join("\n")} label="Copy all codes" />
      </div>
      <span className="flex gap-2">
        <Button onClick={() => saveFile(fileOf(codes), "recovery-codes.txt")}>Download</Button>
      </span>
      <Checkbox label="I have kept these codes" isChecked={isKept} onChecked={setKept} />
      {isAsking ? (
        <ConfirmDialog
          title="Close without keeping the codes?"
          act="Close"
          keep="Show the codes"
          onAct={onClose}
          onKeep={() => setAsking(false)}
        >
          They are not shown again. You can make new ones on your profile.
        </ConfirmDialog>
      ) : null}
    </Dialog>
  );
}
