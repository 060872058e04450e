// What a part of the benchmark reports: tables for people, and the same as data for --json.

/** One target and what was measured; `met` compares them. */
export type Verdict = {
  readonly name: string;
  readonly measured: number;
  readonly target: number;
  readonly unit: string;
  readonly atLeast: boolean;
};

export type Report = {
  readonly part: string;
  /** Each table's rows share their columns. */
  readonly tables: readonly {
    readonly title: string;
    readonly rows: readonly Record<string, string | number>[];
  }[];
  readonly verdicts: readonly Verdict[];
  readonly notes: readonly string[];
};

/** What a part gets in addition to its server. */
export type PartOptions = {
  /** Length of each measured run in seconds; the argument is the part's default. */
  readonly seconds: (usual: number) => number;
  /** How often everything is measured; the argument is the part's default. Medians are printed. */
  readonly rounds: (usual: number) => number;
  /** Events of the largest log, or items of the largest inventory; the argument is the part's default. */
  readonly size: (usual: number) => number;
  /** Whether a part that measures each projection measures this one. */
  readonly includes: (projection: string) => boolean;
  /** True for a quick run that only shows that everything works: small tables, short runs, meaningless numbers. */
  readonly isSmall: boolean;
  /** Called with what is being done, for the person who waits. */
  readonly progress: (line: string) => void;
};

export function isMet({ measured, target, atLeast }: Verdict): boolean {
  return atLeast ? measured >= target : measured <= target;
}

function cell(value: string | number): string {
  if (typeof value === "string") {
    return value;
  }
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits });
}

/** A table of aligned columns. */
export function tableText(rows: readonly Record<string, string | number>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name] ?? "")))];
  const widths = names.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((text, column) =>
          column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0),
        )
        .join("   "),
    )
    .join("\n");
}

export function reportText({ part, tables, verdicts, notes }: Report): string {
  return [
    `## ${part}`,
    ...tables.map(({ title, rows }) => `${title}\n${tableText(rows)}`),
    ...notes,
    ...verdicts.map((verdict) => {
      const { name, measured, target, unit, atLeast } = verdict;
      const wanted = `${atLeast ? "at least" : "at most"} ${cell(target)} ${unit}`.trim();
      return `${isMet(verdict) ? "met   " : "MISSED"} ${name}: ${cell(measured)} ${unit} (${wanted})`;
    }),
  ].join("\n\n");
}
