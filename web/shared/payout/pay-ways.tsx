// The ways to pay a request: its link and its QR code. Both claim it first, so that no two admins send the money.
import { ExternalLink, QrCode } from "lucide-react";
import { useState, type MouseEvent } from "react";
import { CLAIMED_FOR_MS, type PendingPayout } from "#features/payouts/contract.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { leadTab, openEmptyTab } from "#web/lib/new-tab.ts";
import { useIsPhone } from "#web/lib/use-media.ts";
import { Icon } from "#web/ui/icon.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { showErrorToast } from "#web/ui/toast.ts";
import { useBeginToPay } from "./claim-api.ts";
import { offersOf, type ClaimState } from "./claim-state.ts";
import { methodWords } from "./method-words.ts";
import { linkOf } from "./pay-link.ts";

const PayCode = onDemand(() => import("./pay-code.tsx").then((file) => file.PayCode));
const PayQuestion = onDemand(() => import("./pay-question.tsx").then((file) => file.PayQuestion));

type Way = "link" | "code";

/** How one pays the request. Everything stays mounted while the request changes hands, so that an open code stays. */
function usePaying(payout: PendingPayout, state: ClaimState) {
  const [asking, setAsking] = useState<Way>();
  const [code, setCode] = useState<PendingPayout>();
  const claim = useBeginToPay();

  async function begin(way: Way): Promise<void> {
    // A browser allows a new tab only while the click counts, which is before the answer.
    const tab = way === "link" ? openEmptyTab() : null;
    const claimed = await claim.run(payout);
    setAsking(undefined);
    const link = claimed === undefined ? null : linkOf(claimed);
    if (claimed === undefined || link === null) {
      tab?.close();
    } else if (way === "code") {
      setCode(claimed);
    } else if (tab === null) {
      showErrorToast("The browser blocked the new tab. Press Pay again to open it");
    } else {
      leadTab(tab, link);
    }
  }

  return {
    asking,
    code,
    isBusy: claim.isBusy,
    begin,
    choose: (way: Way) => {
      if (offersOf(state).pay === "ask") {
        setAsking(way);
      } else {
        void begin(way);
      }
    },
    renew: () => void claim.run(payout),
    keep: () => setAsking(undefined),
    close: () => setCode(undefined),
  };
}

type PayWaysProps = {
  readonly payout: PendingPayout;
  readonly link: string;
  readonly state: ClaimState;
};

export function PayWays({ payout, link, state }: PayWaysProps) {
  const paying = usePaying(payout, state);
  // A phone cannot scan its own screen; it has the app itself and opens the link directly.
  const isPhone = useIsPhone();
  const canPay = offersOf(state).pay !== "none";
  return (
    <>
      {canPay ? <PayLink payout={payout} link={link} state={state} paying={paying} /> : null}
      {isPhone || !canPay ? null : (
        <IconButton
          icon={QrCode}
          label={`QR code to pay ${payout.displayName}`}
          aria-disabled={paying.isBusy || undefined}
          onClick={() => (paying.isBusy ? undefined : paying.choose("code"))}
        />
      )}
      {paying.asking === undefined || state.kind !== "over" ? null : (
        <PayQuestion
          about="pay"
          payout={payout}
          state={state}
          isBusy={paying.isBusy}
          onAct={() => void paying.begin(paying.asking ?? "link")}
          onKeep={paying.keep}
        />
      )}
      {paying.code === undefined ? null : (
        <PayCode payout={paying.code} rowState={state} onClose={paying.close} />
      )}
    </>
  );
}

const payClass =
  "inline-flex h-(--control) items-center gap-1 rounded-control px-2 font-medium text-accent hover:bg-hover aria-busy:text-faint";

/** A button that claims; a plain link once the request is one's own, which no browser blocks and which opens a phone's app. */
function PayLink({
  payout,
  link,
  state,
  paying,
}: PayWaysProps & { readonly paying: ReturnType<typeof usePaying> }) {
  const method = methodWords[payout.method];
  const label = withIsolatedNames(`Pay ${payout.displayName} with ${method}`);
  const tip = `Opens ${method} with the amount filled in`;
  const content = (
    <>
      Pay
      <Icon of={ExternalLink} size={14} />
    </>
  );
  if (state.kind !== "own") {
    return (
      <button
        type="button"
        aria-label={label}
        aria-busy={paying.isBusy || undefined}
        aria-disabled={paying.isBusy || undefined}
        data-tip={tip}
        className={payClass}
        onClick={() => (paying.isBusy ? undefined : paying.choose("link"))}
      >
        {content}
      </button>
    );
  }
  return (
    <a
      href={link}
      target="_blank"
      rel="noreferrer"
      aria-label={label}
      data-tip={tip}
      className={payClass}
      onClick={(event: MouseEvent) => {
        if (event.detail > 1) {
          // The second half of a double click, whose first half opened the tab.
          event.preventDefault();
        } else if (state.until.getTime() - Date.now() < CLAIMED_FOR_MS / 2) {
          paying.renew();
        }
      }}
    >
      {content}
    </a>
  );
}
