// The rates and shares that the till uses: fetched while the server answers, and kept for when it does not.
import { read } from "#web/lib/http.ts";
import { sessionHint } from "#web/lib/id-token.ts";
import { localValue } from "#web/lib/local-store.ts";
import {
  sellingPath,
  sellingTerms,
  usualTerms,
  type SellingTerms,
} from "#web/shared/sale/selling-terms.ts";
import { resendAfterRestore } from "./resend.ts";
import { tillTermsName } from "#web/shared/till/till-person.ts";

/** The last ones that the server sent. Each sale keeps the ones it was made with. */
export const termsValue = localValue<SellingTerms>(tillTermsName, sellingTerms, usualTerms);

/** A changed rate reaches a till that is online within this time. */
const refreshEveryMs = 60_000;

async function refreshTerms(): Promise<void> {
  try {
    const { value } = await read(sellingPath, sellingTerms);
    if (sessionHint.read() === "closed") {
      // The answer came after the sign-out, which deleted the last ones.
      return;
    }
    if (JSON.stringify(value) !== JSON.stringify(termsValue.read())) {
      termsValue.write(value);
    }
    await resendAfterRestore(value.restoreId);
  } catch {
    // The till continues with the last ones. The server books what was charged, and marks an outdated rate.
  }
}

/** Keeps them up to date until the returned function is called. */
export function followTerms(): () => void {
  const refresh = (): void => void refreshTerms();
  const timer = setInterval(refresh, refreshEveryMs);
  addEventListener("online", refresh);
  refresh();
  return () => {
    clearInterval(timer);
    removeEventListener("online", refresh);
  };
}
