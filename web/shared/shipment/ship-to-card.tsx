// The address for the box: the store's, with the consignor's short id, and a button that copies it.
import type { ShipTo } from "#features/shipments/contract.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { addressLines } from "./ship-to-lines.ts";

export function ShipToCard({ shipTo }: { readonly shipTo: ShipTo | undefined }) {
  return (
    <section
      aria-labelledby="ship-to"
      className="card flex items-start justify-between gap-4 p-4 max-sm:p-3"
    >
      <div className="flex min-w-0 flex-col gap-1">
        <h2 id="ship-to" className="text-16 font-semibold">
          Ship to
        </h2>
        {shipTo === undefined ? (
          <Skeleton className="h-20 w-60" />
        ) : shipTo.lines === null ? (
          <p className="text-muted">
            {"The store has not entered its address yet. Your ID for the box is "}
            <span className="font-mono font-semibold text-text">{shipTo.shortId}</span>.
          </p>
        ) : (
          <address className="flex flex-col not-italic">
            {addressLines(shipTo).map((line) => (
              <span key={line} className="wrap-anywhere">
                {line}
              </span>
            ))}
          </address>
        )}
        <p className="text-12 text-muted">
          The ID tells the store whose box it is. Up to 70 pounds per box.
        </p>
      </div>
      {shipTo === undefined ? null : (
        <CopyButton
          text={shipTo.lines === null ? shipTo.shortId : addressLines(shipTo).join("\n")}
          label={shipTo.lines === null ? "Copy ID" : "Copy address"}
        />
      )}
    </section>
  );
}
