// A payment handle, with buttons to copy it or to open the pay link with amount and note filled in.
import { Check, Copy, ExternalLink } from "lucide-react";
import { useState } from "react";
import type { PendingPayout } from "#features/payouts/contract.ts";
import { Icon } from "#web/ui/icon.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { showToast } from "#web/ui/toast.ts";
import { Unknown } from "#web/ui/unknown.tsx";
import { PayCode } from "./pay-code.tsx";

const copiedMs = 2000;

export const methodWords = { cashapp: "CashApp", venmo: "Venmo" } as const;

export function HandleCell({ payout }: { readonly payout: PendingPayout }) {
  const { handle, displayName, method } = payout;
  const link = payout.cashAppLink ?? payout.venmoLink;
  if (payout.handleChanged) {
    return <span className="font-medium text-danger">Handle was changed. Do not pay</span>;
  }
  if (handle === null) {
    return <Unknown reason="the handle was erased" />;
  }
  return (
    <span className="-my-1 inline-flex max-w-full items-center gap-1">
      <span className="truncate font-mono text-12 text-text">{handle}</span>
      <CopyButton text={handle} label={`Copy ${displayName}'s handle`} />
      {link === null ? null : (
        <a
          href={link}
          target="_blank"
          rel="noreferrer"
          aria-label={`Pay ${displayName} with ${methodWords[method]}`}
          data-tip={`Opens ${methodWords[method]} with the amount filled in`}
          className="inline-flex h-(--control) items-center gap-1 rounded-control px-2 font-medium text-accent hover:bg-hover"
        >
          Pay
          <Icon of={ExternalLink} size={14} />
        </a>
      )}
      {link === null ? null : <PayCode payout={payout} link={link} method={methodWords[method]} />}
    </span>
  );
}

function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Without TLS, or if it was denied, browsers refuse access to the clipboard.
      showToast(`Copy it by hand: ${text}`);
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), copiedMs);
  }
  return (
    <IconButton
      icon={isCopied ? Check : Copy}
      label={isCopied ? "Copied" : label}
      onClick={() => void copy()}
    />
  );
}
