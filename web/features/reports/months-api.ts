// The calls about closed months, sales tax and everybody's yearly statements.
import { allYearsResponse, type AllYearsResponse } from "#features/accounts/contract-year.ts";
import {
  remitSalesTaxResponse,
  remittancesResponse,
  reverseRemittanceResponse,
  type RemitSalesTaxRequest,
  type RemitSalesTaxResponse,
  type RemittancesResponse,
} from "#features/months/contract.ts";
import {
  closeMonthResponse,
  lateEntriesResponse,
  monthsResponse,
  openMonthResponse,
  type CloseMonthRequest,
  type CloseMonthResponse,
  type LateBy,
  type LateEntriesResponse,
  type MonthsResponse,
  type MonthView,
  type OpenMonthResponse,
} from "#features/months/contract-months.ts";
import { taxReportResponse, type TaxReportResponse } from "#features/months/contract-tax.ts";
import { download } from "#web/lib/download.ts";
import { asApiError } from "#web/lib/api-error.ts";
import { pathOf, read, send } from "#web/lib/http.ts";
import { ownPaper } from "#web/lib/paper.ts";
import { useRead, type Read } from "#web/lib/read.ts";

export function useMonths(year: string | undefined): Read<MonthsResponse> {
  return useRead(pathOf("/months", { year }), monthsResponse);
}

export function useOpenMonth(): Read<OpenMonthResponse> {
  return useRead("/months/open", openMonthResponse);
}

export function useLateEntries(month: string, by: LateBy): Read<LateEntriesResponse> {
  return useRead(pathOf(`/months/${month}/late`, { by }), lateEntriesResponse);
}

export function closeMonthCall(body: CloseMonthRequest) {
  return { method: "POST", path: "/months/close", body } as const;
}

/** A month, and up to where its totals were read. */
export type SeenMonth = { readonly month: MonthView; readonly position: number };

/** Undefined if the store has no entries in it any more. */
export async function readMonth(name: string): Promise<SeenMonth | undefined> {
  const { months, position } = (
    await read(pathOf("/months", { year: name.slice(0, 4) }), monthsResponse)
  ).value;
  const month = months.find((one) => one.month === name);
  return month === undefined ? undefined : { month, position };
}

/** Something was recorded into a month after its totals were read. */
export const MONTH_CHANGED = "month_changed";

/** Throws ApiError. If something was recorded into the month since it was looked at, `onChanged` gets its new totals before. */
export async function closeMonth(
  body: CloseMonthRequest,
  key: string,
  onChanged: (seen: SeenMonth) => void,
): Promise<CloseMonthResponse> {
  try {
    return await send({ ...closeMonthCall(body), answer: closeMonthResponse, key });
  } catch (error) {
    const isChanged = asApiError(error).code === MONTH_CHANGED;
    // Without the new totals, the next try is refused again.
    const seen = isChanged ? await readMonth(body.month).catch(() => undefined) : undefined;
    if (seen !== undefined) {
      onChanged(seen);
    }
    throw error;
  }
}

export function useTaxReport(year: string | undefined): Read<TaxReportResponse> {
  return useRead(pathOf("/sales-tax/report", { year }), taxReportResponse);
}

export type TaxFile = { readonly year: number; readonly format: "csv" | "pdf" };

export function saveTaxReport({ year, format }: TaxFile): Promise<void> {
  const paper = format === "pdf" ? ownPaper() : undefined;
  const path = pathOf("/sales-tax/report", { year, format, paper });
  return download(path, `sales-tax-${year}.${format}`);
}

export function useRemittances(): Read<RemittancesResponse> {
  return useRead("/sales-tax/remittances", remittancesResponse);
}

export function remitCall(body: RemitSalesTaxRequest) {
  return { method: "POST", path: "/sales-tax/remittances", body } as const;
}

export function remitSalesTax(
  body: RemitSalesTaxRequest,
  key: string,
): Promise<RemitSalesTaxResponse> {
  return send({ ...remitCall(body), answer: remitSalesTaxResponse, key });
}

export async function reverseRemittance(
  { id, reason }: { readonly id: string; readonly reason: string },
  key: string,
): Promise<string> {
  const path = `/sales-tax/remittances/${id}/reverse`;
  const call = { method: "POST", path, body: { reason } } as const;
  return (await send({ ...call, answer: reverseRemittanceResponse, key })).message;
}

export function useAllYears(year: string): Read<AllYearsResponse> {
  return useRead(`/statements/years/${year}`, allYearsResponse);
}

export type AllYearsFile = { readonly year: string; readonly format: "csv" | "zip" };

export function saveAllYears({ year, format }: AllYearsFile): Promise<void> {
  const path = pathOf(`/statements/years/${year}`, { format, paper: ownPaper() });
  return download(path, `statements-${year}.${format}`);
}
