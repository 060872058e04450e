// A parcel's carrier and tracking number, with a link to the carrier's page and a copy button.
import { ExternalLink } from "lucide-react";
import type { ShipmentView } from "#features/shipments/contract.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { trackingLink } from "./carriers.ts";

type TrackingProps = {
  readonly shipment: Pick<ShipmentView, "carrier" | "carrierName" | "trackingNumber" | "label">;
  readonly canCopy?: boolean;
};

export function Tracking({ shipment, canCopy = false }: TrackingProps) {
  const { carrier, carrierName, trackingNumber, label } = shipment;
  if (trackingNumber === null) {
    return <Unknown reason={label === "requested" ? "no label yet" : "erased"} />;
  }
  const text = carrierName === null ? trackingNumber : `${carrierName} ${trackingNumber}`;
  const href = trackingLink(carrier, trackingNumber);
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      {href === undefined ? (
        <span className="min-w-0 wrap-anywhere">{text}</span>
      ) : (
        <a
          href={href}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-6 min-w-0 items-center gap-1 text-accent wrap-anywhere hover:underline"
        >
          <span className="min-w-0 overflow-hidden text-ellipsis">{text}</span>
          <Icon of={ExternalLink} size={14} />
        </a>
      )}
      {canCopy ? <CopyButton text={trackingNumber} label="Copy tracking number" /> : null}
    </span>
  );
}
