// The filters of the payout requests: those that wait, or settled ones of a status; all methods, or one.
import type { PayoutMethodName, SettledStatus } from "#features/payouts/contract.ts";
import { pathOf } from "#web/lib/http.ts";
import { useParams } from "#web/lib/search-param.ts";
import { ExportButton } from "#web/ui/export-button.tsx";
import { Select } from "#web/ui/select.tsx";

const statusChoices = [
  { value: "pending", label: "Pending" },
  { value: "paid", label: "Paid" },
  { value: "returned", label: "Returned" },
  { value: "deleted", label: "Deleted" },
] as const;

const methodChoices = [
  { value: "all", label: "All methods" },
  { value: "cashapp", label: "CashApp" },
  { value: "venmo", label: "Venmo" },
] as const;

/** Undefined for the pending ones. */
export function settledStatusIn(params: URLSearchParams): SettledStatus | undefined {
  return statusChoices
    .map(({ value }) => value)
    .filter((value) => value !== "pending")
    .find((value) => value === params.get("status"));
}

type PayoutFiltersProps = {
  readonly status: SettledStatus | undefined;
  readonly method: PayoutMethodName | undefined;
};

export function PayoutFilters({ status, method }: PayoutFiltersProps) {
  const [, setParams] = useParams();
  return (
    <div className="flex items-center gap-2 no-print">
      <div className="min-w-0 flex-1 sm:max-w-36">
        <Select
          aria-label="Status"
          value={status ?? "pending"}
          // Settled ones have an order of their own.
          onValue={(value) =>
            setParams({
              status: value === "pending" ? undefined : value,
              sort: undefined,
              order: undefined,
            })
          }
          choices={statusChoices}
        />
      </div>
      <div className="min-w-0 flex-1 sm:max-w-44">
        <Select
          aria-label="Method"
          value={method ?? "all"}
          onValue={(value) => setParams({ method: value === "all" ? undefined : value })}
          choices={methodChoices}
        />
      </div>
      <span className="ms-auto">
        {status === undefined ? (
          <ExportButton
            path={pathOf("/payouts/pending/export", { method })}
            name="payout-requests"
          />
        ) : (
          <ExportButton
            path={pathOf("/payouts/settled/export", { status, method })}
            name={`payouts-${status}`}
          />
        )}
      </span>
    </div>
  );
}
