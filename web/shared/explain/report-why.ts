// How the address names a number of a report: `?why=report:ownSold:all:2026-01-01:2026-01-31`, and one kind of its lines after it.
import { reportNumber, type ReportNumber } from "#features/reports/contract.ts";
import type { Why } from "./why.ts";

export type ReportWhy = {
  readonly number: ReportNumber;
  /** Undefined for the whole store. */
  readonly consignor: string | undefined;
  /** Without a consignor: only the lines of consignors, not the store's own. */
  readonly whose?: "consignors" | undefined;
  readonly from: string;
  readonly to: string;
  /** The kind of lines that is shown first; left out for all. */
  readonly kind?: string | undefined;
};

/** Stand for the whole store and for all its consignors; ids of people are longer. */
const ALL = "all";
const CONSIGNORS = "consignors";

export function reportWhy(
  number: ReportNumber,
  { consignor, whose, from, to, kind }: Omit<ReportWhy, "number">,
): Why {
  const parts = [
    number,
    consignor ?? whose ?? ALL,
    from,
    to,
    ...(kind === undefined ? [] : [kind]),
  ];
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
  if (!number.success || to === "") {
    return undefined;
  }
  const asked = { number: number.data, consignor: undefined, from, to, kind };
  if (consignor === CONSIGNORS) {
    return { ...asked, whose: CONSIGNORS };
  }
  return consignor === ALL ? asked : { ...asked, consignor };
}
