// How a screen describes its lists to the kit's table: columns, sorting, selection, and what each column is on a phone's card.
import type { ReactNode } from "react";

/**
 * A column's place on a phone: `title` and `amount` make the first line, `line` and `end-line` the second (quiet) one,
 * `chip` the third, `actions` the card's end, `pair` a labelled line of its own, `none` is left out.
 */
export type CardPlace =
  | "title"
  | "amount"
  | "line"
  | "end-line"
  | "chip"
  | "pair"
  | "actions"
  | "none";

/** `By` is what the server can sort the list by. */
export type Column<Row, By extends string = string> = {
  readonly id: string;
  readonly header: string;
  /** Speaks the header without showing it. */
  readonly isHeaderHidden?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers go right, with their headings. */
  readonly align?: "start" | "end";
  /** What the server calls sorting by this column. Without it the heading is plain text. */
  readonly sortAs?: By;
  /** Names may be cut; amounts never. */
  readonly isTruncated?: boolean;
  /** A width class, for example `w-40`. */
  readonly width?: string;
  /** Where the table itself is narrower it goes without this column. A phone's cards have what `card` says. */
  readonly shownFrom?: "66rem" | "73rem" | "77rem";
  readonly card: CardPlace;
};

export type Selection<Row> = {
  readonly selected: ReadonlySet<string>;
  readonly onSelected: (ids: ReadonlySet<string>) => void;
  /** Named in each checkbox: "Select Desk lamp". */
  readonly nameOf: (row: Row) => string;
};

/** Rows that open something (a drawer): the title is a button, and the row can be clicked. */
export type Opening<Row> = {
  readonly onOpen: (row: Row) => void;
  /** The id of the row that is open now. */
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
  /** Rows that came while somebody was looking show themselves for a moment. */
  readonly arrivedIds: ReadonlySet<string>;
  /** Per column, the last line's cells. */
  readonly totals: Readonly<Record<string, ReactNode>> | undefined;
};
