// A PDF that a screen reader reads completely: how the document is opened, numbered and finished.
import Pdf from "pdfkit";
import type { Page } from "#http/pdf-page.ts";
import { firstPage, MARGIN, unspoken } from "#http/pdf-page.ts";
import type { TextStyle } from "#http/pdf-text.ts";

type Form = {
  readonly paper: "a4" | "letter";
  readonly layout: "portrait" | "landscape";
  readonly storeName: string;
  readonly title: string;
  /** The state of the ledger that it shows: in its properties, and at the foot of every page. */
  readonly ledger: { readonly position: number; readonly chainHead?: string | null };
  /** ISO 8601. */
  readonly madeAt: string;
};

/** The finished file, with what `draw` puts on its pages. */
export async function pdfOf(
  form: Form,
  draw: (page: Page) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const doc = openDocument(form);
  const finished = bytesOf(doc);
  const page = firstPage(doc);
  draw(page);
  page.root.end();
  const { position, chainHead } = form.ledger;
  const head = chainHead ? `, chain head ${chainHead}` : "";
  addFooters(page, `Ledger position ${position}${head}`);
  doc.end();
  return await finished;
}

/** An empty PDF/UA document. */
function openDocument({
  paper,
  layout,
  storeName,
  title,
  ledger,
  madeAt,
}: Form): PDFKit.PDFDocument {
  const { position, chainHead } = ledger;
  const head = chainHead === undefined ? "" : `, chain head ${chainHead ?? "none"}`;
  // The types do not know this subset yet.
  const accessible: object = { subset: "PDF/UA" };
  const doc = new Pdf({
    ...accessible,
    size: paper === "a4" ? "A4" : "LETTER",
    layout,
    margin: 0,
    pdfVersion: "1.7",
    tagged: true,
    lang: "en-US",
    displayTitle: true,
    bufferPages: true,
    // No built-in font is used, so none is loaded.
    font: "",
    info: {
      Author: storeName,
      Title: title,
      Subject: `Ledger position ${position}${head}`,
      CreationDate: new Date(madeAt),
    },
  });
  escapeMetadata(doc);
  return doc;
}

/** PDFKit puts the document's properties into its XML metadata as they are: a name with `<` would break it. */
function escapeMetadata(doc: PDFKit.PDFDocument): void {
  const addAsTheyAre: unknown = Reflect.get(doc, "_addInfo");
  if (typeof addAsTheyAre !== "function") {
    throw new TypeError("This version of PDFKit writes its metadata in another way");
  }
  Reflect.set(doc, "_addInfo", () => {
    const { info } = doc;
    const escaped = Object.entries(info).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === "string" ? inXml(value) : value,
    ]);
    doc.info = Object.fromEntries(escaped) as PDFKit.DocumentInfo;
    Reflect.apply(addAsTheyAre, doc, []);
    doc.info = info;
  });
}

function inXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The finished file, after `doc.end()`. */
function bytesOf(doc: PDFKit.PDFDocument): Promise<Uint8Array<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const chunks: Uint8Array[] = [];
  doc.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  doc.on("end", () => resolve(Uint8Array.from(Buffer.concat(chunks))));
  doc.on("error", reject);
  return promise;
}

/** On every page: these words, and "Page 1 of 3". */
function addFooters(page: Page, words: string): void {
  const { doc } = page;
  const style: TextStyle = { size: 6.5, weight: 400 };
  const { start, count } = doc.bufferedPageRange();
  for (let index = start; index < start + count; index += 1) {
    doc.switchToPage(index);
    unspoken(page, "Pagination", () => {
      const y = doc.page.height - MARGIN - style.size;
      page.text.draw(words, style, { x: page.left, y });
      page.text.draw(`Page ${index - start + 1} of ${count}`, style, { end: page.right, y });
    });
  }
}
