// The reads of yearly statements, and their files.
import { yearsResponse, type YearsResponse } from "#features/accounts/contract-year.ts";
import { download } from "#web/lib/download.ts";
import { pathOf } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";
import { ownPaper } from "#web/lib/paper.ts";

export function useYears(uid: string): Read<YearsResponse> {
  return useRead(`/accounts/${uid}/years`, yearsResponse);
}

export type YearFile = {
  readonly uid: string;
  readonly year: number;
  readonly format: "csv" | "pdf";
};

export function saveYear({ uid, year, format }: YearFile): Promise<void> {
  const paper = format === "pdf" ? ownPaper() : undefined;
  const path = pathOf(`/accounts/${uid}/years/${year}`, { format, paper });
  return download(path, `statement-${year}.${format}`);
}
