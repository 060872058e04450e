// What `npm run rebuild` prints: what differs, what is held back, and what is shown now.
import type { Difference, KeyDifference } from "#ledger/projection/compare.ts";
import { formatCents } from "#ledger/money.ts";
import type { HeldKey } from "#ledger/projection/held.ts";
import type { Compared, RebuildResult } from "#ledger/projection/rebuild.ts";
import type { TakenBack } from "#ledger/projection/take-back.ts";
import { printable } from "./command-line.ts";

/** The most row keys of a table to print, apart from those only shown now; all that were found are in `--json`. */
const KEYS_PRINTED = 10;
const kinds = { added: "only new", removed: "only shown now", changed: "changed" } as const;

function describeKey({ key, kind, firstPosition, cents }: KeyDifference): string {
  const amounts = Object.entries(cents).map(
    ([column, change]) =>
      ` ${column.replace(/_cents$/u, "")} ${change > 0 ? "+" : ""}${formatCents(change)}`,
  );
  const from = firstPosition === 0 ? "" : ` from event ${firstPosition}`;
  return `    ${printable(key)} ${kinds[kind]}${from}${amounts.join(",")}`;
}

/** Columns that only one of the two has are a difference of their own. */
const columnsOf = (differences: readonly Difference[]): string =>
  [...new Set(differences.flatMap(({ otherColumns }) => otherColumns))].join(", ");

const counting = (count: number, thing: string): string =>
  `${count} ${count === 1 ? thing : `${thing}s`}`;

function differing(rows: number, columns: string): string {
  const counted = counting(rows, "row");
  return columns === ""
    ? `${counted} ${rows === 1 ? "differs" : "differ"}`
    : `${counted} and the columns ${columns} differ`;
}

export function describe(difference: Difference): string {
  const { table, rows, keyCount, keys, samples } = difference;
  // Rows that nobody sees any more after a switch are all named.
  const printed = keys.filter(({ kind }, index) => kind === "removed" || index < KEYS_PRINTED);
  const under = keyCount === 0 ? "" : ` under ${counting(keyCount, "row key")}`;
  return [
    `  ${table}: ${differing(rows, columnsOf([difference]))}${under}`,
    ...printed.map(describeKey),
    ...(keyCount > printed.length ? [`    and ${keyCount - printed.length} more`] : []),
    ...samples.map(({ side, row }) => `      ${side}: ${JSON.stringify(row)}`),
  ].join("\n");
}

function describeHeld({ key, atPosition, error }: HeldKey): string {
  return `  held back: ${printable(key)} at event ${atPosition}: ${printable(error)}\n`;
}

function outcomeOf({ flipped, newlyHeldCount }: RebuildResult): string {
  if (flipped) {
    return "shown now";
  }
  return newlyHeldCount === 0
    ? "ready, not shown"
    : `NOT shown: ${newlyHeldCount} row keys that are shown now would be missing (--accept-held shows it anyway)`;
}

/** With the tables that no row named. */
export type Rebuilt = RebuildResult & { readonly dropped: readonly string[] };

export function report(result: Rebuilt): void {
  const seconds = (result.elapsedMs / 1000).toFixed(1);
  const differences = result.differences ?? [];
  const compared =
    result.differences === undefined
      ? `not compared${result.stuck === null ? ": the live tables are of another version" : ""}`
      : differences.length === 0
        ? "no difference from the live tables"
        : `${differing(
            differences.reduce((sum, entry) => sum + entry.rows, 0),
            columnsOf(differences),
          )} from the live tables`;
  process.stdout.write(
    `${result.projection}: ${result.position.toLocaleString("en-US")} events in ${seconds} s, ${compared}, ${outcomeOf(result)}\n`,
  );
  if (result.stuck !== null) {
    process.stdout.write(`  ${result.stuck}\n`);
  }
  if (result.dropped.length > 0) {
    process.stdout.write(
      `  dropped ${result.dropped.join(", ")}: no row of read.projections named them\n`,
    );
  }
  for (const difference of differences) {
    process.stdout.write(`${describe(difference)}\n`);
  }
  for (const key of result.held) {
    process.stdout.write(describeHeld(key));
  }
  if (result.heldCount > result.held.length) {
    process.stdout.write(`  and ${result.heldCount - result.held.length} more\n`);
  }
}

/** Null: nothing was compared, because there is nothing to take back. */
export function differencesIn(compared: Compared | null): readonly Difference[] {
  return compared?.kind === "compared" ? compared.differences : [];
}

/** Why the shown tables could not be compared; null if they could. */
export function stuckIn(compared: Compared | null): string | null {
  return compared?.kind === "stuck" ? compared.reason : null;
}

export function describeTakenBack(
  name: string,
  result: TakenBack,
  compared: Compared | null,
): string {
  const columns = columnsOf(differencesIn(compared));
  const stuck = stuckIn(compared);
  if (result.kind === "taken-back") {
    const differing =
      result.differing === 0 ? "" : `; ${result.differing} rows differ from what was shown`;
    return (
      `${name}: generation ${result.generation} is shown again${differing}\n` +
      (stuck === null ? "" : `  ${stuck}\n`) +
      `  The tables that were shown until now cannot be shown again; the only way forward is a new rebuild: npm run rebuild -- ${name}`
    );
  }
  if (result.kind === "refused") {
    if (stuck !== null) {
      return `${name}: NOT switched back: ${stuck} (--accept-differences shows generation ${result.generation} anyway)`;
    }
    return (
      `${name}: NOT switched back: ${differing(result.differing, columns)} in the tables of generation ${result.generation} ` +
      (columns === ""
        ? "(--accept-differences shows them anyway)"
        : "(another program made them, so they cannot be shown)")
    );
  }
  return result.kind === "nothing-older"
    ? `${name}: nothing older to show; generation ${result.generation ?? "none"} is shown`
    : `${name}: generation ${result.generation} is of version ${result.version}; run the program of that version to show it`;
}
