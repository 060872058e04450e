// A list's entries in order: its rows, and a heading above each group. Long lists draw only the visible entries.
import type { Grouping } from "./data-table-column.ts";

export type Entry<Row> =
  | { readonly kind: "heading"; readonly key: string; readonly groupId: string }
  | { readonly kind: "row"; readonly key: string; readonly row: Row };

/** The entries from `first` up to but not including `end` are drawn. `above` and `below` are the heights of the others. */
export type EntryWindow = {
  readonly first: number;
  readonly end: number;
  readonly above: number;
  readonly below: number;
  /** Receives the drawn element of an entry, whose index in the list is its `data-index`. */
  readonly measure: (element: Element | null) => void;
};

export function entriesOf<Row>(
  rows: readonly Row[],
  rowId: (row: Row) => string,
  grouping: Grouping<Row> | undefined,
): readonly Entry<Row>[] {
  let group: string | undefined;
  return rows.flatMap((row): Entry<Row>[] => {
    const entry: Entry<Row> = { kind: "row", key: rowId(row), row };
    const groupId = grouping?.groupOf(row);
    if (groupId === undefined || groupId === group) {
      return [entry];
    }
    group = groupId;
    return [{ kind: "heading", key: `group at ${entry.key}`, groupId }, entry];
  });
}
