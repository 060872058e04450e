// A tracking number, as a link to the carrier's tracking page.
import { ExternalLink } from "lucide-react";
import type { Trade } from "#features/trades/contract-reads.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { trackingLink } from "./trade-words.ts";

export function Tracking({ trade }: { readonly trade: Pick<Trade, "carrier" | "trackingNumber"> }) {
  const { carrier, trackingNumber } = trade;
  if (carrier === null || trackingNumber === null) {
    return <Unknown reason="no label yet" />;
  }
  return (
    <a
      href={trackingLink(carrier, trackingNumber)}
      target="_blank"
      rel="noreferrer"
      className="inline-flex min-h-6 items-center gap-1 text-accent wrap-anywhere hover:underline"
    >
      {`${carrier} ${trackingNumber}`}
      <Icon of={ExternalLink} size={14} />
    </a>
  );
}
