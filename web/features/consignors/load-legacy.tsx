// Takes the old app's export: all of it is checked, then loaded. Nothing is migrated yet.
import { FileUp } from "lucide-react";
import { useState } from "react";
import type { LoadLegacyResponse } from "#features/migration/contract.ts";
import { useAction } from "#web/lib/action.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { randomId } from "#web/lib/random-id.ts";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { FileDrop } from "#web/ui/file-drop.tsx";
import { showToast } from "#web/ui/toast.ts";
import { readLegacyText } from "./legacy-file.ts";
import { loadNotes } from "./load-notes.ts";
import { sendLegacy } from "./migration-api.ts";

type Loaded = { readonly users: number; readonly notes: readonly string[] };

async function load(parts: readonly (readonly unknown[])[]): Promise<Loaded> {
  for (const part of parts) {
    // In order: the first problem stops it, before anything is loaded.
    // oxlint-disable-next-line no-await-in-loop
    await sendLegacy(part, true, randomId());
  }
  const answers: LoadLegacyResponse[] = [];
  for (const part of parts) {
    // oxlint-disable-next-line no-await-in-loop
    answers.push(await sendLegacy(part, false, randomId()));
  }
  return {
    users: answers.reduce((sum, answer) => sum + answer.users, 0),
    notes: loadNotes(answers),
  };
}

type LoadLegacyProps = {
  /** With what the admin should know about the file. */
  readonly onLoaded: (notes: readonly string[]) => void;
};

export function LoadLegacy({ onLoaded }: LoadLegacyProps) {
  const [problem, setProblem] = useState<string>();
  const action = useAction(load);
  async function take(file: File): Promise<void> {
    const read = readLegacyText(await file.text());
    setProblem(read.kind === "problem" ? read.sentence : undefined);
    const loaded = read.kind === "accounts" ? await action.run(read.parts) : undefined;
    if (loaded !== undefined) {
      showToast(`${formatQuantity(loaded.users, "account")} loaded`);
      onLoaded(loaded.notes);
    }
  }
  return (
    <div className="flex flex-col gap-2">
      <FileDrop
        label="Export of the old app"
        accept=".json,application/json"
        icon={FileUp}
        prompt={action.isBusy ? "Loading..." : "Choose the old app's export, or drop it here"}
        isBusy={action.isBusy}
        onFile={(file) => void take(file)}
      >
        <span className="text-12 text-muted">
          A JSON file with a list of users. Loading moves nothing: you review the accounts first.
        </span>
      </FileDrop>
      <span className="whitespace-pre-line empty:hidden">
        <ErrorLine>{problem ?? action.error?.message}</ErrorLine>
      </span>
    </div>
  );
}
