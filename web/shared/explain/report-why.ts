// How the address names a number of a report: `?why=report:ownSold:all:2026-01-01:2026-01-31`, and one kind of its lines after it.
import { reportNumber, type ReportNumber } from "#features/reports/contract.ts";
import type { Why } from "./why.ts";

export type ReportWhy = {
  readonly number: ReportNumber;
  /** Undefined for the whole store. */
  readonly consignor: string | undefined;
  readonly from: string;
  readonly to: string;
  /** The kind of lines that is shown first; left out for all. */
  readonly kind?: string | undefined;
};

/** Stands for the whole store; ids of people are longer. */
const ALL = "all";

export function reportWhy(
  number: ReportNumber,
  { consignor = ALL, from, to, kind }: Omit<ReportWhy, "number">,
): Why {
  const parts = [number, consignor, from, to, ...(kind === undefined ? [] : [kind])];
  return { kind: "report", id: parts.join(":") };
}

/** "1 Jan – 31 Dec 2026" */
export function reportDays({ from, to }: Pick<ReportWhy, "from" | "to">): string {
  const words = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
  const range = words.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`));
  // British English alone has four letters for this month.
  return range.replaceAll("Sept", "Sep");
}

/** Undefined for anything that names no number. */
export function reportWhyIn(id: string): ReportWhy | undefined {
  const [name, consignor = "", from = "", to = "", kind] = id.split(":");
  const number = reportNumber.safeParse(name);
  return number.success && to !== ""
    ? { number: number.data, consignor: consignor === ALL ? undefined : consignor, from, to, kind }
    : undefined;
}
