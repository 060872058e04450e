// A table in an accessible PDF: its columns, and rows that are drawn and tagged one by one over as many pages as needed.
import type { Element, Page } from "#http/pdf-page.ts";
import {
  addHeading,
  LINE_HEIGHT,
  makeRoom,
  paragraph,
  rule,
  SMALL,
  tagged,
  unspoken,
} from "#http/pdf-page.ts";
import type { TextStyle } from "#http/pdf-text.ts";

/** Between two columns. */
const GAP = 8;

/** One column of each table has the width 0: it takes what the others leave. */
export type NamedColumn = readonly [heading: string, width: number, isAmount: boolean];

/** A column: its heading, its left edge or (for amounts) right edge, and its width. */
type Column = {
  readonly heading: string;
  readonly x: number;
  readonly width: number;
  readonly isAmount: boolean;
};

/** A cell's paragraphs, each with its style. */
export type Cell = readonly (readonly [text: string, style: TextStyle])[];

/** One paragraph in each cell, all in one style. */
export const cellsOf = (style: TextStyle, ...texts: readonly string[]): readonly Cell[] =>
  texts.map((text) => [[text, style]]);

function placed(page: Page, named: readonly NamedColumn[]): readonly Column[] {
  const fixed = named.reduce((sum, [, width]) => sum + width, 0);
  const rest = page.right - page.left - fixed;
  let x = page.left;
  return named.map(([heading, given, isAmount]) => {
    const width = given === 0 ? rest : given;
    const column = { heading, x, width, isAmount };
    x += width;
    return column;
  });
}

function drawCell(page: Page, column: Column, cell: Cell, top: number): void {
  let y = top;
  for (const [text, style] of cell) {
    for (const line of linesOf(page, column, text, style)) {
      const end = column.x + column.width;
      page.text.draw(line, style, column.isAmount ? { end, y } : { x: column.x, y });
      y += style.size * LINE_HEIGHT;
    }
  }
}

function linesOf(page: Page, column: Column, text: string, style: TextStyle): readonly string[] {
  return column.isAmount ? [text] : page.text.wrap(text, style, column.width - GAP);
}

function heightOf(page: Page, columns: readonly Column[], cells: readonly Cell[]): number {
  const heights = columns.map((column, index) =>
    (cells[index] ?? []).reduce(
      (sum, [text, style]) =>
        sum + linesOf(page, column, text, style).length * style.size * LINE_HEIGHT,
      0,
    ),
  );
  return Math.max(...heights) + 6;
}

/** A table while rows are added to it. */
type Table = { readonly columns: readonly Column[]; readonly body: Element };

/** A table whose headings are drawn and tagged once. */
export function openTable(page: Page, named: readonly NamedColumn[]): Table {
  const { doc, root } = page;
  const columns = placed(page, named);
  const element = doc.struct("Table");
  root.add(element);
  const head = doc.struct("THead");
  element.add(head);
  const row = doc.struct("TR");
  head.add(row);
  makeRoom(page, 60);
  for (const column of columns) {
    tagged(
      page,
      row,
      "TH",
      () => drawCell(page, column, [[column.heading, SMALL]], page.y),
      "Column",
    );
  }
  belowHeadings(page);
  const body = doc.struct("TBody");
  element.add(body);
  return { columns, body };
}

function belowHeadings(page: Page): void {
  page.y += SMALL.size * LINE_HEIGHT + 3;
  rule(page, page.y, 0.75);
  page.y += 4;
}

/** One row; the first cell of a row with a heading names the row. */
export function addRow(page: Page, table: Table, cells: readonly Cell[], isHeaded = false): void {
  const height = heightOf(page, table.columns, cells);
  if (makeRoom(page, height)) {
    unspoken(page, "Pagination", () => {
      for (const column of table.columns) {
        drawCell(page, column, [[column.heading, SMALL]], page.y);
      }
    });
    belowHeadings(page);
  }
  const row = page.doc.struct("TR");
  table.body.add(row);
  for (const [index, column] of table.columns.entries()) {
    const isHeading = isHeaded && index === 0;
    const draw = () => drawCell(page, column, cells[index] ?? [], page.y);
    tagged(page, row, isHeading ? "TH" : "TD", draw, isHeading ? "Row" : undefined);
  }
  page.y += height;
}

/** The row of sums at a table's end, below a rule. */
export function addSumRow(page: Page, table: Table, cells: readonly Cell[]): void {
  rule(page, page.y - 2, 0.75);
  page.y += 2;
  addRow(page, table, cells, true);
}

type List = {
  readonly heading: string;
  readonly columns: readonly NamedColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether the first cell of each row names the row. */
  readonly isHeaded: boolean;
  /** What it says without rows. */
  readonly empty: readonly [sentence: string, style: TextStyle];
};

/** A part of the document that is a list, or a sentence if there is nothing to list. */
export function addList(page: Page, { heading, columns, rows, isHeaded, empty }: List): void {
  addHeading(page, heading, 90);
  if (rows.length === 0) {
    paragraph(page, "P", ...empty);
    return;
  }
  const table = openTable(page, columns);
  for (const cells of rows) {
    addRow(page, table, cells, isHeaded);
  }
}
