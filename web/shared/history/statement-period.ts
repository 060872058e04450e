// The periods that the statement's picker offers, and the address of the statement.
import { pathOf } from "#web/lib/http.ts";
import { ownPaper } from "#web/lib/paper.ts";
import type { Choice } from "#web/ui/select.tsx";

/** Days as `2026-11-21`, both included; empty until one is picked. */
export type Period = { readonly from: string; readonly to: string };

export type Preset = "this-month" | "last-month" | "this-year" | "last-year" | "custom";

export const presetChoices: readonly Choice<Preset>[] = [
  { value: "this-month", label: "This month" },
  { value: "last-month", label: "Last month" },
  { value: "this-year", label: "This year" },
  { value: "last-year", label: "Last year" },
  { value: "custom", label: "Custom" },
];

function dayText(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 10);
}

/** The preset's whole period, seen from a day of the store. The current one extends to its end. */
export function periodOf(preset: Exclude<Preset, "custom">, today: string): Period {
  const year = Number(today.slice(0, 4));
  const month = Number(today.slice(5, 7)) - 1;
  const bounds: Record<typeof preset, readonly [from: number, to: number]> = {
    "this-month": [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 0)],
    "last-month": [Date.UTC(year, month - 1, 1), Date.UTC(year, month, 0)],
    "this-year": [Date.UTC(year, 0, 1), Date.UTC(year, 11, 31)],
    "last-year": [Date.UTC(year - 1, 0, 1), Date.UTC(year - 1, 11, 31)],
  };
  const [from, to] = bounds[preset];
  return { from: dayText(from), to: dayText(to) };
}

export function isWhole({ from, to }: Period): boolean {
  return [from, to].every((day) => /^\d{4}-\d\d-\d\d$/u.test(day)) && from <= to;
}

/** A file contains what the preview showed: the ledger up to the same position. */
export function statementPath(
  uid: string,
  period: Period,
  file: {
    readonly format?: "csv" | "pdf";
    readonly position?: number | undefined;
    /** A moment of the past, while the position is not known yet. */
    readonly at?: string | undefined;
  } = {},
): string {
  const { format, position, at } = file;
  return pathOf(`/accounts/${uid}/statement`, {
    ...period,
    format,
    paper: format === "pdf" ? ownPaper() : undefined,
    position,
    at,
  });
}
