// Changes a trade's shipping address until it is fulfilled. An uploaded label becomes void.
import { useState } from "react";
import type { Trade } from "#features/trades/contract-reads.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { showToast } from "#web/ui/toast.ts";
import { addressErrors, emptyAddress } from "./address-draft.ts";
import { AddressFields } from "./address-fields.tsx";
import { changeAddress, useTradeShipping } from "./trade-api.ts";

type AddressDialogProps = { readonly trade: Trade; readonly onClose: () => void };

export function AddressDialog({ trade, onClose }: AddressDialogProps) {
  const shipping = useTradeShipping(trade.tradeId);
  const [typed, setTyped] = useState<typeof emptyAddress>();
  const address = typed ?? shipping.data?.shippingAddress ?? emptyAddress;
  const submission = useSubmission(changeAddress);

  async function save(): Promise<void> {
    const body = { tradeId: trade.tradeId, shippingAddress: address };
    if ((await submission.submit(addressErrors(address), body)) !== undefined) {
      showToast("Address changed");
      onClose();
    }
  }

  return (
    <FormDialog
      title="Change address"
      description={trade.itemName}
      isDirty={typed !== undefined}
      submission={submission}
      errorPrefix="Error changing address"
      saveLabel="Change address"
      canSave={typed !== undefined}
      onClose={onClose}
      onSubmit={() => void save()}
    >
      {shipping.data === undefined && shipping.error === undefined ? (
        <Skeleton className="h-56" />
      ) : (
        <AddressFields
          address={address}
          errors={withoutPrefix(submission.errors)}
          onChange={(next) => {
            setTyped(next);
            submission.clear();
          }}
        />
      )}
      {trade.labelUrl === null ? null : (
        <p className="text-pending">
          The label that was uploaded is void then. A new one must be uploaded.
        </p>
      )}
    </FormDialog>
  );
}

/** The server's errors name the fields of the request. The form needs the names of the address's own fields. */
function withoutPrefix(errors: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(errors).map(([path, message]) => [
      path.replace(/^shippingAddress\./u, ""),
      message,
    ]),
  );
}
