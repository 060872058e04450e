// One person next to the list: balance and its history, items, and who changed what.
import { Pencil } from "lucide-react";
import type { UserResponse } from "#features/users/contract.ts";
import type { ListedUser } from "#features/users/contract-people.ts";
import { useProfile } from "#web/shared/account/session.tsx";
import { ExplainHost } from "#web/shared/explain/explain-host.tsx";
import { Button } from "#web/ui/button.tsx";
import { Drawer } from "#web/ui/drawer.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Menu } from "#web/ui/menu.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Tabs } from "#web/ui/tabs.tsx";
import { consignorMenu } from "./consignor-acts.ts";
import { RoleChip } from "./consignor-columns.tsx";
import type { OpenConsignorForm } from "./consignor-forms.tsx";
import { useUser } from "./consignors-api.ts";
import { DrawerChanges } from "./drawer-changes.tsx";
import { DrawerInventory } from "./drawer-inventory.tsx";
import { DrawerLedger } from "./drawer-ledger.tsx";
import { DrawerOverview } from "./drawer-overview.tsx";
import { DrawerShipments } from "./drawer-shipments.tsx";

const DrawerTrades = onDemand(
  () => import("./drawer-trades.tsx").then((file) => file.DrawerTrades),
  {
    fallback: <Skeleton className="h-40" />,
    ifMissing: "throw",
  },
);

const DrawerSignIn = onDemand(
  () => import("./drawer-sign-in.tsx").then((file) => file.DrawerSignIn),
  {
    fallback: <Skeleton className="h-40" />,
    ifMissing: "throw",
  },
);

type ConsignorDrawerProps = {
  readonly uid: string;
  /** The row in the list, if it is loaded. */
  readonly known: ListedUser | undefined;
  readonly onForm: (form: OpenConsignorForm) => void;
  readonly onClose: () => void;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
};

function nameOf(user: UserResponse | undefined): string {
  if (user === undefined) {
    return "…";
  }
  const { deactivated, displayName, username, email, uid } = user;
  return deactivated ? "Deleted user" : (displayName ?? username ?? email ?? uid);
}

export function ConsignorDrawer(props: ConsignorDrawerProps) {
  const { uid, known, onForm, onClose, onPrevious, onNext } = props;
  const own = useProfile();
  const { data, error, refresh } = useUser(uid);
  const name = known?.name ?? (error === undefined ? nameOf(data) : "Unknown person");
  const isDeleted = (known ?? data)?.deactivated ?? true;
  const open = (act: OpenConsignorForm["act"]): void => {
    if (data !== undefined) {
      onForm({ act, user: { ...data, name } });
    }
  };
  return (
    <Drawer
      title={name}
      subtitle={data === undefined ? undefined : <RoleChip user={data} />}
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      footer={
        isDeleted ? undefined : (
          <>
            <Menu
              label="More"
              showsLabel
              variant="secondary"
              items={consignorMenu({ uid }, own.uid, open)}
            />
            <Button icon={Pencil} disabled={data === undefined} onClick={() => open("edit")}>
              Edit
            </Button>
            <Button
              variant="primary"
              disabled={data === undefined}
              onClick={() => open("custom-sale")}
            >
              Custom sale
            </Button>
          </>
        )
      }
    >
      <ExplainHost />
      {data === undefined ? (
        error === undefined ? (
          <Skeleton className="h-64" />
        ) : (
          <ErrorState title="The user could not be loaded" error={error} onRetry={refresh} />
        )
      ) : (
        <Tabs
          label={`About ${name}`}
          param="view"
          tabs={[
            {
              id: "overview",
              label: "Overview",
              content: (
                <DrawerOverview
                  user={data}
                  name={name}
                  onAdjust={() => open("adjust")}
                  onAgreeShare={() => open("agree-share")}
                />
              ),
            },
            { id: "inventory", label: "Inventory", content: <DrawerInventory uid={uid} /> },
            { id: "ledger", label: "Ledger", content: <DrawerLedger uid={uid} /> },
            { id: "shipments", label: "Shipments", content: <DrawerShipments uid={uid} /> },
            { id: "trades", label: "Trades", content: <DrawerTrades uid={uid} /> },
            { id: "sign-in", label: "Sign-in", content: <DrawerSignIn uid={uid} /> },
            { id: "changes", label: "Changes", content: <DrawerChanges uid={uid} /> },
          ]}
        />
      )}
    </Drawer>
  );
}
