// /sales-history: everything that ever changed what the store owes this person, and why.
import { AdminButton } from "#web/shared/account/admin-button.tsx";
import { useProfile } from "#web/shared/account/session.tsx";
import { paths } from "#web/paths.ts";
import { auditPath } from "#web/shared/audit/audit-path.ts";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { ExplainHost } from "#web/shared/explain/explain-host.tsx";
import { Page } from "#web/ui/page.tsx";
import { HistoryTabs } from "#web/shared/history/history-tabs.tsx";

export function SalesHistoryScreen() {
  const { uid, role } = useProfile();
  const isAdmin = role === "admin";
  return (
    <Page
      title="Sales history"
      actions={
        <>
          <AdminButton />
          <ButtonLink to={isAdmin ? auditPath({ person: uid }) : paths.ownAudit}>
            Audit log
          </ButtonLink>
        </>
      }
    >
      <ExplainHost />
      <HistoryTabs label="Sales history" uid={uid} isOwn />
    </Page>
  );
}
