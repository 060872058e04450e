// The addresses for a label, with buttons to copy them into a carrier's form.
import { useTradeShipping } from "./trade-api.ts";
import type { TradeShippingResponse } from "#features/trades/contract-reads.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { addressLines } from "./address-draft.ts";

type AddressProps = {
  readonly title: string;
  readonly lines: readonly string[] | undefined;
  readonly missing: string;
  readonly copyLabel: string;
};

function Address({ title, lines, missing, copyLabel }: AddressProps) {
  return (
    <div className="flex min-w-0 items-start justify-between gap-2 rounded-card border border-border p-3">
      <div className="flex min-w-0 flex-col gap-1">
        <h3 className="text-12 font-medium text-muted">{title}</h3>
        {lines === undefined ? (
          <p className="text-muted">{missing}</p>
        ) : (
          <address className="not-italic wrap-anywhere">
            {lines.map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
          </address>
        )}
      </div>
      {lines === undefined ? null : <CopyButton text={lines.join("\n")} label={copyLabel} />}
    </div>
  );
}

/** The store's address includes the buyer's short id, so that the parcel is recognized. */
function storeLines({ storeAddress, shortId, reference }: TradeShippingResponse) {
  return storeAddress === null
    ? undefined
    : [...addressLines(storeAddress), `ID ${shortId}, trade ${reference}`];
}

export function ParcelLabel({ tradeId }: { readonly tradeId: string }) {
  const { data, error, refresh } = useTradeShipping(tradeId);
  if (data === undefined) {
    return error === undefined ? (
      <Skeleton className="h-28" />
    ) : (
      <ErrorState title="The addresses could not be loaded" error={error} onRetry={refresh} />
    );
  }
  const { shippingAddress } = data;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Address
        title="From: the store"
        lines={storeLines(data)}
        missing="The store has not set its address yet."
        copyLabel="Copy the store's address"
      />
      <Address
        title="To"
        lines={shippingAddress === null ? undefined : addressLines(shippingAddress)}
        missing="The address was erased."
        copyLabel="Copy the buyer's address"
      />
    </div>
  );
}
