// A row's state, in values that stay the same while nothing about the row changes.
import { useCallback, useLayoutEffect, useRef } from "react";
import type { RowsProps, Selection } from "./data-table-column.ts";

export type RowState<Row> = {
  readonly id: string;
  readonly isSelected: boolean;
  readonly isOpen: boolean;
  readonly hasArrived: boolean;
  /** The checkbox's label; undefined if rows cannot be selected. */
  readonly selectLabel: string | undefined;
  readonly SelectBox: Selection<Row>["Box"] | undefined;
  readonly onSelect: (id: string, isSelected: boolean) => void;
  /** Undefined if rows open nothing. */
  readonly onOpen: ((row: Row) => void) | undefined;
};

/** The callbacks keep their identity and use the newest props. */
export function useRowState<Row>(props: RowsProps<Row>): (row: Row) => RowState<Row> {
  const { rowId, selection, opening, arrivedIds } = props;
  const newest = useRef({ selection, opening });
  useLayoutEffect(() => {
    newest.current = { selection, opening };
  });
  const onSelect = useCallback((id: string, isSelected: boolean) => {
    const now = newest.current.selection;
    if (now !== undefined) {
      const ids = new Set(now.selected);
      if (isSelected) {
        ids.add(id);
      } else {
        ids.delete(id);
      }
      now.onSelected(ids);
    }
  }, []);
  const onOpen = useCallback((row: Row) => newest.current.opening?.onOpen(row), []);
  return (row) => {
    const id = rowId(row);
    return {
      id,
      isSelected: selection?.selected.has(id) ?? false,
      isOpen: opening?.openId === id,
      hasArrived: arrivedIds.has(id),
      selectLabel: selection === undefined ? undefined : `Select ${selection.nameOf(row)}`,
      SelectBox: selection?.Box,
      onSelect,
      onOpen: opening === undefined ? undefined : onOpen,
    };
  };
}
