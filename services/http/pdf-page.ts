// A page of an accessible PDF: each paragraph and table is drawn and tagged for screen readers in the same step.
import type { PdfText, TextStyle } from "#http/pdf-text.ts";
import { pdfText } from "#http/pdf-text.ts";

export type Element = PDFKit.PDFStructureElement;

/** 16 mm, and room for two lines of footer. */
export const MARGIN = 45.35;
const FOOTER = 28;

export const TITLE: TextStyle = { size: 20, weight: 600 };
export const HEADING: TextStyle = { size: 12, weight: 600 };
/** For secondary text: column headings, reasons. */
export const SMALL: TextStyle = { size: 8, weight: 400 };
const LINE_HEIGHT = 1.4;
/** Between two columns. */
const GAP = 8;

/** A column: its heading, its left edge or (for amounts) right edge, and its width. */
type Column = {
  readonly heading: string;
  readonly x: number;
  readonly width: number;
  readonly isAmount: boolean;
};

/** A cell's paragraphs, each with its style. */
export type Cell = readonly (readonly [text: string, style: TextStyle])[];

export type Page = {
  readonly doc: PDFKit.PDFDocument;
  readonly text: PdfText;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  y: number;
};

/** The first page of a new document; `y` moves down, and starts again at the top of each further page. */
export function firstPage(doc: PDFKit.PDFDocument): Page {
  return {
    doc,
    text: pdfText(doc),
    left: MARGIN,
    right: doc.page.width - MARGIN,
    bottom: doc.page.height - MARGIN - FOOTER,
    y: MARGIN,
  };
}

/** Marks what is drawn as the content of a new element below the parent. */
function tagged(page: Page, parent: Element, type: string, draw: () => void, scope?: string): void {
  const { doc } = page;
  const content = doc.markStructureContent(type);
  draw();
  doc.endMarkedContent();
  // The types do not know the scope of a header cell yet.
  const options: object = scope === undefined ? {} : { scope };
  parent.add(doc.struct(type, options, [content]));
}

/** Draws what a screen reader skips: rules, repeated headings, footers. */
export function unspoken(page: Page, type: "Pagination" | "Layout", draw: () => void): void {
  page.doc.markContent("Artifact", { type });
  draw();
  page.doc.endMarkedContent();
}

export function rule(page: Page, y: number, width: number): void {
  unspoken(page, "Layout", () => {
    page.doc.moveTo(page.left, y).lineTo(page.right, y).lineWidth(width).stroke("#000000");
  });
}

export function paragraph(
  page: Page,
  parent: Element,
  type: string,
  text: string,
  style: TextStyle,
): void {
  const lines = page.text.wrap(text, style, page.right - page.left);
  const height = style.size * LINE_HEIGHT;
  makeRoom(page, lines.length * height);
  tagged(page, parent, type, () => {
    for (const line of lines) {
      page.text.draw(line, style, { x: page.left, y: page.y });
      page.y += height;
    }
  });
}

/** Begins a new page if this much does not fit anymore; returns whether it did. */
export function makeRoom(page: Page, height: number): boolean {
  if (page.y + height <= page.bottom) {
    return false;
  }
  page.doc.addPage();
  page.y = MARGIN;
  return true;
}

export function columnsOf(
  page: Page,
  named: readonly (readonly [heading: string, width: number, isAmount: boolean])[],
): readonly Column[] {
  const fixed = named.reduce((sum, [, width]) => sum + width, 0);
  const rest = page.right - page.left - fixed;
  let x = page.left;
  return named.map(([heading, given, isAmount]) => {
    // The one column without a width takes what the others leave.
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
export function openTable(page: Page, root: Element, columns: readonly Column[]): Table {
  const { doc } = page;
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
