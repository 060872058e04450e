// Opens a trade's label in a new tab for printing. If the browser allows no new tab, the label is saved as a file.
import { shortTradeId } from "#features/trades/contract-short-id.ts";
import { asApiError } from "#web/lib/api-error.ts";
import { saveFile } from "#web/lib/download.ts";
import { showErrorToast } from "#web/ui/toast.ts";
import { readLabel } from "./fulfillment-api.ts";

/** Long enough for the tab to read it. */
const keptMs = 60_000;

export async function printLabel(tradeId: string): Promise<void> {
  // Browsers allow a new tab only while they handle the click.
  const tab = globalThis.open("", "_blank");
  try {
    const label = await readLabel(tradeId);
    if (tab === null) {
      saveFile(label, `label-${shortTradeId(tradeId)}.pdf`);
      return;
    }
    const address = URL.createObjectURL(label);
    tab.location.href = address;
    setTimeout(() => URL.revokeObjectURL(address), keptMs);
  } catch (error) {
    tab?.close();
    showErrorToast(`Error loading label: ${asApiError(error).message}`);
  }
}
