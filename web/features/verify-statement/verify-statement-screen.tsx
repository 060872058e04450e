// /verify-statement, for anybody: drop a statement's file and learn whether it is genuine, unchanged, and still the latest word.
import { FileSearch } from "lucide-react";
import { useState } from "react";
import type { Verdict } from "#features/accounts/contract-statement-verdict.ts";
import { useAction } from "#web/lib/action.ts";
import { EntryPage } from "#web/ui/entry-page.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { FileDrop } from "#web/ui/file-drop.tsx";
import { useTitle } from "#web/ui/use-title.ts";
import { StatementVerdict } from "./statement-verdict.tsx";
import { canCheck, verifyStatement } from "./verify-statement-api.ts";

type Checked = { readonly fileName: string; readonly verdict: Verdict };

export function VerifyStatementScreen() {
  useTitle("Check a statement");
  const check = useAction(verifyStatement);
  const [asked, setAsked] = useState("");
  const [checked, setChecked] = useState<Checked>();
  async function run(file: File): Promise<void> {
    setChecked(undefined);
    setAsked(file.name);
    const verdict = await check.run(file);
    if (verdict !== undefined) {
      setChecked({ fileName: file.name, verdict });
    }
  }
  return (
    <EntryPage>
      <div className="flex flex-col gap-4">
        <div className="flex flex-col gap-1">
          <h1 className="text-24 font-semibold">Check a statement</h1>
          <p className="text-muted">
            See whether a PDF or CSV statement comes from this store and is unchanged, and whether
            later entries touch its period. The file stays on this device.
          </p>
        </div>
        {canCheck() ? (
          <FileDrop
            label="Statement"
            accept=".pdf,.csv,application/pdf,text/csv"
            icon={FileSearch}
            prompt="Choose a statement, or drop it here"
            isBusy={check.isBusy}
            onFile={(file) => void run(file)}
          />
        ) : (
          <ErrorLine>
            This browser checks signatures only over https. Open this page at the store's https
            address.
          </ErrorLine>
        )}
        <ErrorLine>
          {check.error === undefined
            ? undefined
            : `${asked} could not be checked: ${check.error.message}`}
        </ErrorLine>
        <output className="block empty:hidden">
          {check.isBusy ? (
            <p className="text-muted">Checking {asked}...</p>
          ) : checked === undefined ? null : (
            <StatementVerdict {...checked} />
          )}
        </output>
      </div>
    </EntryPage>
  );
}
