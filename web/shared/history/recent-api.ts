// The read of an account's last entries and payouts, for the dashboard and the drawer of Consignors.
import { recentResponse, type RecentResponse } from "#features/accounts/contract-summary.ts";
import { useRead, type Read } from "#web/lib/read.ts";

export function useRecent(uid: string): Read<RecentResponse> {
  return useRead(`/accounts/${uid}/recent`, recentResponse);
}
