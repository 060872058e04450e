// A page of an accessible PDF: each paragraph and rule is drawn and tagged for screen readers in the same step.
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
export const BODY: TextStyle = { size: 9, weight: 400 };
export const STRONG: TextStyle = { size: 9, weight: 600 };
export const LINE_HEIGHT = 1.4;

export type Page = {
  readonly doc: PDFKit.PDFDocument;
  /** The element that everything on the pages is tagged below. */
  readonly root: Element;
  readonly text: PdfText;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  y: number;
};

/** The first page of a new document; `y` moves down, and starts again at the top of each further page. */
export function firstPage(doc: PDFKit.PDFDocument): Page {
  const text = pdfText(doc);
  const root = doc.struct("Document");
  doc.addStructure(root);
  return {
    doc,
    root,
    text,
    left: MARGIN,
    right: doc.page.width - MARGIN,
    bottom: doc.page.height - MARGIN - FOOTER,
    y: MARGIN,
  };
}

/** Marks what is drawn as the content of a new element below the parent. */
export function tagged(
  page: Page,
  parent: Element,
  type: string,
  draw: () => void,
  scope?: string,
): void {
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

export function paragraph(page: Page, type: string, text: string, style: TextStyle): void {
  const lines = page.text.wrap(text, style, page.right - page.left);
  const height = style.size * LINE_HEIGHT;
  makeRoom(page, lines.length * height);
  tagged(page, page.root, type, () => {
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

/** The store's name, and what the document is. */
export function addTitle(page: Page, storeName: string, title: string): void {
  paragraph(page, "P", storeName, HEADING);
  page.y += 4;
  paragraph(page, "H1", title, TITLE);
  page.y += 4;
}

/** The heading of a part, on a new page if `room` for its beginning is missing. */
export function addHeading(page: Page, heading: string, room: number): void {
  makeRoom(page, room);
  paragraph(page, "H2", heading, HEADING);
  page.y += 4;
}
