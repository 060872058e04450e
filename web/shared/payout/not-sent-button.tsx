// Gives back a request that somebody began to pay: no money was sent, so others may pay it, and its consignor may change it.
import { useState } from "react";
import type { PendingPayout } from "#features/payouts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { useNow } from "#web/lib/use-now.ts";
import { Button } from "#web/ui/button.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { showToast } from "#web/ui/toast.ts";
import { useRelease } from "./claim-api.ts";
import { claimStateOf, offersOf } from "./claim-state.ts";

const PayQuestion = onDemand(() => import("./pay-question.tsx").then((file) => file.PayQuestion));

/** Nothing where the reader cannot say so: nobody began to pay, or another admin is paying right now. */
export function NotSentButton({ payout }: { readonly payout: PendingPayout }) {
  const action = useRelease();
  const [isAsking, setAsking] = useState(false);
  const state = claimStateOf(payout.claim, useNow());
  const offer = offersOf(state).release;
  async function release(): Promise<void> {
    const answer = await action.run(payout);
    setAsking(false);
    if (answer !== undefined) {
      showToast(answer.message);
    }
  }
  return offer === "none" ? null : (
    <>
      <Button
        variant="quiet"
        aria-label={`Not sent: the payout of ${formatMoney(toCents(payout.amount))} to ${payout.displayName}`}
        isBusy={action.isBusy}
        onClick={() => (offer === "ask" ? setAsking(true) : void release())}
      >
        Not sent
      </Button>
      {isAsking && state.kind === "over" ? (
        <PayQuestion
          about="release"
          payout={payout}
          state={state}
          isBusy={action.isBusy}
          onAct={() => void release()}
          onKeep={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
