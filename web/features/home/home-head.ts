// What search engines and link previews show of the home page.
import type { PublicSettingsResponse } from "#features/settings/contract.ts";
import { unnamedStore } from "#web/ui/store-name.ts";

export const homeTitle = "Sell your items on consignment";

export function homeDescription(texts: PublicSettingsResponse): string {
  return `Send your items to ${texts.storeName ?? unnamedStore}. We list, sell and ship them, and you get ${texts.defaultConsignorPercentage}% of each sale after shipping, paid through CashApp or Venmo.`;
}
