// How the last back-up and the last restore drill ended, and after a restore what is left to do.
import { DatabaseBackup } from "lucide-react";
import type { BackupRunView, BackupsResponse } from "#features/restores/contract.ts";
import { formatCount } from "#web/lib/formats.ts";
import { RestoreBanner } from "#web/shared/restore/restore-banner.tsx";
import { Chip } from "#web/ui/chip.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { bytesText, spanText } from "./lag-text.ts";
import { useBackups } from "./operations-api.ts";
import { Section } from "./section.tsx";

export function BackupsSection() {
  const { data, error, refresh } = useBackups();
  return (
    <Section id="backups" title="Back-ups">
      <RestoreBanner />
      {data !== undefined ? (
        <Runs runs={data} />
      ) : error === undefined ? (
        <Skeleton className="h-16 w-full" />
      ) : (
        <ErrorState title="The back-ups could not be loaded" error={error} onRetry={refresh} />
      )}
    </Section>
  );
}

function Runs({ runs }: { readonly runs: BackupsResponse }) {
  const { backup, goodBackupAt, drill, goodDrillAt } = runs;
  if (backup === null && drill === null) {
    return (
      <EmptyState icon={DatabaseBackup} title="No back-up was made yet">
        Set BACKUP_DIR, and the worker makes one every night. Or run npm run backup.
      </EmptyState>
    );
  }
  return (
    <FactList
      facts={[
        { label: "Last back-up", value: <Run run={backup} goodAt={goodBackupAt} /> },
        { label: "Last restore drill", value: <Run run={drill} goodAt={goodDrillAt} /> },
      ]}
    />
  );
}

type RunProps = { readonly run: BackupRunView | null; readonly goodAt: string | null };

function Run({ run, goodAt }: RunProps) {
  if (run === null) {
    return <span className="text-muted">None yet</span>;
  }
  const { endedAt, passed, position, bytes, elapsedMs, message } = run;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {passed ? <Chip kind="done">Passed</Chip> : <Chip kind="danger">Failed</Chip>}
      <DateTime at={endedAt} />
      {position === null || bytes === null ? null : (
        <span className="text-muted">
          {`Position ${formatCount(position)}, ${bytesText(bytes)}, ${spanText(elapsedMs / 1000)}`}
        </span>
      )}
      {message === null ? null : (
        <span className="text-danger">
          {message}. The last one that passed: {goodAt === null ? "none" : <DateTime at={goodAt} />}
        </span>
      )}
    </span>
  );
}
