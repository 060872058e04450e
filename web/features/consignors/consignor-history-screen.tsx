// /consignors/<uid>/history: one person's ledger, sales and payouts as the person sees them, for admins.
import { useParams } from "react-router-dom";
import { consignorInventoryPath, paths } from "#web/paths.ts";
import { ExplainHost } from "#web/shared/explain/explain-host.tsx";
import { BackLink } from "#web/ui/back-link.tsx";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { HistoryTabs } from "#web/shared/history/history-tabs.tsx";
import { useUser } from "./consignors-api.ts";

export function ConsignorHistoryScreen() {
  const { uid = "" } = useParams();
  const { data, error, refresh } = useUser(uid);
  const name =
    data === undefined
      ? undefined
      : data.deactivated
        ? "Deleted user"
        : (data.displayName ?? data.username ?? data.email ?? uid);
  return (
    <Page
      title={name === undefined ? "History" : `History of ${name}`}
      back={<BackLink to={`${paths.consignors}?consignor=${uid}`} label="Back to the consignor" />}
      actions={<ButtonLink to={consignorInventoryPath(uid)}>Inventory</ButtonLink>}
    >
      <ExplainHost />
      {error !== undefined && data === undefined ? (
        <div className="card">
          <ErrorState
            title="The account could not be loaded"
            thing="account"
            error={error}
            onRetry={refresh}
          />
        </div>
      ) : (
        <HistoryTabs label="History" uid={uid} isOwn={false} />
      )}
    </Page>
  );
}
