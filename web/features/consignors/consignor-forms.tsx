// The forms that open above the list and the drawer. They are loaded together when one of them is about to open.
import type { ListedUser } from "#features/users/contract-people.ts";
import { toCents } from "#ledger/money.ts";
import { CustomSaleForm } from "#web/shared/sale/custom-sale-form.tsx";
import { AdjustBalanceForm } from "./adjust-balance-form.tsx";
import { AgreeShareForm } from "./agree-share-form.tsx";
import type { ConsignorAct } from "./consignor-acts.ts";
import { DeleteUserDialog } from "./delete-user-dialog.tsx";
import { EditUserForm } from "./edit-user-form.tsx";
import { MigrateUserDialog } from "./migrate-user-dialog.tsx";
import { ResetFactorsDialog } from "./reset-factors-dialog.tsx";
import type { EditedUser } from "./user-draft.ts";

export type OpenConsignorForm = {
  readonly act: ConsignorAct;
  readonly user: EditedUser & Pick<ListedUser, "balance">;
};

type ConsignorFormsProps = {
  readonly form: OpenConsignorForm;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
};

export function ConsignorForms({ form: { act, user }, onClose, onDeleted }: ConsignorFormsProps) {
  switch (act) {
    case "edit":
      return <EditUserForm user={user} onClose={onClose} />;
    case "adjust":
      return (
        <AdjustBalanceForm user={user} balanceCents={toCents(user.balance)} onClose={onClose} />
      );
    case "agree-share":
      return <AgreeShareForm user={user} onClose={onClose} />;
    case "custom-sale":
      return (
        <CustomSaleForm
          consignor={{ uid: user.uid, label: user.name, hint: user.email ?? undefined }}
          onClose={onClose}
        />
      );
    case "migrate":
      return <MigrateUserDialog user={user} onClose={onClose} />;
    case "reset-factors":
      return <ResetFactorsDialog user={user} onClose={onClose} />;
    default:
      return <DeleteUserDialog user={user} onDeleted={onDeleted} onClose={onClose} />;
  }
}
