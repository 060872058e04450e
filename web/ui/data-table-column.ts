// How a screen describes its lists to the kit's table: columns, sorting, selection, and each column's place on a phone's card.
import type { Checkbox } from "./checkbox.tsx";
import type { ReactNode } from "react";

/**
 * A column's place on a phone: `title` and `amount` make the first line; `line`, then at the end `end-line` and `chip`,
 * the second, muted one. `actions` are next to both lines: icons only. `foot` is below them, for buttons with text.
 * `pair` is a line of its own with a label, for what a list without drawer has to show. `none` is hidden: the row's
 * drawer shows it.
 */
export type CardPlace =
  | "title"
  | "amount"
  | "line"
  | "end-line"
  | "chip"
  | "pair"
  | "actions"
  | "foot"
  | "none";

/** `By` is what the server can sort the list by. */
export type Column<Row, By extends string = string> = {
  readonly id: string;
  readonly header: string;
  /** Hides the header except from screen readers. */
  readonly isHeaderHidden?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** Aligns numbers and their heading to the right. */
  readonly align?: "start" | "end";
  /** The server's name for sorting by this column. Without it the heading is plain text. */
  readonly sortAs?: By;
  /** Names may be truncated; amounts never. */
  readonly isTruncated?: boolean;
  /**
   * A width class, for example `w-40`. A truncated name needs a least width too, which has room for about 16 characters
   * (`min-w-36`, with a picture `min-w-48`): a table that has less room becomes cards.
   */
  readonly width?: string;
  /** Hides this column if the table is narrower than this. A phone's cards follow `card`. */
  readonly shownFrom?: "66rem" | "73rem" | "77rem" | "84rem";
  readonly card: CardPlace;
  /** The words before the value on a card, where the value alone would not say what it is: "Balance after". */
  readonly cardLabel?: string;
};

export type Selection<Row> = {
  readonly selected: ReadonlySet<string>;
  readonly onSelected: (ids: ReadonlySet<string>) => void;
  /** The row's name in its checkbox: "Select Desk lamp". */
  readonly nameOf: (row: Row) => string;
  /** The kit's checkbox: the screen gives it, so that a list without a selection does not load it. */
  readonly Box: typeof Checkbox;
};

/** For rows that open something (a drawer): the title is a button, and the row can be clicked. */
export type Opening<Row> = {
  readonly onOpen: (row: Row) => void;
  /** The id of the open row. */
  readonly openId: string | undefined;
};

/** A heading between rows, above each change of `id`. */
export type Grouping<Row> = {
  readonly groupOf: (row: Row) => string;
  readonly renderHeading: (id: string) => ReactNode;
};

export type RowsProps<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rowId: (row: Row) => string;
  readonly selection: Selection<Row> | undefined;
  readonly opening: Opening<Row> | undefined;
  readonly grouping: Grouping<Row> | undefined;
  /** Highlights rows that arrive while the list is on screen. */
  readonly arrivedIds: ReadonlySet<string>;
  /** The cells of the total row, by column. */
  readonly totals: Readonly<Record<string, ReactNode>> | undefined;
};
